"""What the controller passes to its workers, and what it does when a worker was killed."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_bwa.plugin.session import REFUSAL_PREFIX, SESSION, WORKER_INPUT

UNSAFE_DIST = frozenset({"loadfile", "loadscope", "loadgroup"})
"""``--dist`` modes that lose items or hang after a worker was killed (pytest-xdist 3.8)."""


class Controller:
    """Registered only if pytest-xdist is, so that ``-p no:xdist`` works."""

    def __init__(self, config: pytest.Config) -> None:
        self._session, self._option = config.stash[SESSION], config.option
        # Samples take seconds: scheduled one by one, they nearly keep the file's order.
        if self._session.audit is not None and self._option.maxschedchunk is None:
            self._option.maxschedchunk = 1

    def pytest_report_header(self) -> list[str]:
        dist = self._option.dist
        if self._session.audit is None or dist not in UNSAFE_DIST:
            return []
        return [
            f"bwa: --dist {dist} loses samples if a worker is killed: load and worksteal do not"
        ]

    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[WORKER_INPUT] = self._session.worker_input()

    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport) -> None:
        """Write the result of the sample whose worker was killed, and name it in the output."""
        worker = report.node.gateway.id
        result = self._session.recover_lost_sample(crashitem, f"its worker {worker} was killed")
        if result is not None:
            report.longrepr = result.failure_message()
            self._session.report_lost_sample(crashitem, result)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Input that a worker refused arrives here as text only; it makes the exit status 4."""
        if report.failed and report.longreprtext.startswith(REFUSAL_PREFIX):
            self._session.refusals.append(report.longreprtext)
