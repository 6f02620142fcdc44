"""What was found beside what was known before: of one sample, and of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from pytest_bwa.evidence.bounds import lower_bound, percent
from pytest_bwa.evidence.grounding import GroundingTree, leaves_of
from pytest_bwa.spec.known import JUDGMENT, OUTCOME, is_equal
from pytest_bwa.steps.text import one_line, text_or_json

if TYPE_CHECKING:
    from pytest_bwa.evidence.record import SampleResult

MAX_VALUE = 80


class ExpectedValue(BaseModel):
    """One known value, and what was found of it."""

    expected: Any
    found: Any
    equal: bool | None
    """None if that is not known: the sample is not done."""


def compared(
    known: Mapping[str, Any], fields: Collection[str], result: SampleResult
) -> dict[str, ExpectedValue]:
    """Each known value beside what the result has. ``fields`` are those of the schema. What is not
    done is not known, but that a record is not there is an answer."""
    is_done = result.status == "done"
    is_ended = is_done or (result.outcome not in ("found", "other") and not result.broken)

    def value(name: str, expected: Any) -> ExpectedValue:
        found = found_value(result, name, fields)
        counts = is_ended if name == OUTCOME and name not in fields else is_done
        equal = is_equal(expected, found) if counts else None
        return ExpectedValue(expected=expected, found=found, equal=equal)

    return {name: value(name, expected) for name, expected in known.items()}


def found_value(result: SampleResult, name: str, fields: Collection[str]) -> Any:
    """The value of a field, or the judgment or the outcome, unless a field has their name."""
    if name in fields:
        return result.extracted.get(name)
    answer = result.judgment.answer if result.judgment else None
    return {JUDGMENT: answer, OUTCOME: result.outcome}[name]


def as_expected(values: Mapping[str, ExpectedValue]) -> bool | None:
    """Whether all is as it was known; None if that is not known."""
    return _all_of(value.equal for value in values.values())


def _all_of(equal: Iterable[bool | None]) -> bool | None:
    found = set(equal)
    if False in found:
        return False
    return True if found == {True} else None


def differences(
    values: Mapping[str, ExpectedValue], grounding: Mapping[str, GroundingTree | None]
) -> list[str]:
    """Each difference in words, with the picture that shows what was found."""
    return [
        f"{name}: expected {in_quotes(v.expected)}, found {in_quotes(v.found)}"
        f"{_picture(name, grounding)}"
        for name, v in values.items()
        if v.equal is False
    ]


def in_quotes(value: Any) -> str:
    """A value, for a person."""
    return "nothing" if value is None else f"“{one_line(text_or_json(value), MAX_VALUE)}”"


def _picture(name: str, grounding: Mapping[str, GroundingTree | None]) -> str:
    names = (leaf.artifact for leaf in leaves_of(grounding.get(name)) if leaf.artifact)
    picture = next(names, "")
    return f" ({picture})" if picture else ""


class FieldRecord(BaseModel):
    """How often one field was as expected."""

    values: int
    equal: int
    lower_bound: float


class ExpectedRecord(BaseModel):
    """How many of the known samples of a run are right: part of run.json."""

    samples: int
    """Samples of which something is known."""
    values: int
    """Their known values, of those that are done."""
    equal: int
    """How many of these were found as expected."""
    right: int = 0
    wrong: int = 0
    """Samples that count for the bound: those of which all is known, without those that taught a
    recipe."""
    unknown: int = 0
    """Known samples that are not done."""
    lower_bound: float = 0.0
    """Part of all samples that are right, at least, at 95 %."""
    fields: dict[str, FieldRecord] = Field(default_factory=dict)
    cleared: list[str] = Field(default_factory=list)
    """The doubts of all samples that known ones cleared, in words."""

    @property
    def part_right(self) -> float:
        """Of all known samples; one that is not done is not right."""
        return self.right / max(1, self.right + self.wrong + self.unknown)

    def lines(self, of: int) -> list[str]:
        """For a person; ``of``: how many rows the list, or the population of a sample, has."""
        values = f"{self.equal:,} of {self.values:,} values as expected"
        unknown = f"; {self.unknown:,} not known, as they are not done" if self.unknown else ""
        return [
            f"{self.samples:,} samples, {values}{unknown}",
            *self._bound_lines(of),
            *self.cleared,
        ]

    def _bound_lines(self, of: int) -> list[str]:
        if not (counted := self.right + self.wrong):
            return []
        right = f"{self.right:,} of {counted:,} known samples right"
        if self.samples >= of:
            return [f"{right}; all rows are known, so that nothing is left to bound"]
        bound = f"at least {percent(self.lower_bound)} of all are, at 95 %"
        return [f"{right}: {bound} (if the known rows are like the others)"]


@dataclass
class KnownSamples:
    """The known samples of a run, while its results are gone through."""

    equal: dict[str, dict[str, bool | None]] = field(default_factory=dict)
    """By sample_id, which fields were as expected."""
    differing: dict[str, list[str]] = field(default_factory=dict)
    """What was found otherwise, in words."""

    def add(self, result: SampleResult) -> None:
        if not result.expected:
            return
        self.equal[result.sample_id] = {n: v.equal for n, v in result.expected.items()}
        if words := result.differences:
            self.differing[result.sample_id] = words

    def record(self, taught: Collection[str] = ()) -> ExpectedRecord | None:
        """None if nothing was known. ``taught``: the samples that a recipe was learnt from."""
        if not self.equal:
            return None
        verdicts = {name: _all_of(equal.values()) for name, equal in self.equal.items()}
        counted = Counter(verdict for name, verdict in verdicts.items() if name not in taught)
        values, equal, fields = Counter[str](), Counter[str](), {}
        for name in dict.fromkeys(chain.from_iterable(self.equal.values())):
            known = {sample: own.get(name) for sample, own in self.equal.items()}
            values[name] = sum(is_equal is not None for is_equal in known.values())
            equal[name] = sum(is_equal is True for is_equal in known.values())
            own = [is_equal for sample, is_equal in known.items() if sample not in taught]
            right, wrong = own.count(True), own.count(False)
            fields[name] = FieldRecord(
                values=values[name],
                equal=equal[name],
                lower_bound=lower_bound(right, right + wrong),
            )
        right, wrong = counted[True], counted[False]
        return ExpectedRecord(
            samples=len(self.equal),
            values=values.total(),
            equal=equal.total(),
            right=right,
            wrong=wrong,
            unknown=sum(verdict is None for verdict in verdicts.values()),
            lower_bound=lower_bound(right, right + wrong),
            fields=fields,
        )
