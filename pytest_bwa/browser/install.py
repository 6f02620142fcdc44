"""Installing a browser where there is none, and saying what was done."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from pytest_bwa.browser.command import Say, run_command
from pytest_bwa.browser.find import FoundBrowser, find_browser, is_snap_pointer
from pytest_bwa.browser.launch import is_root
from pytest_bwa.browser.start_check import check_start
from pytest_bwa.errors import BrowserMissing

# A socket that is silent for 10 s is given up by Playwright itself, which tries five times.
DOWNLOAD_ENVIRONMENT = {"PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "10000"}
PACKAGE_ENVIRONMENT = {"DEBIAN_FRONTEND": "noninteractive"}
PLAYWRIGHT = [sys.executable, "-m", "playwright"]
APT = ["apt-get", "-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=30"]
BY_HAND = (
    "no browser could be installed: install Google Chrome or Chromium yourself "
    "(Debian: sudo apt-get install chromium; others: https://www.google.com/chrome), "
    "or set BWA_BROWSER to the path of one, then run `bwa doctor`"
)

Attempt = Callable[[Say], bool]


def install_browser(say: Say, wanted: Path | None = None) -> FoundBrowser:
    """The browser that a run will use, proven to start; installed if need be, as said to ``say``.
    BrowserMissing tells what to do by hand."""
    found = _usable(say, wanted)
    if found is not None:
        say(f"found {found.describe()}: it starts, so there is nothing to install")
        return found
    for attempt in _attempts():
        if attempt(say) and (found := _usable(say, wanted)):
            say(f"installed {found.describe()}: it starts")
            return found
    raise BrowserMissing(BY_HAND)


def _usable(say: Say, wanted: Path | None) -> FoundBrowser | None:
    """The browser that a run would take, if it really starts."""
    try:
        found = find_browser(wanted)
    except BrowserMissing:
        if wanted is not None:  # installing another one would not help: the setting names this
            raise
        return None
    trial = check_start(found)
    if not trial.problem:
        return found
    problem = f"{found.describe()} does not start: {trial.problem}"
    if wanted is not None:
        raise BrowserMissing(f"BWA_BROWSER: {problem}")
    say(problem)
    return None


def _attempts() -> Iterator[Attempt]:
    yield _download
    if is_root() and is_debian() and shutil.which("apt-get"):
        yield _libraries
        yield _package


def _download(say: Say) -> bool:
    say("trying Playwright's own download of Chromium")
    if run_command([*PLAYWRIGHT, "install", "chromium"], say, extra=DOWNLOAD_ENVIRONMENT):
        return True
    say("Playwright's download did not work here")
    return False


def _libraries(say: Say) -> bool:
    """A fresh container has not the libraries that a downloaded browser needs."""
    try:
        found = find_browser()
    except BrowserMissing:
        return False
    if found.kind != "playwright":
        return False
    say("installing the libraries that it needs (playwright install-deps)")
    command = [*PLAYWRIGHT, "install-deps", "chromium"]
    return run_command(command, say, extra=PACKAGE_ENVIRONMENT)


def _package(say: Say) -> bool:
    say("installing the system's chromium package (apt-get install chromium)")
    install = [*APT, "install", "-y", "--no-install-recommends", "chromium"]
    for command in ([*APT, "update"], install):
        if not run_command(command, say, extra=PACKAGE_ENVIRONMENT):
            say("apt-get could not install chromium")
            return False
    placed = shutil.which("chromium") or shutil.which("chromium-browser")
    if placed and is_snap_pointer(Path(placed)):
        say(f"{placed} is only Ubuntu's pointer to a snap, and that snap is not installed")
    return True


def is_debian() -> bool:
    """Debian, Ubuntu, or a system that says it is like one of them."""
    try:
        told = platform.freedesktop_os_release()
    except OSError:
        return False
    names = f"{told.get('ID', '')} {told.get('ID_LIKE', '')}".split()
    return "debian" in names or "ubuntu" in names
