"""Failures of actions: every action ends in an ActionResult, whatever the page does."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.resolve import NotFound
from pytest_bwa.errors import EvidenceError, PageLost
from pytest_bwa.page.tabs import CRASHED
from pytest_bwa.steps.step import ActionResult

# Faults of the network or the browser; a wrong selector is none.
_INFRASTRUCTURE = re.compile(
    r"net::ERR_|NS_ERROR|ERR_NAME_NOT_RESOLVED|ERR_CONNECTION|SSL|crashed|"
    r"has been closed|browser was stopped|Navigation timeout|goto: Timeout",
    re.I,
)
_ORDINAL = {2: "second", 3: "third"}
_GONE = re.compile(r"crashed|has been closed|Connection closed", re.I)
# Faults that may be gone a moment later. Our own timeouts are none: they have waited already.
_TRANSIENT = re.compile(
    r"not attached|detached|Execution context was destroyed|"
    r"ERR_NETWORK_CHANGED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_CONNECTION_CLOSED",
    re.I,
)
MAX_TRIES = 3
COVERED = "something else on the page covers it"
_REASONS = (
    (re.compile(r"net::ERR_NAME_NOT_RESOLVED"), "the host name is not known"),
    (re.compile(r"net::ERR_CONNECTION_REFUSED"), "the server refuses connections"),
    (re.compile(r"net::ERR_(CERT|SSL)\w*"), "the server's certificate is not trusted"),
    (re.compile(r"net::ERR_INTERNET_DISCONNECTED"), "there is no network"),
    (re.compile(r"net::ERR_UNSAFE_PORT"), "the browser opens no page at this port"),
    (re.compile(r"net::ERR_ABORTED"), "the server gave no page (a download, or no content)"),
    (re.compile(r"intercepts pointer events"), COVERED),
    (re.compile(r"element is not visible"), "it is there but not visible"),
    (re.compile(r"element is not enabled"), "it is disabled"),
    (re.compile(r"not editable"), "it is readonly: a click may open what fills it in"),
    (re.compile(r"not an <input>|Element is not an? "), "it is not a text field"),
    (re.compile(r"did not find some options"), "it has no such option"),
)


def with_retries(
    act: Callable[[], ActionResult], may_repeat: Callable[[], bool] = lambda: True
) -> ActionResult:
    """The action's result. After a transient fault the action is tried again if it may, three times
    in all; its element is resolved again each time."""
    result, tries = attempt(act), 1
    while result.transient and not result.success and tries < MAX_TRIES and may_repeat():
        result, tries = attempt(act), tries + 1
    if tries == 1 or not result.success:
        return result
    return replace(result, description=f"{result.description} (on the {_ORDINAL[tries]} try)")


def attempt(act: Callable[[], ActionResult]) -> ActionResult:
    """The action's result, or its failure as one. EvidenceError and PageLost are raised: after them
    no further action of this sample can succeed."""
    try:
        return act()
    except NotFound as problem:
        return failure(str(problem))
    except PlaywrightError as error:
        raise_if_gone(error)
        infrastructure = bool(_INFRASTRUCTURE.search(error.message))
        result = failure(reason(error), infrastructure=infrastructure)
        return replace(result, transient=bool(_TRANSIENT.search(error.message)))
    except (EvidenceError, PageLost):
        raise
    except Exception as error:  # noqa: BLE001 - one odd page must never cost the sample
        return failure(f"{type(error).__name__}: {error}")


def raise_if_gone(error: PlaywrightError) -> None:
    """Raises PageLost if there is no page any more: an action may fail before the browser's event
    of the crash has come to Tabs."""
    if _GONE.search(error.message):
        is_crash = "crashed" in error.message
        gone = f"the browser is gone: {error.message.splitlines()[0]}"
        raise PageLost(CRASHED if is_crash else gone) from error


def failure(error: str, *, infrastructure: bool = False) -> ActionResult:
    return ActionResult(False, error, error=error, infrastructure=infrastructure)


def forbidden(error: str) -> ActionResult:
    """What the rules of the task refuse."""
    return ActionResult(False, error, error=error, forbidden=True)


def reason(error: PlaywrightError) -> str:
    """Playwright's message in plain words, without its call log."""
    for pattern, words in _REASONS:
        if pattern.search(error.message):
            detail = re.search(r"net::ERR_\w+", error.message)
            return f"{words} ({detail[0]})" if detail else words
    first = error.message.splitlines()[0] if error.message else type(error).__name__
    # After "evaluate" may come a page's own text; the prefix tells it from the browser's.
    return re.sub(r"^\w+\.(?!eval)\w+: ", "", first)
