"""How a sample ends: from done, fail, a limit or a fault to its outcome; what was saved is never
lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pytest_bwa.agent.completion import Completion, check
from pytest_bwa.agent.progress import Progress, deep_merge
from pytest_bwa.errors import EvidenceError, LimitReached, ModelFailed, Stuck
from pytest_bwa.evidence.record import Judgment, Status
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.perception.vision import speaks_of
from pytest_bwa.policy.base import Finalizer, Turn
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Action, ActionResult, Decision, Observation


@dataclass(frozen=True, slots=True)
class Outcome:
    """The terminal word on a sample; ``reason`` is empty only for done."""

    status: Status
    reason: str = ""
    extracted: Mapping[str, Any] | None = None
    missing: tuple[str, ...] = ()
    judgment: Judgment | None = None
    broken: bool = False
    """The browser, the model or the disk failed, not the sample."""


def answer(action: Action, collected: Mapping[str, Any]) -> tuple[dict[str, Any], Any]:
    """What done brings on top of what was saved, and its judgment.

    The judgment may come beside the extracted data, or inside it under its own name.
    """
    extracted = dict(action.extracted or {})
    judgment = action.judgment or extracted.pop("judgment", None)
    return deep_merge(collected, extracted), judgment


def accepted_outcome(extracted: Mapping[str, Any], completion: Completion) -> Outcome:
    if completion.short:
        reason = "incomplete: " + "; ".join(completion.short)
        return Outcome("partial_success", reason, extracted, judgment=completion.judgment)
    return Outcome("done", "", extracted, judgment=completion.judgment)


def on_last_step(extracted: Mapping[str, Any], completion: Completion) -> Outcome:
    """done that does not hold, with no step left to mend it: a person must look."""
    said = completion.notice().removeprefix("done was refused because ").split(". Supply")[0]
    return Outcome("needs_review", said, extracted, completion.missing, completion.judgment)


def cut_short(
    reason: str, collected: Mapping[str, Any], missing: tuple[str, ...], *, broken: bool = False
) -> Outcome:
    """Ended from outside: what was saved makes it a partial success, nothing a failure."""
    status: Status = "partial_success" if collected else "failed"
    return Outcome(status, reason, collected, missing, broken=broken)


Ended = tuple[ActionResult, Outcome | None]


Unread = Mapping[str, tuple[str, Observation]]
"""Pages whose pictures nobody read, by URL: why they should be, and what the page shows."""


class OutcomeBuilder:
    """Decides how one sample ends (F-50, F-51, F-58, F-59)."""

    def __init__(
        self,
        task: TaskSpec,
        progress: Progress,
        writer: SampleWriter,
        finalizer: Finalizer | None = None,
    ) -> None:
        self._task, self._progress, self._writer = task, progress, writer
        self._finalizer = finalizer

    def done(self, action: Action, unread: Unread, last_step: bool) -> Ended:
        """Accepted, refused with what is missing, or left to a person: on the last step, or where
        a field is null and a picture that nobody read may tell it."""
        result, over = self._checked(action, unread, last_step)
        if over is not None and action.note:
            self._progress.notes.append(action.note)
        return result, over

    def _checked(self, action: Action, unread: Unread, last_step: bool) -> Ended:
        extracted, judgment = answer(action, self._progress.collected)
        found = check(self._task, extracted, judgment, self._writer.artifacts)
        if found.accepted and (why := _not_looked_at(self._task, extracted, unread)):
            review = Outcome("needs_review", why, extracted, judgment=found.judgment)
            return ActionResult(True, f"left to a person: {why}"), review
        if found.accepted:
            result = ActionResult(True, "accepted: all that is required is there")
            return result, accepted_outcome(extracted, found)
        refused = ActionResult(False, found.notice(), error=found.notice())
        return refused, on_last_step(extracted, found) if last_step else None

    def fail(self, action: Action) -> Ended:
        note = action.note or "the agent gave up without saying why"
        over = Outcome("failed", note, self._progress.collected, self._missing())
        return ActionResult(True, note), over

    def cut_short(self, end: Exception) -> Outcome:
        collected, missing = self._progress.collected, self._missing()
        if isinstance(end, EvidenceError):  # what cannot be proven is not a success
            return Outcome("failed", str(end), collected, missing, broken=True)
        broken = not isinstance(end, LimitReached | Stuck)
        return cut_short(str(end), collected, missing, broken=broken)

    def last_answer(self, turn: Turn, end: Exception) -> Decision | None:
        """One last answer from what was collected, when the steps or the model ran out (F-59). It
        makes a partial success at the most; where there is none, what was saved stands. Raises
        ModelFailed."""
        spent = isinstance(end, LimitReached | ModelFailed)
        if self._finalizer is None or not self._progress.collected or not spent:
            return None
        failed = isinstance(end, ModelFailed)
        decision = self._finalizer.consolidate(turn, str(end), model_failed=failed)
        extracted, _ = answer(decision.actions[0], self._progress.collected)
        self._progress.collected = extracted
        self._progress.notes.append(f"put together by {decision.model} after the end: {end}")
        return decision

    def _missing(self) -> tuple[str, ...]:
        collected = self._progress.collected
        return check(self._task, collected, None, self._writer.artifacts).missing


def _not_looked_at(task: TaskSpec, extracted: Mapping[str, Any], unread: Unread) -> str:
    """Fields without a value that a page speaks of whose pictures were not read; or empty."""
    for url, (why, page) in unread.items():
        empty = [name for name in task.output_schema if extracted.get(name) is None]
        fields = [name for name in empty if speaks_of(page, name)]
        if fields:
            return (
                f"{', '.join(fields)} was not found, and on {url} {why}: "
                "look at the screenshot, or let a model with vision read it"
            )
    return ""
