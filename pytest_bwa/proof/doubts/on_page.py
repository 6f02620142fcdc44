"""Collects what speaks against the place of a value. Each doubt is a function of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_bwa.facts.fact import Piece
from pytest_bwa.facts.text_match import same_text
from pytest_bwa.proof.doubts.other_record import OtherRecord
from pytest_bwa.proof.doubts.other_value import newer_text, other_values
from pytest_bwa.proof.doubts.two_readings import Allows, OtherReadings
from pytest_bwa.proof.finding import Shown
from pytest_bwa.proof.observed import OWN_READING, Observed
from pytest_bwa.proof.texts.readings import Readings
from pytest_bwa.steps.doubts import Doubt

PAINTED = frozenset(
    {Doubt.PAINTED_OVER, Doubt.ADDED_BY_STYLE, Doubt.OTHER_ORDER, Doubt.STILL_LOADING}
)
"""What the page scripts say of a text of which a person sees something else."""


class DoubtsOnPage:
    """Looks for them in what one sample's agent observed."""

    def __init__(self, observed: Observed, readings: Readings, locale: str | None) -> None:
        self._observed = observed
        self._other_record = OtherRecord(observed)
        self._other_readings = OtherReadings(observed, readings, locale)

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
            Doubt.OTHER_VALUE: newer_text(place, self._observed)
            or other_values(value, place, self._observed),
        }
        return {doubt: detail for doubt, detail in found.items() if detail is not None}

    def _is_own_look(self, place: Piece) -> bool:
        fact = place.fact
        return fact.kind == "look" or fact.role == OWN_READING

    def _is_hidden(self, place: Piece) -> bool:
        """Whether nobody can see the text, as is what only a link would ask for."""
        fact = place.fact
        is_asked_for = fact.kind == "link" and "?" in fact.text[: place.start]
        return fact.hidden or is_asked_for

    def _file_unread(self, value: Any, places: Sequence[Piece]) -> str | None:
        """The file of which nobody has read more than its name, which has the value; None if the
        value is that name, or stands elsewhere, too."""
        facts = [place.fact for place in places]
        is_name = any(same_text(fact.text) == same_text(str(value)) for fact in facts)
        if is_name or any(fact.kind != "download" for fact in facts):
            return None
        return facts[0].text

    def _painted(self, place: Piece) -> Doubt | None:
        """How a person sees something else than the text; None if not."""
        fact = place.fact
        text = same_text(place.text)
        if fact.struck and text in same_text(fact.struck):
            return Doubt.STRUCK_OUT
        doubts = [entry.doubt for entry in self._observed.values_at(place)]
        return doubts[0] if doubts and all(doubt in PAINTED for doubt in doubts) else None
