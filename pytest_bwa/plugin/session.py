"""The state of one pytest process: the plan, its audits, the run folders, the policies."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import pytest

from pytest_bwa import audits
from pytest_bwa.audits import Audit
from pytest_bwa.browser.keep_alive import RelaunchingBrowser, Watchdog
from pytest_bwa.browser.login import saved_login
from pytest_bwa.composition import boundary_for, policy_for
from pytest_bwa.errors import EvidenceError, InputError
from pytest_bwa.evidence.cost_limit import CostLimit
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.memory.worker_memory import WorkerMemory
from pytest_bwa.plan import Plan
from pytest_bwa.plugin import lost_samples, options
from pytest_bwa.plugin.browser_choice import browser_to_launch, check_browser, confinement_notes
from pytest_bwa.plugin.early_lines import write_line
from pytest_bwa.plugin.items import (
    NO_SAMPLE,
    NO_TASK,
    NOT_NOW,
    bound_files,
    not_run,
    sample_parameter,
    without_bound,
)
from pytest_bwa.policy.base import Policy
from pytest_bwa.preparation import prepare, recordings
from pytest_bwa.reports.base import FinishedRun, ReportContext
from pytest_bwa.reports.registry import Reports
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.reports.terminal import discovery_lines, header_lines, ignored_keys_notes
from pytest_bwa.settings import Settings
from pytest_bwa.spec.secret_columns import hidden_cells
from pytest_bwa.text import show_controls

SESSION = pytest.StashKey["Session"]()
WORKER_INPUT = "bwa"
REFUSAL_PREFIX = "bwa: "


class Session:
    """The state of one pytest process. The controller (or the only process) creates and finishes
    the run folders; workers write their samples into them, and create the folder of an audit that a
    marker binds."""

    def __init__(self, config: pytest.Config, plan: Plan, audit: Audit | None = None) -> None:
        self.config, self.plan, self.audit = config, plan, audit
        self.worker = str(getattr(config, "workerinput", {}).get("workerid", "main"))
        self.refusals: list[str] = []
        self.notes: Sequence[str] = ()
        """What was done before the run, for the header."""
        self._unsafe_dist: str | None = None
        """The ``--dist`` mode of this worker's run, if it loses items when a worker is killed."""
        self.bound: dict[tuple[Path, Path | None], Audit] = {}
        self._policies: dict[str, Policy] = {}
        self.memories: dict[str, WorkerMemory] = {}
        self.cost_limit = CostLimit(lambda: self.plan.max_cost, self.folders)
        allure_folder = config.getoption("allure_report_dir", None)
        junit_file = config.getoption("xmlpath", None)
        self.reports = Reports(
            ReportContext(
                allure_folder=Path(allure_folder) if allure_folder else None,
                allure_listener=config.pluginmanager.getplugin("allure_listener"),
                junit_file=Path(os.path.expandvars(junit_file)).expanduser().resolve()
                if junit_file
                else None,
                combined=plan.combined,
            )
        )
        self.browser: RelaunchingBrowser | None = None
        """The browser of this process, once a test has asked for it."""
        self.watchdog = Watchdog(
            lambda: self.browser is not None and self.browser.kill(),
            lambda: self.browser is not None and self.browser.kill_driver(),
        )

    # -- start -------------------------------------------------------------------------------

    @classmethod
    def begin(cls, config: pytest.Config) -> Session:
        """Raises BwaError for input that cannot be used, before anything is started."""
        received: dict[str, Any] | None = getattr(config, "workerinput", {}).get(WORKER_INPUT)
        if received is not None:
            plan = Plan.from_portable(received["plan"])
            audit = None
            if received["folder"]:
                audit = audits.reopen(
                    RunFolder(Path(received["folder"])),
                    resumed=received["resumed"],
                    max_steps=plan.max_steps,
                    not_found=plan.not_found,
                    hidden=received["hidden"],
                )
                # A worker parses the command line anew.
                options.stop_recordings(config, audit.task, options.settings_for(plan))
            session = cls(config, plan, audit)
            session._unsafe_dist = received["unsafe_dist"]
            return session
        session = cls(config, options.plan(config))
        if options.asks_for_audit(config):
            session._check_machine()
            session._open_audit()
            for folder in session.folders():
                lost_samples.write_results(folder, "the run was killed")
        session._prepare_for_workers()
        return session

    def _open_audit(self) -> None:
        """Open the audit of the command line: planned, discovered or given. Raises BwaError."""
        browser = None
        if not self._collects_only:
            browser = browser_to_launch(self.config, self.settings)
        announce = partial(write_line, self.config)
        prepared = prepare.planned(self.plan, self.settings, announce)
        self.plan, self.notes = prepared.plan, prepared.notes
        self.audit = prepare.open_audit(prepared, self.settings, browser, self.base_url, announce)
        task = self.audit.task if self.audit else None
        self.notes = [*self.notes, *options.stop_recordings(self.config, task, self.settings)]

    @cached_property
    def settings(self) -> Settings:
        """The agent's settings. Raises InputError if one is wrong, so only what an audit needs may
        ask for them: a project that merely has the plugin installed never fails because of them."""
        return options.settings_for(self.plan)

    @property
    def has_audit(self) -> bool:
        """Whether this process has an audit: by option, or bound to a test that was collected."""
        return self.audit is not None or bool(self.bound)

    @property
    def _collects_only(self) -> bool:
        return bool(self.config.option.collectonly)

    def _check_machine(self) -> None:
        """Choose the policy and check the browser, unless pytest only collects. Raises BwaError."""
        if not self._collects_only:
            self.plan = options.with_policy(self.plan, self.settings)
            check_browser(self.config, self.settings)

    def _prepare_for_workers(self) -> None:
        # Allure's plugin has emptied its folder in the controller. A worker that replaces a killed
        # one must not do it again.
        if hasattr(self.config.option, "clean_alluredir"):
            self.config.option.clean_alluredir = False
        if getattr(self.config.option, "numprocesses", None):
            self.empty_output()

    def empty_output(self) -> None:
        """Empty pytest-playwright's output folder; a worker never does, the others write there."""
        if self.worker == "main":
            shutil.rmtree(self.config.getoption("--output"), ignore_errors=True)

    def worker_input(self) -> dict[str, Any]:
        folder = self.audit.folder.path if self.audit and self.audit.folder else None
        return {
            "plan": replace(self.plan, base_url=self.base_url).portable(),
            "folder": str(folder) if folder else None,
            "resumed": bool(self.audit and self.audit.resumed),
            "hidden": hidden_cells(self.audit.samples.samples, self.audit.task)
            if self.audit
            else None,
        }

    def header(self) -> list[str]:
        if self.worker != "main" or self.audit is None:
            return []
        audit = self.audit
        found = discovery_lines(audit.record)
        notes = [*self.notes, *found, *audit.samples.notes, *ignored_keys_notes(audit.task)]
        notes += confinement_notes(self.config, boundary_for(audit, self.base_url))
        return header_lines(audit.record, audit.folder, notes)

    # -- items -------------------------------------------------------------------------------

    def parameters(self, metafunc: pytest.Metafunc) -> list[Any]:
        """One ``pytest.param`` per sample, with the sample_id as value and id; NOT_NOW or NO_SAMPLE
        if there is nothing to run."""
        marker = metafunc.definition.get_closest_marker("bwa")
        if self.audit is not None and marker is not None:
            return NOT_NOW
        audit = self.audit if marker is None else self._bound_audit(metafunc.definition, marker)
        if audit is None:
            return NO_SAMPLE
        if audit.task.phase == "discovery" or not audit.samples.samples:
            return [not_run(audit.samples)]
        bad = audit.known_bad()
        return [sample_parameter(s.sample_id, bad.get(s.sample_id)) for s in audit.samples.samples]

    def _bound_audit(self, item: Any, marker: pytest.Mark) -> Audit:
        task, samples = bound_files(item, marker)
        if (task, samples) not in self.bound:
            if self._unsafe_dist:
                raise InputError(
                    f"--dist {self._unsafe_dist} loses samples if a worker is killed: "
                    "pass --dist load or --dist worksteal"
                )
            self._check_machine()
            audit = audits.read_audit(self.plan, task, samples)
            if not self._collects_only:
                saved_login(self.settings, audit.task.auth_profile)
            self.bound[task, samples] = audit
            self.reports.problems += options.stop_recordings(self.config, audit.task, self.settings)
        return self.bound[task, samples]

    def refusal(self, problem: str) -> str:
        """Record the problem; returns it with the prefix by which the controller recognizes a
        worker's refusal."""
        self.refusals.append(problem)
        return f"{REFUSAL_PREFIX}{show_controls(problem)}"

    def select_items(self, items: list[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
        """The items to run and those to deselect: with --task, tests that bind an audit of their
        own are deselected, so that only the audit of --task runs."""
        return (items, []) if self.audit is None else without_bound(items)

    # -- the agent ---------------------------------------------------------------------------

    def audit_of(self, request: pytest.FixtureRequest) -> Audit:
        """The audit of this item, with its run folder; skips the item if no audit is given or
        bound."""
        marker = request.node.get_closest_marker("bwa")
        if self.audit is not None:
            return self.audit
        if marker is None:
            pytest.skip(NO_TASK)
        return audits.open_bound_audit(self.plan, self._bound_audit(request.node, marker))

    @property
    def base_url(self) -> str | None:
        return self.config.getoption("base_url", None) or self.plan.base_url

    def policy(self, audit: Audit) -> Policy:
        if audit.task.task_id not in self._policies:
            recorded = recordings.read(self.plan, audit, self.base_url)
            self._policies[audit.task.task_id] = policy_for(
                self.plan.policy, self.settings, audit.task, recorded
            )
        return self._policies[audit.task.task_id]

    # -- reporting ---------------------------------------------------------------------------

    def folders(self) -> list[RunFolder]:
        """The folders of this run: one, or one for each bound audit."""
        if self.audit is not None:
            return [self.audit.folder] if self.audit.folder else []
        return [
            RunFolder(p.parent)
            for p in sorted(self.plan.evidence.glob(f"{self.plan.run_id}_*/run.json"))
        ]

    def recover_lost_sample(self, nodeid: str, reason: str) -> SampleResult | None:
        """The result of the sample that pytest-xdist gave up because its worker was killed."""
        return lost_samples.of_killed_worker(self.folders(), self.audit, nodeid, reason)

    def report_lost_sample(self, nodeid: str, result: SampleResult) -> None:
        """Report a sample whose worker was killed."""
        if finished := lost_samples.finished(result, nodeid, self.plan):
            self.reports.sample_lost(finished)

    def finish(self, pytest_session: pytest.Session, exitstatus: int) -> None:
        """Close the policies; in the controller, finish the runs and make the reports."""
        for policy in self._policies.values():
            policy.close()
        if self.worker != "main":
            return
        runs = []
        for folder in self.folders():
            lost_samples.write_results(folder, "the run was interrupted")
            why = str(pytest_session.shouldstop or "")
            if not why and (why := self.cost_limit.stop_reason(folder)):
                pytest_session.exitstatus = pytest.ExitCode.INTERRUPTED
            runs += self._finish_run(folder, exitstatus, why)
        (self.plan.evidence / f".{self.plan.run_id}.lock").unlink(missing_ok=True)
        self.reports.run_finished(tuple(runs))
        self.reports.seal(tuple(runs))  # last: nothing is written into a run folder any more
        if self.refusals:
            pytest_session.exitstatus = pytest.ExitCode.USAGE_ERROR
        elif exitstatus == 0 and self.audit and self.audit.is_incomplete:
            pytest_session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _finish_run(self, folder: RunFolder, exitstatus: int, why: str) -> list[FinishedRun]:
        """The run in a list, which is empty if its run.json cannot be read."""
        try:
            return [finish_run(folder, exitstatus, why)]
        except EvidenceError as problem:
            self.reports.problems.append(str(problem))
            return []
