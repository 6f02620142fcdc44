"""Which replayed samples are run again without the recipe, and what the comparison says."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.result_reader import RecipeChecks, ResultReader
from pytest_bwa.evidence.run_record import RecipeCheck
from pytest_bwa.evidence.writer import RESULT
from pytest_bwa.policy.recipe.recipe import ENDING_KINDS

REPLAYED = frozenset({"replayed", "healed", "gathered"})
MIN_CHECKS = 3
LAST = 12
"""The last samples of a run: not all of them will be replayed, so there are more than checks."""
FOLDERS_OF_A_QUESTION = 100
"""How many folders may be looked at for each sample."""


def is_replayed(result: SampleResult) -> bool:
    """Whether a recipe went with a sample to its end."""
    if result.broken:
        return False
    return result.recipe is not None and result.recipe.kind in REPLAYED


class CheckChoice:
    """The samples of one run that are checked: the first ones in an order that the seed gives,
    without those that no recipe was used for. ``rate`` is a part of the replayed samples: how many
    there will be follows from the share that they have of all that have ended.

    Of these, it knows the first that have not ended, from a look at their folders. In a run of
    many samples a look takes long, so the next one follows after as many questions as it cost.
    """

    def __init__(
        self, folder: RunFolder, sample_ids: Sequence[str], seed: str, rate: float
    ) -> None:
        self._folder, self._checks, self._seed = folder, RecipeChecks(folder), seed
        self._order = iter(sorted(sample_ids, key=self._hash))
        self._rate, self._samples = rate, len(sample_ids)
        self._results = ResultReader(is_replayed)
        self._number = 0
        """How many are checked in all, as far as is known."""
        self._open: list[str] = []
        """The first that have not ended: as many as may be checked, and so many that the last ones
        are known."""
        self._begun = 0
        self._questions = 0
        """How many more are answered from the last look."""

    def includes(self, sample_id: str) -> bool:
        """Whether a sample that was just replayed is to be checked. A sample that has ended without
        a check is replaced by the next one in the order; towards the end of a run every sample is
        checked, until there are enough."""
        self._questions -= 1
        if self._questions < 0:
            self._questions = self._look() // FOLDERS_OF_A_QUESTION
        left = self._number - self._begun
        if left > 0 and (len(self._open) < left or self._is_up_to(sample_id, self._open[left - 1])):
            return True
        return self._begun < min(MIN_CHECKS, self._number) and self._is_one_of_the_last()

    def _look(self) -> int:
        """Find out which samples have ended; returns how many folders that took."""
        self._number, self._begun = self._as_many_as_asked(), self._checks.begun()
        wanted = max(LAST, self._number - self._begun)
        looked = self._begun + len(self._open)
        self._open = [name for name in self._open if not self._has_ended(name)]
        while len(self._open) < wanted and (name := next(self._order, None)) is not None:
            looked += 1
            if not self._has_ended(name):
                self._open.append(name)
        return looked

    def _as_many_as_asked(self) -> int:
        """The part of the replayed samples, rounded."""
        ended = self._results.results(self._folder)
        share = sum(ended) / len(ended) if ended else 1.0
        return max(MIN_CHECKS, round(self._rate * self._samples * share)) if self._rate else 0

    def _is_up_to(self, name: str, last: str) -> bool:
        """Whether a sample is not after another one in the order."""
        return self._hash(name) <= self._hash(last)

    def _has_ended(self, name: str) -> bool:
        return (self._folder.sample(name) / RESULT).exists()

    def _is_one_of_the_last(self) -> bool:
        return len(self._open) < LAST

    def _hash(self, name: str) -> str:
        return hashlib.sha256(f"{self._seed} {name}".encode()).hexdigest()


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
