"""Loads the agent when a test uses it, or an option asks for an audit.

A project that merely has this plugin installed gets its options and its marker, and nothing else:
no setting is read, no line is printed, and none of the modules that an audit needs is loaded. They
are imported here, inside of functions, and nowhere else in what every run of pytest loads.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from pytest_bwa.errors import BwaError
from pytest_bwa.plugin import options
from pytest_bwa.plugin.checks import run_id
from pytest_bwa.plugin.items import NO_SAMPLE, NO_TASK
from pytest_bwa.steps.text import show_controls

if TYPE_CHECKING:
    from pytest_bwa.plugin.browser_agent import BrowserAgent
    from pytest_bwa.plugin.session import Session

SESSION = pytest.StashKey["Session"]()
RUN_ID = pytest.StashKey[str]()
REFUSALS = pytest.StashKey[list[str]]()
"""What was wrong with the input of audits that markers bind; it makes the exit status 4."""
WORKER_INPUT = "bwa"


def session_of(config: pytest.Config) -> Session | None:
    """None as long as there is nothing to audit."""
    return config.stash.get(SESSION, None)


def configure(config: pytest.Config) -> None:
    """Begin at once if the command line asks for something. Raises UsageError."""
    received = getattr(config, "workerinput", {}).get(WORKER_INPUT, {})
    options.check_ini(config)
    evidence = options.evidence_folder(config)
    run = received["run_id"] if received else run_id.named_or_new(config, evidence)
    before = received["before"] if received else run_id.there_already(evidence, run)
    config.stash[RUN_ID], config.stash[run_id.BEFORE] = run, before
    config.stash[REFUSALS] = []
    has_options = any(options.is_typed(config, option.name) for option in options.OPTIONS)
    if has_options or options.asks_for_audit(config):
        try:
            start(config)
        except BwaError as problem:
            raise pytest.UsageError(show_controls(str(problem))) from None


def show_preview(config: pytest.Config) -> int | None:
    """The exit status after ``--plan-only`` or ``--dry-run`` has shown what would run; None if the
    tests are to be run. Raises UsageError."""
    try:
        if hasattr(config, "workerinput") or not options.wants_preview(config):
            return None
    except BwaError as problem:
        raise pytest.UsageError(show_controls(str(problem))) from None
    from pytest_bwa.plugin.display import preview

    return preview.show_preview(config)


def start(config: pytest.Config) -> Session:
    """The session of this process, which begins with the first call. Raises BwaError."""
    if SESSION not in config.stash:
        from pytest_bwa.plugin.allure_items import AllureItems
        from pytest_bwa.plugin.item_reports import ItemReports, RedactedReports
        from pytest_bwa.plugin.session import Session

        received = getattr(config, "workerinput", {}).get(WORKER_INPUT)
        session = Session.begin(config, config.stash[RUN_ID], received)
        config.stash[SESSION] = session
        for kind in (RedactedReports, AllureItems, ItemReports):
            config.pluginmanager.register(kind(session))
        if session.worker == "main":
            from pytest_bwa.plugin.display.progress import Progress

            config.pluginmanager.register(Progress(config, session.folders))
        if not config.option.collectonly:
            config.add_cleanup(_treat_sigterm_as_interrupt())
    return config.stash[SESSION]


def keep_recordings(item: pytest.Item, report: pytest.TestReport) -> None:
    """Move what was recorded of a sample's test into its evidence."""
    if (session := session_of(item.config)) is not None:
        from pytest_bwa.plugin import sample_recordings

        sample_recordings.keep_recordings(session.reports, item, report)


def _treat_sigterm_as_interrupt() -> Callable[[], None]:
    """Let SIGTERM, with which CI systems and containers stop a run, end an audit like Ctrl-C: its
    evidence and reports are complete, and no browser is left running. Returns the function that
    undoes it. A handler that somebody else has set is kept."""
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        return lambda: None
    signal.signal(signal.SIGTERM, signal.default_int_handler)

    def undo() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    return undo


def start_for_bound(config: pytest.Config) -> Session | None:
    """The session of a controller, once a worker has opened an audit that a marker binds. Raises
    BwaError."""
    if session_of(config) is None and has_bound_folder(config):
        start(config)
    return session_of(config)


def has_bound_folder(config: pytest.Config) -> bool:
    """Whether a process of this run has made the folder of an audit that a marker binds."""
    evidence = options.evidence_folder(config)
    return bool(run_id.bound_folders(config, evidence, config.stash[RUN_ID]))


def parameters(metafunc: pytest.Metafunc) -> list[Any]:
    """The samples of a test, or its placeholder if no audit is given or bound. Raises BwaError."""
    config = metafunc.config
    is_bound = metafunc.definition.get_closest_marker("bwa") is not None
    session = start(config) if is_bound else session_of(config)
    return NO_SAMPLE if session is None else session.parameters(metafunc)


def open_collected(session: pytest.Session) -> None:
    """Check the collected items, and make the run folders of the audits that they bind. Raises
    UsageError."""
    if (audits := session_of(session.config)) is None:
        return
    from pytest_bwa.plugin.checks.collected import open_audits

    open_audits(session, audits, session.config.stash[REFUSALS])


def agent_of(request: pytest.FixtureRequest) -> BrowserAgent:
    """The fixture's agent; a test without an audit is skipped."""
    is_bound = request.node.get_closest_marker("bwa") is not None
    session = start(request.config) if is_bound else session_of(request.config)
    if session is None:
        pytest.skip(NO_TASK)
    from pytest_bwa.plugin.browser_agent import BrowserAgent

    return BrowserAgent(session, session.audit_of(request), request)


def finish(session: pytest.Session, exitstatus: int) -> None:
    """The end of the session, in every process."""
    if session.config.stash[REFUSALS]:
        session.exitstatus = exitstatus = pytest.ExitCode.USAGE_ERROR
    if (audits := session_of(session.config)) is not None:
        from pytest_bwa.scale.cluster.link import let_finish

        with suppress(BwaError):  # settings that were refused: nothing was begun
            let_finish()
        audits.finish(session, exitstatus)
