"""What one pytest process knows: the plan, its audits, the run folders, the agent."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_bwa import audits
from pytest_bwa.audits import Audit, Plan
from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.keep_alive import RelaunchingBrowser, Watchdog
from pytest_bwa.browser.launch import launch_arguments
from pytest_bwa.browser.login import saved_login
from pytest_bwa.browser.start_check import NO_DISPLAY
from pytest_bwa.errors import (
    AuditFinding,
    BrowserMissing,
    EvidenceError,
    InputError,
    SampleBroken,
)
from pytest_bwa.evidence.folder import LiveSample, RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.plugin import options
from pytest_bwa.policy.base import Policy
from pytest_bwa.reports.base import FinishedRun, FinishedSample, ReportContext
from pytest_bwa.reports.registry import Reports
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.reports.terminal import header_lines
from pytest_bwa.run import policy_for
from pytest_bwa.salvage import result_of_lost_worker
from pytest_bwa.settings import Settings, read_settings

SESSION = pytest.StashKey["Session"]()
WORKER_INPUT = "bwa"
REFUSED = "bwa: "
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")
NO_TASK = "no audit: pass --task FILE (and --samples FILE), or bind one with @pytest.mark.bwa"


def ready_browser(config: pytest.Config, settings: Settings) -> None:
    """BrowserMissing for what would keep every sample of a run from its page."""
    if not config.pluginmanager.hasplugin("playwright"):
        raise BrowserMissing("an audit needs pytest-playwright: leave out -p no:playwright")
    headed = bool(config.getoption("--headed"))
    if headed and sys.platform == "linux" and not any(map(os.environ.get, DISPLAYS)):
        raise BrowserMissing(NO_DISPLAY)
    if _is_ours_to_find(config):
        find_browser(settings.browser, headed=headed)


def _is_ours_to_find(config: pytest.Config) -> bool:
    """Another browser, or a channel, is pytest-playwright's to find."""
    chromium = config.getoption("--browser", []) in ([], ["chromium"])
    return chromium and not config.getoption("--browser-channel", None)


class Session:
    """One pytest process. The controller (or the only process) makes and closes the run folders;
    workers read them."""

    def __init__(
        self, config: pytest.Config, plan: Plan, settings: Settings, audit: Audit | None
    ) -> None:
        self.config, self.plan, self.settings, self.audit = config, plan, settings, audit
        self.worker = str(getattr(config, "workerinput", {}).get("workerid", "main"))
        self.refusals: list[str] = []
        self._bound: dict[tuple[Path, Path | None], Audit] = {}
        self._policies: dict[str, Policy] = {}
        allure_folder = config.getoption("allure_report_dir", None)
        self.reports = Reports(
            ReportContext(
                allure_folder=Path(allure_folder) if allure_folder else None,
                allure_listener=config.pluginmanager.getplugin("allure_listener"),
            )
        )
        self.browser: RelaunchingBrowser | None = None
        """The browser of this process, once a test has asked for it."""
        self.watchdog = Watchdog(
            lambda: self.browser is not None and self.browser.kill(),
            lambda: self.browser is not None and self.browser.kill_driver(),
        )

    # -- beginning ---------------------------------------------------------------------------

    @classmethod
    def begin(cls, config: pytest.Config) -> Session:
        """Raises BwaError for input that cannot be used; nothing has been started then."""
        settings = read_settings()
        handed: dict[str, Any] | None = getattr(config, "workerinput", {}).get(WORKER_INPUT)
        if handed is not None:
            plan = Plan.from_portable(handed["plan"])
            settings = settings.model_copy(update={"model": plan.model or settings.model})
            audit = None
            if handed["folder"]:
                folder = RunFolder(Path(handed["folder"]))
                audit = audits.reopen(folder, resumed=handed["resumed"])
            return cls(config, plan, settings, audit)
        plan = options.plan(config, settings)
        settings = settings.model_copy(update={"model": plan.model or settings.model})
        collect_only = bool(config.option.collectonly)
        if not collect_only and (plan.task or plan.resume):
            ready_browser(config, settings)
        audit = audits.open_option_audit(
            plan, collect_only=collect_only, ready=lambda t: saved_login(settings, t.auth_profile)
        )
        current = cls(config, plan, settings, audit)
        current._before_workers()
        return current

    def _before_workers(self) -> None:
        # The controller's Allure plugin has cleaned; a worker that replaces a killed one must not.
        if hasattr(self.config.option, "clean_alluredir"):
            self.config.option.clean_alluredir = False
        if getattr(self.config.option, "numprocesses", None):
            self._empty_output()

    def empty_output(self) -> None:
        """pytest-playwright's own emptying, in a process that has no controller before it."""
        if self.worker == "main":
            self._empty_output()

    def _empty_output(self) -> None:
        shutil.rmtree(self.config.getoption("--output"), ignore_errors=True)

    def handed_to_workers(self) -> dict[str, Any]:
        folder = self.audit.folder.path if self.audit and self.audit.folder else None
        return {
            "plan": replace(self.plan, base_url=self.base_url).portable(),
            "folder": str(folder) if folder else None,
            "resumed": bool(self.audit and self.audit.resumed),
        }

    def header(self) -> list[str]:
        if self.worker != "main" or self.audit is None:
            return []
        return header_lines(self.audit.record, self.audit.folder, self.audit.samples.notes)

    # -- items -------------------------------------------------------------------------------

    def parameters(self, metafunc: pytest.Metafunc) -> list[Any]:
        """One parameter a sample; its value and its id are the sample_id."""
        marker = metafunc.definition.get_closest_marker("bwa")
        if self.audit is not None and marker is not None:
            return [pytest.param("", id="bound-to-its-own-audit")]  # deselected by ``choose``
        audit = self.audit if marker is None else self._bound_audit(metafunc.definition, marker)
        if audit is None:
            return [pytest.param("", id="no-task", marks=pytest.mark.skip(reason=NO_TASK))]
        bad = audit.known_bad()
        return [_parameter(s.sample_id, bad.get(s.sample_id)) for s in audit.samples.samples]

    def _bound_audit(self, item: Any, marker: pytest.Mark) -> Audit:
        task, samples = _bound_files(item, marker)
        if (task, samples) not in self._bound:
            if not self.config.option.collectonly:
                ready_browser(self.config, self.settings)
            audit = audits.read_audit(self.plan, task, samples)
            if not self.config.option.collectonly:
                saved_login(self.settings, audit.task.auth_profile)
            self._bound[task, samples] = audit
        return self._bound[task, samples]

    def refused(self, problem: str) -> str:
        """The problem as the text by which the controller knows a refusal of a worker."""
        self.refusals.append(problem)
        return f"{REFUSED}{problem}"

    def choose(self, items: list[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
        """With --task, tests that bind their own audit are left out: one audit runs once."""
        if self.audit is None:
            return items, []
        left_out = [i for i in items if _is_audit_test(i) and i.get_closest_marker("bwa")]
        return [i for i in items if i not in set(left_out)], left_out

    # -- the agent ---------------------------------------------------------------------------

    def audit_of(self, request: pytest.FixtureRequest) -> Audit:
        """The audit that this item belongs to, its run folder made; skips where there is none."""
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
            self._policies[audit.task.task_id] = policy_for(
                self.plan.policy, self.settings, audit.task
            )
        return self._policies[audit.task.task_id]

    def launch_arguments(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """What the user gave wins; a channel or a path of their own is left alone."""
        if "executable_path" in given or "channel" in given or not _is_ours_to_find(self.config):
            return dict(given)
        headed = bool(self.config.getoption("--headed"))
        ours = launch_arguments(find_browser(self.settings.browser, headed=headed))
        return {**ours, **given, "args": [*ours["args"], *given.get("args", ())]}

    # -- reporting ---------------------------------------------------------------------------

    def reported(self, call: pytest.CallInfo[None], report: pytest.TestReport) -> pytest.TestReport:
        """A finding is shown as its own words, without a traceback through our code."""
        if call.excinfo is not None and call.excinfo.errisinstance((AuditFinding, SampleBroken)):
            shown = call.excinfo.getrepr(style="value")
            words = str(call.excinfo.value)
            if shown.reprcrash is not None:
                shown.reprcrash.message = words.splitlines()[0]
            report.longrepr = shown
        return report

    def folders(self) -> list[RunFolder]:
        """The run folders of this run; bound audits have one each."""
        if self.audit is not None:
            return [self.audit.folder] if self.audit.folder else []
        return [
            RunFolder(p.parent)
            for p in sorted(self.plan.evidence.glob(f"{self.plan.run_id}_*/run.json"))
        ]

    def lost(self, nodeid: str, why: str) -> SampleResult | None:
        """The result of the sample that a killed worker was running, made from what is on disk."""
        for folder in self.folders():
            for live in folder.live_samples():
                if live.nodeid == nodeid:
                    return self._bury(folder, live, why)
        return None

    def publish_lost(self, nodeid: str, result: SampleResult) -> None:
        """Report a sample whose worker was killed."""
        if result.folder is None:
            return
        folder = RunFolder(result.folder.parent)
        audit = audits.reopen(folder, resumed=False)
        sample = audit.sample(result.sample_id)
        self.reports.sample_lost(FinishedSample(audit.task, sample, result, folder, nodeid))

    def _bury(self, folder: RunFolder, live: LiveSample, why: str) -> SampleResult:
        result = result_of_lost_worker(folder, live, folder.record().task_id, why)
        folder.remove_live(live.worker)
        return result

    def finish(self, pytest_session: pytest.Session, exitstatus: int) -> None:
        for policy in self._policies.values():
            policy.close()
        if self.worker != "main":
            return
        runs = []
        for folder in self.folders():
            for live in folder.live_samples():
                self._bury(folder, live, "the run was interrupted")
            runs += self._finish_run(folder, exitstatus, str(pytest_session.shouldstop or ""))
        (self.plan.evidence / f".{self.plan.run_id}.lock").unlink(missing_ok=True)
        self.reports.run_finished(tuple(runs))
        if self.refusals:
            pytest_session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def _finish_run(self, folder: RunFolder, exitstatus: int, why: str) -> list[FinishedRun]:
        """The run, or none if its run.json cannot be read."""
        try:
            return [finish_run(folder, exitstatus, why)]
        except EvidenceError as problem:
            self.reports.problems.append(str(problem))
            return []


def _parameter(sample_id: str, known_bad: str | None) -> Any:
    if known_bad is None:
        return pytest.param(sample_id, id=sample_id)
    mark = pytest.mark.xfail(strict=True, raises=AuditFinding, reason=known_bad)
    return pytest.param(sample_id, id=sample_id, marks=mark)


def _is_audit_test(item: pytest.Item) -> bool:
    return "sample" in getattr(item, "fixturenames", ())


def _bound_files(item: Any, marker: pytest.Mark) -> tuple[Path, Path | None]:
    """The marker's paths, relative to the module, then to the rootdir."""
    arguments = dict(zip(("task", "samples"), marker.args, strict=False)) | dict(marker.kwargs)
    unknown = set(arguments) - {"task", "samples"}
    if unknown or not arguments.get("task"):
        raise InputError(f"{item.nodeid}: @pytest.mark.bwa takes task=… and samples=…")
    found = {key: _bound_file(item, str(value)) for key, value in arguments.items() if value}
    return found["task"], found.get("samples")


def _bound_file(item: Any, name: str) -> Path:
    places: tuple[Path, Path] = (item.path.parent / name, item.config.rootpath / name)
    return next((p.resolve() for p in places if p.is_file()), places[0])
