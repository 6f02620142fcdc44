"""What a page says beside its labels and values, and nobody has read.

Each of it may say that a value is another one than its label says: "All amounts in thousands",
"This is a copy of 3 January", "Actual | Plan". What it means is not known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from pytest_bwa.facts.page import NEVER_OWN, is_in_own_region, title_of
from pytest_bwa.policy.rules.readings import Doubts
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.step import Box, Element, LabelledValue, Observation
from pytest_bwa.steps.text import has_words, label_key

_QUOTED = 60  # characters
_WRITTEN = frozenset({"text", "listitem", "status", "alert", "note"})
_NOTE_WORDS = 4
"""A text with fewer words is a name, a count or a button's, and no sentence about the record."""
_BYLINE_WORDS = 12
"""At most: "Added by Ann Lee 12 days ago. Updated 9 days ago."."""
_WIDE = "\u2e80"
"""From this character on, scripts have no spaces, and two characters are a word."""
_END = re.compile(r"[.!?。](?:\s|$)")  # of a whole sentence


class Unread:
    """The sentences of one page of which nobody knows what they say of its values.

    ``names`` are those of the sample: a path to the page has one of them, and says nothing. What
    has the words of the spec's ``confirmation`` does not either: the user knows what it says.
    """

    def __init__(self, page: Observation, names: Sequence[str], confirmation: str) -> None:
        self._page, self._names, self._confirmation = page, names, confirmation

    def beside(self, value: LabelledValue) -> Doubts:
        """What may say that a value is another one. A row of a table or a card of its own stands
        for itself."""
        if value.place.record:
            return {}
        note = self._note(value, value.box) if value.box else ""
        return {Doubt.NOTE_BESIDE: note[:_QUOTED]} if note else {}

    # -- sentences -------------------------------------------------------------------------------

    def _note(self, value: LabelledValue, box: Box) -> str:
        """A sentence above or below the value, in its part of the page or above the title."""
        top = next((e.box.y for e in self._texts if e.name == self._title and e.box), 0.0)
        return next(
            (
                note.name for note in self._sentences
                if _is_in_column(note.box, box)
                and (_is_in_part(note, value) or _is_above(note, top))
            ),
            "",
        )  # fmt: skip

    @cached_property
    def _sentences(self) -> list[Element]:
        """The sentences of the content that are no value, no title, and no path to the page."""
        window = f"_{label_key(self._page.title)}_"
        return [
            e for e in self._texts
            if _is_sentence(e) and is_in_own_region(e.place)
            and f"_{label_key(e.name)}_" not in window and not self._is_of_record(e)
            and (_END.search(e.name) or not any(has_words(e.name, n) for n in self._names))
            and not self._is_byline(e)
        ]  # fmt: skip

    def _is_byline(self, note: Element) -> bool:
        """Whether a short text with a link in its middle says who wrote something, and when; or
        only leads elsewhere."""
        links = (e.name for e in self._texts if e.role == "link" and e.name in note.name)
        is_short = len(note.name.split()) <= _BYLINE_WORDS
        ends = note.name.rstrip(".!")
        return is_short and any(name and not ends.endswith(name) for name in links)

    def _is_of_record(self, note: Element) -> bool:
        """Whether a text is a part of what the page labels, or has a label with its value."""
        key = f"_{label_key(note.name)}_"
        pairs = (f"_{label_key(f'{v.label} {v.value}')}_" for v in self._page.labelled if v.value)
        return any(key in pair or pair in key for pair in pairs)

    # -- the page --------------------------------------------------------------------------------

    @cached_property
    def _title(self) -> str:
        return title_of(self._page)

    @cached_property
    def _texts(self) -> list[Element]:
        """What can be seen outside of rows, frames and comments."""
        known = self._confirmation
        return [
            e for e in self._page.all_elements
            if not (known and has_words(e.name, known)) and not e.place.frame
            and not e.place.record and not NEVER_OWN & set(e.place.regions)
        ]  # fmt: skip


def _is_sentence(element: Element) -> bool:
    wide = sum(character >= _WIDE for character in element.name)
    return element.role in _WRITTEN and len(element.name.split()) + wide // 2 >= _NOTE_WORDS


def _is_above(note: Element, top: float) -> bool:
    """Whether a whole sentence is painted above the title, where a site has its name and motto."""
    return note.box is not None and note.box.y < top and _END.search(note.name) is not None


def _is_in_column(box: Box | None, other: Box) -> bool:
    """Whether one of them is painted above or below the other."""
    if box is None:
        return False
    return box.x < other.x + other.width and other.x < box.x + box.width


def _part_of(value: LabelledValue) -> list[str]:
    """The headings above a value, of which its own label may be one, and a title may come twice."""
    return [h for h in dict.fromkeys(value.place.headings) if h != value.label]


def _is_in_part(element: Element, value: LabelledValue) -> bool:
    """Whether an element stands in the part of the page in which a value stands."""
    own = list(dict.fromkeys(element.place.headings))
    return is_in_own_region(element.place) and own == _part_of(value)
