"""What became of a sample's test, in the words of Allure, and how Allure groups those that did not
pass: the same live and from the evidence."""

from __future__ import annotations

from typing import Any

from pytest_bwa.evidence.item_report import ItemReport
from pytest_bwa.evidence.record import NOT_AS_EXPECTED, REVIEW_MARKS, SampleResult
from pytest_bwa.reports.base import FinishedSample

KNOWN_BAD = "known bad"
KNOWN_BAD_PASSED = "known bad, but it passed"
"""What the messages of samples begin with that are expected to fail."""
_MARK = f"(?:{'|'.join(REVIEW_MARKS)})"
CATEGORIES = {
    r"\w+ \(broken\)": "Broken: the browser, the model, the disk or the server failed",
    rf"\w+ \({NOT_AS_EXPECTED}\b.*\)": "Not as expected: a value differs from the list",
    rf"(?:done|failed) \((?:{_MARK}, )*{_MARK}\)": "To be reviewed: --fail-on makes it fail",
    r"failed \(not_found\)": "Not found: the record does not exist",
    r"failed \(access_denied\)": "Access denied: the record may not be seen",
    r"failed \(blocked\)": "Blocked: the site keeps the agent out",
    "needs_review": "Needs review: the agent is not sure",
    "partial_success": "Partial success: some of it was found",
    "failed": "Failed: the audit found no answer",
}
"""Names by the ending of a sample, which is a regular expression of Java and JavaScript."""

_STATUSES = {
    "passed": "passed", "failed": "failed", "skipped": "skipped", "xfailed": "failed",
    "xpassed": "failed",
}  # fmt: skip
"""A test that failed as expected is red all the same, and its details say that it is known."""


def categories() -> list[dict[str, Any]]:
    """Group by ending: the first line of a failure is ``sample: ending: reason``, and before it
    stands the reason why a sample is known to be bad."""
    return [
        _category(
            "Known bad, but it passed: it no longer has to be listed as known bad",
            ["failed"],
            rf"{KNOWN_BAD_PASSED}: [\s\S]*",
        ),
        _category("Known bad: it failed as expected", ["failed"], rf"{KNOWN_BAD}: [\s\S]*"),
        *(
            _category(
                name,
                ["failed", "broken"],
                rf"(?:[\w.]+: )?[\w.-]+: {ending}: [\s\S]*",
            )
            for ending, name in CATEGORIES.items()
        ),
    ]


def _category(name: str, statuses: list[str], message: str) -> dict[str, Any]:
    return {"name": name, "matchedStatuses": statuses, "messageRegex": message}


def known_bad(finished: FinishedSample) -> str:
    """Why the sample is expected to fail; empty if it is not."""
    return finished.task.known_bad_reason(finished.sample)


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
