"""Finds what is chosen, where a value is only the name of a choice that is not, and boxes that are
neither on nor off. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_bwa.evidence.doubts.claim import Claim
from pytest_bwa.evidence.labels.field_words import FieldWords
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.text_match import clean
from pytest_bwa.evidence.sightings import Sightings
from pytest_bwa.steps import TICKED_ROLES, UNDECIDED, Observation

_CHOICES = frozenset({"radio", "tab", "option", "menuitemradio", "treeitem"})
_IS_CHOSEN = ("=true", "current=")


class OtherChoice:
    """Looks for it in one sample's sightings."""

    def __init__(self, sightings: Sightings) -> None:
        self._sightings = sightings

    def find(self, claim: Claim) -> tuple[str, ...]:
        """The names of the chosen ones of a value's group: of the tabs or radio buttons below one
        heading, or of the steps of one list, of which one is the current step."""
        own = claim.spots
        if not own or any(spot.ref is None for spot in own):
            return ()
        chosen = [spot for spot in self._chosen(claim) if all(_is_of_group(spot, s) for s in own)]
        if any(spot.ref == other.ref for spot in chosen for other in own):
            return ()
        return tuple(dict.fromkeys(spot.name for spot in chosen))

    def _chosen(self, claim: Claim) -> Iterator[Spot]:
        for number in claim.look.spots:
            spot = self._sightings.spots[number]
            if spot.source == "value" and any(state in spot.text for state in _IS_CHOSEN):
                yield spot


def _is_of_group(chosen: Spot, spot: Spot) -> bool:
    """Whether a spot is a choice beside one that is chosen."""
    is_beside = (chosen.role, *chosen.setting) == (spot.role, *spot.setting)
    is_entry = spot.text == spot.record and chosen.name == chosen.record
    return is_beside and (spot.role in _CHOICES or ("current=" in chosen.text and is_entry))


def undecided(words: FieldWords, pages: Sequence[Observation]) -> tuple[str, ...]:
    """The box of a field that was neither on nor off when it was seen last: it says neither yes nor
    no."""
    for page in reversed(pages):
        boxes = [
            e for e in page.all_elements if e.role in TICKED_ROLES and words.are_all_in(e.name)
        ]
        if boxes:
            are_open = all(UNDECIDED in box.states for box in boxes)
            return (f"{clean(boxes[0].name)}: neither on nor off",) if are_open else ()
    return ()
