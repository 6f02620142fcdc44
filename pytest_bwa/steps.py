"""The nouns that all rooms share: what was seen, decided, done and found out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

from pydantic import BaseModel, ConfigDict, Field

from pytest_bwa.observation import INTERACTIVE_ROLES as INTERACTIVE_ROLES
from pytest_bwa.observation import Box as Box
from pytest_bwa.observation import Element as Element
from pytest_bwa.observation import LabelledKind as LabelledKind
from pytest_bwa.observation import LabelledValue as LabelledValue
from pytest_bwa.observation import Observation as Observation
from pytest_bwa.observation import PictureText as PictureText
from pytest_bwa.observation import Tab as Tab

ActionName = Literal[
    "goto",
    "click",
    "type",
    "scroll",
    "screenshot",
    "extract",
    "wait",
    "download",
    "select_option",
    "save_progress",
    "done",
    "fail",
    "press",
    "hover",
    "back",
    "upload",
    "switch_tab",
    "drag",
    "find",
]
"""The twelve of F-32 first, in the order in which a model is offered them, then those of F-33."""
ACTION_NAMES: tuple[ActionName, ...] = get_args(ActionName)
PASSIVE_ACTIONS = frozenset({"screenshot", "extract", "save_progress", "done", "fail", "find"})
"""Actions that cannot change the page: nothing is waited for and nothing compared after them."""


def utc_now() -> str:
    """The time in UTC, RFC 3339 with milliseconds and a Z."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Action(BaseModel):
    """One action (F-32, F-33), with only the parameters that it takes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    action: ActionName
    selector: str | None = None
    value: str | None = None
    url: str | None = None
    text: str | None = None
    direction: Literal["up", "down"] | None = None
    extracted: dict[str, Any] | None = None
    judgment: dict[str, Any] | None = None
    note: str | None = None
    label: str | None = None
    key: str | None = None
    target: str | None = None
    file: str | None = None
    tab: int | None = None
    evaluation_previous_step: str | None = None
    memory_update: str | None = None
    next_goal: str | None = None

    def params(self) -> dict[str, Any]:
        """The parameters given, without the action's name and the reflection fields."""
        reflection = {"evaluation_previous_step", "memory_update", "next_goal"}
        return self.model_dump(exclude_none=True, exclude={"action", *reflection})


@dataclass(frozen=True, slots=True)
class Tool:
    """One action as a model is offered it; ``parameters`` is a JSON Schema object."""

    name: ActionName
    description: str
    parameters: Mapping[str, Any]


class Usage(BaseModel):
    """Tokens and money of model calls. ``cost_usd`` is None while a model's price is unknown."""

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


@dataclass(frozen=True, slots=True)
class Decision:
    """What a policy wants done now, in order; usually one action."""

    actions: tuple[Action, ...]
    usage: Usage = field(default_factory=Usage)
    thinking: str = ""
    model: str = ""
    notes: tuple[str, ...] = ()
    """What the log should say of how it came about: another model, calls that were dropped."""


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """An answer in words, and what it cost."""

    text: str
    usage: Usage = field(default_factory=Usage)
    model: str = ""


class VisionModel(Protocol):
    """A model that reads a picture of a page."""

    def read_picture(self, png: bytes, question: str, seconds_left: float | None) -> ModelAnswer:
        """Raises ModelFailed where the model gives nothing usable."""


class Artifact(BaseModel):
    """One evidence file of a sample; the hash is of the bytes as they were written."""

    model_config = ConfigDict(frozen=True)

    filename: str
    """Relative to the sample's folder, with forward slashes."""
    sha256: str
    source_url: str
    timestamp: str
    label: str
    step: int


class ArtifactStore(Protocol):
    """Where pictures and files are kept as evidence; the evidence writer."""

    def save_screenshot(self, png: bytes, label: str, url: str, step: int) -> Artifact: ...

    def save_download(self, temporary: Path, suggested: str, url: str, step: int) -> Artifact: ...


@dataclass(frozen=True, slots=True)
class ActionResult:
    """What became of an action. ``infrastructure`` marks faults of the network or the browser
    (F-58), never a wrong selector."""

    success: bool
    description: str
    error: str | None = None
    infrastructure: bool = False
    transient: bool = False
    """Whether the same action may succeed a moment later (F-36)."""
    artifact: Artifact | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    """What the action read: ``{"text": …}`` for extract; ``{"secret": True}`` where what was
    entered belongs in no log."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the verifier found when it compared the page before and after (F-61)."""

    url_changed: bool
    dom_changed: bool
    text_changed: bool
    title_changed: bool = False
    summary: str = ""
    """The change in words, or that there was none."""

    @property
    def changed(self) -> bool:
        return self.url_changed or self.dom_changed or self.text_changed


class Step(BaseModel):
    """One record of action_log.json. Step 0 is the opening of the sample's page."""

    model_config = ConfigDict(frozen=True)

    step: int
    action: str
    params: dict[str, Any] = Field(default_factory=dict)
    result: str
    success: bool
    error: str | None = None
    url: str
    thinking: str = ""
    evaluation_previous_step: str | None = None
    memory_update: str | None = None
    next_goal: str | None = None
    changed: bool | None = None
    """Whether the page differed afterwards; None where the action cannot change it."""
    artifact: str | None = None
    notices: list[str] = Field(default_factory=list)
    picture_text: PictureText | None = None
    """What vision or OCR told of the page before this step was decided."""
    mode: Literal["live", "replay", "healed"] = "live"
    model: str = ""
    usage: Usage = Field(default_factory=Usage)
    started_at: str
    timestamp: str
