"""Exceptions in a sample that was drawn, and what they say of its population."""

from __future__ import annotations

from pytest_bwa.evidence.bounds import at_most, percent
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.reports.base import FinishedRun
from pytest_bwa.spec.known import OUTCOME


def exception_lines(run: FinishedRun) -> list[str]:
    """How many of the drawn samples are exceptions, and how many of the population at most; none
    if the samples are the whole list."""
    if run.record.population is None or not run.record.samples_in:
        return []
    found = decided = 0
    for result in run.results:
        verdict = is_exception(result, run.task.exception)
        decided += verdict is not None
        found += verdict is True
    if not decided:
        return []
    what = f"{found} exception{'s' if found != 1 else ''} in {decided}"
    if decided == run.record.population.rows:
        return [f"{what}: that is the whole population, so that nothing is left to bound"]
    bound = percent(at_most(found, decided))
    left = run.record.samples_in - decided
    open_ones = f" ({left} without an answer do not count)" if left else ""
    return [f"{what}: at most {bound} of the population, at 95 %{open_ones}"]


def is_exception(result: SampleResult, answer: str | None) -> bool | None:
    """Whether a sample is not as it should be: not as expected, judged with the ``answer`` that is
    an exception, or not there. None if that is not known."""
    if result.as_expected is False:
        return True
    if result.outcome == "not_found":
        known = result.expected.get(OUTCOME)
        return not (known and known.equal)
    if result.status != "done" or result.broken:
        return None
    if answer is None or result.judgment is None:
        return False
    return None if result.judgment.answer == "inconclusive" else result.judgment.answer == answer
