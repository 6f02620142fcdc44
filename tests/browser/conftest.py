"""Fixtures for tests with a real browser: one Chromium for all, and one page for each file."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from relative_time import PLENTY
from shared_page import SharedPage

from pytest_bwa.actions.dispatch import Executor
from pytest_bwa.actions.rate_limit import RateLimiter
from pytest_bwa.actions.settle import PageSettler
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.page.list_numbers import ListNumbers
from pytest_bwa.page.perception.observer import Observer
from pytest_bwa.page.readers import INIT_SCRIPT
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.settings import read_settings
from pytest_bwa.spec.typed_secrets import TypedSecrets
from pytest_bwa.steps.step import Action, ActionResult, Observation

UNLESS_BLANK = f"if (location.href !== 'about:blank') {{ {INIT_SCRIPT} }}"
"""The document that ``load_html`` writes into has no script yet, on a new page and on a shared one:
writing would remove its listeners, which no page does that is opened by its address."""


ONE_PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class _RecordingSettler(PageSettler):
    """Knows whether the page settled in time, which tests ask instead of measuring seconds: a busy
    machine makes everything slow."""

    settled = False
    """Of the last wait."""

    def limit(self, seconds: float) -> None:
        self._timeout = seconds

    def wait(self, page: Page, **options: bool) -> bool:
        self.settled = super().wait(page, **options)
        return self.settled


class Agent:
    """Observer and executor on one page, without a policy. It waits longer for a page than that of
    an audit: a test of a page that never settles says how long (``settler.limit``)."""

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
        self.context = page.context
        self.context.add_init_script(UNLESS_BLANK)
        self.tabs = Tabs(page, dialogs)
        self.writer = SampleWriter(folder, "s", 9)
        within = lambda seconds, what: nullcontext()  # noqa: E731 - no time limit
        self.observer = Observer(self.tabs, within, **observer_options)
        self.settings = read_settings()
        self.executor = Executor(
            self.tabs,
            within,
            self.writer,
            RateLimiter(folder / ".pace", self.settings.rate_limits),
            self.settings,
            files=files,
            secrets=secrets,
        )
        self.settler = _RecordingSettler(page.context, PLENTY)
        self.executor._context.settler = self.settler
        self.observation = Observation(url="", title="")

    @property
    def page(self) -> Page:
        return self.tabs.current

    @property
    def has_had_one_tab(self) -> bool:
        return len(self.tabs._pages) == 1 and self.tabs.has_open

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

    def wait_for_elements(self, seconds: float) -> None:
        """So long until one counts as not ready, in a test of one that never is."""
        changed = {"action_timeout": seconds * 12}
        self.executor._context.settings = self.settings.model_copy(update=changed)

    def begin_anew(self, folder: Path) -> None:
        """Leave nothing of the test before: a new document and folder, no routes, and numbers
        from 0 on, as in each sample."""
        self.tabs.list_numbers = ListNumbers()
        self.page.unroute_all()
        self.page.context.clear_cookies()
        self.page.goto("about:blank")
        self.settler.limit(PLENTY)
        self.writer = SampleWriter(folder, "s", 9)
        self.executor._context.store = self.writer
        self.executor._context.settings = self.settings
        self.observation = Observation(url="", title="")


@pytest.fixture(scope="session", autouse=True)
def no_sync() -> Iterator[None]:
    """No file of these tests must survive a power failure."""
    with pytest.MonkeyPatch.context() as changes:
        changes.setattr(os, "fsync", lambda file: None)
        yield


@pytest.fixture(scope="module")
def agents_of_file(browser: Browser) -> Iterator[Callable[..., Agent]]:
    """Agents for tests that share one page, because a new one takes longer than most tests. After a
    test that opened another tab comes a new one."""
    agents: dict[str, Agent] = {}

    def get(folder: Path, **options: Any) -> Agent:
        key = repr(options)
        agent = agents.get(key)
        if agent is not None and agent.has_had_one_tab:
            agent.begin_anew(folder)
            return agent
        if agent is not None:
            agent.context.close()
        agents[key] = Agent(browser.new_context().new_page(), folder, **options)
        return agents[key]

    yield get
    for agent in agents.values():
        agent.context.close()


@pytest.fixture
def agent_on(tmp_path: Path) -> Callable[[Page], Agent]:
    """An agent on a page of the test's own."""
    return lambda page: Agent(page, tmp_path / "sample")


@pytest.fixture
def agent(agent_with: Callable[..., Agent]) -> Agent:
    return agent_with()


@pytest.fixture
def agent_with(agents_of_file: Callable[..., Agent], tmp_path: Path) -> Callable[..., Agent]:
    """Makes agents on one page for the tests of the file."""
    return lambda **options: agents_of_file(tmp_path / "s", **options)


@pytest.fixture(scope="module")
def evidence_is_thrown_away() -> Iterator[None]:
    """For whole samples of which only the answer is looked at: what is written for a person is a
    fifth of the work of a run."""
    with pytest.MonkeyPatch.context() as changes:
        changes.setattr(Page, "screenshot", lambda page, **options: ONE_PIXEL)
        changes.setenv("BWA_RATE_LIMITS", '{"default": 0}')
        yield


@pytest.fixture(scope="module")
def one_after_another(browser: Browser, evidence_is_thrown_away: None) -> Iterator[SharedPage]:
    """Stands for the browser where many samples are run."""
    shared = SharedPage(browser)
    yield shared
    shared.end()
