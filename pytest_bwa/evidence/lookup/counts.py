"""Counts that no page writes out: of the items of an array, or of the rows of a list. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_bwa.evidence.labels.field_words import FieldWords
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.text_match import words
from pytest_bwa.evidence.sightings import Look, Sightings


@dataclass(frozen=True, slots=True)
class Count:
    """What was counted, in words, and the first spot of it."""

    rule: str
    spot: int | None = None


@dataclass(slots=True)
class _List:
    """The rows of one list or table of a page, and what stands above it."""

    name: str
    rows: list[int]


def count_of_items(value: int, field: FieldWords, answer: Mapping[str, Any]) -> Count | None:
    """The array of the same answer that has as many items: the one that the field's name speaks
    of, or the only one if the name asks for a count."""
    arrays = {name: items for name, items in answer.items() if isinstance(items, list) and items}
    named = {name for name in arrays if field.are_in(name.replace("_", " "))}
    for name in named or (arrays if len(arrays) == 1 and field.ask_for_count else ()):
        if len(arrays[name]) == value:
            return Count(f"count: items of {name}")
    return None


def count_of_rows(value: int, field: FieldWords, sightings: Sightings) -> Count | None:
    """The list of an observed page that has as many rows, or as many that a word of the field
    stands in. The page must connect the list with the field."""
    for look in reversed(sightings.looks):
        for found in _lists(look, sightings):
            texts = [sightings.spots[row].text for row in found.rows]
            having = {word: _rows_with(word, found.rows, texts) for word in field.words}
            has_head = sightings.spots[found.rows[0]].role == "row"
            is_whole = value == len(texts) or (has_head and value == len(texts) - 1)
            # "failed" in some rows only tells that "checks_failed" are not all of them
            body = found.rows[has_head:]
            is_part = any(0 < len(set(rows) & set(body)) < len(body) for rows in having.values())
            if is_whole and not is_part and field.are_in(f"{found.name} {texts[0]}"):
                return Count(f"count: rows of “{found.name}”", found.rows[0])
            for word, rows in having.items():
                if rows and len(rows) == value:
                    return Count(f"count: rows of “{found.name}” with “{word}”", rows[0])
            if value == 0 and is_part:
                return None
    return _none(field, sightings) if value == 0 else None


def _rows_with(word: str, rows: Sequence[int], texts: Sequence[str]) -> list[int]:
    one = FieldWords([word])
    return [row for row, text in zip(rows, texts, strict=True) if one.are_in(text)]


def _none(field: FieldWords, sightings: Sightings) -> Count | None:
    """Zero, where a page speaks of the field and gives no number for it."""
    mention: int | None = None
    for number, spot in enumerate(sightings.spots):
        if spot.is_address or not field.are_in(f"{spot.label} {spot.text}"):
            continue
        if any(any(c in "123456789" for c in word) for word in words(spot.text)):
            return None
        mention = number
    return Count("count: none on the page", mention) if mention is not None else None


def _lists(look: Look, sightings: Sightings) -> Iterator[_List]:
    """Rows of tables, and what repeats itself, below the same heading."""
    lists: dict[tuple[str, str, str], _List] = {}
    records: set[tuple[tuple[str, str, str], str]] = set()
    heading = ""
    for number in look.spots:
        spot = sightings.spots[number]
        if spot.role == "heading" and spot.source == "element":
            heading = spot.text
            continue
        row = _row_of(spot)
        key = (
            spot.frame,
            " › ".join(spot.headings) or heading,
            "row" if spot.role == "row" else "",
        )
        if not row or (key, row) in records:
            continue
        records.add((key, row))
        title = sightings.spots[look.spots[0]].text
        lists.setdefault(key, _List(key[1] or title, [])).rows.append(number)
    yield from lists.values()


def _row_of(spot: Spot) -> str:
    """What tells one row from another; empty if the spot is in none."""
    if spot.source != "element":
        return ""
    return spot.row
