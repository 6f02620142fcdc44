"""Samples that are run again by the policy alone: what two readings say of each other, and of all
samples of the run."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from pytest_bwa.evidence.bounds import lower_bound, percent
from pytest_bwa.evidence.expected import found_value, in_quotes
from pytest_bwa.spec.known import JUDGMENT, OUTCOME, is_equal
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Usage

if TYPE_CHECKING:
    from pytest_bwa.evidence.record import SampleResult

MIN_CHECKS = 3
"""Samples that are run again at least, however small the part is that is asked for."""


def checks_in(samples: int, rate: float) -> int:
    """How many of so many are run again, if there are as many."""
    return max(MIN_CHECKS, round(rate * samples)) if rate else 0


class Difference(BaseModel):
    """What the sample's own run has of a field, and what the second one has."""

    first: Any
    again: Any


class SampleCheck(BaseModel):
    """A sample that was run again by the policy alone."""

    sample_id: str
    differences: dict[str, Difference] = Field(default_factory=dict)
    """By field; ``outcome`` and ``judgment`` are compared like fields."""
    problem: str = ""
    """Why the second run came to no answer."""
    usage: Usage = Field(default_factory=Usage)

    @property
    def is_compared(self) -> bool:
        return bool(self.differences) or not self.problem

    def in_words(self) -> list[str]:
        """Each difference, for a person."""
        return [
            f"{name} was {in_quotes(found.again)}, and not {in_quotes(found.first)}"
            for name, found in self.differences.items()
        ]


class CheckRecord(BaseModel):
    """Which part of a run is run again, and what came of it: part of run.json."""

    rate: float
    """The part of 1 that was asked for."""
    seed: str
    """What decides which samples these are."""
    model: str = ""
    """The model that runs them again; empty for the policy of the run."""
    checks: list[SampleCheck] = Field(default_factory=list)
    alike: int = 0
    """How many of these were read alike twice."""
    lower_bound: float = 0.0
    """Part of all samples that would be read alike twice, at least, at 95 %."""

    def with_checks(self, checks: Collection[SampleCheck]) -> CheckRecord:
        """The end of the record."""
        compared = [check for check in checks if check.is_compared]
        alike = sum(not check.differences for check in compared)
        found = {"checks": sorted(checks, key=lambda check: check.sample_id), "alike": alike}
        bound = lower_bound(alike, len(compared))
        return self.model_copy(update={**found, "lower_bound": bound})

    @property
    def differing(self) -> list[SampleCheck]:
        return [check for check in self.checks if check.differences]

    @property
    def different_fields(self) -> list[str]:
        return list(dict.fromkeys(name for check in self.checks for name in check.differences))

    @property
    def usage(self) -> Usage:
        return sum((check.usage for check in self.checks), Usage())

    def line(self, of: int, *, by_recipe: bool) -> str:
        """For a person. ``of``: how many samples the run has; ``by_recipe``: whether those were
        chosen of which a recipe read the values."""
        if not self.checks:
            return "no sample was read twice"
        unknown = sum(not check.is_compared for check in self.checks)
        not_known = f"; {unknown:,} could not be compared" if unknown else ""
        compared = len(self.checks) - unknown
        whose = "samples of the recipe" if by_recipe else "samples"
        alike = f"{self.alike:,} of {compared:,} {whose} read twice alike"
        if not compared:
            return f"{alike}{not_known}"
        if compared >= of:
            return f"{alike}; all were read twice, so that nothing is left to bound"
        of_what = "of all that it read" if by_recipe else "of all"
        return f"{alike}: at least {percent(self.lower_bound)} {of_what} are, at 95 %{not_known}"


def names_of(task: TaskSpec) -> list[str]:
    """What is compared of a sample that the policy read twice."""
    judgment = [JUDGMENT] if task.judgment_required else []
    return list(dict.fromkeys((*task.output_schema, *judgment, OUTCOME)))


def check_of(
    first: SampleResult,
    again: SampleResult,
    names: Sequence[str],
    fields: Collection[str],
    *,
    by_recipe: bool = False,
) -> SampleCheck:
    """What a second run says of these values; ``fields`` are those of the schema. What was not
    found is compared with what was; of a second run that came to no answer, the values that it has
    are. ``by_recipe``: the first one had a recipe, which finds more than rules do."""
    is_same_ending = (again.status, again.outcome) == (first.status, first.outcome)
    is_answer = again.status == "done" or again.outcome == "not_found" or is_same_ending
    is_answer = is_answer and not again.broken
    problem = "" if is_answer else f"the second run was {again.ending}: {again.reason}"
    lacks = [name for name in names if name in fields and _is_lost(name, first, again)]
    if is_answer and by_recipe and lacks and not again.usage.calls:
        is_answer, problem = False, f"the policy alone does not find {', '.join(lacks)}"
    if is_answer and OUTCOME in names and again.outcome != first.outcome:
        names = [OUTCOME]
    pairs = {n: (found_value(first, n, fields), found_value(again, n, fields)) for n in names}
    if not is_answer:
        has_value = {name for name in fields if again.extracted.get(name) is not None}
        pairs = {name: pair for name, pair in pairs.items() if name in has_value}
    differences = {
        name: Difference(first=one, again=other)
        for name, (one, other) in pairs.items()
        if not is_equal(one, other) and not again.broken
    }
    return SampleCheck(
        sample_id=first.sample_id, differences=differences, problem=problem, usage=again.usage
    )


def _is_lost(name: str, first: SampleResult, again: SampleResult) -> bool:
    is_alike = first.outcome == again.outcome
    has_value, has_none = first.extracted.get(name), again.extracted.get(name)
    return is_alike and has_value is not None and has_none is None
