"""Start a browser for a moment: the only proof that a run can use it."""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright

from pytest_bwa.browser.find import FoundBrowser
from pytest_bwa.browser.launch import launch_arguments

# Text in the output of the browser or Playwright, and the problem and remedy that it means.
NO_LIBRARIES = "libraries are missing (as root: python -m playwright install-deps chromium)"
NO_SANDBOX = (
    "this system does not allow ordinary users to use Chromium's sandbox (on Ubuntu: "
    "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or install Google Chrome's package)"
)
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")
NO_DISPLAY = "--headed needs a display: leave it out, or run with xvfb-run"
KNOWN_PROBLEMS = (
    ("No usable sandbox", NO_SANDBOX),
    ("error while loading shared libraries", NO_LIBRARIES),
    ("missing dependencies", NO_LIBRARIES),
    ("Missing X server", NO_DISPLAY),
    ("ffmpeg", "--video needs Playwright's ffmpeg (python -m playwright install ffmpeg)"),
    ("Running as root without --no-sandbox", "as root it only runs without its sandbox"),
)


@dataclass(frozen=True, slots=True)
class StartCheck:
    """The outcome of a start. ``problem`` is empty if the browser showed a page in ``seconds``."""

    version: str = ""
    seconds: float = 0.0
    problem: str = ""


def lacks_display() -> bool:
    """Whether no window can be opened on this machine, as far as the environment says."""
    return sys.platform == "linux" and not any(map(os.environ.get, DISPLAYS))


def check_start(found: FoundBrowser, timeout: float = 30.0) -> StartCheck:
    """Start the browser headless, open a page, close it. A failure is in ``problem``."""
    return start_once("chromium", launch_arguments(found), timeout)


def start_once(
    engine: str, arguments: Mapping[str, Any], timeout: float = 30.0, *, with_video: bool = False
) -> StartCheck:
    """The same for any engine of Playwright, with these arguments of ``launch``."""
    # In a thread of its own: somebody's event loop may run in this one.
    with ThreadPoolExecutor(1) as own_thread:
        return own_thread.submit(_start, engine, arguments, timeout, with_video).result()


def _start(
    engine: str, arguments: Mapping[str, Any], timeout: float, with_video: bool
) -> StartCheck:
    try:
        with sync_playwright() as playwright, tempfile.TemporaryDirectory() as videos:
            started = time.perf_counter()
            launch = getattr(playwright, engine).launch
            browser = launch(timeout=timeout * 1000, **arguments)
            page = browser.new_page(record_video_dir=videos if with_video else None)
            page.goto("data:text/html,<title>bwa</title>", timeout=timeout * 1000)
            check = StartCheck(browser.version, time.perf_counter() - started)
            browser.close()
            return check
    except PlaywrightError as error:
        return StartCheck(problem=start_problem(error))


def start_problem(error: PlaywrightError) -> str:
    """Why a browser did not start, in one line taken from Playwright's long message."""
    text = str(error)
    for pattern, problem in KNOWN_PROBLEMS:
        if pattern in text:
            return problem
    if match := re.search(r"Executable doesn't exist at .*?(firefox|webkit)", text):
        return f"it is not installed (python -m playwright install {match[1]})"
    reason = next((line.strip() for line in text.splitlines() if line.strip()), "no reason given")
    reason = re.sub(r"^\w+\.\w+: ", "", reason)  # the name of Playwright's function
    if match := re.search(r"\bplaywright (install [\w-]+)", text):
        return f"{reason} (python -m playwright {match[1]})"
    return reason
