"""How Allure groups the samples that did not pass."""

from __future__ import annotations

from typing import Any

from pytest_bwa.evidence.record import REVIEW_MARKS

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
    """Group failures by ending: the first line of a failure is ``sample: ending: reason``."""
    return [
        {
            "name": name,
            "matchedStatuses": ["failed", "broken"],
            "messageRegex": rf"(?:[\w.]+: )?[\w.-]+: {ending}: [\s\S]*",
        }
        for ending, name in CATEGORIES.items()
    ]
