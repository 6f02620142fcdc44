"""Actions that capture something: pictures, text, files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from playwright.sync_api import Download, Frame
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from pytest_bwa.actions.action_context import ActionContext, Selector
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.failures import failure
from pytest_bwa.actions.pointer import click as click_on
from pytest_bwa.page.documents import Documents
from pytest_bwa.page.numbered_picture import take_for_model
from pytest_bwa.page.picture import take_picture
from pytest_bwa.page.script_loader import load_script, read_json
from pytest_bwa.steps import ActionResult, Artifact

PICTURE = "picture"
"""The key of ActionResult.data for a picture that a model is to see."""
EXTRACT_CHARACTERS = 4000
MAX_FOUND = 10
_FIND = load_script("find")
_TEXT = load_script("actions/element_text")


@action("Save a picture of the page as evidence.", changes_page=False)
def screenshot(
    context: ActionContext,
    *,
    label: Annotated[str, "What it shows, such as checks."],
) -> ActionResult:
    picture = take_picture(context.tabs, context.max_ms)
    artifact = context.store.save_screenshot(picture, label or "page", context.step)
    return ActionResult(True, f"saved {artifact.filename}", artifact=artifact)


@action(
    "See a picture of this page with the next message, its elements numbered as listed.",
    changes_page=False,
)
def look(context: ActionContext, *, question: str) -> ActionResult:
    """The question stays in the history, where the next decision finds it."""
    elements = context.observation.elements
    _, png = take_for_model(context.tabs, context.max_ms, elements)
    return ActionResult(True, "the next message had the picture", data={PICTURE: png})


@action("Read the whole text of an element.", changes_page=False)
def extract(context: ActionContext, *, selector: Selector) -> ActionResult:
    text = str(context.element(selector).evaluate(_TEXT)).strip()
    if not text:
        return failure(f"{context.describe(selector)} contains no text")
    text = text[:EXTRACT_CHARACTERS]
    return ActionResult(True, f"read {len(text)} characters: {text}", data={"text": text})


@action(
    "Search the whole page for a text, listed or not.",
    changes_page=False,
)
def find(context: ActionContext, *, text: str) -> ActionResult:
    """Searches all frames and open shadow roots, in view or not, without scrolling."""
    wanted = text.strip()
    if not wanted:
        return failure("find needs a text to look for")
    hits: list[str] = []
    texts: list[str] = []
    total = 0
    for frame in context.tabs.frames():
        found = _found_in(context.tabs.documents, frame, wanted)
        total += found.total
        hits += found.lines
        texts += found.texts
    if not hits:
        return failure(f"“{wanted}” is nowhere on this page")
    more = f" (the first {MAX_FOUND} of {total})" if total > MAX_FOUND else ""
    description = f"found{more}: " + "; ".join(hits[:MAX_FOUND])
    return ActionResult(True, description, data={"found": texts[:MAX_FOUND]})


@dataclass(frozen=True, slots=True)
class _Found:
    total: int = 0
    lines: Sequence[str] = ()
    texts: Sequence[str] = ()


def _found_in(documents: Documents, frame: Frame, wanted: str) -> _Found:
    try:
        found = read_json(frame.evaluate(_FIND, {"text": wanted, "most": MAX_FOUND}))
    except PlaywrightError:  # a frame may go at any time
        return _Found()
    number = documents.number(frame, found["document"])
    lines = [
        f"“{hit['line']}” in {hit['tag']} ref={number}.{hit['n']}"
        + ("" if hit["near"] else " (out of view)")
        for hit in found["hits"]
    ]
    return _Found(int(found["total"]), lines, [str(hit["line"]) for hit in found["hits"]])


@action("Click what starts a download; the file is kept as evidence.")
def download(context: ActionContext, *, selector: Selector) -> ActionResult:
    element, named = context.element(selector), context.describe(selector)
    try:
        with context.page.expect_download(timeout=context.max_ms) as caught:
            click_on(context.page, element, context.element_ms)
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
