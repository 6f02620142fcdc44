"""Files that a site sends: the action that asks for one, and how each is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Download
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.action_context import ActionContext, Selector
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.failures import failure, raise_if_gone, reason
from pytest_bwa.actions.file_content import decoded, fault_of, is_page, quoted_page
from pytest_bwa.actions.pointer import click as click_on
from pytest_bwa.page.tabs import Answer
from pytest_bwa.spec.network.responses import is_error
from pytest_bwa.steps.step import ActionResult, Artifact


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file that the page let the browser save."""

    artifact: Artifact | None
    """None if it did not come whole."""
    words: str
    """What came, or what is wrong with it."""

    @property
    def is_sound(self) -> bool:
        return self.artifact is not None and not self.artifact.fault


@action("Click what starts a download; keeps the file.")
def download(context: ActionContext, *, selector: Selector) -> ActionResult:
    element, named = context.element(selector), context.describe(selector)
    earlier = keep_files(context)  # which came while nobody looked
    here = context.page.url
    click_on(context.tabs, element, context.element_ms)
    context.tabs.await_file(context.max_ms)
    files = keep_files(context)
    if not files:
        return failure(f"clicking {named} started no download{_instead(context, here)}")
    words = "; ".join(file.words for file in [*earlier, *files])
    artifact = next((file.artifact for file in files if file.artifact), None)
    if all(file.is_sound for file in files):
        return ActionResult(True, f"saved {words}", artifact=artifact)
    return replace(failure(words), artifact=artifact)


def _instead(context: ActionContext, here: str) -> str:
    """What the site did in place of sending a file, if that can be said."""
    refusal = next((a for a in context.tabs.answers.values() if is_error(a.status)), None)
    status = f": the site answered HTTP {refusal.status}" if refusal else ""
    if context.page.url == here or not _is_web_address(context.page.url):
        return status
    return f"{status}: the site sent a page: {quoted_page(context.page.content())}"


def keep_files(context: ActionContext) -> list[SentFile]:
    """Keep as evidence what was sent since this was last asked, and close the tabs that were
    opened only for it. The action's time limit bounds the transfer."""
    tabs = context.tabs
    try:
        files = [_keep(context, file) for file in tabs.downloads]
        tabs.close_empty()
        return files
    finally:
        tabs.downloads.clear()


def _keep(context: ActionContext, file: Download) -> SentFile:
    """``path()`` waits for the end of the transfer, and raises if it failed."""
    answer = context.tabs.answers.get(file.url)
    try:
        temporary = Path(file.path())
    except PlaywrightError as error:
        raise_if_gone(error)
        why = _refusal(context, file.url, answer) or reason(error)
        return SentFile(None, f"a file that did not arrive whole: {why}")
    name, size = file.suggested_filename, temporary.stat().st_size
    return keep(context, temporary, name, file.url, answer.content_type if answer else "", size)


def keep(
    context: ActionContext, temporary: Path, name: str, url: str, content_type: str, size: int
) -> SentFile:
    """Keep a file as evidence, with what is wrong with it."""
    fault = fault_of(temporary, name, content_type)
    artifact = context.store.save_download(temporary, name, url, context.step, fault)
    if fault:
        return SentFile(artifact, f"{artifact.filename} was saved, but {fault}")
    words = f"{artifact.filename} ({size} bytes, sha256 {artifact.sha256[:12]}…)"
    if name.lower().endswith(".pdf") and _is_web_address(url) and not context.asked_url:
        words += f"; goto {url} shows its text"
    return SentFile(artifact, words)


def _refusal(context: ActionContext, url: str, answer: Answer | None) -> str:
    """With which status, and which page, the site refuses a file. Where the browser does not say
    it, the site is asked once more; nothing but a link to save is asked for like that."""
    if answer is not None:
        return f"HTTP {answer.status}" if is_error(answer.status) else ""
    if not _is_web_address(url) or (context.guard and context.guard.refusal(url)):
        return ""
    try:
        answered = context.page.context.request.get(url, timeout=context.max_ms, max_redirects=0)
        body = answered.body() if is_error(answered.status) else b""
    except PlaywrightError:
        return ""
    if not is_error(answered.status):
        return ""
    text = decoded(body) or ""
    page = f": the site sent a page: {quoted_page(text)}" if is_page(text) else ""
    return f"HTTP {answered.status}{page}"


def _is_web_address(url: str) -> bool:
    return urlsplit(url).scheme in ("http", "https")


def events_of(files: Sequence[SentFile]) -> list[str]:
    return [f"it sent a file: {f.words}" if f.artifact else f"it sent {f.words}" for f in files]
