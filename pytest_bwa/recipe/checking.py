"""Which replayed samples are run again without the recipe, and what the comparison says."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

from pytest_bwa.evidence.folder import RECIPE_CHECKS, RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.run_record import RecipeCheck
from pytest_bwa.evidence.writer import RESULT

REPLAYED = frozenset({"replayed", "healed", "gathered"})
MIN_CHECKS = 3
LAST = 12
"""The last samples of a run: not all of them will be replayed, so there are more than checks."""


class CheckChoice:
    """The samples of one run that are checked: the first ones in an order that the seed gives,
    without those that no recipe was used for."""

    def __init__(
        self, folder: RunFolder, sample_ids: Sequence[str], seed: str, rate: float
    ) -> None:
        self._folder = folder
        self._order = sorted(sample_ids, key=lambda name: _hash(f"{seed} {name}"))
        self._number = max(MIN_CHECKS, math.ceil(rate * len(sample_ids))) if rate else 0
        self._ended: set[str] = set()

    def has(self, sample_id: str) -> bool:
        """Whether a sample that was just replayed is one of them. What has ended without a check
        leaves its place to the next; towards the end of a run every sample is one, until there are
        enough."""
        begun = sum(1 for _ in (self._folder.path / RECIPE_CHECKS).glob("*"))
        left = self._number - begun
        for name in self._order:
            if left <= 0:
                break
            if name == sample_id:
                return True
            left -= not self._has_ended(name)
        return begun < min(MIN_CHECKS, self._number) and self._is_one_of_the_last()

    def _has_ended(self, name: str) -> bool:
        if name not in self._ended and (self._folder.sample(name) / RESULT).exists():
            self._ended.add(name)
        return name in self._ended

    def _is_one_of_the_last(self) -> bool:
        ended = len(self._folder.finished())
        return len(self._order) - ended < LAST


def compared(replayed: SampleResult, checked: SampleResult, names: Sequence[str]) -> RecipeCheck:
    """What a run without the recipe says of these fields."""
    is_found = [result.outcome != "not_found" for result in (replayed, checked)]
    problem = ""
    if checked.status != "done" and any(is_found):
        problem = f"without the recipe the sample was {checked.ending}: {checked.reason}"
    differences = [
        name for name in names if replayed.extracted.get(name) != checked.extracted.get(name)
    ]
    if is_found == [False, True] and checked.status == "done":
        differences = list(names)
    return RecipeCheck(
        sample_id=replayed.sample_id,
        differences=[] if checked.broken else differences,
        problem=problem,
        usage=checked.usage,
    )


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
