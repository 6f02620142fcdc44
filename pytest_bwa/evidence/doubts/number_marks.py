"""Finds numbers of a page that may be another number, or one end of a range. Pure."""

from __future__ import annotations

import re
from decimal import Decimal

from pytest_bwa.evidence.doubts.claim import Claim
from pytest_bwa.evidence.doubts.difference import MAX_CHARACTERS
from pytest_bwa.evidence.lookup.readings import Readings
from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.sightings import Sightings

_GOES_ON = re.compile(r"\s?[-–—]\s?\d")
_SIGN_BEHIND = re.compile(r"(?:[CD][Rr]\.?|-)$")
_WENT_BEFORE = re.compile(r"\d\s?[-–—]\s?$")


class NumberMarks:
    """Asks what the numbers of one sample's pages may mean."""

    def __init__(self, sightings: Sightings, locale: str | None) -> None:
        self._sightings, self._readings = sightings, Readings(sightings, locale)

    def other_number(self, value: object, found: list[Sighting]) -> str | None:
        """The other number that all texts which prove one may mean, such as 1.25 of 1.250 where
        nothing tells what the mark is; None if one of them tells it."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        others = {self._other(Decimal(str(value)), place) for place in found}
        return None if None in others else next(iter(others), None)

    def _other(self, value: Decimal, place: Sighting) -> str | None:
        # A policy that reads labelled values has decided itself which number each of them is.
        if place.rule != "number" or self._sightings.spots[place.spot].source == "labelled":
            return None
        readings = self._readings.values_at(place.spot, place.start, place.end)
        text = self._sightings.spots[place.spot].text[place.start : place.end]
        if _SIGN_BEHIND.search(text):
            others = readings - {value}
        else:  # "Approvals (3)" is not minus three
            others = {abs(reading) for reading in readings} - {abs(value)}
        return format(others.pop().normalize(), "f") if len(others) == 1 else None

    def range_of(self, claim: Claim) -> tuple[str, ...]:
        """The range that a number is only one end of, at all places: 10 of "10–14"."""
        if isinstance(claim.value, str):
            return ()
        lines: dict[str, None] = {}
        for place, spot in claim.places():
            before, after = spot.text[: place.start], spot.text[place.end :]
            if not (_GOES_ON.match(after) or _WENT_BEFORE.search(before)):
                return ()
            lines[spot.text[:MAX_CHARACTERS]] = None
        return tuple(lines)
