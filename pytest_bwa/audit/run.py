"""Runs one sample: spec + sample + page + policy + writer → SampleResult."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from pytest_bwa.agent.loop import Loop
from pytest_bwa.agent.memory.worker_memory import EndedSample, SampleMemory
from pytest_bwa.agent.outcome import Outcome
from pytest_bwa.agent.state import State
from pytest_bwa.audit.composition import (
    WorkerContext,
    make_distiller,
    make_loop,
    make_trajectory,
)
from pytest_bwa.audit.salvage import LAST_STEPS, intact_result, moment_of, step_line
from pytest_bwa.errors import BwaError, EvidenceError, RunStopped
from pytest_bwa.evidence.expected import compared
from pytest_bwa.evidence.files import write_atomically
from pytest_bwa.evidence.folder import LiveSample
from pytest_bwa.evidence.record import SampleResult, Status, has_values, outcome_kind
from pytest_bwa.evidence.trajectory.recorder import TrajectoryRecorder
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.proof.flagging import flag
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.known import known_values
from pytest_bwa.spec.redaction import redact_addresses
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.sample_inputs import first_url
from pytest_bwa.spec.secrets import secrets_of
from pytest_bwa.steps.step import Step, Usage, utc_now
from pytest_bwa.steps.text import one_line, show_controls

logger = logging.getLogger(__name__)

ERROR = "error.txt"
"""The traceback of an error that nobody expected, in the sample's folder."""
MOMENTARY_STATES = frozenset({State.VERIFYING, State.RECORDING})
"""These are too short to be useful in ``bwa watch``."""


def run_sample(
    worker: WorkerContext, sample_id: str, nodeid: str, open_page: Callable[[], Page]
) -> SampleResult:
    """The sample's result, also written to disk if the disk allows it. What goes wrong on the page
    is in the result; RunStopped and interrupts are raised after it is written. Raises
    CostLimitReached, and writes nothing, if the run has spent what it may."""
    sample = worker.audit.sample(sample_id)
    rule = worker.audit.task.not_found_rule(sample)
    fail_on = worker.audit.record.current.fail_on
    if worker.audit.resumed:
        earlier = intact_result(worker.folder, sample_id, rule, fail_on)
        if earlier is not None:
            return earlier
    if worker.cost_limit is not None:
        worker.cost_limit.check()
    return SampleRun(worker, sample, nodeid).run(open_page)


class SampleRun:
    """One run of one sample: connects its page, the policy and the writer, and makes the result.
    Its evidence goes into ``folder``, by default the sample's own; only a check has another."""

    def __init__(
        self, worker: WorkerContext, sample: Sample, nodeid: str, folder: Path | None = None
    ) -> None:
        self._worker, self._sample = worker, sample
        self._spec = worker.audit.task
        self._task = placeholders.fill(self._spec, sample)
        self._folder = folder or worker.folder.sample(sample.sample_id)
        self._started_at = utc_now()
        own_urls = (first_url(self._task, sample, worker.base_url), worker.base_url)
        login_url = self._task.login.url if self._task.login else None
        urls = (*own_urls, self._task.start_url, login_url)
        self._secrets = secrets_of(self._spec, sample, urls)
        self._redactor = self._secrets.redactor
        self._live = LiveSample(
            worker=worker.worker_id,
            sample_id=sample.sample_id,
            nodeid=nodeid,
            max_steps=self._spec.max_steps,
            policy=worker.policy.name,
            model=worker.policy.model,
            started_at=self._started_at,
            is_check=folder is not None,
        )
        self._memory = SampleMemory()
        self._writer: SampleWriter | None = None
        self._loop: Loop | None = None
        self._trajectory: TrajectoryRecorder | None = None

    def run(self, open_page: Callable[[], Page]) -> SampleResult:
        """Raises RunStopped and interrupts, but nothing else."""
        try:
            self._worker.folder.write_live(self._live)
            self._writer = SampleWriter(
                self._folder, self._sample.sample_id, self._spec.max_steps, self._redactor
            )
            self._trajectory = make_trajectory(
                self._worker, self._task, self._sample, self._started_at, self._redactor
            )
            return self._run(open_page)
        except EvidenceError as problem:  # not even the folder or the result could be written
            outcome = Outcome("failed", str(problem), broken=True)
            result = self._with_location(self._make_result(outcome))
            self._end_trajectory(result)
            return result

    def _run(self, open_page: Callable[[], Page]) -> SampleResult:
        worker = self._worker
        try:
            seconds = worker.settings.action_timeout
            with worker.watchdog.within(seconds, "a browser page was being opened"):
                self._loop = self._make_loop(open_page())
            outcome = self._loop.run(first_url(self._task, self._sample, worker.base_url))
        except RunStopped as stop:
            self._finish(Outcome("failed", str(stop), self._collected, broken=True))
            raise
        except (KeyboardInterrupt, SystemExit):
            collected = self._collected
            status: Status = "partial_success" if has_values(collected) else "failed"
            why = f"the run was interrupted {moment_of(self._live)}"
            self._finish(Outcome(status, why, collected, broken=True))
            raise
        except EvidenceError:
            raise
        except Exception as error:  # noqa: BLE001 - one bad sample never costs the others
            outcome = Outcome("failed", _reason(error), self._collected, broken=True)
            self._write_error(traceback.format_exc())
        try:
            self._learn(outcome)
        finally:  # an interrupt while a model distills must not cost the result
            result = self._finish(outcome)
        if (recipes := self._worker.recipes) and (loop := self._loop):
            recipes.learn(self._sample, result, self._writer, loop.step_runner.observed)
        return result

    def _write_error(self, text: str) -> None:
        """A disk that refuses the traceback must not hide the reason, which is in the result."""
        with suppress(EvidenceError):
            data = self._redactor(text).encode("utf-8", "backslashreplace")
            write_atomically(self._folder / ERROR, data)

    def _make_loop(self, page: Page) -> Loop:
        assert self._writer is not None
        worker = self._worker
        if worker.confinement is not None:
            worker.confinement.attach(page.context)
        if worker.memory is not None:
            self._memory = worker.memory.for_sample(self._task, self._sample, self._redactor)
        return make_loop(
            worker,
            self._task,
            self._sample,
            page=page,
            writer=self._writer,
            on_step=self._announce_step,
            on_state=self._announce_state,
            secrets=self._secrets,
            memory=self._memory,
            trajectory=self._trajectory,
        )

    def _learn(self, outcome: Outcome) -> None:
        """Keep what later samples should know; a broken browser, model or site says nothing."""
        memory, loop = self._worker.memory, self._loop
        if memory is None or loop is None or outcome.broken:
            return
        if (use := self._worker.recipe_use(loop.decider.policy)) is not None and use.is_replayed:
            return
        # What few samples are handed over for, the recipe learns: no model is asked for advice.
        distiller = make_distiller(self._worker, self._trajectory) if use is None else None
        ended = EndedSample(
            list(map(self._redactor.model, loop.step_log.of_sample)),
            is_done=outcome.status == "done",
            ending=outcome.kind or outcome.status,
            reason=self._redactor(outcome.reason),
            failed_urls=list(
                map(
                    self._redactor,
                    loop.decider.turn_builder.run_state.lists().get("failed_urls", ()),
                )
            ),
            extracted=outcome.extracted or {},
            seconds_left=loop.limits.seconds_left,
            distiller=distiller,
        )
        loop.step_log.add_usage(memory.learn(self._memory, self._sample, self._task, ended))

    # -- what the worker is doing --------------------------------------------------------------

    def _announce_step(self, step: Step, usage: Usage) -> None:
        written = self._redactor.model(step)
        self._announce(step=step.step, action=step.action, url=redact_addresses(written.url))
        line = show_controls(one_line(step_line(written)))
        logger.info("%s: %s", self._sample.sample_id, line)
        self._worker.folder.add_step_line(
            self._worker.worker_id, f"{self._sample.sample_id}: {line}"
        )

    def _announce_state(self, state: State) -> None:
        if state not in MOMENTARY_STATES:
            self._announce(state=state.value)

    def _announce(self, **changes: Any) -> None:
        """For ``bwa watch``, and for the controller if this worker is killed."""
        usage = self._usage
        spent = {"usage": usage, "cost_usd": usage.cost_usd}
        self._live = self._live.model_copy(update={**spent, **changes})
        self._worker.folder.write_live(self._live)

    # -- the result ----------------------------------------------------------------------------

    @property
    def _collected(self) -> dict[str, Any]:
        return self._loop.progress.collected if self._loop else {}

    @property
    def _usage(self) -> Usage:
        return self._loop.step_log.usage if self._loop else Usage()

    def _finish(self, outcome: Outcome) -> SampleResult:
        """Write checkpoint and log, then the result, which refers to them."""
        assert self._writer is not None
        result = self._with_location(self._make_result(outcome))
        try:
            if self._loop is not None:
                self._loop.step_log.checkpoint(outcome.status)
            self._writer.finish(result)
        except EvidenceError as problem:  # a full disk: the sample fails for that reason
            fault = {"status": "failed", "outcome": "other", "reason": str(problem)}
            changes = {**fault, "broken": True, "flagged": True}
            result = self._with_location(result.model_copy(update=changes))
        self._end_trajectory(result)
        self._worker.folder.remove_live(self._worker.worker_id)
        logger.info("%s: %s: %s", result.sample_id, result.ending, show_controls(result.reason))
        return result

    def _end_trajectory(self, result: SampleResult) -> None:
        if self._trajectory is not None:
            self._trajectory.finish(result)

    def _make_result(self, outcome: Outcome) -> SampleResult:
        loop, writer, policy = self._loop, self._writer, self._worker.policy
        # The schema's fields in its order, null for each without a value; then all others.
        extracted = {**dict.fromkeys(self._spec.output_schema), **(outcome.extracted or {})}
        result = SampleResult(
            sample_id=self._sample.sample_id,
            task_id=self._spec.task_id,
            status=outcome.status,
            outcome=outcome_kind(outcome.status, extracted, outcome.kind),
            reason=outcome.reason,
            broken=outcome.broken,
            steps=loop.step_log.step if loop else 0,
            extracted=extracted,
            grounding=loop.pictures.ground(extracted) if loop else {},
            judgment=outcome.judgment,
            artifacts=writer.artifacts if writer else [],
            notes=loop.progress.notes if loop else [],
            picture_texts=loop.step_log.picture_texts if loop else [],
            missing=list(outcome.missing),
            usage=self._usage,
            policy=policy.name,
            model=policy.model,
            mode=[step.mode for step in writer.steps] if writer else [],
            recipe=self._worker.recipe_use(loop.decider.policy) if loop else None,
            started_at=self._started_at,
            finished_at=utc_now(),
            **self._request_lists(),
        )
        if self._sample.expected:
            known = known_values(self._spec, self._sample)
            result.expected = compared(known, self._spec.output_schema.keys(), result)
        result = self._redactor.model(result)
        result.take_not_found_as(self._spec.not_found_rule(self._sample))
        tried_forbidden = loop is not None and loop.step_log.tried_forbidden
        flag(result, tried_forbidden=tried_forbidden)
        result.notes[:0] = result.differences
        return result.fail_on(self._worker.audit.record.current.fail_on)

    def _request_lists(self) -> dict[str, Any]:
        """What was blocked and written, for the result; empty if the page was never opened."""
        guard = self._worker.guard
        return dict(guard.lists()) if guard is not None else {}

    def _with_location(self, result: SampleResult) -> SampleResult:
        """Add the folder and the last steps, which the failure message shows."""
        steps = self._writer.steps[-LAST_STEPS:] if self._writer else []
        lines = [step_line(self._redactor.model(step)) for step in steps]
        return result.with_location(self._folder, lines)


def _reason(error: Exception) -> str:
    line = str(error).splitlines()[0] if str(error) else "no message"
    return line if isinstance(error, BwaError) else f"{type(error).__name__}: {line}"
