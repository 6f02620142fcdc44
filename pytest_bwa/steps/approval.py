"""What a person said before something was sent that may write."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_bwa.steps.read_lines import Box

Word = Literal["approved", "rejected"]
MAX_SENT = 20
"""Requests of one approval that are named."""


class Answer(BaseModel):
    """What a person decided."""

    model_config = ConfigDict(frozen=True)

    decision: Word
    by: str
    """Empty if nobody decided in time."""
    at: str
    """Times are in UTC, RFC 3339."""
    comment: str = ""
    alike: bool = False
    """Whether the same was decided of all that are alike, from then on."""


class Approval(Answer):
    """The same in the log, with what the person was shown."""

    asked_at: str
    what: str
    """The action, in words."""
    to: str
    """Method and address of the first request."""
    fields: list[tuple[str, str]] = Field(default_factory=list)
    """What the fields of the page had, by their names; secrets are masked."""
    picture: str = ""
    """The file that shows the page before the action."""
    box: Box | None = None
    """Where it shows the element that was to be pressed."""
    sent: list[str] = Field(default_factory=list)
    """What was sent by it to the same address, until the page was still."""

    def add_sent(self, request: str) -> None:
        if len(self.sent) < MAX_SENT:
            self.sent.append(request)

    def in_words(self) -> str:
        who = f" by {self.by}" * bool(self.by) + ", with all alike" * self.alike
        return f"{self.decision}{who}{f': {self.comment}' if self.comment else ''}"
