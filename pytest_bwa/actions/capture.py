"""Actions that capture something: pictures, text, files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Download
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from pytest_bwa.actions.action_context import ActionContext, Selector
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.failures import failure
from pytest_bwa.actions.pointer import click as click_on
from pytest_bwa.page.numbered_picture import take_for_model
from pytest_bwa.page.picture import take_picture
from pytest_bwa.page.script_loader import read_json
from pytest_bwa.steps import ActionResult, Artifact, Observation
from pytest_bwa.text import first_of

EXTRACT_CHARACTERS = 4000
MAX_PARTS = 3
"""Areas of which a picture shows only a part, as far as they are named."""
MAX_RANGES = 8
"""Runs of numbers that are named; further ones are counted."""
MAX_FOUND = 10
_LIST_MARKS = re.compile(r"\[\d+\]|\[[a-z]+\]|[|⏎]|^[\"“]|[\"”]$")
"""What the list of elements adds to a text, and a model may copy from it."""
_ADDRESS = "address"
"""What the page script calls a hit that is where a link leads. The page does not show it, so it
proves no value."""


@action("Save a picture as evidence.", changes_page=False)
def screenshot(
    context: ActionContext,
    *,
    label: str,
) -> ActionResult:
    picture = take_picture(context.tabs, context.max_ms)
    artifact = context.store.save_screenshot(picture, label or "page", context.step)
    description = f"saved {artifact.filename}{parts_in_picture(context.observation)}"
    return ActionResult(True, description, artifact=artifact)


def parts_in_picture(page: Observation) -> str:
    """Which areas of the page show only a part of what is in them: a picture has no more."""
    parts = [
        f'[{element.index}] {element.role} "{element.name}" ({state})'
        for element in page.elements
        for state in element.states
        if state.startswith("scrolled ")
    ]
    return f"; it shows only a part of {first_of(parts, MAX_PARTS)}" if parts else ""


@action(
    "See this page as a picture with colours and the list's numbers in the next message.",
    changes_page=False,
)
def look(context: ActionContext, *, question: str | None = None) -> ActionResult:
    """The question stays in the history, where the next decision finds it."""
    elements = context.observation.elements
    picture, png = take_for_model(context.tabs, context.max_ms, elements)
    is_part = not picture.read_state  # of a long page, what is in view
    left_out = [
        element.index
        for element in elements
        if (is_part and not element.in_viewport) or picture.hides(element.ref, element.box)
    ]
    text = "the next message had the picture"
    if left_out:
        text += f", without {_ranges(left_out)}: scroll to what you want to see"
    return ActionResult(True, text, picture=png)


def _ranges(numbers: Sequence[int]) -> str:
    """``[3]–[7], [12]``."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    named = [f"[{run[0]}]" if len(run) == 1 else f"[{run[0]}]–[{run[-1]}]" for run in runs]
    return first_of(named, MAX_RANGES)


@action("Read the whole text of all that match.", changes_page=False)
def extract(context: ActionContext, *, selector: Selector) -> ActionResult:
    elements = context.elements(selector)
    texts = [str(context.ask(element, "elementText")).strip() for element in elements]
    text = "\n".join(filter(None, texts))
    if not text:
        return failure(f"{context.describe(selector)} contains no text")
    kept = text[:EXTRACT_CHARACTERS]
    count = f"{len(text)}" if kept == text else f"the first {len(kept)} of {len(text)}"
    matches = f" of {len(texts)} elements that match" if len(texts) > 1 else ""
    return ActionResult(True, f"read {count} characters{matches}: {kept}", read_text=kept)


@action(
    "Search the whole page, also hidden parts, tooltips and link addresses; hits join the list.",
    changes_page=False,
    changes_list=True,
)
def find(context: ActionContext, *, text: str) -> ActionResult:
    """Searches all frames and open shadow roots, without scrolling."""
    wanted = " ".join(text.split())
    if not wanted:
        return failure("find needs a text to look for")
    plain = " ".join(_LIST_MARKS.sub(" ", wanted).split())
    found = _search(context, wanted)
    if not found.total and plain not in ("", wanted):
        found = _search(context, plain)
    if not found.total:
        return ActionResult(True, f"0 hits in the whole page for “{wanted}”", found=())
    count = "1 hit" if found.total == 1 else f"{found.total} hits"
    first = f", the first {MAX_FOUND}" if found.total > MAX_FOUND else ""
    description = f"{count}{first}: {'; '.join(found.lines[:MAX_FOUND])}"
    return ActionResult(True, description, found=tuple(found.texts[:MAX_FOUND]))


@dataclass
class _Found:
    total: int = 0
    lines: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


def _search(context: ActionContext, wanted: str) -> _Found:
    tabs, all_found, main_document = context.tabs, _Found(), 0
    for frame in tabs.frames():
        try:
            found = read_json(tabs.readers.ask(frame, "find", {"text": wanted, "most": MAX_FOUND}))
        except PlaywrightError:
            if frame.parent_frame is None:
                raise
            continue  # a frame may go at any time
        document = tabs.documents.number(frame, found["document"])
        if frame.parent_frame is None:
            main_document = document
        all_found.total += int(found["total"])
        for hit in found["hits"]:
            numbers = [
                tabs.list_numbers.number(tabs.current, main_document, (document, one))
                for one in (hit["n"], hit["opener"])
                if one is not None
            ]
            all_found.lines.append(_line(hit, *numbers))
            if hit["what"] != _ADDRESS:
                all_found.texts.append(str(hit["line"]))
    return all_found


def _line(hit: dict[str, Any], number: int, opener: int | None = None) -> str:
    """``[131] link “…” in the row “…” (tooltip, out of view)``."""
    place = ""
    if hit["row"]:
        place = f" in the row “{hit['row']}”"
    elif hit["heading"] and hit["heading"] != hit["line"]:
        place = f" under “{hit['heading']}”"
    opens = f"[{opener}] before it may show it" if opener is not None else ""
    notes = ", ".join(filter(None, (hit["what"], hit["place"], opens)))
    return f"[{number}] {hit['kind'].lower()} “{hit['line']}”{place}" + (
        f" ({notes})" if notes else ""
    )


@action("Click what starts a download; keeps the file.")
def download(context: ActionContext, *, selector: Selector) -> ActionResult:
    element, named = context.element(selector), context.describe(selector)
    try:
        with context.page.expect_download(timeout=context.max_ms) as caught:
            click_on(context.tabs, element, context.element_ms)
    except PlaywrightTimeout:
        return failure(f"clicking {named} started no download")
    context.tabs.downloads.clear()
    artifact, size = keep_download(context, caught.value)
    if size == 0:
        return failure(f"{artifact.filename} was saved, but it is empty")
    return ActionResult(True, f"saved {describe_file(artifact, size)}", artifact=artifact)


def keep_download(context: ActionContext, file: Download) -> tuple[Artifact, int]:
    """Keep the file as evidence; returns it with its size in bytes. ``path()`` waits for the end of
    the transfer and raises if it failed; the action's time limit bounds it."""
    temporary = Path(file.path())
    size = temporary.stat().st_size
    return context.store.save_download(
        temporary, file.suggested_filename, file.url, context.step
    ), size


def describe_file(artifact: Artifact, size: int) -> str:
    return f"{artifact.filename} ({size} bytes, sha256 {artifact.sha256[:12]}…)"
