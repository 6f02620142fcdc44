"""Which browser pytest-playwright is to launch, checked before any sample runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from playwright.sync_api import Browser

from pytest_bwa.audit.own_browser import BrowserToLaunch
from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.keep_alive import RelaunchingBrowser, RelaunchingBrowserType
from pytest_bwa.browser.launch import confining_arguments, launch_arguments
from pytest_bwa.browser.start_check import NO_DISPLAY, lacks_display, start_once
from pytest_bwa.browser.watchdog import Watchdog
from pytest_bwa.confinement.boundary import Boundary
from pytest_bwa.confinement.confinement import ROUTED_ONLY
from pytest_bwa.confinement.upstream import UnusableProxy, upstream_of
from pytest_bwa.errors import BrowserMissing, InputError, RunStopped
from pytest_bwa.settings import Settings


class ProcessBrowser:
    """The browser of one pytest process, which lives from the first test that asks for it."""

    def __init__(self) -> None:
        self._living: RelaunchingBrowser | None = None
        self.watchdog = Watchdog(
            lambda: self._living is not None and self._living.kill(),
            lambda: self._living is not None and self._living.kill_driver(),
        )

    @property
    def program(self) -> str | None:
        """The path of the running program; None if it is not on this machine."""
        return self._living.program if self._living is not None else None

    def type_of(self, playwright: Any, name: str) -> RelaunchingBrowserType:
        """A browser type whose driver is restarted after a crash."""
        return RelaunchingBrowserType(playwright, name)

    def launch(self, launch_browser: Callable[[], Browser]) -> RelaunchingBrowser:
        """The browser, which is relaunched after a crash. Raises RunStopped: pytest would not ask a
        second time, and every other sample of this process would fail at once."""
        try:
            self._living = RelaunchingBrowser(launch_browser, self.watchdog)
        except BrowserMissing as problem:
            raise RunStopped(str(problem)) from None
        return self._living


def check_browser(config: pytest.Config, settings: Settings) -> None:
    """Raises BrowserMissing or InputError for anything that would keep every sample from its page.
    What this module does not find itself, and a video, is tried once."""
    if not config.pluginmanager.hasplugin("playwright"):
        raise BrowserMissing("an audit needs pytest-playwright: leave out -p no:playwright")
    names = config.getoption("--browser") or ["chromium"]
    if len(names) > 1:
        raise InputError(
            f"an audit runs in one browser, and --browser names {' and '.join(names)}: name one"
        )
    headed = bool(config.getoption("--headed"))
    if headed and lacks_display():
        raise BrowserMissing(NO_DISPLAY)
    with_video = config.getoption("--video") != "off"
    if not _is_chosen_here(config) or with_video:
        chosen = browser_to_launch(config, settings)
        check = start_once(chosen.name, chosen.arguments, with_video=with_video)
        if check.problem:
            channel = config.getoption("--browser-channel", None)
            raise BrowserMissing(f"{channel or chosen.name} cannot be used: {check.problem}")
    else:
        find_browser(settings.browser, headed=headed)


def arguments_for_launch(
    config: pytest.Config, settings: Settings, users: Mapping[str, Any]
) -> dict[str, Any]:
    """The arguments of the user's fixture, completed with ours. The user's win; a channel or a path
    of their own gets only what confinement needs."""
    if config.getoption("--browser", []) not in ([], ["chromium"]):
        return dict(users)
    if "executable_path" in users or "channel" in users or not _is_chosen_here(config):
        return {**users, "args": [*confining_arguments(), *users.get("args", ())]}
    headed = bool(config.getoption("--headed"))
    ours = launch_arguments(find_browser(settings.browser, headed=headed))
    return {**ours, **users, "args": [*ours["args"], *users.get("args", ())]}


def browser_to_launch(config: pytest.Config, settings: Settings) -> BrowserToLaunch:
    """The browser of what runs before all tests, as the command line chooses it: the user's own
    fixtures cannot change it."""
    asked: dict[str, Any] = {"headless": not config.getoption("--headed")}
    if channel := config.getoption("--browser-channel", None):
        asked["channel"] = channel
    names = config.getoption("--browser", None) or ["chromium"]
    return BrowserToLaunch(names[0], arguments_for_launch(config, settings, asked))


def confinement_notes(config: pytest.Config, boundary: Boundary) -> list[str]:
    """What the header says of the hosts that a run may reach, and of what this browser leaves
    open."""
    hosts = boundary.hosts or "are those of the base URL, which is not known yet"
    notes = [f"hosts {hosts}{'; nothing that may write is sent' * boundary.read_only}"]
    if config.getoption("--browser", []) not in ([], ["chromium"]):
        notes.append("warning: WebRTC is kept on these hosts only in Chromium")
    try:
        upstream_of(None)
    except UnusableProxy as problem:
        notes.append(f"warning: {ROUTED_ONLY} {problem}")
    return notes


def _is_chosen_here(config: pytest.Config) -> bool:
    """Browsers other than Chromium, and channels, are found by pytest-playwright."""
    is_chromium = config.getoption("--browser", []) in ([], ["chromium"])
    return is_chromium and not config.getoption("--browser-channel", None)
