"""What a policy is given for a decision, and what it has to offer.

A policy turns a Turn into a Decision. It may also offer helpers that use a model for other
purposes: summaries, a last answer, reading pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pytest_bwa.spec.redaction import redact_addresses
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import (
    ActionName,
    Artifact,
    Decision,
    FailKind,
    ModelAnswer,
    Observation,
    PageRead,
    Step,
    Usage,
    VisionModel,
)

Redact = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Advice:
    """What memory says; a page or an earlier sample may stand behind all but ``lessons``."""

    lessons: Sequence[str] = ()
    """Lessons in our own words, the same for all samples of a run."""
    learnt_lessons: Sequence[str] = ()
    """Lessons that were learnt in earlier runs, the same for all samples of a run."""
    hints: Sequence[str] = ()
    """What earlier samples of this run met on this site."""


NO_ADVICE = Advice()


@dataclass(frozen=True, slots=True)
class Turn:
    """All information for one decision; policies keep no state between turns."""

    observation: Observation
    task: TaskSpec
    """With its placeholders already filled from the sample."""
    sample: Sample
    step: int
    max_steps: int
    history: Sequence[Step] = ()
    collected: Mapping[str, Any] = field(default_factory=dict)
    """The data that save_progress has stored so far."""
    screenshots: Sequence[str] = ()
    """File names of the screenshots saved so far."""
    artifacts: Sequence[Artifact] = ()
    """All evidence files saved so far: a name has less of a label than the file's own label."""
    notices: Sequence[str] = ()
    """Messages of the agent to the model for this decision."""
    summaries: Sequence[str] = ()
    """Summaries of older steps, oldest first."""
    run_state: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The latest entries of lists that say which pages the sample has visited and what did not
    work, by name."""
    run_state_totals: Mapping[str, int] = field(default_factory=dict)
    """How many entries there are in all, of the lists that are cut."""
    extracts: Sequence[Step] = ()
    """All steps so far with which a text was read."""
    advice: Advice = NO_ADVICE
    """What memory says, for the system prompt."""
    exemplars: Sequence[str] = ()
    """How similar samples of earlier runs were done, each in a few lines."""
    page_change: str = ""
    """What changed on the page since the last decision, in words; empty for another page."""
    picture: bytes = b""
    """A picture of the page as PNG, with the numbers of the elements, if the model asked for it."""
    picture_number: int | None = None
    """Its own number, by which it is cited."""
    pages: Sequence[PageRead] = ()
    """What was read in the background."""
    max_actions: int = 1
    """Maximum number of actions in one decision."""
    failed_decisions: int = 0
    """Number of unusable replies in a row just before this decision."""
    allowed: Sequence[ActionName] | None = None
    """The actions that may be chosen now; None allows all."""
    seconds_left: float | None = None
    """Wall-clock seconds left for the sample; None if the task sets no limit."""
    meanwhile: Callable[[], None] | None = None
    """Work that needs no decision, for a policy that waits for a model."""
    redact: Redact = redact_addresses
    """Takes the sample's secrets out of any text: a policy sends nothing elsewhere without it."""

    def allows(self, action: ActionName) -> bool:
        return self.allowed is None or action in self.allowed


ITEM_IDS = ("id", "sample_id", "number", "url", "username")
"""Properties that tell the entries of an array apart: what is saved of an entry in several parts is
joined by the first of these that it has."""
FAIL_KINDS: Mapping[int, FailKind] = {
    401: "access_denied", 403: "access_denied", 404: "not_found", 410: "not_found", 429: "blocked",
}  # fmt: skip
"""What a status of HTTP says of the sample whose page it is."""


def no_judgment(turn: Turn, reasoning: str) -> dict[str, Any] | None:
    """The judgment of a policy that does not judge; None if none is asked for."""
    if not turn.task.judgment_required:
        return None
    return {
        "answer": "inconclusive",
        "confidence": 0.0,
        "reasoning": reasoning,
        "evidence_refs": list(turn.screenshots),
    }


# The helpers raise no CredentialsRefused: the run can go on without them.


LINE_LABELS = ("FOUND", "GAPS", "NEXT")
"""How the lines of a summary begin, in their order."""
MAX_LINE_CHARACTERS = 400


class Summarizer(Protocol):
    """Summarizes older steps in a few lines, one for each of ``LINE_LABELS``."""

    def is_needed(self, turn: Turn) -> bool:
        """Whether the prompt has no room for the whole history of this turn."""

    def summarize(self, turn: Turn, steps: Sequence[Step]) -> ModelAnswer:
        """Raises ModelFailed if the model gives nothing usable."""


class Finalizer(Protocol):
    """Makes one last answer from the collected data when the steps or the model ran out."""

    def finalize(self, turn: Turn, why: str, *, model_failed: bool) -> Decision:
        """One ``done`` or ``fail``; ``why`` says why the sample is over, and ``model_failed``
        whether the model was the reason. Raises ModelFailed if the model gives nothing usable."""


class Distiller(Protocol):
    """Makes advice for later samples from what worked and what failed in one."""

    def distill(
        self, goal: str, worked: Sequence[str], failed: Sequence[str], seconds_left: float | None
    ) -> ModelAnswer:
        """Lines ``TIP: …`` and ``AVOID: …``. Raises ModelFailed if the model gives nothing
        usable."""


@dataclass(frozen=True, slots=True)
class ModelHelpers:
    """What a policy offers besides its decisions; None for what it does not offer."""

    summarizer: Summarizer | None = None
    finalizer: Finalizer | None = None
    vision_model: VisionModel | None = None
    distiller: Distiller | None = None


@dataclass(frozen=True, slots=True)
class PlannedTask:
    """A spec and samples as a model planned them; nothing of them is checked."""

    spec: Mapping[str, Any]
    samples: Sequence[Mapping[str, Any]]
    usage: Usage
    model: str


class Planner(Protocol):
    """Turns a task in plain language into a spec and samples, before a run."""

    def plan(
        self,
        request: str,
        schema: Mapping[str, Any],
        previous: PlannedTask | None,
        problem: str,
    ) -> PlannedTask:
        """``schema`` is the JSON Schema of a plan; ``problem`` says why the previous one cannot be
        used. Raises DecisionUnusable, ModelFailed or CredentialsRefused."""

    def close(self) -> None: ...


class Policy(Protocol):
    """Decides what to do next on the page."""

    @property
    def name(self) -> str: ...

    @property
    def model(self) -> str:
        """The model's name, or empty if the policy uses no model."""

    @property
    def reads_labelled_values(self) -> bool:
        """Whether it answers from ``labelled``, so that these values prove its answers."""

    @property
    def helpers(self) -> ModelHelpers:
        """What the policy offers besides its decisions."""

    def decide(self, turn: Turn) -> Decision:
        """The next actions. Raises DecisionUnusable (ask again), ModelFailed (end the sample) or
        CredentialsRefused (end the run)."""

    def close(self) -> None: ...
