"""What run.json holds: what ran, with which versions, and what came of it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from pytest_bwa.evidence.checks import CheckRecord
from pytest_bwa.evidence.expected import ExpectedRecord
from pytest_bwa.evidence.record import SCHEMA_VERSION, ReviewMark
from pytest_bwa.spec.shard import ListShard, Shard
from pytest_bwa.spec.task import NotFoundRule
from pytest_bwa.spec.workpaper import Workpaper
from pytest_bwa.steps.step import Usage

SHARDS = "shards"
"""The folder of a merged run in which each shard has what is not a sample's: its proof."""


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


class PopulationRecord(BaseModel):
    """The list that the samples of a run were drawn from, and how."""

    file: str
    rows: int
    sha256: str
    """Of the file that was read."""
    seed: int
    method: str
    by: str = ""
    """The column in proportion to whose values was drawn."""
    copy_sha256: str | None = None
    """Of population.csv in the run folder."""

    def in_words(self, drawn: int) -> str:
        name = self.file.replace("\\", "/").rpartition("/")[2]
        of = f"{drawn:,} of {self.rows:,} rows of {name or self.file}"
        return f"{of}, drawn {self.method} (seed {self.seed})"


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


class RecipeRecord(BaseModel):
    """What became of the recipe in a run; the lists have sample_ids."""

    mode: str
    """``learn``, ``only``, or the file that was used."""
    sha256: str = ""
    """Of recipe.yaml; empty if none was learnt."""
    learnt_from: list[str] = Field(default_factory=list)
    replayed: int = 0
    healed: int = 0
    gathered: int = 0
    """Samples of which the model only judged what the recipe had gathered."""
    ended: dict[str, int] = Field(default_factory=dict)
    """How many of these were failed as samples before them, by their outcome."""
    handed_over: dict[str, str] = Field(default_factory=dict)
    """Why, by sample_id."""
    rests: str = ""
    """Why it was used no more; empty if it was in use until the end."""
    taught: dict[str, list[str]] = Field(default_factory=dict)
    """The known rows that taught it, by field."""
    untaught: dict[str, str] = Field(default_factory=dict)
    """Why known rows did not teach a field."""
    unseen: dict[str, str] = Field(default_factory=dict)
    """How the known rows ended that show nothing."""


class MergedShard(BaseModel):
    """A run that was merged into another; its own files are in ``shards/``."""

    number: int
    of: int
    run_id: str
    manifest_sha256: str
    """Of the manifest that it had: by this, its files are known to be those that it wrote."""
    samples_in: int
    origin: Origin | None = None

    @property
    def folder(self) -> str:
        """Where its own files are, in the merged run."""
        return f"{SHARDS}/{Shard(self.number, self.of).name}"


class RunRecord(BaseModel):
    """What ran, with which input, and how it ended: run.json. ``policy``, ``model``, ``not_found``,
    ``fail_on`` and ``versions`` are those with which the run was started."""

    schema_version: int = SCHEMA_VERSION
    run_id: str
    task_id: str
    workpaper: Workpaper = Workpaper()
    """What the spec says that the run is evidence of."""
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
    shard: ListShard | None = None
    """The part of the list that ran here, with ``--shard``; None if the whole list did. The
    SHA-256 of ``samples`` is that of the whole list, and every count is of the shard."""
    population: PopulationRecord | None = None
    """What the samples were drawn from, with ``--pick``; None if they are the whole list."""
    prompt: str | None = None
    """The task in plain language, of which the spec was planned."""
    preparation_usage: Usage = Field(default_factory=Usage)
    """Model calls before the samples: for a plan, and for the walk over a listing."""
    discovery: DiscoveryRecord | None = None
    """None if the samples were given."""
    started_at: str
    finished_at: str | None = None
    merged: list[MergedShard] = Field(default_factory=list)
    """The runs of which this one was merged; empty for a run that pytest made."""
    samples_in: int
    fan_out: bool = False
    """Whether the folders of the samples lie in ``samples/3f/`` and its like, because they are
    many."""
    results_out: dict[str, int] = Field(default_factory=dict)
    """Results by status; empty until the run has ended."""
    lessons: list[str] = Field(default_factory=list)
    """The ids of the lessons of earlier runs that every prompt of this run contains."""
    expected: ExpectedRecord | None = None
    """None if the list says of no sample what is expected, or until the run has ended."""
    recipe: RecipeRecord | None = None
    """None without ``--recipe``, or until the run has ended."""
    check: CheckRecord | None = None
    """None if no sample is run again to check it."""
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
    foreign: dict[str, str] = Field(default_factory=dict)
    """Files that somebody put into the folder before a ``--resume``, with their SHA-256: the
    manifests do not name them."""

    @property
    def listed_samples(self) -> int:
        """How many the whole list has, of which a shard has a part: their runs lie alike."""
        return self.shard.rows if self.shard else self.samples_in

    @property
    def population_rows(self) -> int:
        """Of how many samples this run says something."""
        return self.population.rows if self.population else self.samples_in

    @property
    def is_recipe_wrong(self) -> bool:
        """Whether a check found another value than the recipe had read."""
        return self.recipe is not None and self.has_differing_checks

    @property
    def has_differing_checks(self) -> bool:
        """Whether a sample that was run again was read otherwise."""
        return self.check is not None and bool(self.check.differing)

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
        """The models of all sessions and of the checks, each once; empty if none was asked."""
        later = (session.model for session in self.resumed)
        checking = self.check.model if self.check else ""
        return list(filter(None, dict.fromkeys((self.model, *later, checking))))
