"""What pytest said of the test that ran a sample: ``pytest.json`` in the sample's folder.

The record says what was found; a test may check more after it, or fail when it is torn down.
Reports that are made from the evidence must be as green and as red as those of the run.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

ITEM_REPORT = "pytest.json"
MAX_MESSAGE = 500
"""Maximum characters of a message; pytest's own output has all of it."""
TestOutcome = Literal["passed", "failed", "skipped", "xfailed", "xpassed"]


class ItemReport(BaseModel):
    """The outcome of the test, in the phase that decided it."""

    sample_id: str
    nodeid: str
    outcome: TestOutcome
    """``xpassed``: it was expected to fail, did not, and this fails it (a strict xfail)."""
    phase: Literal["setup", "call", "teardown"]
    message: str = ""
    """The first line of the exception, or why the test was skipped; without secrets."""
    expected: str = ""
    """Why it was expected to fail; empty if it was not, or if no reason was given."""
    by_record: bool = False
    """Whether the sample's own record made it fail: ``assert_done`` raised the exception."""
    is_error: bool = False
    """Whether it was another exception than that of an assertion or of ``pytest.fail``."""

    @property
    def failed(self) -> bool:
        """Whether pytest counts this as a failure or an error."""
        return self.outcome in ("failed", "xpassed")

    def says_more(self, passed: bool) -> bool:
        """Whether it says anything that the record does not; ``passed`` is what that says."""
        if self.outcome == "passed":
            return not passed
        return not self.by_record

    @property
    def sentence(self) -> str:
        """For a person: what became of the test, when and why."""
        when = {"setup": " before its call", "call": "", "teardown": " when it was torn down"}
        ended = {
            "passed": "The test passed",
            "failed": f"The test failed{when[self.phase]}",
            "skipped": f"The test was skipped{when[self.phase]}",
            "xfailed": "The test failed, as expected",
            "xpassed": "The test was expected to fail but did not",
        }[self.outcome]
        return f"{ended}: {self.why}" if self.why else f"{ended}."

    @property
    def why(self) -> str:
        """Why the test was expected to fail, if that decided; else its message."""
        return (self.expected if self.outcome in ("xfailed", "xpassed") else "") or self.message

    @property
    def cell(self) -> str:
        """For a table: the outcome, and what the record does not say of it."""
        says_no_more = self.by_record or not self.why
        return self.outcome if says_no_more else f"{self.outcome}: {self.why}"
