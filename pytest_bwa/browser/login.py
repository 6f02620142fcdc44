"""Save and find the logins of tasks with an ``auth_profile``."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, StorageState, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.launch import launch_arguments
from pytest_bwa.browser.start_check import NO_DISPLAY, lacks_display, start_problem
from pytest_bwa.errors import BrowserMissing, InputError


def login_path(home: Path, name: str) -> Path:
    """The file with the storage state (cookies and local storage) of a profile; ``home`` is the
    folder of BWA_HOME."""
    return home.expanduser() / "logins" / f"{name}.json"


def saved_login(home: Path, name: str | None) -> Path | None:
    """The file of an auth_profile, None without one. Raises InputError if it was never saved."""
    if name is None:
        return None
    path = login_path(home, name)
    if not path.is_file():
        raise InputError(f'auth_profile "{name}" was never saved: run `bwa login {name} URL`')
    return path


def save_login(
    home: Path,
    name: str,
    url: str,
    wait: Callable[[], object],
    *,
    program: Path | None = None,
    headed: bool = True,
) -> Path:
    """Open ``url``, let the user sign in until ``wait`` returns, and save the login. ``program`` is
    the browser of BWA_BROWSER.

    Only the user can read the file. Raises BwaError if no window can be opened.
    """
    if not name.replace("-", "").replace("_", "").isalnum():
        raise InputError(
            f'"{name}" cannot be the name of a login: use letters, digits, "-" and "_"'
        )
    path = login_path(home, name)
    if headed and lacks_display():
        raise _no_window("no display (neither DISPLAY nor WAYLAND_DISPLAY is set)", path)
    found = find_browser(program, headed=headed)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(headless=not headed, **launch_arguments(found))
        except PlaywrightError as error:
            problem = start_problem(error)
            is_display = problem == NO_DISPLAY
            reason = "the display that is set does not answer" if is_display else problem
            raise _no_window(reason, path) from None
        state = _signed_in(browser, url, wait)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.unlink(missing_ok=True)  # an older file would keep its mode
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
        json.dump(state, stream)
    return path


def _no_window(reason: str, path: Path) -> BrowserMissing:
    return BrowserMissing(
        f"no window can be opened to sign in: {reason}. Run this on a machine with a display and "
        f"copy the file to {path}, or let a script write Playwright's storage state there"
    )


def _signed_in(browser: Browser, url: str, wait: Callable[[], object]) -> StorageState:
    """The storage state of a window in which the user has signed in."""
    context = browser.new_context()
    try:
        context.new_page().goto(url)
    except PlaywrightError as error:
        raise InputError(f"{url} cannot be opened: {start_problem(error)}") from None
    wait()
    try:
        return context.storage_state()
    except PlaywrightError:
        raise InputError(
            "the window was closed before the login was saved: leave it open, sign in, and press "
            "Enter in the terminal"
        ) from None
