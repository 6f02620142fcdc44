"""The same label, or the same place, with another value in the sample's own record. Pure."""

from __future__ import annotations

from typing import Any

from pytest_bwa.facts.fact import Fact, Piece
from pytest_bwa.facts.text_match import clean, same_text
from pytest_bwa.proof.observed import Observed
from pytest_bwa.steps.text import label_key

MAX_CHARACTERS = 60
"""A longer text is no value that stands beside a label."""


def newer_text(place: Piece, observed: Observed) -> str | None:
    """What stands at the place now, if that is no longer the value; the text around it must be the
    same: an element that says “Q1: 61” and then “Q2: 77” shows something else."""
    fact = place.fact
    now = [text for text in observed.texts_now(fact) if text]
    if fact.kind not in ("element", "value", "state") or fact.text in now or not now:
        return None
    before, after = fact.text[: place.start], fact.text[place.end :]
    newer = [text for text in now if text.startswith(before) and text.endswith(after)]
    return newer[0][:MAX_CHARACTERS] if newer else None


def other_values(value: Any, place: Piece, observed: Observed) -> str | None:
    """What else stands under the place's label in the part of the page that the place is in; None
    if nothing does."""
    page = observed.page_of(place.fact)
    if page is None or not isinstance(value, str | int | float) or isinstance(value, bool):
        return None
    own = [entry for entry in page.values_at(place) if len(entry.text) <= MAX_CHARACTERS]
    texts = {same_text(entry.text) for entry in own}
    found = {
        f"{entry.label} | {entry.text[:MAX_CHARACTERS]}": None
        for mine in own
        for entry in page.values
        if _is_rival(mine, entry) and same_text(entry.text) not in texts
    }
    return "; ".join(found) or None


def _is_rival(own: Fact, other: Fact) -> bool:
    """Whether another entry has the label in the same part of the page."""
    a, b = own.place, other.place
    is_called_so = label_key(own.label) == label_key(other.label) and bool(label_key(own.label))
    is_short = 0 < len(other.text) <= MAX_CHARACTERS
    is_same_part = (a.headings, a.frame, a.regions) == (b.headings, b.frame, b.regions)
    is_same_record = clean(a.record) == clean(b.record) or _is_pair(own, other)
    return (
        is_called_so and is_short and is_same_part and is_same_record
        and "table" not in (own.role, other.role)
    )  # fmt: skip


def _is_pair(own: Fact, other: Fact) -> bool:
    """Whether the records around both are no more than a label and its value."""
    return all(is_only_pair(entry) for entry in (own, other))


def is_only_pair(entry: Fact) -> bool:
    return label_key(entry.place.record) in ("", label_key(f"{entry.label} {entry.text}"))
