"""The nouns that all rooms share: observation, action, decision, result, verdict, step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from pytest_bwa.steps.approval import Approval
from pytest_bwa.steps.artifacts import Artifact as Artifact
from pytest_bwa.steps.artifacts import ArtifactStore as ArtifactStore
from pytest_bwa.steps.artifacts import Picture as Picture
from pytest_bwa.steps.artifacts import has_label as has_label
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.exchange import Exchange
from pytest_bwa.steps.observation import FOCUSED as FOCUSED
from pytest_bwa.steps.observation import HIDDEN as HIDDEN
from pytest_bwa.steps.observation import INTERACTIVE_ROLES as INTERACTIVE_ROLES
from pytest_bwa.steps.observation import RECORD_KINDS as RECORD_KINDS
from pytest_bwa.steps.observation import Box as Box
from pytest_bwa.steps.observation import Element as Element
from pytest_bwa.steps.observation import LabelledKind as LabelledKind
from pytest_bwa.steps.observation import LabelledValue as LabelledValue
from pytest_bwa.steps.observation import Observation as Observation
from pytest_bwa.steps.observation import Place as Place
from pytest_bwa.steps.observation import Region as Region
from pytest_bwa.steps.observation import Tab as Tab
from pytest_bwa.steps.observation import list_number as list_number
from pytest_bwa.steps.place_identity import Target as Target
from pytest_bwa.steps.place_identity import source_of as source_of
from pytest_bwa.steps.read_lines import ElementRef as ElementRef
from pytest_bwa.steps.read_lines import Line as Line
from pytest_bwa.steps.read_lines import LineSource as LineSource
from pytest_bwa.steps.read_lines import PictureText as PictureText

ActionName = str
"""The name of an action that is declared in actions/."""
FINAL_ACTIONS: tuple[ActionName, ...] = ("done", "fail")
"""The actions that end a sample."""
ANSWERS: frozenset[ActionName] = frozenset({"save_progress", *FINAL_ACTIONS})
"""The actions that concern the sample and not its page."""
ENTERING_ACTIONS: frozenset[ActionName] = frozenset({"type", "select_option", "upload"})
"""The actions that fill in a field."""
FOR_A_MODEL: frozenset[ActionName] = frozenset({"look", "evaluate"})
"""The actions that only tell a model something: nothing that works without one repeats them."""
TICKED_ROLES = frozenset({"checkbox", "radio", "switch"})
"""What a click turns on or off."""
UNDECIDED = "checked=mixed"
"""The state of a box that is neither on nor off."""
READ_STATES = frozenset({"checked", "selected", "pressed", "current"})
"""The states of an element that a value may be read from."""


def utc_now() -> str:
    """The current time in UTC, RFC 3339 with milliseconds and a Z."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Action(BaseModel):
    """One action with its parameters. The parameters that several rooms use are fields; an
    action may declare others without adding them here, and ``params`` returns them as well."""

    model_config = ConfigDict(extra="allow", frozen=True)

    action: ActionName
    selector: str | None = None
    value: str | None = None
    url: str | None = None
    pages: list[str | int] | None = None
    """For ``read``: links, by their numbers or texts, and addresses."""
    text: str | None = None
    direction: Literal["up", "down", "left", "right", "top", "bottom"] | None = None
    extracted: dict[str, Any] | None = None
    sources: dict[str, Any] | None = None
    """Where the values of ``extracted`` stand, by its keys: the number of a line, or several; for
    an array one entry per item. What no list has is named as ``source_of`` does: "3.17"."""
    source: Any | None = None
    """For ``fail``: the line that says so, or several."""
    doubts: dict[str, dict[Doubt, str]] | None = None
    """By field, what the policy itself knows that speaks against its value, each with its detail or
    an empty text."""
    locales: dict[str, str] | None = None
    """By field, how its numbers and dates are written, as samples told that are certain."""
    replace: bool | None = None
    """For ``save_progress``: whether the fields replace what was saved of them."""
    judgment: Any | None = None
    """In whatever form it was given."""
    unread: str | None = None
    """Of an answer: what was given in a form that cannot be read, and what is expected."""
    note: str | None = None
    kind: FailKind | None = None
    """For ``fail``."""
    review: str | None = None
    """For ``done``: why the policy itself wants a person to review its answer."""
    label: str | None = None
    key: str | None = None
    target: str | None = None
    file: str | None = None
    tab: int | None = None
    screenshot_label: str | None = None
    """The label of a picture that is taken after the action, or before ``done`` is checked."""
    evaluation_previous_step: str | None = None
    memory_update: str | None = None
    next_goal: str | None = None

    def params(self) -> dict[str, Any]:
        """The parameters that were set, without the action's name and the reflection fields."""
        reflection = {"evaluation_previous_step", "memory_update", "next_goal"}
        return self.model_dump(exclude_none=True, exclude={"action", *reflection})


@dataclass(frozen=True, slots=True)
class Tool:
    """One action as a model is offered it; ``parameters`` is a JSON Schema object."""

    name: ActionName
    description: str
    parameters: Mapping[str, Any]


class Usage(BaseModel):
    """Tokens and cost of model calls. ``cost_usd`` is None if a model's price is unknown."""

    model_config = ConfigDict(frozen=True)

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read: int = 0
    cache_write: int = 0
    calls: int = 0
    cost_usd: float | None = 0.0

    def __add__(self, other: Usage) -> Usage:
        known = self.cost_usd is not None and other.cost_usd is not None
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cache_read=self.cache_read + other.cache_read,
            cache_write=self.cache_write + other.cache_write,
            calls=self.calls + other.calls,
            cost_usd=(self.cost_usd or 0.0) + (other.cost_usd or 0.0) if known else None,
        )


Intent = Literal[
    "",
    # The loop's own actions, which no policy chose:
    "sign_in", "open_sample", "recovery", "last_picture", "last_answer",
    # What the rules policy must know of earlier steps:
    "open_match", "turn_page", "search", "submit",
    # What the replay policy must know:
    "replay",
]  # fmt: skip
"""What an action is for, if the loop, a report or a later decision depends on it. Sentences of the
log are for people only: nothing is decided by matching them."""
LOOPS_OWN: frozenset[Intent] = frozenset(
    {"sign_in", "open_sample", "recovery", "last_picture", "last_answer"}
)
"""The intents of the loop's own actions."""


FailKind = Literal["not_found", "access_denied", "blocked", "other"]
"""Why a sample ended with ``fail``: it does not exist, it may not be seen, the site blocks us (a
captcha, a rate limit), or something else."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a policy wants done now, in order; usually one action."""

    actions: tuple[Action, ...]
    usage: Usage = field(default_factory=Usage)
    thinking: str = ""
    model: str = ""
    notes: tuple[str, ...] = ()
    """Remarks for the log, such as that the fallback model decided or that calls were dropped."""
    intent: Intent = ""
    exchange: Exchange | None = None
    """The model call that decided; None if no model did."""
    mode: Literal["live", "replay", "healed"] = "live"


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A model's answer in words, and what it cost."""

    text: str
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    exchange: Exchange | None = None


class VisionModel(Protocol):
    """A model that reads a picture of a page."""

    def read_picture(self, png: bytes, question: str, seconds_left: float | None) -> ModelAnswer:
        """Raises ModelFailed where the model gives nothing usable."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What changed at the element acted on and around it, beside what an observation lists."""

    changes: tuple[str, ...] = ()
    """Attributes, classes and scroll positions, in words: ``class now “liked”``."""
    is_restyled: bool = False
    """Whether classes or styles changed that say nothing to a person."""
    looks: tuple[str, ...] = ()
    """What changed of its look alone, as under the pointer."""
    is_mutated: bool = False
    """Whether the page's code changed anything at all in the element's document."""
    is_scrolled: bool = False
    """Whether the action itself moved something, as its description says."""

    @property
    def is_change(self) -> bool:
        """Whether any of it is more than a look."""
        return bool(self.changes) or self.is_restyled or self.is_scrolled


@dataclass(frozen=True, slots=True)
class ActionResult:
    """The result of an action. ``infrastructure`` marks faults of the network or the browser, never
    a wrong selector."""

    success: bool
    description: str
    error: str | None = None
    infrastructure: bool = False
    transient: bool = False
    """Whether the same action may succeed a moment later."""
    forbidden: bool = False
    """Whether the task's own rules refused it: an address outside of its hosts, or a secret for
    another host. A page may have asked for it."""
    artifact: Artifact | None = None
    read_text: str = ""
    """What extract read."""
    entered: str = ""
    """What a list or a field shows once something was entered, which may be other words than the
    action's."""
    found: tuple[str, ...] | None = None
    """What find found; None for every other action."""
    lines: tuple[Line, ...] = ()
    """What the action read, with the numbers under which the prompt shows it."""
    page: Observation | None = None
    """The page that was read in the background."""
    picture: bytes | None = None
    """A PNG that the model is to see with the next prompt."""
    notice: str = ""
    """What is to be said in full before the next decision, beside the description."""
    is_secret: bool = False
    """Whether the entered text must not be logged."""
    approvals: tuple[Approval, ...] = ()
    """What a person decided of what the action would send."""
    effects: Effects = Effects()


@dataclass(frozen=True, slots=True)
class PageRead:
    """A page that was read in the background."""

    url: str
    remark: str
    """What is to be said of it beside what it shows; empty for nothing."""
    page: Observation | None
    """None if it could not be opened."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the page changed by an action, from a comparison of before and after."""

    url_changed: bool
    dom_changed: bool
    text_changed: bool
    title_changed: bool = False
    state_changed: bool = False
    """Something else that the page shows changed: a long text's end, a class, a scroll position."""
    summary: str = ""
    """The changes in words, or that nothing changed."""

    @property
    def changed(self) -> bool:
        return self.url_changed or self.dom_changed or self.text_changed or self.state_changed


class Step(BaseModel):
    """One record of action_log.json. Step 0 is the opening of the sample's page."""

    model_config = ConfigDict(frozen=True)

    step: int
    action: str
    params: dict[str, Any] = Field(default_factory=dict)
    target: Target | None = None
    """None if the action has no selector, or one that names no one element of the list."""
    destination: Target | None = None
    """Of a drag, the listed element that it ended on."""
    intent: Intent = ""
    result: str
    success: bool
    error: str | None = None
    url: str
    thinking: str = ""
    evaluation_previous_step: str | None = None
    memory_update: str | None = None
    next_goal: str | None = None
    page_hash: str = ""
    """Of ``done`` and ``fail``: a hash of what the page listed, without its address."""
    changed: bool | None = None
    """Whether the page changed; None if the action cannot change it."""
    artifact: str | None = None
    approvals: list[Approval] = Field(default_factory=list)
    """What a person decided of what the action would send."""
    notices: list[str] = Field(default_factory=list)
    picture_text: PictureText | None = None
    """What vision or OCR read from a picture of the page before this step was decided."""
    mode: Literal["live", "replay", "healed"] = "live"
    model: str = ""
    usage: Usage = Field(default_factory=Usage)
    seconds: dict[str, float] = Field(default_factory=dict)
    """Time spent in each state of the loop (PERCEIVING, PLANNING, EXECUTING, …) for this step."""
    started_at: str
    timestamp: str
