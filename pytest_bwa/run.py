"""The composition root of one sample: spec + sample + page + policy + writer → SampleResult."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import Page

from pytest_bwa.actions.dispatch import Executor
from pytest_bwa.actions.rate_limit import RateLimiter
from pytest_bwa.actions.schema import tools_for
from pytest_bwa.actions.settle import SETTLE_SCRIPT
from pytest_bwa.agent.loop import Loop
from pytest_bwa.agent.outcome import Outcome
from pytest_bwa.audits import Audit
from pytest_bwa.browser.keep_alive import Watchdog
from pytest_bwa.errors import BwaError, EvidenceError, RunStopped
from pytest_bwa.evidence.folder import LIVE, LiveSample, RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.page.time_limit import TimeLimit
from pytest_bwa.perception import ocr
from pytest_bwa.perception.observer import PAGE_SCRIPT, Observer
from pytest_bwa.perception.vision import Vision
from pytest_bwa.policy.base import Policy
from pytest_bwa.policy.rules.policy import RulesPolicy
from pytest_bwa.salvage import LAST_STEPS, intact_result, last_words
from pytest_bwa.settings import Settings
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Step, Usage, utc_now

LAST_SECONDS = 5.0
"""What an action may take when the sample's time is up."""
INIT_SCRIPT = f"({PAGE_SCRIPT})();({SETTLE_SCRIPT})();"
"""What every document is given before its own scripts run."""


@dataclass(frozen=True, slots=True)
class WorkerContext:
    """What one worker needs for any sample of one audit."""

    audit: Audit
    policy: Policy
    settings: Settings
    watchdog: Watchdog
    worker: str
    base_url: str | None = None

    @property
    def folder(self) -> RunFolder:
        assert self.audit.folder is not None, "an audit is opened before a sample runs"
        return self.audit.folder


def policy_for(name: str, settings: Settings, task: TaskSpec) -> Policy:
    """The policy that decides for every sample of the task."""
    if name == "rules":
        return RulesPolicy()
    # Imported here: the SDK takes seconds to load, which the rules policy never needs.
    from pytest_bwa.policy.claude.policy import ClaudePolicy

    return ClaudePolicy(settings, task, tools_for(task.judgment_required))


def run_sample(
    bench: WorkerContext, sample_id: str, nodeid: str, open_page: Callable[[], Page]
) -> SampleResult:
    """The sample's result, on disk. What goes wrong on the page is in the result; RunStopped and
    interrupts pass after the result is written."""
    sample = bench.audit.sample(sample_id)
    if bench.audit.resumed and (earlier := intact_result(bench.folder, sample_id)):
        return earlier
    started = utc_now()
    live = LiveSample(
        worker=bench.worker,
        sample_id=sample_id,
        nodeid=nodeid,
        max_steps=bench.audit.task.max_steps,
        policy=bench.policy.name,
        model=bench.policy.model,
        started_at=started,
    )
    folder = bench.folder.sample(sample_id)
    try:
        bench.folder.announce(live)
        writer = SampleWriter(folder, sample_id, bench.audit.task.max_steps)
        result = _run(bench, sample, writer, open_page, live)
    except EvidenceError as problem:  # not even the folder or the result could be written
        result = SampleResult(
            sample_id=sample_id,
            task_id=bench.audit.task.task_id,
            status="failed",
            reason=str(problem),
            flagged=True,
            policy=bench.policy.name,
            model=bench.policy.model,
            started_at=started,
            finished_at=utc_now(),
        ).not_auditable()
        return result.located(folder, [])
    bench.folder.retire(bench.worker)
    return result


def _run(
    bench: WorkerContext,
    sample: Sample,
    writer: SampleWriter,
    open_page: Callable[[], Page],
    live: LiveSample,
) -> SampleResult:
    task = placeholders.fill(bench.audit.task, sample)

    def watch(step: Step, usage: Usage) -> None:
        bench.folder.announce(
            live.model_copy(
                update={"step": step.step, "action": step.action, "cost_usd": usage.cost_usd}
            )
        )

    loop: Loop | None = None
    try:
        with bench.watchdog.within(bench.settings.observe_timeout * 2, "a browser page was opened"):
            loop = _loop(bench, task, sample, open_page(), writer, watch)
        outcome = loop.run(first_url(task, sample, bench.base_url))
    except RunStopped as stop:
        _finish(bench, writer, loop, Outcome("failed", str(stop), broken=True), live)
        raise
    except (KeyboardInterrupt, SystemExit):
        _finish(bench, writer, loop, _interrupted(loop), live)
        raise
    except EvidenceError:
        raise
    except Exception as error:  # noqa: BLE001 - one bad sample never costs the others (F-21)
        said = str(error).splitlines()[0] if str(error) else "no message"
        reason = said if isinstance(error, BwaError) else f"{type(error).__name__}: {said}"
        collected = loop.progress.collected if loop else {}
        outcome = Outcome("failed", reason, collected, broken=True)
        writer.folder.joinpath("error.txt").write_text(traceback.format_exc(), "utf-8")
    return _finish(bench, writer, loop, outcome, live)


def _loop(
    bench: WorkerContext,
    task: TaskSpec,
    sample: Sample,
    page: Page,
    writer: SampleWriter,
    watch: Callable[[Step, Usage], None],
) -> Loop:
    page.context.add_init_script(INIT_SCRIPT)
    tabs = Tabs(page, task.dialogs)
    within = tabs.naming_crashes(_until_the_limit(bench.watchdog, task))
    eyes = Observer(
        tabs,
        within,
        keywords=task.keywords,
        labelled=bench.policy.reads_labelled_values,
        timeout=bench.settings.observe_timeout,
    )
    return Loop(
        task,
        sample,
        policy=bench.policy,
        eyes=eyes,
        hands=_hands(bench, sample, tabs, within, writer),
        looking=_looking(bench, tabs, within, writer),
        writer=writer,
        watch=watch,
    )


def _until_the_limit(watchdog: Watchdog, task: TaskSpec) -> TimeLimit:
    """No work on the page outlasts the sample's own time, but for a moment for its last picture."""
    if task.max_time_seconds is None:
        return watchdog.within
    until = time.monotonic() + task.max_time_seconds

    def within(seconds: float, what: str) -> AbstractContextManager[None]:
        return watchdog.within(min(seconds, max(until - time.monotonic(), LAST_SECONDS)), what)

    return within


def _hands(
    bench: WorkerContext, sample: Sample, tabs: Tabs, within: TimeLimit, writer: SampleWriter
) -> Executor:
    return Executor(
        tabs,
        within,
        writer,
        RateLimiter(bench.folder.path / LIVE / "pace", bench.settings.rate_limits),
        bench.settings,
        install=PAGE_SCRIPT,
        base_url=bench.base_url,
        files=files_of(sample, Path(bench.audit.record.samples.path).parent),
    )


def _looking(bench: WorkerContext, tabs: Tabs, within: TimeLimit, writer: SampleWriter) -> Vision:
    settings = bench.settings
    return Vision(
        tabs,
        within,
        writer,
        looker=bench.policy.helpers.looker,
        ocr=ocr.reader() if settings.vision == "auto" else None,
        threshold=settings.vision_threshold,
        timeout=settings.observe_timeout,
    )


def files_of(sample: Sample, folder: Path) -> dict[str, Path]:
    """The files that the sample may upload: those that a column names, in the samples file's own
    folder. What is elsewhere is not given: a list may have been collected from pages."""
    named = {value: folder / value for value in sample.columns.values() if value}
    return {name: path for name, path in named.items() if _is_file_in(folder, path)}


def _is_file_in(folder: Path, path: Path) -> bool:
    try:
        return path.is_file() and path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):  # a column of prose is too long for a name
        return False


def first_url(task: TaskSpec, sample: Sample, base_url: str | None) -> str | None:
    """The sample's own URL, else the spec's start_url; relative ones against the base URL."""
    url = (sample.url or "").strip() or task.start_url
    return urljoin(base_url or "", url) if url else None


def _interrupted(loop: Loop | None) -> Outcome:
    collected = loop.progress.collected if loop else {}
    status: Any = "partial_success" if collected else "failed"
    return Outcome(status, "the run was interrupted", collected, broken=True)


def _finish(
    bench: WorkerContext,
    writer: SampleWriter,
    loop: Loop | None,
    outcome: Outcome,
    live: LiveSample,
) -> SampleResult:
    """Checkpoint and log first, then the result that speaks of them."""
    task = bench.audit.task
    result = SampleResult(
        sample_id=writer.sample_id,
        task_id=task.task_id,
        status=outcome.status,
        reason=outcome.reason,
        steps=loop.step_log.step if loop else 0,
        extracted=_every_field(task, outcome.extracted or {}),
        judgment=outcome.judgment,
        artifacts=writer.artifacts,
        flagged=_to_be_looked_at(outcome, loop),
        notes=loop.progress.notes if loop else [],
        picture_texts=loop.step_log.picture_texts if loop else [],
        missing=list(outcome.missing),
        usage=loop.step_log.usage if loop else Usage(),
        policy=bench.policy.name,
        model=bench.policy.model,
        mode=[step.mode for step in writer.steps],
        started_at=live.started_at,
        finished_at=utc_now(),
    )
    last = [last_words(step) for step in writer.steps[-LAST_STEPS:]]
    result.located(writer.folder, last)
    if outcome.broken:
        result.not_auditable()
    try:
        if loop is not None:
            loop.step_log.checkpoint(outcome.status)
        writer.finish(result)
    except EvidenceError as problem:  # a full disk: the sample fails with that reason
        changes = {"status": "failed", "reason": str(problem), "flagged": True}
        result = result.model_copy(update=changes).located(writer.folder, last).not_auditable()
    bench.folder.retire(bench.worker)
    return result


def _every_field(task: TaskSpec, extracted: Mapping[str, Any]) -> dict[str, Any]:
    """The schema's fields in its order, a null for each that is not there, then what else is."""
    return {**dict.fromkeys(task.output_schema), **extracted}


def _to_be_looked_at(outcome: Outcome, loop: Loop | None) -> bool:
    """Whatever is not done and certain; text that OCR read is never certain."""
    judgment = outcome.judgment
    by_ocr = loop is not None and any(
        reading.source == "ocr" for reading in loop.step_log.picture_texts
    )
    unsure = judgment is not None and judgment.answer == "inconclusive"
    return outcome.status != "done" or unsure or by_ocr
