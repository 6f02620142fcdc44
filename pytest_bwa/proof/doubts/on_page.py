"""Collects what speaks against the place of a value. Each doubt is a function of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_bwa.proof.doubts.other_record import OtherRecord
from pytest_bwa.proof.doubts.other_value import newer_text, other_values
from pytest_bwa.proof.doubts.two_readings import Allows, OtherReadings
from pytest_bwa.proof.finding import Shown
from pytest_bwa.proof.labels import labelled_at
from pytest_bwa.proof.sighting import Sighting
from pytest_bwa.proof.sightings import OWN_READING, Sightings
from pytest_bwa.proof.texts.readings import Readings
from pytest_bwa.proof.texts.text_match import same_text
from pytest_bwa.steps.doubts import Doubt

PAINTED = frozenset(
    {Doubt.PAINTED_OVER, Doubt.ADDED_BY_STYLE, Doubt.OTHER_ORDER, Doubt.STILL_LOADING}
)
"""What the page scripts say of a text of which a person sees something else."""


class DoubtsOnPage:
    """Looks for them in one sample's sightings."""

    def __init__(self, sightings: Sightings, readings: Readings, locale: str | None) -> None:
        self._sightings = sightings
        self._other_record = OtherRecord(sightings)
        self._other_readings = OtherReadings(sightings, readings, locale)

    def of(self, value: Any, seen: Shown, allows: Allows) -> Mapping[Doubt, str]:
        """The doubts, each with its detail or an empty text. ``allows``: whether the field may have
        a value."""
        place = seen.places[0]
        places = [place, *seen.same]
        painted = self._painted(place)
        found: dict[Doubt, str | None] = {
            Doubt.OWN_LOOK: "" if self._is_own_look(place) else None,
            Doubt.HIDDEN: "" if all(map(self._is_hidden, places)) else None,
            **({painted: ""} if painted else {}),
            Doubt.OTHER_RECORD: self._other_record.of(value, places),
            Doubt.FILE_UNREAD: self._file_unread(value, places),
            Doubt.TWO_READINGS: self._other_readings.of(value, seen, allows),
            Doubt.OTHER_VALUE: newer_text(place, self._sightings)
            or other_values(value, place, self._sightings),
        }
        return {doubt: detail for doubt, detail in found.items() if detail is not None}

    def _is_own_look(self, place: Sighting) -> bool:
        spot = self._sightings.spots[place.spot]
        return spot.source == "look" or spot.role == OWN_READING

    def _is_hidden(self, place: Sighting) -> bool:
        """Whether nobody can see the text, as is what only a link would ask for."""
        spot = self._sightings.spots[place.spot]
        is_asked_for = spot.source == "link" and "?" in spot.text[: place.start]
        return spot.hidden or is_asked_for

    def _file_unread(self, value: Any, places: Sequence[Sighting]) -> str | None:
        """The file of which nobody has read more than its name, which has the value; None if the
        value is that name, or stands elsewhere, too."""
        spots = [self._sightings.spots[place.spot] for place in places]
        is_name = any(same_text(spot.text) == same_text(str(value)) for spot in spots)
        if is_name or any(spot.source != "download" for spot in spots):
            return None
        return spots[0].text

    def _painted(self, place: Sighting) -> Doubt | None:
        """How a person sees something else than the text; None if not."""
        spot = self._sightings.spots[place.spot]
        text = same_text(spot.text[place.start : place.end])
        if spot.struck and text in same_text(spot.struck):
            return Doubt.STRUCK_OUT
        doubts = [entry.doubt for entry in labelled_at(place, self._sightings)]
        return doubts[0] if doubts and all(doubt in PAINTED for doubt in doubts) else None
