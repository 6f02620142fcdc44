"""What run.json holds: what ran, with which versions, and what came of it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from pytest_bwa.evidence.record import SCHEMA_VERSION, ReviewMark
from pytest_bwa.spec.task import NotFoundRule
from pytest_bwa.steps import Usage


class FileRecord(BaseModel):
    """An input file as it was when the run started."""

    path: str
    sha256: str
    """Of the file that was read."""
    copy_sha256: str | None = None
    """Of the copy in the run folder, which is written in a form of its own."""
    rows: int | None = None


class BrowserRecord(BaseModel):
    """A browser that was launched for the run, as it reported itself."""

    name: str
    version: str
    path: str | None = None
    """The program that ran; None if it ran on another machine."""
    channel: str | None = None
    """The channel that was asked for, such as ``chrome``."""
    readers: str | None = None
    """Where the scripts ran that read the pages: in an ``isolated world``, which no script of a
    page can change, or in the page's own ``main world``."""


class Origin(BaseModel):
    """Who started a session, where and how. What is not known is null."""

    command_line: list[str]
    """The arguments of pytest; what may be secret is masked."""
    user: str | None = None
    host: str | None = None
    time_zone: str | None = None
    clock_offset_seconds: int | None = None
    """By how much this machine's clock is ahead of the first site's, by the Date of its answer;
    null if none was opened in this session, or if it sent no Date."""
    packages_sha256: str = ""
    """Of the list of all packages that are installed: packages.txt, unless a session resumes a run
    with others."""
    platform: str = ""
    spec_commit: str | None = None
    """The commit of the git repository that the spec lies in, if it lies in one."""


class ResumedSession(BaseModel):
    """What a ``--resume`` went on with."""

    time: str
    policy: str
    model: str = ""
    max_steps: int
    not_found: NotFoundRule = "fail"
    fail_on: list[ReviewMark] = Field(default_factory=list)
    versions: dict[str, str] = Field(default_factory=dict)
    origin: Origin | None = None


class DiscoveryRecord(BaseModel):
    """How the samples of a run were found before it: part of run.json."""

    model_config = ConfigDict(frozen=True)

    listings: list[str]
    """The addresses that were walked."""
    found: int
    counted: int | None = None
    """How many there are by the listing's own count; None if it gives none."""
    problems: list[str] = Field(default_factory=list)
    """Why the list is incomplete, one sentence for each listing; empty if it is complete."""
    notes: list[str] = Field(default_factory=list)


class RunRecord(BaseModel):
    """What ran, with which input, and how it ended: run.json. ``policy``, ``model``, ``not_found``,
    ``fail_on`` and ``versions`` are those with which the run was started."""

    schema_version: int = SCHEMA_VERSION
    run_id: str
    task_id: str
    policy: str
    model: str = ""
    base_url: str | None = None
    replay: str | None = None
    """The run whose actions were performed again, with ``--policy replay``."""
    not_found: NotFoundRule = "fail"
    """What a sample is that does not exist."""
    fail_on: list[ReviewMark] = Field(default_factory=list)
    """The reasons for a review that make a sample fail."""
    versions: dict[str, str] = Field(default_factory=dict)
    origin: Origin | None = None
    """Who started the run, where and how."""
    browsers: list[BrowserRecord] = Field(default_factory=list)
    """Every browser that samples ran in; empty until the first sample's page is opened."""
    spec: FileRecord
    samples: FileRecord
    prompt: str | None = None
    """The task in plain language, of which the spec was planned."""
    preparation_usage: Usage = Field(default_factory=Usage)
    """Model calls before the samples: for a plan, and for the walk over a listing."""
    discovery: DiscoveryRecord | None = None
    """None if the samples were given."""
    started_at: str
    finished_at: str | None = None
    samples_in: int
    results_out: dict[str, int] = Field(default_factory=dict)
    """Results by status; empty until the run has ended."""
    lessons: list[str] = Field(default_factory=list)
    """The ids of the lessons of earlier runs that every prompt of this run contains."""
    hints_shown: int | None = None
    """How often samples were shown hints from earlier ones; None until the run has ended."""
    notes: list[str] = Field(default_factory=list)
    """What did not work beside the samples, each once."""
    not_run: int | None = None
    """Samples without a result; None until the run has ended."""
    resumed_at: list[str] = Field(default_factory=list)
    """One time for each ``--resume``."""
    resumed: list[ResumedSession] = Field(default_factory=list)
    """One entry for each ``--resume``."""
    exit_reason: str | None = None

    @property
    def current(self) -> RunRecord | ResumedSession:
        """What names the policy, the model and what passes in the latest session."""
        return self.resumed[-1] if self.resumed else self

    @property
    def policies(self) -> list[str]:
        """The policies of all sessions, each once."""
        later = (session.policy for session in self.resumed)
        return list(dict.fromkeys((self.policy, *later)))

    @property
    def models(self) -> list[str]:
        """The models of all sessions, each once; empty if no session had one."""
        later = (session.model for session in self.resumed)
        return list(filter(None, dict.fromkeys((self.model, *later))))
