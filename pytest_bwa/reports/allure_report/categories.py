"""How Allure groups the samples that did not pass."""

from __future__ import annotations

from typing import Any

from pytest_bwa.evidence.record import REVIEW_MARKS

KNOWN_BAD = "known bad"
KNOWN_BAD_PASSED = "known bad, but it passed"
"""What the messages of samples begin with that are expected to fail."""
_MARK = f"(?:{'|'.join(REVIEW_MARKS)})"
CATEGORIES = {
    r"\w+ \(broken\)": "Broken: the browser, the model, the disk or the server failed",
    rf"(?:done|failed) \((?:{_MARK}, )*{_MARK}\)": "To be reviewed: --fail-on lets it fail",
    r"failed \(not_found\)": "Not found: the record does not exist",
    r"failed \(access_denied\)": "Access denied: the record may not be seen",
    r"failed \(blocked\)": "Blocked: the site keeps the agent out",
    "needs_review": "Needs review: the agent is not sure",
    "partial_success": "Partial success: some of it was found",
    "failed": "Failed: the audit found no answer",
}
"""Names by the ending of a sample, which is a regular expression of Java and JavaScript."""


def categories() -> list[dict[str, Any]]:
    """Group by ending: the first line of a failure is ``sample: ending: reason``, and before it
    stands the reason why a sample is known to be bad."""
    return [
        _category(
            "Known bad, but it passed: it need not be listed as known bad any more",
            ["failed"],
            rf"{KNOWN_BAD_PASSED}: [\s\S]*",
        ),
        _category("Known bad: it failed as expected", ["unknown"], rf"{KNOWN_BAD}: [\s\S]*"),
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
