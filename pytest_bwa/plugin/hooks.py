"""Hooks and fixtures of pytest. They contain no logic: each calls the module that does the work."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from pytest_bwa.errors import BwaError
from pytest_bwa.plugin import browser_fixtures, items, options, signals
from pytest_bwa.plugin.allure_items import AllureItems
from pytest_bwa.plugin.browser_agent import BrowserAgent
from pytest_bwa.plugin.item_secrets import RedactedAllureDetails, RedactedReports
from pytest_bwa.plugin.preview import show_preview
from pytest_bwa.plugin.progress import Progress
from pytest_bwa.plugin.sample_recordings import keep_recordings
from pytest_bwa.plugin.session import SESSION, Session
from pytest_bwa.plugin.xdist import Controller, replace_killed_workers
from pytest_bwa.text import show_controls

MARKER = "bwa(task, samples=None): run this test once for every sample of the audit"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("bwa", options.GROUP)
    for option in options.OPTIONS:
        extra = dict(option.extra)
        group.addoption(
            option.flag,
            *option.also,
            dest=option.dest,
            default=None,
            help=f"{option.help} (ini: {option.dest})",
            **({"metavar": option.metavar} if option.metavar else {}),
            **extra,
        )
        parser.addini(option.dest, option.help, default=None)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    replace_killed_workers(config)
    return show_preview(config)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)
    # Registered after all entry points, so that this ``browser`` fixture overrides
    # pytest-playwright's, in whatever order the plugins were found.
    config.pluginmanager.register(browser_fixtures, "bwa-browser")
    for plugin in (RedactedReports(), AllureItems(), RedactedAllureDetails()):
        config.pluginmanager.register(plugin)
    try:
        session = config.stash[SESSION] = Session.begin(config)
    except BwaError as problem:
        raise pytest.UsageError(show_controls(str(problem))) from None
    if session.audit is not None and session.audit.folder is not None:
        config.add_cleanup(signals.treat_sigterm_as_interrupt())
    if session.worker == "main":
        config.pluginmanager.register(Progress(config, session.folders))
    if config.pluginmanager.hasplugin("xdist"):
        config.pluginmanager.register(Controller(config), "bwa-controller")


def pytest_report_header(config: pytest.Config) -> list[str]:
    return config.stash[SESSION].header()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "sample" not in metafunc.fixturenames:
        return
    session = metafunc.config.stash[SESSION]
    try:
        parameters = session.parameters(metafunc)
    except BwaError as problem:
        raise pytest.Collector.CollectError(session.refusal(str(problem))) from None
    metafunc.parametrize("sample", parameters)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    selected, deselected = config.stash[SESSION].select_items(items)
    if deselected:
        config.hook.pytest_deselected(items=deselected)
        items[:] = selected


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    keep_recordings(item, report)
    return items.shorten_report(call, report)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int | pytest.ExitCode) -> None:
    session.config.stash[SESSION].finish(session, int(exitstatus))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    config.stash[SESSION].reports.write_terminal_summary(terminalreporter)


@pytest.fixture
def sample(request: pytest.FixtureRequest) -> str:
    """The sample_id of this item."""
    return str(request.param)


@pytest.fixture
def browser_agent(request: pytest.FixtureRequest, pytestconfig: pytest.Config) -> BrowserAgent:
    """Runs the agent over this item's sample: ``browser_agent.run(sample)``."""
    session = pytestconfig.stash[SESSION]
    return BrowserAgent(session, session.audit_of(request), request)
