"""What the controller hands to its workers, and what it takes back from a killed one."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_bwa.plugin.session import REFUSED, SESSION, WORKER_INPUT

LOSING = frozenset({"loadfile", "loadscope", "loadgroup"})
"""Ways to hand out items that lose some, or hang, once a worker was killed (pytest-xdist 3.8)."""


class Controller:
    """Registered only where pytest-xdist is, so that ``-p no:xdist`` works."""

    def __init__(self, config: pytest.Config) -> None:
        self._session, self._option = config.stash[SESSION], config.option
        # Samples take seconds: handed out one by one they keep nearly the file's order.
        if self._session.audit is not None and self._option.maxschedchunk is None:
            self._option.maxschedchunk = 1

    def pytest_report_header(self) -> list[str]:
        dist = self._option.dist
        if self._session.audit is None or dist not in LOSING:
            return []
        return [
            f"bwa: --dist {dist} loses samples if a worker is killed: load and worksteal do not"
        ]

    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[WORKER_INPUT] = self._session.handed_to_workers()

    def pytest_handlecrashitem(self, crashitem: str, report: pytest.TestReport) -> None:
        """The sample of a killed worker gets its result here, and is named in the output."""
        worker = report.node.gateway.id
        result = self._session.lost(crashitem, f"its worker {worker} was killed")
        if result is not None:
            report.longrepr = result.failure_message()
            self._session.publish_lost(crashitem, result)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A worker's refused input is known here by its text alone; it makes the exit status 4."""
        if report.failed and report.longreprtext.startswith(REFUSED):
            self._session.refusals.append(report.longreprtext)
