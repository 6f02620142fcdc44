"""The records on disk. Everything that people read is made from these."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, PrivateAttr

from pytest_bwa.errors import AuditFinding, SampleBroken
from pytest_bwa.steps import Artifact, PictureText, Usage

SCHEMA_VERSION = 1
Status = Literal["done", "partial_success", "needs_review", "failed"]
STATUSES: tuple[Status, ...] = ("done", "partial_success", "needs_review", "failed")


class Judgment(BaseModel):
    """The answer to the spec's judgment_question (F-60)."""

    answer: Literal["yes", "no", "inconclusive"]
    confidence: float = Field(ge=0, le=1)
    reasoning: str
    evidence_refs: list[str] = Field(default_factory=list)
    """File names of screenshots in the sample's folder."""


class SampleResult(BaseModel):
    """result.json of one sample (DESIGN 4.5)."""

    schema_version: int = SCHEMA_VERSION
    sample_id: str
    task_id: str
    status: Status
    reason: str = ""
    """One sentence; empty when status is done."""
    steps: int = 0
    """Decisions taken; the opening of the page is step 0 and is not counted."""
    extracted: dict[str, Any] = Field(default_factory=dict)
    grounding: dict[str, Any] = Field(default_factory=dict)
    judgment: Judgment | None = None
    artifacts: list[Artifact] = Field(default_factory=list)
    flagged: bool = False
    """A person should look at this sample."""
    notes: list[str] = Field(default_factory=list)
    picture_texts: list[PictureText] = Field(default_factory=list)
    """What was read from pictures of pages, and by whom; it is in no page's own text."""
    missing: list[str] = Field(default_factory=list)
    """Required fields and artifacts that are not there."""
    usage: Usage = Field(default_factory=Usage)
    policy: str = ""
    model: str = ""
    mode: list[Literal["live", "replay", "healed"]] = Field(default_factory=list)
    started_at: str = ""
    finished_at: str = ""

    _folder: Path | None = PrivateAttr(default=None)
    _last_steps: list[str] = PrivateAttr(default_factory=list)
    _resumed: bool = PrivateAttr(default=False)
    _broken: bool = PrivateAttr(default=False)

    def located(
        self, folder: Path, last_steps: list[str], *, resumed: bool = False
    ) -> SampleResult:
        """The same result, knowing where its evidence is and how it ended; for messages."""
        self._folder, self._last_steps, self._resumed = folder, last_steps, resumed
        return self

    def not_auditable(self) -> SampleResult:
        """The same result, marked: not the sample failed, but the browser, model or disk."""
        self._broken = True
        return self

    @property
    def folder(self) -> Path | None:
        return self._folder

    @property
    def resumed(self) -> bool:
        """Taken from an earlier session of this run, without a browser."""
        return self._resumed

    def assert_done(self) -> None:
        """Raise AuditFinding unless the status is done (SampleBroken where the browser, the model
        or the disk failed); the message needs no file opened."""
        if self.status == "done":
            return
        raise (SampleBroken if self._broken else AuditFinding)(self.finding())

    def finding(self) -> str:
        """What a person needs to act: status, reason, missing, last steps, evidence path."""
        lines = [f"{self.sample_id}: {self.status}: {self.reason or 'no reason was recorded'}"]
        if self.missing:
            lines.append("  missing:  " + ", ".join(self.missing))
        lines += [f"  {'last:' if n == 0 else '':9} {s}" for n, s in enumerate(self._last_steps)]
        if self._folder is not None:
            lines.append(f"  evidence: {self._folder}")
        return "\n".join(lines)


class Checkpoint(BaseModel):
    """checkpoint.json (F-53): what is known while a sample is under way."""

    sample_id: str
    status: str = "in_progress"
    step: int
    max_steps: int
    accumulated_data: dict[str, Any] = Field(default_factory=dict)
    progress_notes: list[str] = Field(default_factory=list)
    artifacts_so_far: list[Artifact] = Field(default_factory=list)
    steps_logged: int = 0
    updated_at: str = ""


class FileRecord(BaseModel):
    """An input file as it was when the run began."""

    path: str
    sha256: str
    rows: int | None = None


class RunRecord(BaseModel):
    """run.json: what ran, on what, and how it ended."""

    schema_version: int = SCHEMA_VERSION
    run_id: str
    task_id: str
    policy: str
    model: str = ""
    base_url: str | None = None
    versions: dict[str, str] = Field(default_factory=dict)
    spec: FileRecord
    samples: FileRecord
    started_at: str
    finished_at: str | None = None
    samples_in: int
    results_out: dict[str, int] = Field(default_factory=dict)
    """Results by status; empty until the run has ended."""
    not_run: int | None = None
    resumed_at: list[str] = Field(default_factory=list)
    exit_reason: str | None = None
