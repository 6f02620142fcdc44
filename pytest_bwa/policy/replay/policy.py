"""The policy that performs recorded actions again, without a model.

Each element is found by its identity, never by its number. It stops at the first step that does not
fit, and reads every value afresh from where it stood. It keeps nothing between turns: how many
steps were performed is in the history, what was read in ``collected``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_bwa.facts.address import address_pattern
from pytest_bwa.policy.base import FAIL_KINDS, ModelHelpers, Turn, no_judgment
from pytest_bwa.policy.recorded import (
    LATEST,
    MAX_WAITS,
    DoesNotFit,
    RecordedRun,
    RecordedSample,
    RecordedStep,
    has_no_target,
    is_masked,
    number_on,
)
from pytest_bwa.proof.rereading import ValuesAgain
from pytest_bwa.steps.step import Action, Decision, FailKind, Step


@dataclass(frozen=True, slots=True)
class _Position:
    """Where in the recorded walk a turn is."""

    done: int
    """How many recorded steps were performed."""
    since: Sequence[Step]
    """The steps since then: own waits, and what was saved."""
    first: float
    last: float
    """The place in the recorded log, and that of the next step."""
    error: str = ""
    """Why the last one failed; empty if it did not."""


class ReplayPolicy:
    """Deterministic: the same turn always gives the same decision."""

    name = "replay"
    model = ""
    helpers = ModelHelpers()

    def __init__(self, run: RecordedRun) -> None:
        self._run, self.reads_labelled_values = run, run.labels_proved

    def decide(self, turn: Turn) -> Decision:
        """The next recorded action, or what the walk has shown."""
        sample = self._run.samples.get(turn.sample.sample_id)
        if sample is None:
            why = f"{self._run.name} has no result of the sample {turn.sample.sample_id}"
            return _fail(why)
        if turn.allowed is not None and not turn.allows("click"):
            return self._finish(turn, sample, "the walk was not finished")
        return self._go_on(turn, sample, _position(turn, sample))

    def close(self) -> None:
        """Holds nothing open."""

    def _go_on(self, turn: Turn, sample: RecordedSample, at: _Position) -> Decision:
        waits = sum(step.action == "wait" for step in at.since)
        may_wait = waits < MAX_WAITS
        if turn.observation.busy and may_wait:
            return _wait("The page is still loading.")
        if at.error:
            return _stop(sample.steps[at.done - 1], at.error)
        if reading := _read_here(turn, sample, at):
            if reading.missing and may_wait:
                return _wait(f"Not there yet: {reading.missing[0]}")
            action = Action(
                action="save_progress",
                extracted=dict(reading.values),
                sources=dict(reading.sources),
                note="; ".join(reading.missing) or None,
                replace=True,
            )
            return Decision((action,), thinking="Read again from where it stood.", mode="replay")
        if at.done == len(sample.steps) and sample.failed_as is not None:
            is_same = sample.page_hash == turn.observation.dom_hash
            return (
                _wait("It has changed.") if may_wait and not is_same else _fail_again(turn, sample)
            )
        if at.done == len(sample.steps):
            return self._finish(turn, sample)
        recorded = sample.steps[at.done]
        try:
            action = self._action(turn, recorded)
        except DoesNotFit as problem:
            return _wait(f"Not there yet: {problem}") if may_wait else _stop(recorded, str(problem))
        why = f"As in {recorded.in_words()} of {self._run.name}."
        return Decision((action,), thinking=why, intent="replay", mode="replay")

    def _action(self, turn: Turn, recorded: RecordedStep) -> Action:
        """The recorded action on the present page. Raises DoesNotFit."""
        step, here = recorded.step, turn.observation.url
        if is_masked(step):
            raise DoesNotFit("a secret was typed, which the log does not have")
        params: dict[str, Any] = dict(step.params)
        if step.action == "goto":
            params["url"] = self._run.present_address(str(params["url"]))
            return Action(action="goto", **params)
        was = self._run.present_address(step.url)
        if address_pattern(was) != address_pattern(here):
            raise DoesNotFit(f"the page is {here}, and was {was}")
        if has_no_target(step):
            raise DoesNotFit("the log does not say which element it acted on")
        given = list(turn.sample.columns.values())
        for key, target in (("selector", step.target), ("target", step.destination)):
            if target is not None and target.identity is not None:
                params[key] = number_on(turn.observation, target.identity, given)
        return Action(action=step.action, **params)

    def _finish(self, turn: Turn, sample: RecordedSample, unfinished: str = "") -> Decision:
        """``done`` with what was read; a person reviews it if anything was not found again."""
        reasons = [reason for reason in (unfinished, sample.not_done) if reason]
        reasons += [str(s.params["note"]) for s in _saves(turn.history) if s.params.get("note")]
        if sample.values is not None:
            reasons += sample.values.without_place
        if turn.history[-1].action == "done" and turn.history[-1].error:
            reasons.append(turn.history[-1].error)
        judgment = no_judgment(
            turn, "A replay performs actions and reads values; it does not judge."
        )
        extracted = {name: _found(turn.collected.get(name)) for name in turn.task.output_schema}
        review = "; ".join(reasons) or None
        unknown = sample.values.without_value if sample.values is not None else ()
        note = f"not looked for, as {self._run.name} has no value: {', '.join(unknown)}"
        action = Action(
            action="done",
            extracted=extracted,
            judgment=judgment,
            review=review,
            note=note if unknown else None,
        )
        return Decision((action,), thinking="Every step was performed again.", mode="replay")


def _position(turn: Turn, sample: RecordedSample) -> _Position:
    places = [n for n, step in enumerate(turn.history) if step.intent == "replay"]
    done = len(places)
    since = turn.history[places[-1] + 1 :] if places else turn.history
    first = sample.steps[done - 1].number if done else 0
    last = sample.steps[done].number if done < len(sample.steps) else LATEST
    failed = places and not turn.history[places[-1]].success
    error = (turn.history[places[-1]].error or "it failed") if failed else ""
    return _Position(done, since, first, last, error)


def _read_here(turn: Turn, sample: RecordedSample, at: _Position) -> ValuesAgain | None:
    """What this page is to be asked for, unless that was done; None if there is nothing."""
    values = sample.values
    if values is None or not values.is_due(at.first, at.last) or _saves(at.since):
        return None
    return values.read(turn.observation, at.first, at.last, turn.collected)


def _saves(history: Sequence[Step]) -> list[Step]:
    return [s for s in history if s.action == "save_progress" and s.mode == "replay"]


def _found(value: Any) -> Any:
    """The value without the items of lists of which nothing was found."""
    if isinstance(value, list):
        return [item for item in map(_found, value) if item is not None] or None
    if isinstance(value, Mapping):
        parts = {name: _found(part) for name, part in value.items()}
        return parts if any(part is not None for part in parts.values()) else None
    return value


def _wait(why: str) -> Decision:
    return Decision((Action(action="wait"),), thinking=why, mode="replay")


def _stop(recorded: RecordedStep, why: str) -> Decision:
    return _fail(f"{recorded.in_words()} no longer fits: {why}")


def _fail(why: str, kind: FailKind = "other") -> Decision:
    action = Action(action="fail", note=why, kind=kind)
    return Decision((action,), thinking="The recording cannot be followed.", mode="replay")


def _fail_again(turn: Turn, sample: RecordedSample) -> Decision:
    """The end of a sample that failed there. That it does not exist, or may not be seen, is said
    again only if the server says so now, or the page shows just what it showed then."""
    page, kind = turn.observation, sample.failed_as or "other"
    status = page.http_status or 200
    if FAIL_KINDS.get(status) == kind:
        return _fail(f"HTTP {status}: the page is “{page.title}”", kind)
    if page.dom_hash and page.dom_hash == sample.page_hash:
        return _fail(f"the page shows what it did when {sample.not_done}", kind)
    return _fail(f"{sample.not_done}; the page is a different one now")
