"""Fixtures for tests with a real browser: one Chromium for all, a new page for each test."""

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
from pytest_bwa.perception.observer import Observer
from pytest_bwa.run import INIT_SCRIPT
from pytest_bwa.settings import read_settings
from pytest_bwa.spec.typed_secrets import TypedSecrets
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
        secrets: TypedSecrets | None = None,
        **observer_options: Any,
    ) -> None:
        page.context.add_init_script(INIT_SCRIPT)
        self.tabs = Tabs(page, dialogs)
        self.writer = SampleWriter(folder, "s", 9)
        within = lambda seconds, what: nullcontext()  # noqa: E731 - no time limit
        self.observer = Observer(self.tabs, within, **observer_options)
        settings = read_settings()
        rate_limiter = RateLimiter(folder / ".pace", settings.rate_limits)
        self.executor = Executor(
            self.tabs, within, self.writer, rate_limiter, settings, files=files, secrets=secrets
        )
        self.observation = Observation(url="", title="")

    @property
    def page(self) -> Page:
        return self.tabs.current

    def act(self, name: str, **params: Any) -> ActionResult:
        result = self.executor.act(Action(action=name, **params), self.observation, 1)  # type: ignore[arg-type]
        self.observation = self.observer.observe()
        return result

    def load_html(self, html: str) -> Observation:
        self.page.set_content(html)
        self.observation = self.observer.observe()
        return self.observation

    def index(self, name: str) -> str:
        return str(next(e.index for e in self.observation.elements if e.name == name))

    def lines(self) -> list[str]:
        return self.observation.lines()

    def element_lines(self) -> list[str]:
        """Without what the prompt says of the whole list."""
        return [element.line(self.observation.url) for element in self.observation.elements]


@pytest.fixture
def agent(page: Page, tmp_path: Path) -> Agent:
    return Agent(page, tmp_path / "s")


@pytest.fixture
def agent_with(page: Page, tmp_path: Path) -> Callable[..., Agent]:
    return lambda **options: Agent(page, tmp_path / "s", **options)
