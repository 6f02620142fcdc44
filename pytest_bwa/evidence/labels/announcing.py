"""Which of several parts of a page a label belongs to, as the words above the part say. Pure.

"Amendments" above "Signed on" tells last_amendment_signed_on from the contract's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from pytest_bwa.evidence.labels.field_words import FieldWords
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.sightings import Look
from pytest_bwa.text import cells_of, label_key

_HEAD_CHARACTERS = 60
_HEADS = ("heading", "button", "tab")
_NEIGHBOURS = 3


class Announcing:
    """The texts of a look with a word of the field that its label lacks. What is in an entry of a
    list says nothing of the next one, and what has a value of its own is its label."""

    def __init__(self, spots: Sequence[Spot], look: Look, words: FieldWords, label: str) -> None:
        self.label = label
        self.place_of = {number: at for at, number in enumerate(look.spots)}
        self._spots, self._look = spots, look
        self._missing = words.words - words.found_in(label)
        self._words = words

    def is_between(self, number: int, own_number: int) -> bool:
        """Whether one stands between a spot and the own one behind it."""
        own, places = self._spots[own_number], self.place_of
        begin, end = places[number] + 1, places[own_number]
        return bool(self._missing) and any(
            begin <= at < end and self._may_announce(self._spots[self._look.spots[at]], own)
            for at in self._places
        )

    @cached_property
    def _places(self) -> list[int]:
        texts = (self._spots[number].text for number in self._look.spots)
        return [
            at
            for at, text in enumerate(texts)
            if len(text) <= _HEAD_CHARACTERS
            and not self._missing.isdisjoint(self._words.found_in(text))
            and self._is_head(at)
        ]

    def _is_head(self, at: int) -> bool:
        """Whether what a person sees behind a text is the head of a part, or the text is one."""
        spots = [self._spots[n] for n in self._look.spots[at : at + 1 + _NEIGHBOURS]]
        seen = [spot for spot in spots if not spot.hidden]
        return any(spot.role in _HEADS for spot in seen[:2])

    def _may_announce(self, spot: Spot, own: Spot) -> bool:
        """The lines of a page's whole text follow its elements, and are no heads of theirs."""
        is_row = spot.role == "row" or len(cells_of(spot.text)) > 1
        is_in_other = bool(record_of(spot)) and spot.row != own.row
        is_near = spot.source == own.source or "text" not in (spot.source, own.source)
        return is_near and not is_row and not is_in_other


def record_of(spot: Spot, label: str = "") -> str:
    """The record that a spot is a part of; a row alone is none, nor is a text with its label."""
    return "" if spot.record == spot.text or is_pair(spot, label) else spot.record


def is_pair(spot: Spot, label: str) -> bool:
    """Whether the record around a text is only its label and itself."""
    return bool(label) and label_key(spot.record) == label_key(f"{label} {spot.text}")
