"""Finds a number that the page gives in another unit or currency than its field's name asks for.
Pure."""

from __future__ import annotations

from pytest_bwa.evidence.doubts.claim import Claim
from pytest_bwa.evidence.doubts.difference import MAX_CHARACTERS
from pytest_bwa.evidence.doubts.own_record import lines_of
from pytest_bwa.evidence.labels.surroundings import Surroundings
from pytest_bwa.evidence.lookup.scale import scale_of
from pytest_bwa.evidence.lookup.text_match import with_currency
from pytest_bwa.evidence.sightings import Sightings
from pytest_bwa.spec.notation.numbers import SCALES, currencies_in, scale_in
from pytest_bwa.spec.notation.units import is_other_unit


class OtherUnit:
    """Looks for it in one sample's sightings. A field's name ends with its unit or currency:
    ``weight_kg``, ``total_eur``."""

    def __init__(self, sightings: Sightings) -> None:
        self._sightings, self._surroundings = sightings, Surroundings(sightings)

    def find(self, claim: Claim) -> tuple[str, ...]:
        """The number with its unit, if it has another one of the same kind at all places; or what
        the page has in the field's currency, if all places are in others."""
        if not isinstance(claim.value, int | float):
            return ()
        labels = [self._surroundings.label_of(p.spot, p.start, p.end) for p in claim.found]
        pairs = list(zip(claim.places(), labels, strict=True))
        name, language = claim.field.path[-1], claim.look.language or None
        if all(
            is_other_unit(name, spot.text[place.end :], language)
            or is_other_unit(name, _end_in_parentheses(label), language)
            for (place, spot), label in pairs
        ):
            text = claim.spots[0].text
            return ((f"{labels[0]} | {text}" if labels[0] not in text else text)[:MAX_CHARACTERS],)
        if scaled := self._in_scale(claim):
            return scaled
        own = currencies_in(name.rpartition("_")[2].upper())
        there = [
            currencies_in(f"{label} {with_currency(spot.text, place.start, place.end)}")
            for (place, spot), label in pairs
        ]
        page = self._sightings.pages.get(claim.look.number)
        if not own or page is None or not all(there) or any(own & codes for codes in there):
            return ()
        return lines_of(e for e in page.labelled if own & currencies_in(f"{e.label} {e.value}"))

    def _in_scale(self, claim: Claim) -> tuple[str, ...]:
        """In what the page gives a number, such as thousands, if all places say so, and neither the
        value nor the field's name does."""
        if scale_in(claim.field.path[-1].replace("_", " ")):
            return ()
        lines: dict[str, None] = {}
        for place, spot in claim.places():
            scale = scale_of(self._surroundings, place.spot, place.start, place.end)
            if not scale or place.rule in SCALES:
                return ()
            lines[f"{spot.text[:MAX_CHARACTERS]} (in {scale})"] = None
        return tuple(lines)


def _end_in_parentheses(label: str) -> str:
    """The unit of "Weight (lb)"; empty without one."""
    return label.rpartition("(")[2].rstrip(")") if label.endswith(")") else ""
