"""Fixtures that override pytest-playwright's fixtures of the same names.

This is a plugin of its own: hooks.py registers it when all entry points are loaded, so that these
fixtures win, in whatever order pytest found the plugins.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pytest_bwa.browser.driver import RelaunchingBrowserType
from pytest_bwa.browser.keep_alive import RelaunchingBrowser
from pytest_bwa.errors import BwaError
from pytest_bwa.plugin.browser_choice import arguments_for_launch
from pytest_bwa.plugin.session import SESSION


@pytest.fixture(scope="session")
def browser_type(playwright: Any, browser_name: str) -> Iterator[Any]:
    """pytest-playwright's browser type, with a driver that is restarted after a crash."""
    living = RelaunchingBrowserType(playwright, browser_name)
    yield living
    living.close()


@pytest.fixture(scope="session")
def browser(launch_browser: Any, pytestconfig: pytest.Config) -> Iterator[Any]:
    """pytest-playwright's browser, relaunched after a crash."""
    session = pytestconfig.stash[SESSION]
    living = session.browser = RelaunchingBrowser(launch_browser, session.watchdog)
    yield living
    living.close()


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], pytestconfig: pytest.Config
) -> dict[str, Any]:
    """pytest-playwright's arguments, with the path of the browser that ``bwa doctor`` shows."""
    session = pytestconfig.stash[SESSION]
    try:
        return arguments_for_launch(pytestconfig, session.settings, browser_type_launch_args)
    except BwaError:
        if session.has_audit:
            raise
        return browser_type_launch_args  # tests that do not use the agent run as without it


@pytest.fixture(scope="session", autouse=True)
def delete_output_dir(pytestconfig: pytest.Config) -> None:
    """pytest-playwright empties its output folder in every worker, even in one that replaces a
    killed worker. Here the controller does it once, before any worker starts."""
    pytestconfig.stash[SESSION].empty_output()
