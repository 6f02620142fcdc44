"""The trajectory of one sample in the terminal: its steps, or all of one step."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.trajectory import describe
from pytest_bwa.evidence.trajectory.reader import (
    RecordedCall,
    RecordedSample,
    RecordedStep,
    TrajectoryReader,
)
from pytest_bwa.steps.text import one_line

ACTION_CHARACTERS, RESULT_CHARACTERS = 90, 160


def shown_lines(
    reader: TrajectoryReader, run: RunFolder, sample_id: str, step: int | None
) -> Iterator[str]:
    """What is shown of a sample, or of one step of it. Raises InputError."""
    sample = reader.sample(sample_id)
    steps = reader.steps(sample)
    result = run.result(sample_id)
    if step is None:
        return sample_lines(sample, steps, result)
    return step_lines(sample, steps, step, result, run.place(sample_id))


def sample_lines(
    sample: RecordedSample, steps: list[RecordedStep], result: SampleResult | None
) -> Iterator[str]:
    """How the sample ended, a few words on each step, and where the values were seen."""
    policy = f"{sample.policy}, {sample.model}" if sample.model else sample.policy
    reason = f": {one_line(sample.reason)}" if sample.reason else ""
    yield f"{sample.sample_id}  {describe.ending(sample)}{reason}"
    seconds = sum(step.seconds for step in steps)
    yield f"task {sample.task_id}, policy {policy}, {len(steps)} steps in {seconds:.1f} s"
    if result is not None and result.notes:
        noted = "flagged" if result.flagged else "noted"
        yield one_line(f"{noted}: {'; '.join(result.notes)}")
    yield ""
    earlier: int | None = None
    for step in steps:
        number = step.decision.number if step.decision else None
        cost = describe.cost(step.decision) if number != earlier else ""
        earlier = number
        action = one_line(describe.action(step), ACTION_CHARACTERS)
        yield f"{step.step:>4}  {step.seconds:6.1f} s  {cost:>8}  {action}"
        yield f"{'':26}→ {one_line(describe.result(step), RESULT_CHARACTERS)}"
        for call in step.other_calls:
            what = f"{call.purpose}, not used: {call.error}" if call.error else call.purpose
            yield f"{'':16}{describe.cost(call):>8}  ({one_line(what, RESULT_CHARACTERS)})"
    yield ""
    yield from describe.values_seen(result) if result else ()


def step_lines(
    sample: RecordedSample,
    steps: list[RecordedStep],
    number: int,
    result: SampleResult | None,
    place: str,
) -> Iterator[str]:
    """Exactly what was sent or seen, answered and done. Raises InputError for an unknown step."""
    chosen = [step for step in steps if step.step == number]
    if not chosen:
        known = f"0 to {steps[-1].step}" if steps else "none"
        raise InputError(f'there is no step {number} of "{sample.sample_id}"; it has {known}')
    for step in chosen:
        yield f"===== step {step.step} of {sample.sample_id}: {step.record['action']} ====="
        for call in step.other_calls:
            yield from _call_lines(call)
        if step.decision is not None:
            yield from _call_lines(step.decision)
        else:
            yield from _section("the page", describe.page_text(step))
        yield from _section("action", describe.action(step))
        if thinking := step.record.get("thinking"):
            yield from _section("reason", thinking)
        yield from _section("result", describe.result(step))
        yield from _section("changes", describe.changes(step))
        pictures = (f"{place}/{name}" for name in describe.pictures_of(step, result))
        yield from _section("pictures", "\n".join(pictures))


def _call_lines(call: RecordedCall) -> Iterator[str]:
    yield f"===== {call.purpose}: {describe.usage(call)} ====="
    for number, block in enumerate(call.system, start=1):
        yield from _section(f"system, block {number}", block)
    yield from _section("tools", ", ".join(tool["name"] for tool in call.tools))
    yield from _section("message", describe.user_text(call))
    yield from _section("reply", describe.reply_text(call))
    if call.error:
        yield from _section("not used", call.error)


def _section(title: str, text: str) -> Iterator[str]:
    if text:
        yield f"--- {title} ---"
        yield text
        yield ""
