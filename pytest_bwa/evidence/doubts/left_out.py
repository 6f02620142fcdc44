"""What a page lists under a field's name beside the entries that are reported. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from typing import Any

from pytest_bwa.evidence.doubts.own_record import OwnRecord, headings_of, may_be_of_record
from pytest_bwa.evidence.lookup.text_match import clean, same_text, without_count, words
from pytest_bwa.evidence.lookup.value_search import Field
from pytest_bwa.evidence.sightings import Sightings
from pytest_bwa.steps import RECORD_KINDS, Element, Observation

MIN_PIECES = 2
"""Reported entries that are pieces of a text before it counts as a list: "Kiel, Germany"."""
_MARKS = re.compile(r"[,;·|]")
_LISTED_ROLES = ("text", "link")

List = tuple[str, str, Sequence[str]]
"""What the page calls a list, what kind its entries are of, and what is in it."""


class LeftOut:
    """Looks for the rest of lists in one sample's sightings."""

    def __init__(self, sightings: Sightings) -> None:
        self._record = OwnRecord(sightings)

    def find(self, items: Sequence[Any], field: Field) -> str | None:
        """What a list under exactly the field's name has beside the entries, if all of these are in
        it, with the name of the list."""
        reported = {same_text(str(item)) for item in items}
        for label, _, listed in self._lists(reported, field):
            says = [entry for entry in listed if any(map(str.isalnum, entry))]  # no mark between
            entries = {same_text(entry): entry for entry in says}
            if reported and reported < entries.keys():
                missing = [entry for key, entry in entries.items() if key not in reported]
                return f"{label} | {', '.join(missing)}"
        return None

    def _lists(self, reported: Collection[str], field: Field) -> Iterator[List]:
        """The lists of each page, then those that go on on another page of the sample."""
        parts: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
        for page in self._record.newest_pages():
            under = [*_under_headings(page, field), *_behind_headings(page, field)]
            lists = [*self._stated(page, reported, field), *under]
            yield from lists
            for label, kind, entries in lists if self._record.is_named(page) else ():
                parts[(*headings_of(page), label, kind)] += entries
        yield from ((key[-2], key[-1], entries) for key, entries in parts.items())

    def _stated(self, page: Observation, reported: Collection[str], field: Field) -> Iterator[List]:
        for entry in self._record.stated(page, field, RECORD_KINDS):
            if not entry.cut:
                yield entry.label, "", entry.items or _pieces(entry.value, reported)


def _pieces(text: str, reported: Collection[str]) -> Sequence[str]:
    """The pieces between the commas of a text; none if they may be no entries of one list, or if
    the rest may be about the reported ones ("Ann, Bob and Cy", "Ann, Bob, 3 May")."""
    pieces = [clean(piece) for piece in _MARKS.split(text)]
    rest = [piece for piece in pieces if same_text(piece) not in reported]
    known = {word for entry in reported for word in words(entry)}
    has_known = any(known & set(words(piece)) for piece in rest)
    has_digit = any(c.isdigit() for c in "".join(rest)) and not any(map(_has_digit, reported))
    is_list = len(pieces) - len(rest) >= MIN_PIECES and all(rest)
    return pieces if is_list and not has_known and not has_digit else ()


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)


def _under_headings(page: Observation, field: Field) -> Iterator[List]:
    """The entries of plain lists below a heading that is exactly the field's name. Links of one
    list lead into one folder; another one may be a control, such as "Edit"."""
    lists: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for element in page.all_elements:
        if element.role in _LISTED_ROLES and (heading := _heading_of(element, field)):
            folder = (element.url or "").rpartition("/")[0]
            section = (*element.place.headings, element.place.frame)
            lists[*section, heading, f"{element.role} {folder}"].append(clean(element.name))
    yield from ((key[-2], key[-1], entries) for key, entries in lists.items())


def _behind_headings(page: Observation, field: Field) -> Iterator[List]:
    """The links that follow such a heading with nothing between them."""
    elements = sorted(page.all_elements, key=lambda e: e.ref)
    for at, element in enumerate(elements):
        heading = without_count(clean(element.name))
        if element.role == "heading" and field.words.are_exactly(heading):
            links = [*takewhile(_is_listed_link, elements[at + 1 :])]
            if len({(link.url or "").rpartition("/")[0] for link in links}) == 1:
                yield heading, "link", [clean(link.name) for link in links]


def _is_listed_link(element: Element) -> bool:
    return element.role == "link" and may_be_of_record(element) and not element.cut


def _heading_of(element: Element, field: Field) -> str:
    """The field's heading above an entry that is the whole of its place in a list; else empty."""
    place, name = element.place, clean(element.name)
    is_entry = name and clean(place.record) == name and not element.cut
    if not is_entry or not place.headings or not may_be_of_record(element):
        return ""
    heading = without_count(place.headings[-1])
    return heading if field.words.are_exactly(heading) else ""
