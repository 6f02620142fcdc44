"""Hooks and fixtures of pytest. They contain no logic: each calls the module that does the work."""

from __future__ import annotations

from argparse import SUPPRESS
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

from pytest_bwa.errors import BwaError
from pytest_bwa.plugin import activation, browser_fixtures, options
from pytest_bwa.plugin import items as audit_items
from pytest_bwa.plugin.activation import session_of
from pytest_bwa.plugin.xdist import Controller, replace_killed_workers

if TYPE_CHECKING:
    from pytest_bwa.plugin.browser_agent import BrowserAgent

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
            help=f"{option.help} (ini: {option.dest})" if option.has_ini else option.help,
            **({"metavar": option.metavar} if option.metavar else {}),
            **extra,
        )
        if option.has_ini:
            parser.addini(option.dest, option.help, default=None)
    for old in options.RENAMED:
        group.addoption(old, action=options.Renamed, help=SUPPRESS)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    replace_killed_workers(config)
    return activation.show_preview(config)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)
    if config.pluginmanager.hasplugin("playwright"):
        # Registered after all entry points, so that this ``browser`` fixture overrides
        # pytest-playwright's, in whatever order the plugins were found.
        config.pluginmanager.register(browser_fixtures, "bwa-browser")
    activation.configure(config)
    if config.pluginmanager.hasplugin("xdist"):
        config.pluginmanager.register(Controller(config), "bwa-controller")


def pytest_report_header(config: pytest.Config) -> list[str]:
    session = session_of(config)
    return session.header() if session else []


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if not audit_items.takes_samples(metafunc):
        return
    try:
        parameters = activation.parameters(metafunc)
    except BwaError as problem:
        refusal = audit_items.refusal(metafunc.config.stash[activation.REFUSALS], str(problem))
        raise pytest.Collector.CollectError(refusal) from None
    metafunc.parametrize("sample", parameters)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None, object, object]:
    session = session_of(config)
    if session:
        audit_items.deselect(config, items, session.items_of_others(items))
    result = yield
    audit_items.deselect(config, items, audit_items.needless_placeholders(items))
    audit_items.put_audits_last(items)
    return result


@pytest.hookimpl(tryfirst=True)  # before a worker says that it has collected
def pytest_collection_finish(session: pytest.Session) -> None:
    activation.open_collected(session)


def pytest_report_collectionfinish(config: pytest.Config) -> list[str]:
    session = session_of(config)
    return session.bound_header() if session else []


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    audit_items.remember_next(item, nextitem)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    activation.keep_recordings(item, report)
    audit_items.add_extras(item, report)
    return audit_items.shorten_report(call, report)


@pytest.hookimpl(tryfirst=True)  # before the report is sent or shown
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    audit_items.lead_to_attempt(report)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int | pytest.ExitCode) -> None:
    activation.finish(session, int(exitstatus))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if session := session_of(config):
        session.reports.write_terminal_summary(terminalreporter)


@pytest.fixture
def browser_agent(request: pytest.FixtureRequest) -> BrowserAgent:
    """Runs the agent over this item's sample: ``browser_agent.run(sample)``."""
    return activation.agent_of(request)
