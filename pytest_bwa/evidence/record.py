"""The records that are written to disk. Every report is made from them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from pytest_bwa.errors import AuditFinding, SampleBroken
from pytest_bwa.evidence.expected import ExpectedValue, as_expected, differences
from pytest_bwa.evidence.grounding import GroundingTree
from pytest_bwa.spec.task import NotFoundRule
from pytest_bwa.steps.requests import RequestLists
from pytest_bwa.steps.step import Artifact, FailKind, PictureText, Usage
from pytest_bwa.steps.text import show_controls

SCHEMA_VERSION = 2
"""Of result.json and run.json. Version 1 is read as well."""
Status = Literal["done", "partial_success", "needs_review", "failed"]
STATUSES: tuple[Status, ...] = ("done", "partial_success", "needs_review", "failed")
ReviewMark = Literal["not_as_expected", "needs_review", "flagged", "inconclusive"]
_NEXT_REASON = re.compile(r"; (?=[\w.]+: |the last page is )")
"""Between the reasons of two fields, as the rules policy joins them."""
_BESIDE_REASONS = ("read: ", "the last page is ")
UNSAID = "its result.json does not say why"
"""Stands in place of a reason, in a run of an earlier version."""
NOT_AS_EXPECTED: ReviewMark = "not_as_expected"
"""A value differs from what the list says of it; ``--expected`` decides whether that fails."""
REVIEW_MARKS: tuple[ReviewMark, ...] = (
    NOT_AS_EXPECTED, "needs_review", "flagged", "inconclusive",
)  # fmt: skip
OutcomeKind = Literal["found"] | FailKind
"""What the sample turned out to be; ``other`` means that this is not known."""


def has_values(extracted: Mapping[str, Any]) -> bool:
    """Whether any field has a value; 0, false and empty text are values."""
    return any(value is not None for value in extracted.values())


def outcome_kind(
    status: Status, extracted: Mapping[str, Any], fail_kind: FailKind | None = None
) -> OutcomeKind:
    """``fail_kind`` for a sample that was ended by ``fail``. Otherwise ``found`` if the sample is
    done, or if values were found and may be used, and ``other`` if there is no answer."""
    if fail_kind is not None:
        return fail_kind
    is_found = status == "done" or (status != "failed" and has_values(extracted))
    return "found" if is_found else "other"


class Judgment(BaseModel):
    """The answer to the spec's judgment_question, with the extra keys that the spec's
    judgment_output_schema names."""

    model_config = ConfigDict(extra="allow")

    answer: Literal["yes", "no", "inconclusive"]
    confidence: float = Field(ge=0, le=1)
    reasoning: str
    evidence_refs: list[str] = Field(default_factory=list)
    """File names of screenshots in the sample's folder."""


class RecipeUse(BaseModel):
    """What became of the recipe in one sample: it was replayed to the end (``healed``: by a way
    that was learnt later), it gathered what one decision of the model judged, or it handed the
    sample over to the policy."""

    kind: Literal["replayed", "healed", "gathered", "handed_over"]
    step: int | None = None
    """The step with which the policy began to decide."""
    why: str = ""
    """Why it was handed over, or why the policy read some fields of what was gathered."""

    @property
    def is_replayed(self) -> bool:
        """Whether no policy was asked."""
        return self.kind in ("replayed", "healed")

    def in_words(self) -> str:
        """For a person: ``handed over at step 3: …``."""
        if self.kind == "handed_over":
            return f"handed over at step {self.step}: {self.why}"
        judged = f"gathered; the policy decided at step {self.step}"
        return judged if self.kind == "gathered" else self.kind


class SampleResult(RequestLists):
    """The outcome of one sample: result.json."""

    schema_version: int = SCHEMA_VERSION
    sample_id: str
    task_id: str
    status: Status
    outcome: OutcomeKind = "other"
    reason: str = ""
    """One sentence; empty when status is done."""
    broken: bool = False
    """Whether the browser, the model, the disk or the site's server failed, and not the sample."""
    steps: int = 0
    """Number of decisions; opening the page is step 0 and is not counted."""
    extracted: dict[str, Any] = Field(default_factory=dict)
    grounding: dict[str, GroundingTree | None] = Field(default_factory=dict)
    """Where each value was seen, by the fields of ``extracted``."""
    judgment: Judgment | None = None
    expected: dict[str, ExpectedValue] = Field(default_factory=dict)
    """What the list says of fields, beside what was found."""
    artifacts: list[Artifact] = Field(default_factory=list)
    flagged: bool = False
    """A person should look at this sample."""
    notes: list[str] = Field(default_factory=list)
    picture_texts: list[PictureText] = Field(default_factory=list)
    """Text that vision or OCR read from pictures of pages."""
    missing: list[str] = Field(default_factory=list)
    """Required fields and artifacts that the sample does not have; empty if it does not exist."""
    usage: Usage = Field(default_factory=Usage)
    policy: str = ""
    model: str = ""
    log_hash: str = ""
    """The end of the hash chain of action_log.json; empty if nothing was logged."""
    mode: list[Literal["live", "replay", "healed"]] = Field(default_factory=list)
    recipe: RecipeUse | None = None
    """None if there was no recipe when the sample began."""
    started_at: str = ""
    finished_at: str = ""

    _folder: Path | None = PrivateAttr(default=None)
    _last_steps: list[str] = PrivateAttr(default_factory=list)
    _resumed: bool = PrivateAttr(default=False)
    _not_found_rule: NotFoundRule = PrivateAttr(default="fail")
    _failing_marks: tuple[ReviewMark, ...] = PrivateAttr(default=())

    def with_location(
        self, folder: Path, last_steps: list[str], *, resumed: bool = False
    ) -> SampleResult:
        """Set the evidence folder and the last steps, which messages show; return this result."""
        self._folder, self._last_steps, self._resumed = folder, last_steps, resumed
        return self

    def take_not_found_as(self, rule: NotFoundRule) -> SampleResult:
        """Set whether this result passes if its outcome is not_found; return this result."""
        self._not_found_rule = rule
        return self

    def fail_on(self, marks: Sequence[ReviewMark]) -> SampleResult:
        """Set which reasons for a review make this result fail; return this result."""
        self._failing_marks = tuple(marks)
        return self

    @property
    def review_marks(self) -> tuple[ReviewMark, ...]:
        """Why a person should look at this sample; empty if nothing asks for it."""
        is_open = self.judgment is not None and self.judgment.answer == "inconclusive"
        marks: dict[ReviewMark, bool] = {
            NOT_AS_EXPECTED: self.as_expected is False,
            "needs_review": self.status == "needs_review",
            "flagged": self.flagged,
            "inconclusive": is_open,
        }
        return tuple(mark for mark, holds in marks.items() if holds)

    @property
    def as_expected(self) -> bool | None:
        """Whether all that the list says of it was found; None if that is not known."""
        return as_expected(self.expected)

    @property
    def as_expected_word(self) -> str:
        """The same for a table: ``yes``, ``no``, or nothing."""
        return {True: "yes", False: "no", None: ""}[self.as_expected]

    @property
    def differences(self) -> list[str]:
        """What was found otherwise than expected, in words."""
        return differences(self.expected, self.grounding)

    @property
    def failed_marks(self) -> tuple[ReviewMark, ...]:
        """The reasons for a review that alone keep this result from passing."""
        if not self._is_answered:
            return ()
        return tuple(mark for mark in self.review_marks if mark in self._failing_marks)

    @property
    def _is_answered(self) -> bool:
        """Whether the sample is done, or does not exist and that is taken as a pass."""
        return self.status == "done" or (
            self.outcome == "not_found" and self._not_found_rule == "pass"
        )

    @property
    def passed(self) -> bool:
        """Whether the sample has its answer, and no reason for a review that shall fail."""
        return self._is_answered and not self.failed_marks

    @property
    def ending(self) -> str:
        """The status, and in parentheses what tells a missing record from a broken sample:
        ``failed (not_found)``."""
        if self.broken:
            return f"{self.status} (broken)"
        if self.failed_marks:
            return f"{self.status} ({', '.join(self.failed_marks)})"
        is_plain = self.outcome in ("found", "other")
        return self.status if is_plain else f"{self.status} ({self.outcome})"

    @property
    def why_not_passed(self) -> str:
        """The reason; for a sample that only fails because a person should look at it, the notes
        that say why. Empty if nothing was recorded."""
        return self.reason or "; ".join(self.notes if self.failed_marks else ())

    @property
    def folder(self) -> Path | None:
        return self._folder

    @property
    def resumed(self) -> bool:
        """Whether the result is from an earlier session of this run; no browser was used."""
        return self._resumed

    def assert_done(self) -> None:
        """Raise AuditFinding unless the sample passed; SampleBroken if it is ``broken``. The
        message is ``failure_message()``."""
        if self.passed:
            return
        raise (SampleBroken if self.broken else AuditFinding)(self.failure_message())

    def failure_message(self) -> str:
        """Ending, reasons, missing fields, last steps and evidence path, for the person who acts.
        The first line is short, because pytest's summary shows it alone."""
        first, *others = reasons = _NEXT_REASON.split(self.why_not_passed)
        number = sum(not line.startswith(_BESIDE_REASONS) for line in others)
        more = f" (and {number} more)" if number else ""
        lines = [f"{self.sample_id}: {self.ending}: {first or UNSAID}{more}"]
        lines += _listed("why:", reasons) if others else []
        if self.missing:
            lines.append("  missing:  " + ", ".join(self.missing))
        again = f": {first}; "  # the last step of the rules policy says all reasons in one line
        lines += _listed("last:", [step.partition(again)[0] for step in self._last_steps])
        if self._folder is not None:
            lines.append(f"  evidence: {self._folder}")
        return show_controls("\n".join(lines))


def _listed(title: str, lines: Sequence[str]) -> list[str]:
    """The lines, the title before the first."""
    return [f"  {title if n == 0 else '':9} {line}" for n, line in enumerate(lines)]


class Checkpoint(BaseModel):
    """What is known of a sample while it runs: checkpoint.json."""

    sample_id: str
    status: str = "in_progress"
    step: int
    max_steps: int
    accumulated_data: dict[str, Any] = Field(default_factory=dict)
    progress_notes: list[str] = Field(default_factory=list)
    artifacts_so_far: list[Artifact] = Field(default_factory=list)
    steps_logged: int = 0
    updated_at: str = ""
