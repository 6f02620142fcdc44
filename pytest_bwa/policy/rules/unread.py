"""What a page says beside its labels and values, and nobody has read.

Each of it may say that a value is another one than its label says: "All amounts in thousands",
"This is a copy of 3 January", "Actual | Plan". What it means is not known, so the value is not
certain.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from pytest_bwa.policy.rules.page_parts import NEVER_OWN, is_in_own_region, title_of
from pytest_bwa.steps import RECORD_KINDS, Box, Element, LabelledValue, Observation
from pytest_bwa.text import has_words, label_key, whole_words

_QUOTED = 60  # characters
_WRITTEN = frozenset({"text", "listitem", "status", "alert", "note"})
_ANNOUNCED = frozenset({"status", "alert"})
_NOTE_WORDS = 4
"""A text with fewer words is a name, a count or a button's, and no sentence about the record."""
_BYLINE_WORDS = 12
"""At most: "Added by Ann Lee 12 days ago. Updated 9 days ago."."""
_WIDE = "\u2e80"
"""From this character on, scripts have no spaces, and two characters are a word."""
_END = re.compile(r"[.!?。](?:\s|$)")  # of a whole sentence
_STATED = RECORD_KINDS | {"input"}
_CHOICES = frozenset({"combobox", "listbox", "slider", "spinbutton"})
_PRESSED, _CHECKED = "pressed=true", "checked=true"


class Unread:
    """The texts and choices of one page of which nobody knows what they say of its values.

    ``names`` are those of the sample: what has one of them and is no whole sentence, such as a path
    to the page, is no note above a value. What has the words of the spec's ``confirmation`` is none
    either: the user knows what it says.
    """

    def __init__(self, page: Observation, names: Sequence[str], confirmation: str) -> None:
        self._page, self._names, self._confirmation = page, names, confirmation

    def beside(self, value: LabelledValue) -> str:
        """What may say that a value is another one; empty if nothing may. A row of a table or a
        card of its own stands for itself."""
        if value.place.record:
            return ""
        quoted = value.value[:_QUOTED]
        if value.box and (chosen := self._chosen_above(value, value.box)):
            return f"“{quoted}” may be only what is chosen above it: “{chosen[:_QUOTED]}”"
        note = self._note(value, value.box) if value.box else ""
        if note := note or self._of_label(value):
            return f"“{quoted}”: the page says beside it, “{note[:_QUOTED]}”"
        return ""

    # -- sentences -------------------------------------------------------------------------------

    def _note(self, value: LabelledValue, box: Box) -> str:
        before, behind = self._notes
        before = [note for note in before if _is_in_part(note, value)]
        behind = [n for n in behind if _is_in_part(n, value) and _is_below(n.box, box)]
        near = (*self._announced, *before, *behind)
        return next((note.name for note in near if _is_in_column(note.box, box)), "")

    @cached_property
    def _notes(self) -> tuple[list[Element], list[Element]]:
        """The sentences right before the first labels and values of the page that stand in no row,
        and those right behind labels and values. A line that begins with a label ("Source: census
        of 2011") is a sentence, too, if it is the only one, and the last of the record."""
        page = self._page
        record = [v for v in page.labelled if v.kind in _STATED and not v.place.record]
        lines = [v for v in record if v.kind == "text"]
        if lines and lines == record[-1:]:
            record.pop()
        stated = [f"_{label_key(f'{v.label} {v.value}')}_" for v in record]
        parts = {label_key(part) for v in record for part in (*_texts_of(v), *v.value.split("\n"))}
        window = f"_{label_key(page.title)}_"
        before, behind = list[Element](), list[Element]()
        run = before
        for element, own in self._texts:
            key = f"_{own}_"
            if own in parts or any(text in key for text in stated):
                run = behind if is_in_own_region(element.place) else run
            elif run and (_is_link_of(element, run[-1]) or self._repeats_title(element)):
                continue
            elif _is_sentence(element) and key not in window:
                run.append(element)
            elif run is before:
                before.clear()
            else:
                run = []
        return [note for note in before if not self._is_path(note)], behind

    def _is_path(self, note: Element) -> bool:
        has_name = any(has_words(note.name, name) for name in self._names)
        return has_name and not _is_whole_sentence(note)

    def _repeats_title(self, element: Element) -> bool:
        """As the head of a box of facts does."""
        return element.role != "heading" and element.name == self._title

    @cached_property
    def _announced(self) -> list[Element]:
        """What stands above the page's title in whole sentences, as the name and the motto of a
        site do not: "You are offline. This is a copy"."""
        texts = [element for element, _ in self._texts]
        heads = [e.box for e in texts if e.role == "heading" and e.name == self._title]
        return [
            e for e in texts
            if (is_in_own_region(e.place) or e.role in _ANNOUNCED) and _is_whole_sentence(e)
            and heads and e.box and not _is_below(e.box, heads[0])
        ]  # fmt: skip

    def _of_label(self, value: LabelledValue) -> str:
        """What else stands under a value's label, or what a whole sentence says of it ("Amount and
        Fee are in cents")."""
        label, key = value.label.strip(" :："), label_key(value.label)
        spoken = whole_words([label] if label[:1].isupper() else [])
        for element, own, is_whole in self._written:
            is_label = key and own.startswith(f"{key}_") and is_in_own_region(element.place)
            is_spoken = is_whole and spoken.search(element.name)
            if (is_label or is_spoken) and not self._is_read(own, key):
                return element.name
        return ""

    def _is_read(self, text: str, key: str) -> bool:
        """Whether a text is a value that was read, or begins with more than its label."""
        longer = (known for known in self._stated if len(known) > len(key))
        return any(text.startswith(known) for known in longer) or text in self._stated

    @cached_property
    def _stated(self) -> set[str]:
        return {label_key(text) for v in self._page.labelled for text in _texts_of(v)}

    @cached_property
    def _written(self) -> list[tuple[Element, str, bool]]:
        """The texts that may say something of a label, with their keys, and whether they are whole
        sentences."""
        return [
            (element, key, _is_whole_sentence(element)) for element, key in self._texts
            if element.role in _WRITTEN and not element.place.record
            and not NEVER_OWN & set(element.place.regions)
        ]  # fmt: skip

    # -- the page --------------------------------------------------------------------------------

    @cached_property
    def _title(self) -> str:
        return title_of(self._page)

    @cached_property
    def _texts(self) -> list[tuple[Element, str]]:
        """What can be seen outside of frames, with its key."""
        known = self._confirmation
        return [
            (e, label_key(e.name)) for e in self._page.all_elements
            if not (known and has_words(e.name, known)) and not e.place.frame
        ]  # fmt: skip

    # -- choices ---------------------------------------------------------------------------------

    def _chosen_above(self, value: LabelledValue, box: Box) -> str:
        here = [element for element, _ in self._texts if _is_in_part(element, value, inside=True)]
        above = (e.name for e in _choices(here) if e.box and e.box.y <= box.y)
        return next(above, "")


def _choices(elements: Sequence[Element]) -> list[Element]:
    """Of several buttons that stay pressed, the one that is, and lists of which one is chosen."""
    toggles = [e for e in elements if any(state.startswith("pressed=") for state in e.states)]
    pressed = [e for e in toggles if _PRESSED in e.states] if len(toggles) > 1 else []
    radios = [e for e in elements if e.role == "radio" and _CHECKED in e.states]
    return pressed + radios + [e for e in elements if e.role in _CHOICES and e.value]


def _is_sentence(element: Element) -> bool:
    wide = sum(character >= _WIDE for character in element.name)
    return element.role in _WRITTEN and len(element.name.split()) + wide // 2 >= _NOTE_WORDS


def _is_whole_sentence(element: Element) -> bool:
    return _is_sentence(element) and _END.search(element.name) is not None


def _is_link_of(element: Element, note: Element) -> bool:
    """Whether a link is the end of a sentence, or stands in a long one: a short one with a link in
    its middle says who wrote something, and when."""
    is_long = len(note.name.split()) > _BYLINE_WORDS
    return note.name.endswith(element.name) or (is_long and has_words(note.name, element.name))


def _texts_of(value: LabelledValue) -> Sequence[str]:
    return value.label, value.value, f"{value.label} {value.value}"


def _is_below(box: Box | None, other: Box | None) -> bool:
    return box is not None and other is not None and box.y + box.height / 2 > other.y


def _is_in_column(box: Box | None, other: Box) -> bool:
    """Whether one of them is painted above or below the other."""
    if box is None:
        return False
    return box.x < other.x + other.width and other.x < box.x + box.width


def _is_in_part(element: Element, value: LabelledValue, *, inside: bool = False) -> bool:
    """Whether an element stands in the part of the page in which a value stands, or also in a part
    ``inside`` of that one. Its own label may count as a heading of a value, and a title twice."""
    place = element.place
    is_own = is_in_own_region(place) and not place.record
    own = list(dict.fromkeys(place.headings))
    part = [h for h in dict.fromkeys(value.place.headings) if h != value.label]
    return is_own and (own[: len(part)] if inside else own) == part
