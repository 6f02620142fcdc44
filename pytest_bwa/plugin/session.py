"""The state of one pytest process: the plan, its audits, the run folders, the policies."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from pytest_bwa.audit import audits
from pytest_bwa.audit.audits import Audit, too_few_known_right
from pytest_bwa.audit.parts import AuditParts
from pytest_bwa.audit.plan import Plan
from pytest_bwa.browser.login import saved_login
from pytest_bwa.errors import EvidenceError, InputError
from pytest_bwa.evidence.cost_limit import CostLimit
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.plugin import command_line, lost_samples, options, worker_input
from pytest_bwa.plugin.browser_choice import (
    ProcessBrowser,
    arguments_for_launch,
    browser_to_launch,
    check_browser,
)
from pytest_bwa.plugin.checks import run_id
from pytest_bwa.plugin.display.header import announce, lines_of, write_lines
from pytest_bwa.plugin.items import (
    NO_SAMPLE,
    NO_TASK,
    NOT_NOW,
    binds,
    bound_files,
    check_bound_once,
    is_audit_test,
    not_run,
    sample_parameters,
    tests_of_others,
)
from pytest_bwa.reports.base import FinishedRun
from pytest_bwa.reports.registry import Reports
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.scale.cluster.link import stop_reason
from pytest_bwa.settings import Settings

NO_TEST_FOUND = (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED)


class Session:
    """The state of one pytest process. The controller (or the only process) creates and finishes
    the run folders; workers write their samples into them, and create the folder of an audit that a
    marker binds."""

    def __init__(self, config: pytest.Config, plan: Plan, audit: Audit | None = None) -> None:
        self.config, self.plan, self.audit = config, plan, audit
        self.worker = str(getattr(config, "workerinput", {}).get("workerid", "main"))
        self.notes: Sequence[str] = ()
        """What was done before the run, for the header."""
        self._unsafe_dist: str | None = None
        """The ``--dist`` mode of this worker's run, and why no audit can use it, if so."""
        self.bound: dict[tuple[Path, Path | None], Audit] = {}
        self._bound_to: dict[str, str] = {}  # a task, and its only test
        self._parts: dict[str, AuditParts] = {}
        self.cost_limit = CostLimit(lambda: self.plan.max_cost, self.folders, stop_reason)
        self.reports = Reports(command_line.report_context(config, plan))
        self.browser = ProcessBrowser()

    @classmethod
    def begin(
        cls, config: pytest.Config, name: str, received: dict[str, Any] | None = None
    ) -> Session:
        """A worker has ``received`` the plan of the controller. Raises BwaError for input that
        cannot be used, before anything is started."""
        if received is not None:
            session = cls(config, *worker_input.plan_and_audit(config, name, received))
            session._unsafe_dist = received["unsafe_dist"]
            return session
        session = cls(config, replace(command_line.plan(config), run_id=name))
        if options.asks_for_audit(config):
            command_line.check_paths(config)
            session._check_machine()
            session._open_audit()
            for folder in session.folders():
                lost_samples.write_results(folder, "the run was killed")
                opened = lost_samples.begin_reports(
                    session.reports, folder, session.audit, session.plan
                )
                session.notes = [*session.notes, *opened]
        if worker_input.keep_results(config):
            session.empty_output()
        return session

    def _open_audit(self) -> None:
        """Open the audit of the command line: planned, discovered or given. Raises BwaError."""
        from pytest_bwa.audit import prepare, recipes  # no worker needs these to start

        if self.plan.resume is None:
            run_id.check_free(self.config, self.plan.evidence, self.plan.run_id)
        browser = None if self._collects_only else browser_to_launch(self.config, self.settings)
        say = partial(announce, self.config)
        prepared = prepare.planned(self.plan, self.settings, say)
        self.plan, self.notes = prepared.plan, prepared.notes
        self.audit = prepare.open_audit(prepared, self.settings, browser, self.base_url, say)
        task = self.audit.task if self.audit else None
        recipes.begin(self.plan, self.audit)
        self.notes = [*self.notes, *command_line.stop_recordings(self.config, task)]

    @cached_property
    def settings(self) -> Settings:
        """The agent's settings. Raises InputError if one is wrong, so only what an audit needs may
        ask for them: a project that merely has the plugin installed never fails because of them."""
        return command_line.settings_for(self.plan)

    @property
    def has_audit(self) -> bool:
        """By option, or bound to a test that was collected."""
        return self.audit is not None or bool(self.bound)

    @property
    def _collects_only(self) -> bool:
        return bool(self.config.option.collectonly)

    def _check_machine(self) -> None:
        """Choose the policy and check the browser, unless pytest only collects. Raises BwaError."""
        if not self._collects_only:
            self.plan = command_line.with_policy(self.plan, self.settings)
            check_browser(self.config, self.settings)

    def empty_output(self) -> None:
        """Empty pytest-playwright's output folder; a worker never does, the others write there."""
        if self.worker == "main" and (output := self.config.getoption("--output", None)):
            shutil.rmtree(output, ignore_errors=True)

    def launch_arguments(self, users: dict[str, Any]) -> dict[str, Any]:
        """The arguments of the user's fixtures, with the browser that ``bwa doctor`` shows."""
        return arguments_for_launch(self.config, self.settings, users)

    def announce_bound(self) -> None:
        """Print ``bound_header`` in a controller, which collects nothing itself."""
        write_lines(self.config, self.bound_header())

    def worker_input(self) -> dict[str, Any]:
        return worker_input.of(replace(self.plan, base_url=self.base_url), self.audit)

    def header(self) -> list[str]:
        """What pytest prints before the run of the command line's audit."""
        if self.worker != "main" or self.audit is None:
            return []
        return lines_of(self.config, self.audit, self.base_url, self.notes)

    def bound_header(self) -> list[str]:
        """What pytest prints when the audits that markers bind are collected; what several of them
        have in common is said once."""
        if self.worker != "main" or self.audit is not None or self.config.option.verbose < 0:
            return []
        opened = [a for a in self.bound.values() if a.folder is not None or self._collects_only]
        opened = opened or [audits.reopen(folder, resumed=False) for folder in self.folders()]
        lines = (lines_of(self.config, audit, self.base_url) for audit in opened)
        return list(dict.fromkeys(chain.from_iterable(lines)))

    def parameters(self, metafunc: pytest.Metafunc) -> list[Any]:
        """One ``pytest.param`` per sample, with the sample_id as value and id; NOT_NOW or NO_SAMPLE
        if there is nothing to run."""
        marker = metafunc.definition.get_closest_marker("bwa")
        test = metafunc.definition
        if self.audit is not None and marker is not None and not self._is_resumed_by(test):
            return NOT_NOW
        audit = self.audit or (marker and self._bound_audit(test, marker))
        if audit is None:
            return NO_SAMPLE
        if self.audit is None:
            other = self._bound_to.setdefault(audit.task.task_id, test.nodeid)
            check_bound_once(audit.task.task_id, test.nodeid, other)
        if audit.task.phase == "discovery" or not audit.samples.samples:
            return [not_run(audit)]
        return sample_parameters(audit, self.plan)

    def _bound_audit(self, item: Any, marker: pytest.Mark) -> Audit:
        task, samples = bound_files(item, marker)
        if (task, samples) not in self.bound:
            if self._unsafe_dist:
                raise InputError(
                    f"--dist {self._unsafe_dist}: pass --dist load or --dist worksteal"
                )
            self._check_machine()
            audit = audits.read_audit(self.plan, task, samples)
            folder = f"{self.plan.run_id}_{audit.task.task_id}"
            run_id.check_free(self.config, self.plan.evidence, folder)
            if not self._collects_only:
                saved_login(self.settings.home, audit.task.auth_profile)
            self.bound[task, samples] = audit
            self.reports.problems += command_line.stop_recordings(self.config, audit.task)
        return self.bound[task, samples]

    def items_of_others(self, items: Sequence[pytest.Item]) -> list[pytest.Item]:
        """The items to deselect, so that only the audit of the command line runs, and once."""
        return [] if self.audit is None else tests_of_others(items, self._is_resumed_by)

    def _is_resumed_by(self, test: Any) -> bool:
        """Whether ``--resume`` alone continues the audit that this test binds."""
        audit = self.audit if self.plan.task is None else None
        return audit is not None and audit.resumed and binds(test, audit.record.spec.path)

    def audit_of(self, request: pytest.FixtureRequest) -> Audit:
        """The audit of this item, with its run folder; skips the item if no audit is given or
        bound."""
        marker = request.node.get_closest_marker("bwa")
        if self.audit is not None:
            return self.audit
        if marker is None:
            pytest.skip(NO_TASK)
        audit = self._bound_audit(request.node, marker)
        return audit if audit.folder else audits.open_bound_audit(self.plan, audit)

    def open_bound_audits(self, items: Sequence[pytest.Item]) -> None:
        """Make the folders of the audits that these items bind. Raises BwaError."""
        if self._collects_only or self.audit is not None:
            return
        tests = [item for item in items if is_audit_test(item)]
        marked = [(item, marker) for item in tests for marker in item.iter_markers("bwa")]
        for files in dict.fromkeys(bound_files(item, marker) for item, marker in marked):
            self.bound[files] = audits.open_bound_audit(self.plan, self.bound[files])

    @property
    def base_url(self) -> str | None:
        return self.plan.base_url or self.config.getoption("base_url", None)

    def parts(self, audit: Audit) -> AuditParts:
        """What the samples of an audit share in this process."""
        name = audit.task.task_id
        if name not in self._parts:
            self._parts[name] = AuditParts(self.plan, audit, self.settings, self.base_url)
        return self._parts[name]

    def folders(self) -> list[RunFolder]:
        """The folders of this run: one, or one for each bound audit."""
        if self.audit is not None:
            return [self.audit.folder] if self.audit.folder else []
        return run_id.bound_folders(self.config, self.plan.evidence, self.plan.run_id)

    def recover_lost_sample(self, nodeid: str, reason: str) -> SampleResult | None:
        """The result of the sample that pytest-xdist gave up because its worker was killed."""
        return lost_samples.of_killed_worker(self.folders(), self.audit, nodeid, reason)

    def report_lost_sample(self, nodeid: str, result: SampleResult) -> None:
        """Report a sample whose worker was killed."""
        if finished := lost_samples.finished(result, nodeid, self.plan):
            self.reports.tell(lambda report: report.sample_lost(finished))

    def finish(self, pytest_session: pytest.Session, exitstatus: int) -> None:
        """Close the policies; in the controller, finish the runs and make the reports."""
        for parts in self._parts.values():
            parts.close()
        if self.worker != "main":
            return
        runs, stopped = [], str(pytest_session.shouldstop or pytest_session.shouldfail or "")
        for folder in self.folders():
            lost_samples.write_results(folder, "the run was interrupted")
            if exitstatus in NO_TEST_FOUND and lost_samples.is_unused(
                folder, self.audit, self.plan
            ):
                folder.remove()
                continue
            if not stopped and (over := self.cost_limit.stop_reason(folder)):
                pytest_session.exitstatus = pytest.ExitCode.INTERRUPTED
            runs += self._finish_run(folder, exitstatus, stopped or over)
        (self.plan.evidence / f".{self.plan.run_id}.lock").unlink(missing_ok=True)
        self.reports.run_finished(tuple(runs))
        self.reports.seal(tuple(runs))  # last: nothing is written into a run folder any more
        is_wrong = any(run.is_wrong_after_all for run in runs)
        is_wrong |= self.reports.is_incomplete
        is_wrong |= any(too_few_known_right(run.record, self.plan) for run in runs)
        if exitstatus == 0 and (is_wrong or (self.audit and self.audit.is_incomplete)):
            pytest_session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _finish_run(self, folder: RunFolder, exitstatus: int, why: str) -> list[FinishedRun]:
        """The run in a list, which is empty if its run.json cannot be read."""
        try:
            return [finish_run(folder, exitstatus, why)]
        except EvidenceError as problem:
            self.reports.problems.append(str(problem))
            return []
