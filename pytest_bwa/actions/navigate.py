"""Actions that go to another page, another tab or another part of the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from email.message import Message
from functools import partial
from pathlib import Path
from tempfile import NamedTemporaryFile
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from playwright.sync_api import Download, Frame, Response
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from pytest_bwa.actions.action_context import ActionContext
from pytest_bwa.actions.declaration import action
from pytest_bwa.actions.download import SentFile, keep, keep_files
from pytest_bwa.actions.failures import failure, forbidden
from pytest_bwa.actions.pdf import is_pdf, pdf_as_html
from pytest_bwa.facts.address import is_same_page
from pytest_bwa.page.tabs import BLANK
from pytest_bwa.spec.network.responses import is_error
from pytest_bwa.spec.network.urls import UNREACHED
from pytest_bwa.spec.typed_secrets import is_redacted
from pytest_bwa.steps.step import Action, ActionResult

_DOWNLOAD = "Download is starting"
_PDF_TYPE = "application/pdf"
_INTERRUPTED = "interrupted by another navigation"
_INTERRUPTED_LATE = f'{_INTERRUPTED} to "{UNREACHED}'
_NO_ANSWER = re.compile(r"net::ERR_(?:EMPTY_RESPONSE|TUNNEL_CONNECTION_FAILED)")
_ERROR_PAGE = re.compile(r"net::ERR_(?!ABORTED)")
ERROR_PAGE_MS = 5000


def address_on(context: ActionContext, url: str) -> str:
    """The whole address of one that may be relative to this page."""
    here = context.observation.url
    base = here if urlsplit(here).netloc else context.base_url
    return urljoin(base or "", url)


def is_web_address(url: str) -> bool:
    return urlsplit(url).scheme in ("http", "https")


def refusal_of(context: ActionContext, asked: str, url: str) -> ActionResult | None:
    """Why the address is not even asked for; None if it is."""
    if is_redacted(asked):
        return failure("this address has a part that you are not shown: click its link instead")
    if not is_web_address(url):
        return failure(
            f'"{url}" is not a web address: use one that begins with http:// or https://'
        )
    refusal = context.guard.refusal(url) if context.guard else ""
    return forbidden(refusal) if refusal else None


def _reserve(context: ActionContext, action: Action) -> float:
    """The seconds until the rate limit lets the address be opened."""
    url = address_on(context, action.url or "")
    return context.rate_limiter.reserve(url) if is_web_address(url) else 0.0


@action("Open an address.", wait_before=_reserve)
def goto(context: ActionContext, *, url: str) -> ActionResult:
    """A page that the server calls an error was opened all the same: what it says is to be read."""
    asked, url = url, address_on(context, url)
    if refused := refusal_of(context, asked, url):
        return refused
    context.asked_url = url
    return arrive(context, url, lambda: _open(context, url))


def arrive(
    context: ActionContext, url: str, open_page: Callable[[], Response | None]
) -> ActionResult:
    """What came of opening an address in the current tab, as far as it can be said before the page
    has settled."""
    try:
        response = open_page()
    except PlaywrightTimeout:
        return failure(f"{url} did not answer in time", infrastructure=True)
    except PlaywrightError as error:
        _await_error_page(context, error)
        if stopped := context.guard.stopped_page(context.page) if context.guard else "":
            return forbidden(f"{stopped}; {url} led there")
        answer = context.tabs.answers.get(urldefrag(url).url)
        if answer is not None and is_error(answer.status):
            return failure(f"{url} was not opened: HTTP {answer.status}")
        if _DOWNLOAD in error.message:
            return _open_sent_file(context, url, error)
        if _INTERRUPTED not in error.message:
            raise _with_cause(error, context) from error
        # The page navigated by itself, or the browser tried again after a network error.
        context.page.wait_for_load_state("domcontentloaded", timeout=context.max_ms)
        return ActionResult(True, f"opened {url}")
    if response is not None and is_error(response.status):
        return ActionResult(True, f"opened {url}: HTTP {response.status}")
    if response is not None and response.headers.get("content-type", "").startswith(_PDF_TYPE):
        data = context.page.context.request.get(url, timeout=context.max_ms).body()
        file = _keep_pdf(context, url, data, response.headers)
        return replace(_show(context, url, data, file), artifact=file.artifact)
    return ActionResult(True, f"opened {url}")


def with_end(context: ActionContext, result: ActionResult) -> ActionResult:
    """The result with where an address led that was opened. Asked for when the page has settled:
    a site that wants a login often says so only after it has loaded."""
    asked, now = context.asked_url, context.page.url
    if not (asked and result.success and is_web_address(now)) or is_same_page(asked, now):
        return result
    return replace(result, description=f"{result.description}; it led to {now}")


def _open(context: ActionContext, url: str) -> Response | None:
    """Opened once more where the error page of an earlier address came so late that the browser
    gave this one up for it. Of the address of this very page with a fragment, the browser would
    only scroll to it; and a page in which something was entered would still show it."""
    was_entered = urldefrag(url).url == urldefrag(context.entered_at).url
    if "#" in url and (url == context.page.url or was_entered):
        context.page.goto(BLANK, timeout=context.max_ms)
    context.entered_at = ""
    goto = partial(context.page.goto, url, wait_until="domcontentloaded", timeout=context.max_ms)
    try:
        return goto()
    except PlaywrightError as error:
        if _INTERRUPTED_LATE not in error.message:
            raise
        return goto()


def _await_error_page(context: ActionContext, error: PlaywrightError) -> None:
    """Chromium shows its own page for a network error a moment after it reports the error. An
    address that is opened in that moment is given up, or waits for its time limit."""
    if _ERROR_PAGE.search(error.message):
        with suppress(PlaywrightError):  # none came
            context.page.wait_for_event("framenavigated", _is_error_page, timeout=ERROR_PAGE_MS)


def _is_error_page(frame: Frame) -> bool:
    return frame.parent_frame is None and frame.url.startswith(UNREACHED)


def _with_cause(error: PlaywrightError, context: ActionContext) -> PlaywrightError:
    """The browser knows only that its proxy gave no answer; the proxy knows why."""
    cause = context.guard.network_error() if context.guard else ""
    return PlaywrightError(_NO_ANSWER.sub(f"net::{cause}", error.message)) if cause else error


def _open_sent_file(context: ActionContext, url: str, error: PlaywrightError) -> ActionResult:
    """The browser keeps a PDF that it cannot show as a download, as it does other files."""
    context.tabs.await_file()
    data = _content(context.tabs.downloads[0]) if context.tabs.downloads else b""
    files = keep_files(context)
    if not files:
        raise error
    return replace(_show(context, url, data, files[0]), artifact=files[0].artifact)


def _content(file: Download) -> bytes:
    try:
        return Path(file.path()).read_bytes()
    except PlaywrightError:  # why it did not come is said where it is kept
        return b""


def _keep_pdf(
    context: ActionContext, url: str, data: bytes, headers: Mapping[str, str]
) -> SentFile:
    """Keep the file itself as evidence: the page shows only its text."""
    with NamedTemporaryFile(prefix="bwa-", suffix=".pdf", delete=False) as file:
        file.write(data)
    name = _file_name(url, headers.get("content-disposition", ""))
    return keep(context, Path(file.name), name, url, _PDF_TYPE, len(data))


def _file_name(url: str, disposition: str = "") -> str:
    message = Message()
    message["content-disposition"] = disposition
    return message.get_filename() or unquote(urlsplit(url).path.rsplit("/", 1)[-1]) or "PDF"


def _show(context: ActionContext, url: str, data: bytes, file: SentFile) -> ActionResult:
    """Show the text of a PDF as a page with the file's own address. No other file is shown."""
    if not file.is_sound:
        return failure(f"{url} gave no page: {file.words}")
    if not is_pdf(data):
        return ActionResult(True, f"{url} is a file, and the page stayed: saved {file.words}")
    made = pdf_as_html(data, _file_name(url))
    if made is None:
        return failure(f"{url} is a PDF that cannot be read: it is damaged or needs a password")
    html, pages = made
    page, address = context.page, urldefrag(url).url
    is_address = lambda asked: urldefrag(asked).url == address  # noqa: E731 - as Playwright wants it
    page.route(is_address, lambda route: route.fulfill(body=html, content_type="text/html"))
    try:  # without the fragment, to which the browser's own viewer would only scroll
        page.goto(address, wait_until="domcontentloaded", timeout=context.max_ms)
    finally:
        page.unroute(is_address)
    return ActionResult(True, f"opened {url}: the text of a PDF (pages: {pages})")


@action("Go back one page.")
def back(context: ActionContext) -> ActionResult:
    page, here = context.page, context.page.url
    page.go_back(wait_until="domcontentloaded", timeout=context.max_ms)
    if page.url == BLANK and here != BLANK:  # the first entry of every tab's history
        page.go_forward(wait_until="domcontentloaded", timeout=context.max_ms)
    if page.url == here:
        return failure("there is no earlier page to go back to")
    return ActionResult(True, f"went back to {page.url}")


@action("Switch to another tab.")
def switch_tab(context: ActionContext, *, tab: int) -> ActionResult:
    page = context.tabs.switch(tab)
    if page is None:
        there = ", ".join(f"{t.number} ({t.url})" for t in context.tabs.list_open())
        return failure(f"there is no tab {tab}; there are: {there or 'only this one'}")
    page.bring_to_front()
    return ActionResult(True, f"switched to tab {tab} at {page.url}")
