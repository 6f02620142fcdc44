"""Install a browser if there is none, and report every step to the user."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from pytest_bwa.browser.command import Print, run_command
from pytest_bwa.browser.find import SHELL_ON_PATH, FoundBrowser, find_browser, is_snap_stub
from pytest_bwa.browser.launch import is_root
from pytest_bwa.browser.start_check import check_start
from pytest_bwa.errors import BrowserMissing

# Playwright gives up a connection that is silent for 10 s, and tries five times.
DOWNLOAD_ENVIRONMENT = {"PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "10000"}
PACKAGE_ENVIRONMENT = {"DEBIAN_FRONTEND": "noninteractive"}
PLAYWRIGHT = [sys.executable, "-m", "playwright"]
APT = ["apt-get", "-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=30"]
BY_HAND = (
    "no browser could be installed: install Google Chrome or Chromium yourself "
    "(Debian: sudo apt-get install chromium; others: https://www.google.com/chrome), "
    "or set BWA_BROWSER to the path of one, then run `bwa doctor`"
)

Attempt = Callable[[Print], bool]


def install_browser(show: Print, configured: Path | None = None) -> FoundBrowser:
    """Return the browser that a run will use; install one if none starts.

    ``show`` prints each step. Raises BrowserMissing, which says what to do by hand.
    """
    found = _usable(show, configured)
    if found is not None:
        show(f"found {found.describe()}: it starts, nothing to install")
        return found
    for attempt in _attempts():
        if attempt(show) and (found := _usable(show, configured)):
            show(f"installed {found.describe()}: it starts")
            return found
    raise BrowserMissing(BY_HAND)


def _usable(show: Print, configured: Path | None) -> FoundBrowser | None:
    """The browser that a run would use if it starts, else None."""
    try:
        found = find_browser(configured)
    except BrowserMissing:
        if configured is not None:  # another browser would not help: the setting names this one
            raise
        return None
    check = check_start(found)
    if not check.problem:
        return found
    problem = f"{found.describe()} does not start: {check.problem}"
    if configured is not None:
        raise BrowserMissing(f"BWA_BROWSER: {problem}")
    show(problem)
    return None


def _attempts() -> Iterator[Attempt]:
    yield _download
    if is_root() and is_debian() and shutil.which("apt-get"):
        yield _libraries
        yield _package


def _download(show: Print) -> bool:
    show("downloading Chromium with Playwright (playwright install chromium)")
    if run_command([*PLAYWRIGHT, "install", "chromium"], show, environment=DOWNLOAD_ENVIRONMENT):
        return True
    show("Playwright could not download it")
    return False


def _libraries(show: Print) -> bool:
    """Install the libraries that a downloaded browser needs; a new container lacks them."""
    try:
        found = find_browser()
    except BrowserMissing:
        return False
    if found.kind != "playwright":
        return False
    show("installing the libraries it needs (playwright install-deps)")
    command = [*PLAYWRIGHT, "install-deps", "chromium"]
    return run_command(command, show, environment=PACKAGE_ENVIRONMENT)


def _package(show: Print) -> bool:
    show("installing the system's chromium package (apt-get install chromium)")
    install = [*APT, "install", "-y", "--no-install-recommends", "chromium"]
    for command in ([*APT, "update"], install):
        if not run_command(command, show, environment=PACKAGE_ENVIRONMENT):
            show("apt-get could not install chromium")
            return False
    shell = [*APT, "install", "-y", "--no-install-recommends", SHELL_ON_PATH]
    if not run_command(shell, show, environment=PACKAGE_ENVIRONMENT):
        show("it has no headless Chromium, which would be faster: the full one is used")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program and is_snap_stub(Path(program)):
        show(f"{program} only points to Ubuntu's snap of Chromium, which is not installed")
    return True


def is_debian() -> bool:
    """Whether this is Debian, Ubuntu, or a system that calls itself similar to one of them."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return False
    names = f"{release.get('ID', '')} {release.get('ID_LIKE', '')}".split()
    return "debian" in names or "ubuntu" in names
