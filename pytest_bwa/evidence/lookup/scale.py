"""Finds whether a page gives a number in thousands or the like. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from pytest_bwa.evidence.labels.surroundings import Surroundings
from pytest_bwa.evidence.sightings import Look
from pytest_bwa.spec.notation.numbers import SCALES, scale_in
from pytest_bwa.text import cells_of, column_at

_OWN_UNIT = re.compile(r"%|\d ?[^\W\d]")
"""In a cell whose number is a percentage, or is written in short form, such as 1.2k."""
_AROUND = " ²³¹⁰⁴⁵⁶⁷⁸⁹"
"""What a cell may have beside its number: the signs of footnotes."""


def scale_of(surroundings: Surroundings, number: int, start: int, end: int) -> str:
    """One of SCALES for the number from ``start`` to ``end`` of a spot, which what is nearest says:
    its label, else the texts right above its table, else its caption and heading;
    empty if none does."""
    sightings = surroundings.sightings
    spot, look = sightings.spots[number], sightings.looks[sightings.looks_of[number][-1]]
    cells, column = cells_of(spot.text), column_at(spot.text, start)
    written = cells_of(spot.text[start:end])[0]
    if cells[column].strip(_AROUND) != written or _OWN_UNIT.search(written):
        return ""
    label = surroundings.label_of(number, start, end)
    above = _above_table(surroundings, look, number) if spot.role == "row" else ()
    for text in (label, *above, *reversed(spot.headings[-2:])):
        if scale := scale_in(text, look.language or None):
            return scale
    return ""


def _above_table(surroundings: Surroundings, look: Look, number: int) -> Iterator[str]:
    """The texts between a table and what stands above it, the nearest first."""
    spots = surroundings.sightings.spots
    before = [spots[n] for n in reversed(look.spots[: look.spots.index(number)])]
    in_table = True
    for spot in before:
        if spot.source != "element":
            continue
        if spot.role == "heading" or (spot.role == "row" and not in_table):
            return
        if spot.role == "text":
            in_table = False
            yield spot.text


def unscaled(value: object, rule: str | None) -> object:
    """The number as the page shows it, of a value that a scale is the rule of."""
    if rule not in SCALES or isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return Decimal(str(value)).scaleb(-SCALES[rule])
