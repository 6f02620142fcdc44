"""Looks at a picture of the page when its elements do not describe it well enough."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.errors import ModelFailed
from pytest_bwa.page.picture import take_picture
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.page.time_limit import TimeLimit
from pytest_bwa.steps import (
    ArtifactStore,
    LabelledValue,
    Observation,
    Picture,
    PictureText,
    Usage,
    VisionModel,
)

THRESHOLD = 0.6  # a picture is taken if dom_confidence is lower
MIN_EMPTY_STEPS = 2  # steps in a row without any element, after which a picture is taken
MAX_TREE_CHARACTERS = 1000
MAX_HEIGHT = 2400  # pixels; of a longer page only the viewport is in the picture
_LABELLED = re.compile(r"^\s*([^\W\d][^:\n]{1,38}?)\s*:\s+(\S.{0,200})$", re.M)
_QUESTION = """\
An agent works on this goal: {goal}
Not saved yet: {fields}

It already has this from the page's own text:
{tree}

Look at the picture for what that text does not say: icons and their state, badges, colours, text \
inside images. Answer only with what matters for the goal, one line each: the text next to it, \
what the picture shows, and what it means (for example "lint: red cross, failed"). Write \
"unclear" for what you cannot make out. If there is nothing, write "nothing more"."""


@dataclass(frozen=True, slots=True)
class VisionGoal:
    """What a picture should help to find."""

    goal: str
    fields: Sequence[str]
    """Names of the output fields that have no saved value yet."""


class Vision:
    """Takes and reads pictures for one sample; the same state of a page is read only once.

    ``vision_model`` is a model that reads pictures. Without one, ``ocr`` reads the text of pages
    that have no elements. If neither read a needed picture, the observation's ``unread_pictures``
    says why it was needed.
    """

    def __init__(
        self,
        tabs: Tabs,
        within: TimeLimit,
        store: ArtifactStore,
        *,
        vision_model: VisionModel | None,
        ocr: Callable[[bytes], str] | None,
        threshold: float = THRESHOLD,
        timeout: float = 30.0,
    ) -> None:
        self._tabs, self._within, self._store = tabs, within, store
        self._vision_model, self._ocr = vision_model, ocr
        self._threshold, self._timeout = threshold, timeout
        self._read_states: dict[tuple[str, str], PictureText] = {}
        self._failed_states: dict[tuple[str, str], str] = {}
        """States whose picture the model did not read: why it should be read."""
        self._empty_steps = 0

    def look(
        self, observation: Observation, wanted: VisionGoal, step: int, seconds_left: float | None
    ) -> tuple[Observation, Usage]:
        """The observation with what was read from a picture, and the model usage for that."""
        self._empty_steps = 0 if observation.elements else self._empty_steps + 1
        why = self.reason(observation, wanted)
        if not why:
            return observation, Usage()
        state = (observation.url, observation.dom_hash)
        if state in self._read_states:
            return self._with_reading(observation, state), Usage()
        has_reader = self._vision_model is not None or (
            self._ocr is not None and not observation.elements
        )
        picture = self._picture() if has_reader else None
        if picture is None:
            return replace(observation, unread_pictures=why), Usage()
        self._store.save_screenshot(picture, "seen by vision", step)
        try:
            reading, usage = self._read(picture.png, observation, wanted, why, seconds_left)
        except ModelFailed as problem:
            # The step continues without the picture; the same state is not tried again.
            usage = problem.usage if isinstance(problem.usage, Usage) else Usage()
            text = f"the picture could not be looked at: {problem}"
            reading = PictureText(source="vision", text=text, why=why)
            self._failed_states[state] = why
        self._read_states[state] = reading
        return self._with_reading(observation, state), usage

    def _with_reading(self, observation: Observation, state: tuple[str, str]) -> Observation:
        observation = _with(observation, self._read_states[state])
        return replace(observation, unread_pictures=self._failed_states.get(state, ""))

    def reason(self, observation: Observation, wanted: VisionGoal) -> str:
        """Why a picture is needed; empty if it is not."""
        if not observation.elements:
            return "the page's tree is empty" if self._empty_steps >= MIN_EMPTY_STEPS else ""
        if not wanted.fields:
            return ""
        if observation.dom_confidence < self._threshold:
            return f"the page's tree tells little (confidence {observation.dom_confidence:g})"
        texts = observation.unnamed_pictures
        if texts and any(mentions_field(observation, field) for field in wanted.fields):
            quoted = ", ".join(f"“{text}”" for text in texts[:3])
            return f"there are pictures without any text next to {quoted}"
        return ""

    def _picture(self) -> Picture | None:
        page = self._tabs.current
        try:
            with self._within(self._timeout, "a picture was taken for vision"):
                height = page.evaluate("document.documentElement?.scrollHeight ?? 0")
                return take_picture(
                    self._tabs, self._timeout * 1000, full_page=height <= MAX_HEIGHT
                )
        except PlaywrightError:  # the next action will report what is wrong with the page
            return None

    def _read(
        self, png: bytes, seen: Observation, wanted: VisionGoal, why: str, seconds: float | None
    ) -> tuple[PictureText, Usage]:
        if self._vision_model is None:
            text = self._ocr(png) if self._ocr else ""
            return PictureText(source="ocr", text=text or "no text could be read", why=why), Usage()
        tree = "\n".join(element.line(seen.url) for element in seen.elements)[:MAX_TREE_CHARACTERS]
        fields = ", ".join(wanted.fields)
        question = _QUESTION.format(goal=wanted.goal, fields=fields, tree=tree or "(nothing)")
        answer = self._vision_model.read_picture(png, question, seconds)
        reading = PictureText(source="vision", text=answer.text, why=why, model=answer.model)
        return reading, answer.usage


def _with(observation: Observation, reading: PictureText) -> Observation:
    """Add the text; ``Label: value`` lines read by OCR also become labelled values."""
    if reading.source != "ocr":
        return replace(observation, picture_text=reading)
    values = tuple(
        LabelledValue(label.strip(), value.strip(), "text")
        for label, value in _LABELLED.findall(reading.text)
    )
    return replace(observation, picture_text=reading, labelled=(*observation.labelled, *values))


def mentions_field(observation: Observation, field: str) -> bool:
    """Whether the page's title, its headings or tabs, or the text next to its unnamed pictures
    contains a word of the field's name (of three letters or more; a plural "s" is ignored)."""
    headings = [e.name for e in observation.elements if e.role in ("heading", "tab")]
    text = " ".join([observation.title, *headings, *observation.unnamed_pictures])
    stems = (word.removesuffix("s") for word in field.casefold().split("_"))
    return any(
        len(stem) > 2 and re.search(rf"(?<![^\W_]){re.escape(stem)}", text, re.I) for stem in stems
    )
