"""Evaluates a model's script on a page that it can read and not change.

The script runs in an isolated world of its own. V8 ends it before anything that might have an
effect (a request, a change of the page, an assignment to what outlives the script, anything
asynchronous), which no script can catch; cookies and stored data are not there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame, Page

from pytest_bwa.page.isolated_world import IsolatedWorld
from pytest_bwa.page.readers import world_of
from pytest_bwa.page.script_loader import load_script

MAX_SECONDS = 5.0
RESULT_CHARACTERS = 4000
MAX_MESSAGE = 300
NO_EFFECTS = (
    "a script may only read: no request, no click, no change of the page, no new element, nothing "
    "asynchronous, no top-level variable of the page; getElementById, closest and matches count as "
    "effects too (querySelector does not)"
)
_WORLD = "bwa scripts"
_RESULT = load_script("evaluate/script_result")
_WITHHOLD = load_script("evaluate/withhold_stores")
_EFFECT = re.compile(r"EvalError: .*side.effect", re.I)


class ScriptFailed(Exception):
    """A script that was refused or failed; the message says why, and may quote the page."""


class ScriptWorlds:
    """Where scripts are evaluated in the tabs of one sample."""

    def __init__(self) -> None:
        self._worlds: WeakKeyDictionary[Page, IsolatedWorld] = WeakKeyDictionary()

    def evaluate(self, page: Page, script: str) -> tuple[str, int]:
        """The beginning of what the script returns, as text, and how long all of it is. Raises
        ScriptFailed and Playwright's errors."""
        if world_of(page.context.browser) is not IsolatedWorld:
            raise ScriptFailed("only Chromium evaluates scripts without effects")
        world = self._world(page)
        world.call(page.main_frame, _WITHHOLD, ())
        for frame in filter(_is_readable, page.frames[1:]):
            with suppress(PlaywrightError):  # a frame may go at any time
                world.call(frame, _WITHHOLD, ())
        expression = script.strip().rstrip(";")
        answer = _evaluate(world, page, f"return (\n{expression}\n)")
        if _words_of(answer).startswith("SyntaxError"):
            answer = _evaluate(world, page, script)
        if problem := _words_of(answer):
            raise ScriptFailed(NO_EFFECTS if _EFFECT.match(problem) else _failed(problem))
        return _read(answer["result"])

    def _world(self, page: Page) -> IsolatedWorld:
        if page not in self._worlds:
            self._worlds[page] = IsolatedWorld(page, f"({_WITHHOLD})();", _WORLD)
        return self._worlds[page]


def _is_readable(frame: Frame) -> bool:
    """Whether a script of the page may read a frame: one of the same site, or without its own."""
    own, main = urlsplit(frame.url), urlsplit(frame.page.url)
    return own.scheme in ("", "about", "blob") or own[:2] == main[:2]


def _evaluate(world: IsolatedWorld, page: Page, body: str) -> Mapping[str, Any]:
    expression = f"({_RESULT})(() => {{\n{body}\n}}, {RESULT_CHARACTERS})"
    try:
        return world.evaluate_reading(page.main_frame, expression, MAX_SECONDS)
    except PlaywrightError as error:
        if "Execution was terminated" in error.message:
            raise ScriptFailed(f"the script took longer than {MAX_SECONDS:g} s") from None
        raise


def _words_of(answer: Mapping[str, Any]) -> str:
    """What was thrown; empty if nothing was."""
    thrown = answer.get("exceptionDetails")
    if thrown is None:
        return ""
    raised = thrown.get("exception", {})
    words = str(raised.get("description") or raised.get("value") or thrown["text"])
    return words.strip() or "an error without a message"


def _failed(problem: str) -> str:
    return f"the script failed: {problem.splitlines()[0][:MAX_MESSAGE]}"


def _read(result: Mapping[str, Any]) -> tuple[str, int]:
    # A script that closes the brackets around it returns what it likes: only a text is looked at.
    size, _, text = str(result.get("value", "")).partition(" ")
    if result["type"] != "string" or not size.isdigit():
        raise ScriptFailed("the script returned nothing: end it with return, or make it one value")
    return text[:RESULT_CHARACTERS], int(size)
