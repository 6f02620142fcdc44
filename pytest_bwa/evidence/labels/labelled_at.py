"""What a page labels, and which of it stands at the place of a value. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pytest_bwa.evidence.labels.surroundings import is_inside
from pytest_bwa.evidence.lookup.sighting import Sighting
from pytest_bwa.evidence.lookup.text_match import clean
from pytest_bwa.evidence.sightings import Sightings
from pytest_bwa.steps import RECORD_KINDS, LabelledValue, Observation

PLAIN_KINDS = RECORD_KINDS - {"table"}
ANSWERED_KINDS = RECORD_KINDS | {"input"}
_HEADING_PAIR = re.compile(r"([^:：\n]{1,60}?)\s*[:：]\s+(\S[^\n]*)")


def entries_of(page: Observation) -> Iterator[LabelledValue]:
    """What a page labels, with headings such as "Author: Ann Lee" as labels with their values."""
    for entry in page.labelled:
        yield entry
        if entry.kind == "heading" and (pair := _HEADING_PAIR.fullmatch(entry.value.strip())):
            yield replace(entry, kind="pair", label=pair[1], value=pair[2])


def labelled_at(place: Sighting, sightings: Sightings) -> list[LabelledValue]:
    """The labelled values of a page that have a value in them, or in the row it stands in."""
    spot = sightings.spots[place.spot]
    page = sightings.pages.get(sightings.looks_of[place.spot][-1])
    entries = [e for e in entries_of(page) if e.kind in RECORD_KINDS] if page else []
    here = [e for e in entries if e.place.frame == spot.frame]
    if spot.role == "row":
        text = spot.text[place.start : place.end]
        return [e for e in here if clean(e.place.record) == spot.text and text in clean(e.value)]
    return [e for e in here if is_inside(spot.box, e.box) and spot.text in clean(e.value)]
