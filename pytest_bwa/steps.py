"""The nouns that all rooms share: what was seen, decided, done and found out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

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


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in CSS pixels from the page's top left corner (not the viewport's)."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Element:
    """One thing on the page that can be read or acted on.

    ``ref`` names the element inside its page (frame number and the number that the page script
    gave it); ``index`` is what the model is shown, stable while the element is there.
    """

    index: int
    ref: tuple[int, int]
    role: str
    name: str
    value: str | None = None
    states: tuple[str, ...] = ()
    url: str | None = None
    box: Box | None = None
    in_viewport: bool = True

    def line(self) -> str:
        """The line of the prompt: ``[3] [link] "linux" → https://…``."""
        shown = list(self.states)
        if self.value is not None:
            shown.insert(0, f'value="{self.value}"')
        parts = [f"[{self.index}]", f"[{self.role}]", f'"{self.name}"']
        if shown:
            parts.append("(" + ", ".join(shown) + ")")
        if self.url:
            parts.append(f"→ {self.url}")
        return " ".join(parts)


LabelledKind = Literal["definition", "table", "text", "input", "pair", "heading", "link", "count"]


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """A value that the page itself names: ``<dt>``/``<dd>``, a table header and its cell,
    ``Label: value`` text, a labelled input, a heading, a link.

    ``row`` is the row header (or first cell) of a table value, so that one row can be told from
    another. ``url`` is the link inside the value, if it is one; ``datetime`` the machine-readable
    time of a ``<time>`` in it.
    """

    label: str
    value: str
    kind: LabelledKind
    url: str | None = None
    datetime: str | None = None
    row: str | None = None
    ref: tuple[int, int] | None = None
    in_viewport: bool = True


@dataclass(frozen=True, slots=True)
class Tab:
    """An open tab or popup of the sample; ``number`` is what switch_tab takes."""

    number: int
    title: str
    url: str
    current: bool = False

    def line(self) -> str:
        mark = " (current)" if self.current else ""
        return f'[tab {self.number}] "{self.title}" → {self.url}{mark}'


class Sight(BaseModel):
    """What was read from a picture of the page, and not from its tree (F-29, F-30)."""

    model_config = ConfigDict(frozen=True)

    source: Literal["vision", "ocr"]
    text: str
    why: str
    """Why a picture was taken: what the tree could not tell."""
    model: str = ""

    def lines(self) -> list[str]:
        return [f"[{self.source}] {line}" for line in self.text.splitlines() if line.strip()]


@dataclass(frozen=True, slots=True)
class Observation:
    """What the agent sees of the page at one moment."""

    url: str
    title: str
    elements: tuple[Element, ...] = ()
    cut: str = ""
    """One line that says what was left out, or empty."""
    text: str = ""
    """The first 2,000 characters of visible text (F-54)."""
    dom_hash: str = ""
    dom_confidence: float = 1.0
    labelled: tuple[LabelledValue, ...] = ()
    http_status: int | None = None
    busy: bool = False
    """The page itself says that it is still loading (aria-busy, a progress bar, no content)."""
    unexplained: int = 0
    """Pictures on it that say nothing to its tree: canvases, nameless SVG and images."""
    tabs: tuple[Tab, ...] = ()
    """All open tabs, where there is more than one."""
    dialogs: tuple[str, ...] = ()
    """What dialogs said since the last observation, and how they were answered."""
    sight: Sight | None = None

    def lines(self) -> list[str]:
        """As the prompt shows the page: tabs, dialogs, elements, what was cut, what a picture
        told."""
        shown = [tab.line() for tab in self.tabs]
        shown += [f"[dialog] {said}" for said in self.dialogs]
        shown += [element.line() for element in self.elements]
        shown += [self.cut] if self.cut else []
        return [*shown, *self.sight.lines()] if self.sight else shown

    def element(self, index: int) -> Element | None:
        return next((e for e in self.elements if e.index == index), None)


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
    said: str = ""
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
    sight: Sight | None = None
    """What vision or OCR told of the page before this step was decided."""
    mode: Literal["live", "replay", "healed"] = "live"
    model: str = ""
    usage: Usage = Field(default_factory=Usage)
    started_at: str
    timestamp: str
