"""Starting a browser for a moment: the only proof that a run could use it."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright

from pytest_bwa.browser.find import FoundBrowser
from pytest_bwa.browser.launch import launch_arguments

# Words of the browser or of Playwright that say why it did not start, with what to do about it.
NO_LIBRARIES = "libraries are missing (as root: python -m playwright install-deps chromium)"
NO_SANDBOX = (
    "this system allows no sandbox to ordinary users (on Ubuntu: "
    "sysctl kernel.apparmor_restrict_unprivileged_userns=0, or install Google Chrome's package)"
)
NO_DISPLAY = "--headed needs a display: leave it out, or run under xvfb-run"
TELLING = (
    ("No usable sandbox", NO_SANDBOX),
    ("error while loading shared libraries", NO_LIBRARIES),
    ("missing dependencies", NO_LIBRARIES),
    ("Missing X server", NO_DISPLAY),
    ("ffmpeg", "--video needs Playwright's ffmpeg (python -m playwright install ffmpeg)"),
    ("Running as root without --no-sandbox", "as root it runs only without its sandbox"),
)


@dataclass(frozen=True, slots=True)
class StartCheck:
    """``problem`` is empty when the browser started and showed a page within ``seconds``."""

    version: str = ""
    seconds: float = 0.0
    problem: str = ""


def check_start(found: FoundBrowser, timeout: float = 30.0) -> StartCheck:
    """Start the browser headless, open a page, close it; never raises for what goes wrong."""
    try:
        with sync_playwright() as playwright:
            started = time.perf_counter()
            arguments = launch_arguments(found)
            browser = playwright.chromium.launch(timeout=timeout * 1000, **arguments)
            browser.new_page().goto("data:text/html,<title>bwa</title>", timeout=timeout * 1000)
            trial = StartCheck(browser.version, time.perf_counter() - started)
            browser.close()
            return trial
    except PlaywrightError as error:
        return StartCheck(problem=start_problem(error))


def start_problem(error: PlaywrightError) -> str:
    """The one line of Playwright's long message that says why a browser did not start."""
    text = str(error)
    for sign, meaning in TELLING:
        if sign in text:
            return meaning
    if other := re.search(r"Executable doesn't exist at .*?(firefox|webkit)", text):
        return f"it is not installed (python -m playwright install {other[1]})"
    return next((line.strip() for line in text.splitlines() if line.strip()), "no reason given")
