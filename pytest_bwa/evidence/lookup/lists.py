"""Whether the page has the entries of a reported list in one list, and what an object says in one
row. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.lookup.spots import Setting, Spot
from pytest_bwa.evidence.lookup.text_match import clean, weight
from pytest_bwa.evidence.lookup.value_search import SHORT, Field
from pytest_bwa.evidence.sightings import Sightings
from pytest_bwa.steps import ALIKE, APART, ElementRef, Observation
from pytest_bwa.text import cells_of

_ALIKE = re.compile(rf"{ALIKE}(\d+) beside it")
MAX_CHARACTERS = 80
"""Of what is quoted of a list or a row."""


def strangers(
    items: Sequence[Any], found: Sequence[Sequence[Sighting]], sightings: Sightings
) -> dict[int, str]:
    """The numbers of the entries that stand nowhere near those which the page connects with the
    field, each with what stands there; ``found`` are the places of each entry."""
    named = [
        (item, [sightings.spots[s.spot] for s in places if s.is_named])
        for item, places in zip(items, found, strict=True)
    ]
    settings = {spot.setting for _, spots in named for spot in spots if _is_placed(spot)}
    quoted = ", ".join(str(item) for item, spots in named if spots)
    outside = {}
    for number, places in enumerate(found):
        spots = [sightings.spots[sighting.spot] for sighting in places]
        spots = [spot for spot in spots if not spot.is_address]
        is_known = any(s.is_named for s in places) or not all(map(_is_placed, spots))
        if settings and spots and not is_known and not settings & {spot.setting for spot in spots}:
            outside[number] = _quoted(quoted)
    return outside


def told_apart(
    items: Sequence[Any], found: Sequence[Sequence[Sighting]], sightings: Sightings
) -> dict[int, str]:
    """The numbers of the entries that the page itself tells from other entries of the answer, as
    tags that are chosen from those that are only offered, each with what it says; and of those that
    may be only offered, as nothing tells which of them are chosen."""
    spots = [[sightings.spots[s.spot] for s in places] for places in found]
    refs = [{spot.ref for spot in own if spot.ref is not None} for own in spots]
    if not any(refs):
        return {}
    marks, offered, seen = _marks_on(sightings.pages.values())
    newest = [max((seen.get(ref, 0) for ref in own), default=0) for own in refs]
    refs = [{r for r in own if seen.get(r, 0) == n} for own, n in zip(refs, newest, strict=True)]

    def entries(of: Mapping[ElementRef, str]) -> dict[int, str]:
        states = [next(filter(None, map(of.get, own)), "") for own in refs]
        each = enumerate(zip(items, states, strict=True))
        return {n: _quoted(f"{item} ({state})") for n, (item, state) in each if state}

    marked = entries(marks)
    return entries(offered) | (marked if len(marked) < len(items) else {})


def _marks_on(
    pages: Iterable[Observation],
) -> tuple[dict[ElementRef, str], dict[ElementRef, str], dict[ElementRef, int]]:
    """What the list said last of the controls that are told from others, and of those that may be
    only offered; and the number of the page on which each element was seen last."""
    marks: dict[ElementRef, str] = {}
    offered: dict[ElementRef, str] = {}
    seen: dict[ElementRef, int] = {}
    for number, page in enumerate(pages):
        of_page = dict(_offered(page))
        for element in page.elements:
            apart = next((s for s in element.states if s.startswith(APART)), "")
            marks[element.ref], offered[element.ref] = apart, of_page.get(element.ref, "")
            seen[element.ref] = number
    return marks, offered, seen


def _offered(page: Observation) -> Iterator[tuple[ElementRef, str]]:
    """The controls of a page that are painted alike in a field, each with what is said of them."""
    for at, element in enumerate(page.elements):
        alike = next(filter(None, map(_ALIKE.match, element.states)), None)
        if alike:
            run = [e for e in page.elements[at:] if e.role == element.role]
            yield from ((e.ref, alike[0]) for e in run[: int(alike[1]) + 1])


def of_other_rows(
    item: Mapping[str, Any], found: Mapping[str, Sequence[Sighting]], sightings: Sightings
) -> dict[str, str]:
    """The values of an object that stand only in other rows of a table than one of its texts, each
    with the row of that text."""
    rows = {name: _rows(places, sightings) for name, places in found.items()}
    texts = [
        n for n, v in item.items() if isinstance(v, str) and weight(v) >= SHORT and rows.get(n)
    ]
    others: dict[str, str] = {}
    for name, each in rows.items():
        for text in texts:
            if each and name not in others and _are_apart(each, rows[text]):
                others[name] = _quoted(min(row for row, _ in rows[text]))
    return others


def row_of_most(found: Mapping[str, Sequence[Sighting]], sightings: Sightings) -> str:
    """The row that most values of an object stand in; empty if there is none."""
    counts = Counter(row for each in found.values() for row, _ in _rows(each, sightings))
    most = counts.most_common(2)
    is_certain = bool(most) and (len(most) == 1 or most[0][1] > most[1][1])
    return most[0][0] if is_certain else ""


def row_of_key(item: Mapping[str, Any], fields: Mapping[str, Field], sightings: Sightings) -> str:
    """The one row that has a text of an object in the column that is called exactly like its field,
    or a whole number, such as a year, if it has no text there; empty if there is none, or several.
    """
    texts = [n for n, v in item.items() if isinstance(v, str) and any(map(str.isalpha, v))]
    numbers = [n for n, v in item.items() if isinstance(v, int) and not isinstance(v, bool)]
    for names in (texts, numbers):
        rows = {
            clean(entry.place.record)
            for page in sightings.pages.values()
            for entry in page.labelled
            for name in names
            if entry.place.record and clean(entry.value) == clean(str(item[name]))
            if fields[name].words.are_exactly(entry.label)
        }
        if rows:
            return next(iter(rows)) if len(rows) == 1 else ""
    return ""


def _rows(places: Sequence[Sighting], sightings: Sightings) -> set[tuple[str, Setting]]:
    """The rows that a value stands in; none if it also stands outside of rows."""
    spots = [sightings.spots[sighting.spot] for sighting in places]
    spots = [spot for spot in spots if _is_placed(spot)]
    rows = {(clean(spot.row), spot.setting_of_row) for spot in spots}
    return set() if any(not row for row, _ in rows) else rows


def _are_apart(some: set[tuple[str, Setting]], others: set[tuple[str, Setting]]) -> bool:
    """Whether they are different rows of as many cells below one heading. A row of fewer cells may
    continue the one above it."""
    is_shared = {row for row, _ in some} & {row for row, _ in others}
    widths = {(len(cells_of(row)), setting) for row, setting in others}
    is_one_table = all((len(cells_of(row)), setting) in widths for row, setting in some)
    return not is_shared and is_one_table


def _is_placed(spot: Spot) -> bool:
    """Whether it is known where on the page the text stands."""
    return spot.source in ("element", "value", "note")


def _quoted(text: str) -> str:
    return text if len(text) <= MAX_CHARACTERS else f"{text[:MAX_CHARACTERS]}…"
