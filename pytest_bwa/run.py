"""The composition root of one sample: spec + sample + page + policy + writer → SampleResult."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import Page

from pytest_bwa.actions.dispatch import Hands
from pytest_bwa.actions.pace import Pace
from pytest_bwa.actions.schema import tools_for
from pytest_bwa.actions.settle import SETTLE_SCRIPT
from pytest_bwa.actions.tabs import Tabs
from pytest_bwa.agent.ending import Ending
from pytest_bwa.agent.loop import Loop
from pytest_bwa.audits import Audit
from pytest_bwa.browser.life import Watchdog
from pytest_bwa.errors import EvidenceError, RunStopped
from pytest_bwa.evidence.files import write_json
from pytest_bwa.evidence.folder import LIVE, LiveSample, RunFolder
from pytest_bwa.evidence.manifest import altered_files
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.writer import RESULT, SampleWriter
from pytest_bwa.perception.snapshot import PAGE_SCRIPT, Eyes
from pytest_bwa.policy.policy import Policy
from pytest_bwa.policy.rules import RulesPolicy
from pytest_bwa.settings import Settings
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Step, Usage, utc_now

INIT_SCRIPT = f"({PAGE_SCRIPT})();({SETTLE_SCRIPT})();"
"""What every document is given before its own scripts run."""
LAST_STEPS = 3  # named in a failed sample's message


@dataclass(frozen=True, slots=True)
class Bench:
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
    from pytest_bwa.policy.claude import ClaudePolicy

    return ClaudePolicy(settings, task, tools_for(task.judgment_required))


def run_sample(
    bench: Bench, sample_id: str, nodeid: str, open_page: Callable[[], Page]
) -> SampleResult:
    """The sample's result, on disk. What goes wrong on the page is in the result; RunStopped and
    interrupts pass after the result is written."""
    sample = bench.audit.sample(sample_id)
    if bench.audit.resumed and (earlier := _intact_result(bench.folder, sample_id)):
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
    bench: Bench,
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
            page = open_page()
        loop = _loop(bench, task, sample, page, writer, watch)
        ending = loop.run(first_url(task, sample, bench.base_url))
    except RunStopped as stop:
        _finish(bench, writer, loop, Ending("failed", str(stop), broken=True), live)
        raise
    except (KeyboardInterrupt, SystemExit):
        _finish(bench, writer, loop, _interrupted(loop), live)
        raise
    except EvidenceError:
        raise
    except Exception as error:  # noqa: BLE001 - one bad sample never costs the others (F-21)
        reason = (
            f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else 'no message'}"
        )
        collected = loop.progress.collected if loop else {}
        ending = Ending("failed", reason, collected, broken=True)
        writer.folder.joinpath("error.txt").write_text(traceback.format_exc(), "utf-8")
    return _finish(bench, writer, loop, ending, live)


def _loop(
    bench: Bench,
    task: TaskSpec,
    sample: Sample,
    page: Page,
    writer: SampleWriter,
    watch: Callable[[Step, Usage], None],
) -> Loop:
    settings, within = bench.settings, bench.watchdog.within
    page.context.add_init_script(INIT_SCRIPT)
    tabs = Tabs(page, task.dialogs)
    eyes = Eyes(
        tabs,
        within,
        keywords=task.keywords,
        labelled=bench.policy.reads_labelled_values,
        timeout=settings.observe_timeout,
    )
    pace = Pace(bench.folder.path / LIVE / "pace", settings.rate_limits)
    hands = Hands(
        tabs,
        within,
        writer,
        pace,
        settings,
        install=PAGE_SCRIPT,
        base_url=bench.base_url,
        files=files_of(sample, Path(bench.audit.record.samples.path).parent),
    )
    return Loop(
        task, sample, policy=bench.policy, eyes=eyes, hands=hands, writer=writer, watch=watch
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


def _interrupted(loop: Loop | None) -> Ending:
    collected = loop.progress.collected if loop else {}
    status: Any = "partial_success" if collected else "failed"
    return Ending(status, "the run was interrupted", collected, broken=True)


def _finish(
    bench: Bench, writer: SampleWriter, loop: Loop | None, ending: Ending, live: LiveSample
) -> SampleResult:
    """Checkpoint and log first, then the result that speaks of them."""
    task = bench.audit.task
    seen = {k: v for k, v in (ending.extracted or {}).items() if k not in task.output_schema}
    extracted = {name: (ending.extracted or {}).get(name) for name in task.output_schema} | seen
    judgment = ending.judgment
    result = SampleResult(
        sample_id=writer.sample_id,
        task_id=task.task_id,
        status=ending.status,
        reason=ending.reason,
        steps=loop.ledger.step if loop else 0,
        extracted=extracted,
        judgment=judgment,
        artifacts=writer.artifacts,
        flagged=ending.status != "done" or bool(judgment and judgment.answer == "inconclusive"),
        notes=loop.progress.notes if loop else [],
        missing=list(ending.missing),
        usage=loop.ledger.usage if loop else Usage(),
        policy=bench.policy.name,
        model=bench.policy.model,
        mode=[step.mode for step in writer.steps],
        started_at=live.started_at,
        finished_at=utc_now(),
    )
    last = [last_words(step) for step in writer.steps[-LAST_STEPS:]]
    result.located(writer.folder, last)
    if ending.broken:
        result.not_auditable()
    try:
        if loop is not None:
            loop.ledger.checkpoint(ending.status)
        writer.finish(result)
    except EvidenceError as problem:  # a full disk: the sample fails with that reason
        changes = {"status": "failed", "reason": str(problem), "flagged": True}
        result = result.model_copy(update=changes).located(writer.folder, last).not_auditable()
    bench.folder.retire(bench.worker)
    return result


def last_words(step: Step) -> str:
    mark = "" if step.success else " (failed)"
    return f"step {step.step} {step.action}{mark}: {step.result[:160]}"


def _intact_result(folder: RunFolder, sample_id: str) -> SampleResult | None:
    """An earlier session's result that is done and whose evidence still has its hashes (F-22)."""
    result = folder.result(sample_id)
    if result is None or result.status != "done":
        return None
    place = folder.sample(sample_id)
    if altered_files(place, result):
        return None
    return result.located(place, [], resumed=True)


def result_of_lost_worker(
    folder: RunFolder, live: LiveSample, task_id: str, why: str
) -> SampleResult:
    """What the controller writes for a sample whose worker is gone, from its last checkpoint."""
    if (finished := folder.result(live.sample_id)) and finished.started_at >= live.started_at:
        return finished
    checkpoint, steps = folder.checkpoint(live.sample_id), folder.steps(live.sample_id)
    collected = checkpoint.accumulated_data if checkpoint else {}
    result = SampleResult(
        sample_id=live.sample_id,
        task_id=task_id,
        status="partial_success" if collected else "failed",
        reason=f"{why} at step {live.step}" + (f" ({live.action})" if live.action else ""),
        steps=live.step,
        extracted=collected,
        artifacts=checkpoint.artifacts_so_far if checkpoint else [],
        flagged=True,
        notes=checkpoint.progress_notes if checkpoint else [],
        policy=live.policy,
        model=live.model,
        mode=[step.mode for step in steps],
        started_at=live.started_at,
        finished_at=utc_now(),
    )
    place = folder.sample(live.sample_id)
    place.mkdir(exist_ok=True)
    write_json(place / RESULT, result)
    return result.located(place, [last_words(s) for s in steps[-LAST_STEPS:]])
