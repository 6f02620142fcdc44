"""Looking at a picture of the page where its tree tells too little (F-28 to F-30)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.errors import ModelFailed
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.page.time_limit import TimeLimit
from pytest_bwa.steps import (
    ArtifactStore,
    LabelledValue,
    Observation,
    PictureText,
    Usage,
    VisionModel,
)

THRESHOLD = 0.6  # dom_confidence below which a picture says more, F-29
EMPTY_STEPS = 2  # F-30
TREE_CHARACTERS = 1000  # F-29
MAX_PIXELS = 2400  # of height; a longer page is shown as far as the window reaches
_LABELLED = re.compile(r"^\s*([^\W\d][^:\n]{1,38}?)\s*:\s+(\S.{0,200})$", re.M)
_QUESTION = """\
An agent works on this goal: {goal}
It still needs: {fields}

It already has this from the page's own text:
{tree}

Look at the picture for what that text cannot tell: icons and their state, badges, colours, text \
inside images. Answer only with what bears on the goal, one line each, as "next to what: what the \
picture shows and means". Write "unclear" for what you cannot make out. Write "nothing more" if \
there is nothing."""


@dataclass(frozen=True, slots=True)
class VisionGoal:
    """What a sample is after, as far as pictures could tell it."""

    goal: str
    fields: Sequence[str]
    """Names of output fields that nothing was saved for yet."""


class Vision:
    """One sample's. No page state is looked at twice.

    ``looker`` is a model that sees; without one, ``ocr`` reads the text of pages whose tree is
    empty. Where pictures were not read by either, the observation says so in ``unread``.
    """

    def __init__(
        self,
        tabs: Tabs,
        within: TimeLimit,
        store: ArtifactStore,
        *,
        looker: VisionModel | None,
        ocr: Callable[[bytes], str] | None,
        threshold: float = THRESHOLD,
        timeout: float = 30.0,
    ) -> None:
        self._tabs, self._within, self._store = tabs, within, store
        self._looker, self._ocr = looker, ocr
        self._threshold, self._timeout = threshold, timeout
        self._seen: dict[tuple[str, str], PictureText] = {}
        self._empty = 0

    def look(
        self, observation: Observation, wanted: VisionGoal, step: int, seconds_left: float | None
    ) -> tuple[Observation, Usage]:
        """The observation with what a picture told, and what that cost."""
        self._empty = 0 if observation.elements else self._empty + 1
        why = self.reason(observation, wanted)
        if not why:
            return observation, Usage()
        state = (observation.url, observation.dom_hash)
        if state in self._seen:
            return _with(observation, self._seen[state]), Usage()
        source = self._looker is not None or (self._ocr is not None and not observation.elements)
        png = self._picture() if source else None
        if png is None:
            return replace(observation, unread_pictures=why), Usage()
        self._store.save_screenshot(png, "seen by vision", observation.url, step)
        sight, usage = self._read(png, observation, wanted, why, seconds_left)
        self._seen[state] = sight
        return _with(observation, sight), usage

    def reason(self, observation: Observation, wanted: VisionGoal) -> str:
        """Why a picture would say more, or empty."""
        if not observation.elements:
            return "the page's tree is empty" if self._empty >= EMPTY_STEPS else ""
        if not wanted.fields:
            return ""
        if observation.dom_confidence < self._threshold:
            return f"the page's tree tells little (confidence {observation.dom_confidence:g})"
        beside = observation.unnamed_pictures
        if beside and any(speaks_of(observation, field) for field in wanted.fields):
            shown = ", ".join(f"“{text}”" for text in beside[:3])
            return f"pictures without any text stand beside {shown}"
        return ""

    def _picture(self) -> bytes | None:
        page = self._tabs.current
        try:
            with self._within(self._timeout, "a picture was taken for vision"):
                height = page.evaluate("document.documentElement?.scrollHeight ?? 0")
                return page.screenshot(
                    full_page=height <= MAX_PIXELS,
                    animations="disabled",
                    timeout=self._timeout * 1000,
                )
        except PlaywrightError:  # the next action will say what is wrong with the page
            return None

    def _read(
        self, png: bytes, seen: Observation, wanted: VisionGoal, why: str, seconds: float | None
    ) -> tuple[PictureText, Usage]:
        if self._looker is None:
            text = self._ocr(png) if self._ocr else ""
            return PictureText(source="ocr", text=text or "no text could be read", why=why), Usage()
        tree = "\n".join(element.line() for element in seen.elements)[:TREE_CHARACTERS]
        fields = ", ".join(wanted.fields)
        question = _QUESTION.format(goal=wanted.goal, fields=fields, tree=tree or "(nothing)")
        try:
            answer = self._looker.look(png, question, seconds)
        except ModelFailed as problem:
            # The step goes on without: what was not seen is said, and not asked for again.
            spent = problem.spent if isinstance(problem.spent, Usage) else Usage()
            text = f"nobody could look at the picture: {problem}"
            return PictureText(source="vision", text=text, why=why), spent
        sight = PictureText(source="vision", text=answer.text, why=why, model=answer.model)
        return sight, answer.usage


def _with(observation: Observation, sight: PictureText) -> Observation:
    """What OCR read as ``Label: value`` joins the labelled values of the page."""
    if sight.source != "ocr":
        return replace(observation, picture_text=sight)
    found = tuple(
        LabelledValue(label.strip(), value.strip(), "text")
        for label, value in _LABELLED.findall(sight.text)
    )
    return replace(observation, picture_text=sight, labelled=(*observation.labelled, *found))


def speaks_of(observation: Observation, field: str) -> bool:
    """Whether the page's title or headings, or what stands beside its pictures, has a word of the
    field's name (of three letters or more, the plural aside)."""
    named = [e.name for e in observation.elements if e.role in ("heading", "tab")]
    text = " ".join([observation.title, *named, *observation.unnamed_pictures])
    stems = (word.removesuffix("s") for word in field.casefold().split("_"))
    return any(
        len(stem) > 2 and re.search(rf"(?<![^\W_]){re.escape(stem)}", text, re.I) for stem in stems
    )
