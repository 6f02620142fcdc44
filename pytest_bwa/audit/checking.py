"""Samples that are run again by the policy alone: which ones, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.composition import WorkerContext
from pytest_bwa.confinement.confinement import Confinement
from pytest_bwa.evidence.checks import MIN_CHECKS, CheckRecord, check_of, checks_in, names_of
from pytest_bwa.evidence.files import write_json
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.result_reader import CHECK, Checks
from pytest_bwa.policy.base import Policy
from pytest_bwa.spec.draw import number_by

if TYPE_CHECKING:  # most runs have no recipe, and their workers start sooner
    from pytest_bwa.policy.recipe.store import RecipeStore

LAST = 12
"""The last samples of a list: not all of them will be replayed, so there are more than checks."""


class CheckChoice:
    """The samples of one run that are checked: so large a part of the list, in an order that the
    seed gives."""

    def __init__(
        self, folder: RunFolder, sample_ids: Sequence[str], seed: str, rate: float
    ) -> None:
        self._checks = Checks(folder)
        self._number = checks_in(len(sample_ids), rate)
        self._chosen = set(sorted(sample_ids, key=partial(number_by, seed))[: self._number])
        self._last = set(sample_ids[-LAST:])

    def includes(self, sample_id: str) -> bool:
        """Whether a sample of the list is to be checked."""
        return sample_id in self._chosen

    def includes_replayed(self, sample_id: str) -> bool:
        """The same where only those are checked that a recipe went with to their end. Few of the
        chosen ones may be such, and so some of the list's last are checked, too, until there are
        three."""
        if sample_id in self._chosen:
            return self._checks.begun() < self._number
        return sample_id in self._last and self._checks.begun() < min(MIN_CHECKS, self._number)


class SampleChecks:
    """The checks of one run, as one worker sees them."""

    def __init__(
        self,
        audit: Audit,
        asked: CheckRecord,
        policy: Policy | None = None,
        recipes: RecipeStore | None = None,
    ) -> None:
        """``policy`` decides in them; None for that of the run."""
        assert audit.folder is not None, "an audit is opened before a sample runs"
        self._task, self._policy, self._recipes = audit.task, policy, recipes
        self._folders = Checks(audit.folder)
        ids = [sample.sample_id for sample in audit.samples.samples]
        self._choice = CheckChoice(audit.folder, ids, asked.seed, asked.rate)

    def begin(self, result: SampleResult) -> bool:
        """Whether a sample that has just ended is to be run again. What an earlier session has
        checked is not; with a recipe, neither is what the policy itself has read. A check of an
        earlier attempt at the sample no longer counts."""
        name = result.sample_id
        if not result.resumed:
            self._folders.forget(name)
        if result.broken or self._folders.has(name):
            return False
        if self._recipes is None:
            return self._choice.includes(name)
        return self._recipes.is_read_by_it(result) and self._choice.includes_replayed(name)

    def place(self, result: SampleResult) -> Path:
        """Where the second run of a sample is written."""
        return self._folders.place(result.sample_id)

    def alone(self, worker: WorkerContext, confinement: Confinement) -> WorkerContext:
        """What a worker needs for the second run of a sample: the policy has no recipe and no hints
        from other samples."""
        policy = self._policy or worker.policy
        return replace(
            worker,
            policy=policy,
            recipes=None,
            memory=None,
            keeps_trajectory=False,
            confinement=confinement,
        )

    def add(self, first: SampleResult, again: SampleResult) -> None:
        """Compare a sample with its second run. One difference, and a recipe rests. Raises
        EvidenceError."""
        task, recipes = self._task, self._recipes
        names = names_of(task) if recipes is None else recipes.names_read(first)
        fields = task.output_schema.keys()
        check = check_of(first, again, names, fields, by_recipe=recipes is not None)
        write_json(self.place(first) / CHECK, check)
        if check.differences and recipes is not None:
            recipes.rest(f"a check found another value of {', '.join(check.differences)}")
