"""The same label, or the same place, with another value in the sample's own record. Pure."""

from __future__ import annotations

from typing import Any

from pytest_bwa.proof.labels import LABELLED_KINDS, labelled_at, page_of
from pytest_bwa.proof.sighting import Sighting
from pytest_bwa.proof.sightings import Sightings
from pytest_bwa.proof.texts.text_match import clean, same_text
from pytest_bwa.steps.step import LabelledValue
from pytest_bwa.steps.text import label_key

MAX_CHARACTERS = 60
"""A longer text is no value that stands beside a label."""


def newer_text(place: Sighting, sightings: Sightings) -> str | None:
    """What stands at the place now, if that is no longer the value; the text around it must be the
    same: an element that says “Q1: 61” and then “Q2: 77” shows something else."""
    spot = sightings.spots[place.spot]
    now = [text for text in sightings.texts_now(spot) if text]
    if spot.source not in ("element", "value") or spot.text in now or not now:
        return None
    before, after = spot.text[: place.start], spot.text[place.end :]
    newer = [text for text in now if text.startswith(before) and text.endswith(after)]
    return newer[0][:MAX_CHARACTERS] if newer else None


def other_values(value: Any, place: Sighting, sightings: Sightings) -> str | None:
    """What else stands under the place's label in the part of the page that the place is in; None
    if nothing does."""
    page = page_of(place, sightings)
    if page is None or not isinstance(value, str | int | float) or isinstance(value, bool):
        return None
    own = [e for e in labelled_at(place, sightings) if len(e.value) <= MAX_CHARACTERS]
    texts = {same_text(entry.value) for entry in own}
    found = {
        f"{entry.label} | {clean(entry.value)[:MAX_CHARACTERS]}": None
        for mine in own
        for entry in page.labelled
        if _is_rival(mine, entry) and same_text(entry.value) not in texts
    }
    return "; ".join(found) or None


def _is_rival(own: LabelledValue, other: LabelledValue) -> bool:
    """Whether another entry has the label in the same part of the page."""
    a, b = own.place, other.place
    is_called_so = label_key(own.label) == label_key(other.label) and bool(label_key(own.label))
    is_value = other.kind in LABELLED_KINDS and bool(other.value.strip())
    is_short = len(other.value) <= MAX_CHARACTERS
    is_same_part = (a.headings, a.frame, a.regions) == (b.headings, b.frame, b.regions)
    is_same_record = clean(a.record) == clean(b.record) or _is_pair(own, other)
    return (
        is_called_so and is_value and is_short and is_same_part and is_same_record
        and "table" not in (own.kind, other.kind)
    )  # fmt: skip


def _is_pair(own: LabelledValue, other: LabelledValue) -> bool:
    """Whether the records around both are no more than a label and its value."""
    return all(is_only_pair(entry) for entry in (own, other))


def is_only_pair(entry: LabelledValue) -> bool:
    return label_key(entry.place.record) in ("", label_key(f"{entry.label} {entry.value}"))
