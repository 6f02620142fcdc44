"""Actions that bring something back: pictures, text, files."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Download, Frame
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from pytest_bwa.actions.action_context import ActionContext
from pytest_bwa.actions.click import click as click_on
from pytest_bwa.actions.failures import failure
from pytest_bwa.page.script_loader import load_script
from pytest_bwa.page.tabs import frames_of
from pytest_bwa.steps import Action, ActionResult, Artifact

EXTRACT_CHARACTERS = 4000
MAX_FOUND = 10
_FIND = load_script("find")
_TEXT = load_script("actions/element_text")


def screenshot(context: ActionContext, action: Action) -> ActionResult:
    png = context.page.screenshot(
        full_page=True, type="png", animations="disabled", timeout=context.max_ms
    )
    artifact = context.store.save_screenshot(
        png, action.label or "page", context.page.url, context.step
    )
    return ActionResult(True, f"saved {artifact.filename}", artifact=artifact)


def extract(context: ActionContext, action: Action) -> ActionResult:
    text = str(context.element(action.selector).evaluate(_TEXT)).strip()
    if not text:
        return failure(f"{context.named(action.selector)} holds no text")
    text = text[:EXTRACT_CHARACTERS]
    return ActionResult(True, f"read {len(text)} characters: {text}", data={"text": text})


def find(context: ActionContext, action: Action) -> ActionResult:
    """In all frames and open shadow roots, in view or not; nothing moves."""
    wanted = (action.text or "").strip()
    if not wanted:
        return failure("find needs a text to look for")
    hits: list[str] = []
    total = 0
    for number, frame in enumerate(frames_of(context.page)):
        found, lines = _found_in(frame, number, wanted)
        total += found
        hits += lines
    if not hits:
        return failure(f"“{wanted}” is nowhere on this page")
    more = f" (the first {MAX_FOUND} of {total})" if total > MAX_FOUND else ""
    return ActionResult(True, f"found{more}: " + "; ".join(hits[:MAX_FOUND]))


def _found_in(frame: Frame, number: int, wanted: str) -> tuple[int, list[str]]:
    try:
        told = json.loads(frame.evaluate(_FIND, {"text": wanted, "most": MAX_FOUND}))
    except PlaywrightError:  # a frame may go at any time
        return 0, []
    lines = [
        f"“{hit['line']}” in {hit['tag']} ref={number}.{hit['n']}"
        + ("" if hit["near"] else " (out of view)")
        for hit in told["hits"]
    ]
    return int(told["total"]), lines


def download(context: ActionContext, action: Action) -> ActionResult:
    element, named = context.element(action.selector), context.named(action.selector)
    try:
        with context.page.expect_download(timeout=context.max_ms) as caught:
            click_on(context.page, element, context.element_ms)
    except PlaywrightTimeout:
        return failure(f"clicking {named} started no download")
    context.tabs.downloads.clear()
    artifact, size = kept(context, caught.value)
    if size == 0:
        return failure(f"{artifact.filename} was saved, but it is empty")
    return ActionResult(True, f"saved {said(artifact, size)}", artifact=artifact)


def kept(context: ActionContext, file: Download) -> tuple[Artifact, int]:
    """The file among the evidence, and its size in bytes. path() waits for the end of the transfer
    and raises where it failed; the action's own bound holds it."""
    temporary = Path(file.path())
    size = temporary.stat().st_size
    return context.store.save_download(
        temporary, file.suggested_filename, file.url, context.step
    ), size


def said(artifact: Artifact, size: int) -> str:
    return f"{artifact.filename} ({size} bytes, sha256 {artifact.sha256[:12]}…)"
