"""Puts the rooms together: the policy of a worker, and the loop of one sample."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from pytest_bwa.actions.catalog import tools_for
from pytest_bwa.actions.dispatch import Executor
from pytest_bwa.actions.rate_limit import RateLimiter
from pytest_bwa.actions.settle import SETTLE_SCRIPT
from pytest_bwa.agent.loop import Loop
from pytest_bwa.agent.protocols import OnState, OnStep
from pytest_bwa.audits import Audit
from pytest_bwa.browser.keep_alive import Watchdog
from pytest_bwa.evidence.folder import LIVE, RunFolder
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.page.installed_script import PAGE_SCRIPT
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.page.time_limit import TimeLimit
from pytest_bwa.perception import ocr, task_words
from pytest_bwa.perception.observer import Observer
from pytest_bwa.perception.vision import Vision
from pytest_bwa.policy.base import Policy
from pytest_bwa.policy.registry import POLICIES, REPLAY
from pytest_bwa.policy.replay.recorded import RecordedRun
from pytest_bwa.settings import Settings
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.sample_inputs import files_of
from pytest_bwa.spec.task import TaskSpec

LAST_SECONDS = 5.0
"""Seconds that one action may still take when the sample's time is up."""
INIT_SCRIPT = f"({PAGE_SCRIPT})();({SETTLE_SCRIPT})();"
"""Runs in every document before the page's own scripts."""


@dataclass(frozen=True, slots=True)
class WorkerContext:
    """What one worker needs for any sample of one audit."""

    audit: Audit
    policy: Policy
    settings: Settings
    watchdog: Watchdog
    worker_id: str
    base_url: str | None = None

    @property
    def folder(self) -> RunFolder:
        assert self.audit.folder is not None, "an audit is opened before a sample runs"
        return self.audit.folder


def policy_for(
    name: str, settings: Settings, task: TaskSpec, recorded: RecordedRun | None = None
) -> Policy:
    """The policy that decides for every sample of the task; ``recorded`` is what a replay
    performs."""
    return POLICIES[name].create(settings, task, tools_for(task), recorded)


def make_loop(
    worker: WorkerContext,
    task: TaskSpec,
    sample: Sample,
    *,
    page: Page,
    writer: SampleWriter,
    on_step: OnStep,
    on_state: OnState,
) -> Loop:
    """The loop of one sample on its page; ``task`` has its placeholders filled."""
    page.context.add_init_script(INIT_SCRIPT)
    tabs = Tabs(page, task.dialogs)
    time_limit = tabs.report_crashes(_limited_by_task_time(task, worker.watchdog))
    observer = Observer(
        tabs,
        time_limit,
        words=task_words.words_of(task, sample),
        labelled=True,
        timeout=worker.settings.observe_timeout,
    )
    if worker.policy.name == REPLAY:  # it also saves what it reads, and waits for what is slow
        task = task.model_copy(update={"max_steps": 2 * task.max_steps})
    return Loop(
        task,
        sample,
        policy=worker.policy,
        observer=observer,
        executor=_make_executor(worker, sample, tabs, time_limit, writer),
        vision=_make_vision(worker, tabs, time_limit, writer),
        writer=writer,
        on_step=on_step,
        on_state=on_state,
    )


def _make_executor(
    worker: WorkerContext, sample: Sample, tabs: Tabs, time_limit: TimeLimit, writer: SampleWriter
) -> Executor:
    return Executor(
        tabs,
        time_limit,
        writer,
        RateLimiter(worker.folder.path / LIVE / "pace", worker.settings.rate_limits),
        worker.settings,
        base_url=worker.base_url,
        files=files_of(sample, Path(worker.audit.record.samples.path).parent),
    )


def _make_vision(
    worker: WorkerContext, tabs: Tabs, time_limit: TimeLimit, writer: SampleWriter
) -> Vision:
    settings = worker.settings
    return Vision(
        tabs,
        time_limit,
        writer,
        vision_model=worker.policy.helpers.vision_model,
        ocr=ocr.find_reader() if settings.vision == "auto" else None,
        threshold=settings.vision_threshold,
        timeout=settings.observe_timeout,
    )


def _limited_by_task_time(task: TaskSpec, watchdog: Watchdog) -> TimeLimit:
    """Bounds all work on the page by the sample's own time limit; a few seconds are always left
    for the last screenshot."""
    if task.max_time_seconds is None:
        return watchdog.within
    end = time.monotonic() + task.max_time_seconds

    def within(seconds: float, activity: str) -> AbstractContextManager[None]:
        return watchdog.within(min(seconds, max(end - time.monotonic(), LAST_SECONDS)), activity)

    return within
