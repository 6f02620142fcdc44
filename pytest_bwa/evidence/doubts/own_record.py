"""Finds the sample's own record on the pages, and what it has under a field's name. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from pytest_bwa.evidence.labels.labelled_at import PLAIN_KINDS, entries_of
from pytest_bwa.evidence.labels.page_doubts import MORE_IS_SAID, STATED_ALL_THE_SAME
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.text_match import clean, matches, same_text
from pytest_bwa.evidence.lookup.value_search import Field
from pytest_bwa.evidence.sightings import Look, Sightings
from pytest_bwa.place_identity import AROUND_CONTENT
from pytest_bwa.spec.network.urls import host_of
from pytest_bwa.spec.notation.record_names import found_instead, names_alike, tells_its_kind
from pytest_bwa.steps import HIDDEN, RECORD_KINDS, Element, LabelledValue, Observation, Place
from pytest_bwa.text import cells_of, label_key

_SPOKEN = frozenset({"comment", "dialog", "navigation", "search"})
"""Regions in which somebody says something, or the site is searched."""
_TYPED = frozenset({"textbox", "combobox"})
_SENTENCE = re.compile(r"\S\s+\S+\s+(?=[^\W\d_]+[.!?]$)[^\W\dA-Z_]")

Stated = tuple[LabelledValue, Observation]
"""A value of the record, and the page that has it."""


class OwnRecord:
    """The record of one sample."""

    def __init__(self, sightings: Sightings) -> None:
        self._sightings = sightings

    def pages(self) -> list[Observation]:
        """The pages at the sample's own address as they were seen last."""
        return list(filter(self.is_own_page, self.newest_pages()))

    def is_own_page(self, page: Observation) -> bool:
        """Whether a page has the sample's own address."""
        return self._sightings.own_address.is_of(page.url)

    def newest_pages(self) -> list[Observation]:
        """The page of each address as it was seen last."""
        return list({page.url: page for page in self._sightings.pages.values()}.values())

    def certain_pages(self) -> list[Observation]:
        """The pages at the sample's own address, else those whose heading names it."""
        return self.pages() or self._named()

    def pages_beside(self, look: Look) -> list[Observation]:
        """The pages that may speak against a value of a look: the sample's own ones, and the page
        of the look itself as it was seen last. A page whose heading names the sample stands for one
        whose heading does not, such as that of search results, or of a namesake."""
        pages, here = self.pages(), self._sightings.pages.get(look.number)
        if here is None or self._sightings.own_address.is_of_another(here.url):
            return pages
        if not self.is_named(here):
            named = list(filter(self.is_named, pages)) if pages else self._named()
            if named:
                return named
        return [*pages, self._last_state(look, here)]

    def _named(self) -> list[Observation]:
        return [page for page in self.newest_pages() if self.is_named(page)]

    def is_named(self, page: Observation) -> bool:
        """Whether the heading of a page names the sample."""
        return self._names_sample(headings_of(page))

    def is_named_like_another(self, page: Observation) -> bool:
        """Whether the heading or the title of a page has the name of another record of the
        sample's kind, and not the sample's own; or its record has, on a page that only repeats what
        was searched for."""
        texts, searched = [*headings_of(page), page.title], list(self._searched_for(page))
        if len(searched) == 1:
            plain = [e for e in page.labelled if e.kind in PLAIN_KINDS]  # however doubtful
            stated = [(label_key(e.label), same_text(e.value)) for e in plain]
            if any(found_instead(name, searched, stated) for name in self._sightings.telling):
                return True
            if searched[0][1] in self._sightings.given:
                texts = [*headings_of(page), *(e.value for e in plain)]
        address = same_text(self._sightings.own_address.url)
        return not self._names_sample(texts) and any(
            names_alike(name).search(text)
            for name in filter(tells_its_kind, self._sightings.telling)
            for text in texts
            if name in address or not name.isdecimal()
        )

    def _searched_for(self, page: Observation) -> Iterator[tuple[str, str]]:
        """What the text fields of a page have in them, by the keys of their labels; what the agent
        typed itself may be new, unless it was typed into a search."""
        for element in page.all_elements:
            text = element.value or ""
            is_search = element.role == "searchbox" or "search" in element.place.regions
            is_filled_in = element.role in _TYPED and not self._sightings.is_typed(text)
            if text.strip() and (is_search or is_filled_in):
                yield label_key(element.name), same_text(text)

    def is_name(self, text: str) -> bool:
        """Whether a text names the sample."""
        return self._names_sample([text])

    def _names_sample(self, headings: Iterable[str]) -> bool:
        texts = [same_text(heading) for heading in headings]
        telling = self._sightings.telling
        return any(next(matches(text, h), None) is not None for text in telling for h in texts)

    def _last_state(self, look: Look, here: Observation) -> Observation:
        """What the page of a look became in place, if it is still the page of the same thing: an
        action may have brought another value."""
        later = [
            page
            for number, page in self._sightings.pages.items()
            if number > look.number and page.url == here.url
        ]
        is_same = bool(later) and headings_of(later[-1]) == headings_of(here) != []
        return later[-1] if is_same else here

    def stated_on(
        self, pages: Sequence[Observation], field: Field, kinds: Collection[str]
    ) -> list[Stated]:
        """What these pages have under exactly the field's name; if some of it stands right below
        the sample's own heading, only that, and if some has the name letter for letter, only
        that."""
        stated = []
        for page in pages:
            found = list(self.stated(page, field, kinds))
            every = [e for e in found if not is_foreign(e.place.frame, page.url)] or found
            entries = list(filter(self.is_right_below_name, every)) or every
            stated += [(e, page) for e in entries if not self._is_below(e.place, entries)]
        return [(e, p) for e, p in stated if field.words.are_literally(e.label)] or stated

    def _is_below(self, place: Place, entries: Iterable[LabelledValue]) -> bool:
        """Whether a value stands in a section of the sample's record that names something else
        ("Blocked by"), while the record itself has another one."""
        return any(
            self._names_sample(upper.place.headings)
            and len(upper.place.headings) < len(place.headings)
            and upper.place.headings == place.headings[: len(upper.place.headings)]
            and not self._names_sample([*place.headings[len(upper.place.headings) :], place.record])
            for upper in entries
        )

    def stated(
        self, page: Observation, field: Field, kinds: Collection[str]
    ) -> Iterator[LabelledValue]:
        """What the sample's own record on a page has under exactly the field's name."""
        for entry in entries_of(page):
            is_of_field = entry.kind in kinds and is_labelled_as(field, entry)
            if is_of_field and (self.is_own(entry) or self._is_in_own_box(page, entry)):
                yield entry

    def stated_beside(self, pages: Sequence[Observation], field: Field) -> list[Stated]:
        """What these pages have under exactly the field's name beside their content, or with more
        than its text: enough to speak against a value that stands elsewhere."""
        return [
            (entry, page)
            for page in pages
            for entry in page.labelled
            if entry.kind in PLAIN_KINDS and (is_certain(entry) or entry.doubt in MORE_IS_SAID)
            if is_labelled_as(field, entry) and self._is_own_record(entry)
            if _SPOKEN.isdisjoint(entry.place.regions)
        ]

    def _is_in_own_box(self, page: Observation, entry: LabelledValue) -> bool:
        """Whether a value stands in a box with labels of its own on the sample's own page."""
        is_plain = entry.kind in PLAIN_KINDS and is_certain(entry) and not is_of_others(entry.place)
        if not is_plain or not (self.is_own_page(page) or self.is_named(page)):
            return False
        return has_own_labels(entry, list(_plain(page)))

    def empty_on(
        self, pages: Sequence[Observation], field: Field, kinds: Collection[str] = RECORD_KINDS
    ) -> Iterator[LabelledValue]:
        """The places of the record that have exactly the field's name, and certainly nothing in
        them."""
        for page in pages:
            for entry in page.labelled:
                is_of_field = entry.kind in kinds and is_labelled_as(field, entry)
                is_empty = not entry.value.strip() and not entry.doubt
                if is_of_field and is_empty and self.may_be_own(entry):
                    yield entry

    def names(self, entry: LabelledValue) -> bool:
        """Whether what is right above a value, or what its row is called, names the sample."""
        place = entry.place
        if place.record:
            return same_text(place.record_name) in self._sightings.telling
        return self._names_sample(place.headings[-1:])

    def is_right_below_name(self, entry: LabelledValue) -> bool:
        """Whether a value is certain, and stands right below a heading that names the sample, in no
        row of a table."""
        is_plain = entry.kind in PLAIN_KINDS and is_certain(entry) and not is_of_others(entry.place)
        return is_plain and self._names_sample(entry.place.headings[-1:])

    def has_right_below_name(self, spot: Spot) -> bool:
        """The same of a text, whatever it says."""
        is_in_table = spot.role == "row" and len(cells_of(spot.text)) > 2
        return not is_in_table and self._names_sample(spot.headings[-1:])

    def is_own(self, entry: LabelledValue) -> bool:
        """Whether a value is certain, and stands in no other record or part of a page."""
        return is_certain(entry) and self.may_be_own(entry)

    def may_be_own(self, entry: LabelledValue) -> bool:
        """Whether a value stands in no other record or part of a page, whatever it says."""
        return self._is_own_record(entry) and not is_of_others(entry.place)

    def _is_own_record(self, entry: LabelledValue) -> bool:
        """Whether a value stands in no other record; its label with it is none."""
        record = entry.place.record
        if not record:
            return True
        is_pair = label_key(record) == label_key(f"{entry.label} {entry.value}")
        return is_pair or self._names_sample([record])


def has_own_labels(entry: LabelledValue, entries: Sequence[LabelledValue]) -> bool:
    """Whether most labels of the box that a value stands in are in no other box: the entries of a
    list repeat theirs."""
    own = {label_key(e.label) for e in entries if e.place.record == entry.place.record}
    others = {label_key(e.label) for e in entries if e.place.record != entry.place.record}
    return 2 * len(own - others) > len(own)


def is_labelled_as(field: Field, entry: LabelledValue) -> bool:
    """Whether a value has exactly the field's name or an alias, in the section of that alias."""
    words, label = field.words, entry.label
    is_name = words.are_whole(label) or words.are_literally(label)
    return is_name and words.may_stand(label, entry.place.headings)


def line_of(entry: LabelledValue) -> str:
    """A value with its label, in the form of a row of the list of elements."""
    nothing = f"({entry.doubt or 'empty'})"
    return f"{entry.label} | {clean(entry.value) or nothing}"


def lines_of(entries: Iterable[LabelledValue]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(line_of, entries)))


def is_certain(entry: LabelledValue) -> bool:
    """Whether there is a value, nothing is doubtful about it, and it is no line that somebody
    wrote."""
    is_line = entry.kind == "text" and is_sentence(entry.value)
    is_plain = entry.doubt in STATED_ALL_THE_SAME and not is_line
    return is_plain and entry.value.strip() != ""


def is_sentence(text: str) -> bool:
    """Whether a text is something that somebody wrote: "done on my side, needs the lease first."
    Names may end with a point, too, but not with a small word before it."""
    return _SENTENCE.search(text.strip()) is not None


def is_of_others(place: Place) -> bool:
    """Whether something stands in a part of a page that is no part of its record."""
    return not AROUND_CONTENT.isdisjoint(place.regions)


def is_foreign(frame: str, url: str) -> bool:
    """Whether a frame of a page shows another host, as one with an advertisement does."""
    return bool(frame) and host_of(frame) not in ("", host_of(url))


def may_be_of_record(element: Element) -> bool:
    """Whether a person sees an element, in a part of the page that may be its record's."""
    return HIDDEN not in element.states and not is_of_others(element.place)


def _plain(page: Observation) -> Iterator[LabelledValue]:
    return (e for e in page.labelled if e.kind in PLAIN_KINDS and is_certain(e))


def headings_of(page: Observation) -> list[str]:
    """The headings of the highest level."""
    return [
        entry.value for entry in page.labelled if (entry.kind, entry.label) == ("heading", "h1")
    ]
