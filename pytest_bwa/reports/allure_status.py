"""What became of a sample's test, in the words of Allure: the same live and from the evidence."""

from __future__ import annotations

from pytest_bwa.evidence.item_report import ItemReport
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.reports.allure_report.categories import KNOWN_BAD, KNOWN_BAD_PASSED
from pytest_bwa.reports.allure_texts import known_bad
from pytest_bwa.reports.base import FinishedSample

_STATUSES = {
    "passed": "passed", "failed": "failed", "skipped": "skipped", "xfailed": "unknown",
    "xpassed": "failed",
}  # fmt: skip
"""A test that failed as expected is neither green nor red, and was not skipped either."""


def status_and_message(finished: FinishedSample) -> tuple[str, str]:
    """Allure's word for what became of the test, and why it is not green; empty if it is."""
    reported = _reported(finished)
    is_broken = reported.failed and reported.is_error
    status = "broken" if is_broken else _STATUSES[reported.outcome]
    return status, _message(finished.result, reported)


def _message(result: SampleResult, reported: ItemReport) -> str:
    if reported.outcome == "passed":
        return ""
    if reported.outcome == "xpassed":
        return f"{KNOWN_BAD_PASSED}: {reported.expected}"
    is_finding = reported.by_record and not result.passed
    why = result.failure_message() if is_finding else reported.message
    return f"{KNOWN_BAD}: {reported.expected}\n{why}" if reported.outcome == "xfailed" else why


def _reported(finished: FinishedSample) -> ItemReport:
    """What pytest said; of a test whose worker was killed what its record amounts to."""
    if (reported := finished.item_report) is not None:
        return reported
    result, excuse = finished.result, known_bad(finished)
    passed = result.passed
    reported = ItemReport(
        sample_id=result.sample_id,
        nodeid=finished.nodeid,
        outcome="passed" if passed else "failed",
        phase="call",
        by_record=not passed,
    )
    if not excuse or result.broken:
        return reported
    expected = "xpassed" if passed else "xfailed"
    return reported.model_copy(update={"outcome": expected, "expected": excuse})
