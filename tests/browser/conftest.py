"""One Chromium for all tests of this folder; a page of its own for each."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from pytest_bwa.actions.dispatch import Executor
from pytest_bwa.actions.rate_limit import RateLimiter
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.perception.observer import PAGE_SCRIPT, Observer
from pytest_bwa.run import INIT_SCRIPT
from pytest_bwa.settings import read_settings
from pytest_bwa.steps import Action, ActionResult, Observation


class Agent:
    """Observer and executor on one page, without a policy."""

    def __init__(
        self,
        page: Page,
        folder: Path,
        *,
        dialogs: Any = "dismiss",
        files: dict[str, Path] | None = None,
        **eyes: Any,
    ) -> None:
        page.context.add_init_script(INIT_SCRIPT)
        self.tabs = Tabs(page, dialogs)
        self.writer = SampleWriter(folder, "s", 9)
        within = lambda seconds, what: nullcontext()  # noqa: E731 - a bound that never ends
        self.eyes = Observer(self.tabs, within, **eyes)
        settings = read_settings()
        pace = RateLimiter(folder / ".pace", settings.rate_limits)
        self.hands = Executor(
            self.tabs, within, self.writer, pace, settings, install=PAGE_SCRIPT, files=files
        )
        self.seen = Observation(url="", title="")

    @property
    def page(self) -> Page:
        return self.tabs.current

    def act(self, name: str, **params: Any) -> ActionResult:
        result = self.hands.act(Action(action=name, **params), self.seen, 1)  # type: ignore[arg-type]
        self.seen = self.eyes.observe()
        return result

    def show(self, html: str) -> Observation:
        self.page.set_content(html)
        self.seen = self.eyes.observe()
        return self.seen

    def index(self, name: str) -> str:
        return str(next(e.index for e in self.seen.elements if e.name == name))

    def lines(self) -> list[str]:
        return self.seen.lines()


@pytest.fixture
def agent(page: Page, tmp_path: Path) -> Agent:
    return Agent(page, tmp_path / "s")


@pytest.fixture
def agent_with(page: Page, tmp_path: Path) -> Callable[..., Agent]:
    return lambda **given: Agent(page, tmp_path / "s", **given)
