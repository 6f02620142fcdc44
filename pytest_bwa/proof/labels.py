"""What the page itself labels at a place. Pure."""

from __future__ import annotations

from pytest_bwa.proof.sighting import Sighting
from pytest_bwa.proof.sightings import Sightings
from pytest_bwa.proof.texts.text_match import clean
from pytest_bwa.steps.step import RECORD_KINDS, LabelledValue, Observation

LABELLED_KINDS = RECORD_KINDS | {"input"}


def page_of(place: Sighting, sightings: Sightings) -> Observation | None:
    """The newest page that shows a place, if it is still kept."""
    return sightings.pages.get(sightings.looks_of[place.spot][-1])


def labelled_at(place: Sighting, sightings: Sightings) -> list[LabelledValue]:
    """The labelled values that a place is in, or, of a row, those whose text it has there."""
    spot, page = sightings.spots[place.spot], page_of(place, sightings)
    entries = [e for e in page.labelled if e.kind in LABELLED_KINDS] if page else []
    here = [e for e in entries if e.place.frame == spot.frame]
    if own := [e for e in here if e.ref is not None and e.ref in (spot.ref, spot.holder)]:
        return [e for e in own if spot.text in clean(e.value)] or own
    if spot.role == "row":
        text = spot.text[place.start : place.end]
        in_row = [e for e in here if clean(e.place.record) == spot.text]
        in_row = in_row or [e for e in here if spot.text == clean(f"{e.label} | {e.value}")]
        return [e for e in in_row if text in clean(e.value)]
    return [e for e in here if spot.is_inside(e.box) and spot.text in clean(e.value)]


def label_at(place: Sighting, sightings: Sightings) -> str:
    """What the page calls a place; empty if it calls it nothing."""
    entry = next(iter(labelled_at(place, sightings)), None)
    spot = sightings.spots[place.spot]
    return entry.label if entry is not None else spot.label
