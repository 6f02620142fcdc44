"""Results that were not made by a loop of this process: from an earlier session, and for a sample
whose worker was killed."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_bwa.agent.state import State
from pytest_bwa.evidence.files import make_folder, write_json
from pytest_bwa.evidence.folder import LiveSample, RunFolder
from pytest_bwa.evidence.integrity.manifest import altered_files, altered_since_sealed
from pytest_bwa.evidence.record import ReviewMark, SampleResult, Status, has_values, outcome_kind
from pytest_bwa.evidence.writer import RESULT
from pytest_bwa.spec.task import NotFoundRule
from pytest_bwa.steps.step import Step, utc_now
from pytest_bwa.steps.text import first_of

MAX_ALTERED = 3
"""Files that a note names."""
LAST_STEPS = 3  # shown in the message of a failed sample


def step_line(step: Step) -> str:
    """One step in a line of a failure message."""
    mark = "" if step.success else " (failed)"
    return f"step {step.step} {step.action}{mark}: {step.result[:160]}"


def intact_result(
    folder: RunFolder, sample_id: str, rule: NotFoundRule, fail_on: Sequence[ReviewMark] = ()
) -> SampleResult | None:
    """The result of an earlier session, if it passes and its evidence is as it was written; a note
    of the run names what is not. ``rule`` is what this session takes a sample as that does not
    exist, and ``fail_on`` what makes one fail."""
    result = folder.result(sample_id)
    if result is None or not result.take_not_found_as(rule).fail_on(fail_on).passed:
        return None
    place = folder.sample(sample_id)
    if altered := [*altered_files(place, result), *altered_since_sealed(place)]:
        names = first_of(list(dict.fromkeys(altered)), MAX_ALTERED)
        folder.add_note(f"{sample_id} ran again: {names} was not as the run had written it")
        return None
    return result.with_location(place, [], resumed=True)


def result_of_lost_worker(
    folder: RunFolder, live: LiveSample, task_id: str, why: str
) -> SampleResult:
    """The result that the controller writes for a sample whose worker was killed, made from its
    last checkpoint."""
    finished = folder.result(live.sample_id)
    if finished and (live.is_check or finished.started_at >= live.started_at):
        return finished.with_location(folder.sample(live.sample_id), [])
    checkpoint, steps = folder.checkpoint(live.sample_id), folder.steps(live.sample_id)
    collected = checkpoint.accumulated_data if checkpoint else {}
    status: Status = "partial_success" if has_values(collected) else "failed"
    result = SampleResult(
        sample_id=live.sample_id,
        task_id=task_id,
        status=status,
        outcome=outcome_kind(status, collected),
        broken=True,
        reason=f"{why} {moment_of(live)}",
        steps=live.step,
        extracted=collected,
        artifacts=checkpoint.artifacts_so_far if checkpoint else [],
        flagged=True,
        notes=checkpoint.progress_notes if checkpoint else [],
        usage=live.usage,
        policy=live.policy,
        model=live.model,
        log_hash=folder.log_hash(live.sample_id),
        mode=[step.mode for step in steps],
        started_at=live.started_at,
        finished_at=utc_now(),
    )
    place = folder.sample(live.sample_id)
    make_folder(place)
    write_json(place / RESULT, result)
    return result.with_location(place, [step_line(s) for s in steps[-LAST_STEPS:]])


def moment_of(live: LiveSample) -> str:
    """How far the sample was. The opening of its page is step 0, and a live file names the last
    step that had ended."""
    if not (live.step or live.action):
        is_opening = live.state == State.EXECUTING
        return "while its page was being opened" if is_opening else "before its first step"
    ended = f"after step {live.step}" + (f" ({live.action})" if live.action else "")
    is_deciding = live.state == State.PLANNING
    return f"{ended}, while step {live.step + 1} was decided" if is_deciding else ended
