"""Save and find the logins of tasks with an ``auth_profile``."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright

from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.launch import launch_arguments
from pytest_bwa.errors import BrowserMissing, InputError
from pytest_bwa.settings import Settings


def login_path(settings: Settings, name: str) -> Path:
    """The file with the storage state (cookies and local storage) of a profile."""
    return settings.home.expanduser() / "logins" / f"{name}.json"


def saved_login(settings: Settings, name: str | None) -> Path | None:
    """The file of an auth_profile, None without one. Raises InputError if it was never saved."""
    if name is None:
        return None
    path = login_path(settings, name)
    if not path.is_file():
        raise InputError(f'auth_profile "{name}" was never saved: run `bwa login {name} URL`')
    return path


def save_login(
    settings: Settings, name: str, url: str, wait: Callable[[], object], *, headed: bool = True
) -> Path:
    """Open ``url``, let the user sign in until ``wait`` returns, and save the login.

    Only the user can read the file. Raises BwaError if no window can be opened.
    """
    if not name.replace("-", "").replace("_", "").isalnum():
        raise InputError(
            f'"{name}" cannot be the name of a login: use letters, digits, "-" and "_"'
        )
    found = find_browser(settings.browser, headed=headed)
    path = login_path(settings, name)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(headless=not headed, **launch_arguments(found))
            context = browser.new_context()
            context.new_page().goto(url)
            wait()
            state = context.storage_state()
            browser.close()
    except PlaywrightError as error:
        reason = error.message.strip().splitlines()[0]
        raise BrowserMissing(
            f"no window could be opened to sign in ({reason}): run this on a machine with a display"
        ) from None
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.unlink(missing_ok=True)  # an older file would keep its mode
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
        json.dump(state, stream)
    return path
