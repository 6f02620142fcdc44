"""What the controller passes to its workers, and what it does when a worker was killed."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_bwa.plugin import options
from pytest_bwa.plugin.activation import (
    REFUSALS,
    RUN_ID,
    WORKER_INPUT,
    session_of,
    start_for_bound,
)
from pytest_bwa.plugin.checks.run_id import BEFORE
from pytest_bwa.plugin.items import REFUSAL_PREFIX

LOSES_SAMPLES = "loses samples if a worker is killed"
"""It loses items or hangs (pytest-xdist 3.8)."""
UNSAFE_DIST = {
    **dict.fromkeys(("loadfile", "loadscope", "loadgroup"), LOSES_SAMPLES),
    "each": "runs every sample in every worker, which would write the same evidence",
}
"""``--dist`` modes that no audit can use, and why."""
SAFE_DIST = "load"
WITHOUT_SESSION = {"plan": None, "folder": None, "resumed": False, "hidden": None}
"""What a worker receives of a controller that knows of no audit."""
MAX_WORKER_RESTARTS = 100
"""xdist's own limit, four for each worker, would end a run of a thousand samples in the middle."""


def replace_killed_workers(config: pytest.Config) -> None:
    """Set how many workers are replaced in an audit, unless the command line says it. Called before
    xdist reads it, when the number of the samples is not known yet."""
    is_open = getattr(config.option, "maxworkerrestart", "") is None
    if is_open and options.asks_for_audit(config):
        config.option.maxworkerrestart = str(MAX_WORKER_RESTARTS)


class Controller:
    """Registered only if pytest-xdist is, so that ``-p no:xdist`` works."""

    def __init__(self, config: pytest.Config) -> None:
        self._config, self._option = config, config.option
        self._reported: set[str] = set()
        """The items whose result has arrived, although their worker may still close the page."""
        self._is_announced = False
        dist = self._option.dist
        self._unsafe_dist = dist if dist in UNSAFE_DIST else None
        session = session_of(config)
        if session is None or session.audit is None:
            return
        # Samples take seconds: scheduled one by one, they nearly keep the file's order.
        if self._option.maxschedchunk is None:
            self._option.maxschedchunk = 1
        if self._unsafe_dist:
            self._option.dist = SAFE_DIST

    def pytest_report_header(self) -> list[str]:
        session = session_of(self._config)
        if session is None or session.audit is None or self._unsafe_dist is None:
            return []
        return [
            f"bwa: --dist {SAFE_DIST} is used instead of {self._unsafe_dist}, which "
            f"{UNSAFE_DIST[self._unsafe_dist]}"
        ]

    def pytest_configure_node(self, node: Any) -> None:
        """The controller does not know whether an audit is bound to a test: a worker that finds
        one refuses the distribution mode."""
        session = session_of(self._config)
        node.workerinput[WORKER_INPUT] = {
            **(session.worker_input() if session else WITHOUT_SESSION),
            "run_id": self._config.stash[RUN_ID],
            "before": self._config.stash[BEFORE],
            "command_line": list(map(str, self._config.invocation_params.args)),
            "unsafe_dist": self._unsafe_dist
            and f"{self._unsafe_dist} {UNSAFE_DIST[self._unsafe_dist]}",
        }

    def pytest_xdist_node_collection_finished(self) -> None:
        """Name the audits that markers bind: the workers know them now, and have made their
        folders."""
        session = start_for_bound(self._config)
        if session is not None and session.audit is None and not self._is_announced:
            self._is_announced = True
            session.announce_bound()

    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport) -> None:
        """Write the result of the sample whose worker was killed, and name it in the output."""
        worker = report.node.gateway.id
        session = session_of(self._config)
        if session is None:
            return
        result = session.recover_lost_sample(crashitem, f"its worker {worker} was killed")
        if result is None:
            return
        session.report_lost_sample(crashitem, result)
        is_reported = crashitem in self._reported
        if is_reported or result.passed:  # it was killed after it had written the result
            report.outcome, report.longrepr = "passed", None
            report.when = "teardown" if is_reported else "call"  # no item counts twice
        else:
            report.longrepr = result.failure_message()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self._reported.add(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Input that a worker refused arrives here as text only; it makes the exit status 4."""
        if report.failed and report.longreprtext.startswith(REFUSAL_PREFIX):
            self._config.stash[REFUSALS].append(report.longreprtext)
