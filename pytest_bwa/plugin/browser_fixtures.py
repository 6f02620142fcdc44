"""Fixtures that override pytest-playwright's fixtures of the same names.

This is a plugin of its own: hooks.py registers it when all entry points are loaded, so that these
fixtures win, in whatever order pytest found the plugins. Without an audit they are
pytest-playwright's own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_bwa.errors import BrowserMissing
from pytest_bwa.plugin.activation import session_of

if TYPE_CHECKING:
    from pytest_bwa.plugin.session import Session


def _audits(config: pytest.Config) -> Session | None:
    """None if no test of this process is an audit's."""
    session = session_of(config)
    return session if session is not None and session.has_audit else None


@pytest.fixture(scope="session")
def browser_type(
    browser_type: Any, playwright: Any, browser_name: str, pytestconfig: pytest.Config
) -> Iterator[Any]:
    """pytest-playwright's browser type, with a driver that is restarted after a crash."""
    if (session := _audits(pytestconfig)) is None:
        yield browser_type
        return
    living = session.browser.type_of(playwright, browser_name)
    yield living
    living.close()


@pytest.fixture(scope="session")
def browser(
    launch_browser: Any, request: pytest.FixtureRequest, pytestconfig: pytest.Config
) -> Iterator[Any]:
    """pytest-playwright's browser, relaunched after a crash."""
    if (session := _audits(pytestconfig)) is None:
        yield request.getfixturevalue("browser")
        return
    living = session.browser.launch(launch_browser)
    yield living
    living.close()


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], pytestconfig: pytest.Config
) -> dict[str, Any]:
    """pytest-playwright's arguments, with the path of the browser that ``bwa doctor`` shows. A
    project without an audit gets it only where its tests would have no browser at all."""
    if session := _audits(pytestconfig):
        return session.launch_arguments(browser_type_launch_args)
    return _arguments_of_the_system(pytestconfig, browser_type_launch_args)


def _arguments_of_the_system(config: pytest.Config, users: dict[str, Any]) -> dict[str, Any]:
    """With the system's browser in place of Playwright's own, if that is not installed."""
    is_chromium = config.getoption("--browser") in ([], ["chromium"])
    is_chosen = "executable_path" in users or config.getoption("--browser-channel")
    if is_chosen or not is_chromium:
        return users
    from pytest_bwa.browser.find import find_browser
    from pytest_bwa.browser.launch import launch_arguments

    try:
        configured = Path(os.environ["BWA_BROWSER"]) if os.environ.get("BWA_BROWSER") else None
        found = find_browser(configured, headed=bool(config.getoption("--headed")))
    except BrowserMissing:  # Playwright says so itself
        return users
    return users if found.is_default else {**launch_arguments(found), **users}


@pytest.fixture(scope="session", autouse=True)
def delete_output_dir(request: pytest.FixtureRequest, pytestconfig: pytest.Config) -> None:
    """pytest-playwright empties its output folder in every worker, even in one that replaces a
    killed worker. In an audit the controller does it once, before any worker starts."""
    if (session := _audits(pytestconfig)) is None:
        request.getfixturevalue("delete_output_dir")
    else:
        session.empty_output()
