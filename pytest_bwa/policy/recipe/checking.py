"""Which replayed samples are run again without the recipe, and what the comparison says."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.result_reader import RecipeChecks
from pytest_bwa.evidence.run_record import RecipeCheck
from pytest_bwa.policy.recipe.recipe import ENDING_KINDS

REPLAYED = frozenset({"replayed", "healed", "gathered"})
MIN_CHECKS = 3
LAST = 12
"""The last samples of a list: not all of them will be replayed, so there are more than checks."""


def is_replayed(result: SampleResult) -> bool:
    """Whether a recipe went with a sample to its end."""
    if result.broken:
        return False
    return result.recipe is not None and result.recipe.kind in REPLAYED


class CheckChoice:
    """The samples of one run that are checked, if a recipe went with them to their end: so large a
    part of the list, in an order that the seed gives. Few of these may be replayed, and so some of
    the list's last ones are checked, too, until there are three."""

    def __init__(
        self, folder: RunFolder, sample_ids: Sequence[str], seed: str, rate: float
    ) -> None:
        def by_seed(name: str) -> str:
            return hashlib.sha256(f"{seed} {name}".encode()).hexdigest()

        self._checks = RecipeChecks(folder)
        self._number = max(MIN_CHECKS, round(rate * len(sample_ids))) if rate else 0
        self._chosen = set(sorted(sample_ids, key=by_seed)[: self._number])
        self._last = set(sample_ids[-LAST:])

    def includes(self, sample_id: str) -> bool:
        """Whether a sample that was just replayed is to be checked."""
        if sample_id in self._chosen:
            return self._checks.begun() < self._number
        return sample_id in self._last and self._checks.begun() < min(MIN_CHECKS, self._number)


def compared(replayed: SampleResult, checked: SampleResult, names: Sequence[str]) -> RecipeCheck:
    """What a run without the recipe says of these fields."""
    was_gathered = replayed.recipe is not None and replayed.recipe.kind == "gathered"
    was_failed = replayed.status == "failed" and replayed.outcome in ENDING_KINDS
    was_ended = was_failed and not was_gathered
    is_ended_alike = was_ended and checked.outcome == replayed.outcome and not checked.broken
    problem = ""
    if checked.status != "done" and not is_ended_alike:
        problem = f"without the recipe the sample was {checked.ending}: {checked.reason}"
    differences = [
        name for name in names if replayed.extracted.get(name) != checked.extracted.get(name)
    ]
    if was_ended and checked.status == "done":
        differences = list(names)
    return RecipeCheck(
        sample_id=replayed.sample_id,
        differences=[] if checked.broken else differences,
        problem=problem,
        usage=checked.usage,
    )
