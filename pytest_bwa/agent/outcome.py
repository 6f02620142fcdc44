"""How a sample ends: by done, fail, a limit or an error. Saved data is never lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pytest_bwa.agent.completion import Completion, check, is_premature, split_judgment
from pytest_bwa.agent.progress import (
    Denial,
    Progress,
    deep_merge,
    denial,
    merge_answer,
    taken_back,
    without_left_out,
)
from pytest_bwa.errors import EvidenceError, LimitReached, ModelFailed, Stuck
from pytest_bwa.evidence.record import Judgment, Status, has_values
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.page.perception.picture_needs import mentions_field
from pytest_bwa.policy.base import Finalizer, Turn
from pytest_bwa.proof.flagging import SAVED_OF_NOTHING
from pytest_bwa.proof.objections import Objection
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Action, ActionResult, Decision, FailKind, Observation


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a sample ended; ``reason`` is empty only for done."""

    status: Status
    reason: str = ""
    extracted: Mapping[str, Any] | None = None
    missing: tuple[str, ...] = ()
    judgment: Judgment | None = None
    broken: bool = False
    """Whether the browser, the model, the disk or the site's server failed, and not the sample."""
    kind: FailKind | None = None
    """Why the sample ended with ``fail``; None if it did not."""


ResultAndOutcome = tuple[ActionResult, Outcome | None]
"""What the action is answered, and the outcome if the action ends the sample."""
FindObjection = Callable[[Mapping[str, Any]], Objection | None]
"""Why the values of an answer are not proven; None if they are."""
FindDoubts = Callable[[Mapping[str, Any]], Sequence[str]]
"""What speaks against the values of an answer, in words."""

Merge = Callable[[Mapping[str, Any], Mapping[str, Any]], dict[str, Any]]


class OutcomeBuilder:
    """Makes the outcome of one sample."""

    def __init__(
        self,
        task: TaskSpec,
        progress: Progress,
        writer: SampleWriter,
        finalizer: Finalizer | None = None,
        *,
        objection: FindObjection = lambda extracted: None,
        open_doubts: FindDoubts = lambda extracted: (),
    ) -> None:
        """``open_doubts`` are those that the policy cannot settle, so that a person must."""
        self._task, self._progress, self._writer = task, progress, writer
        self._finalizer, self._objection = finalizer, objection
        self._open_doubts = open_doubts
        self._sent_back = SentBack()
        self._pending: dict[str, Any] = {}
        """What ``done`` gave for fields that were not proven, or not of their type: it stays if
        nothing else comes."""

    def from_done(
        self,
        action: Action,
        unread_pictures: UnreadPictures,
        is_last_step: bool,
        unreached: str = "",
        take_pictures: Callable[[Mapping[str, Any]], object] = lambda extracted: None,
    ) -> ResultAndOutcome:
        """Accept ``done``, refuse it with what is missing, or ask a person to review the sample.

        Whatever is missing or wrong is sent back once, all in one notice; then a person must review
        what there is. A null for a saved value, or a list with less than was saved, is sent back
        too: a model may mean that it is saved already. An answer without any value from a page that
        did not come (``unreached`` says why) says nothing of the sample. ``take_pictures`` takes
        the pictures that prove an answer.
        """
        if action.review:
            result, outcome = self._asked_for_review(action, action.review, take_pictures)
        else:
            result, outcome = self._check_done(action, unread_pictures, is_last_step, take_pictures)
        if outcome is not None and unreached and not has_values(outcome.extracted or {}):
            reason = f"{unreached}, and nothing was found"
            return ActionResult(False, reason, error=reason), self._unknown(reason)
        if outcome is not None and action.note:
            self._progress.notes.append(action.note)
        return result, outcome

    def _check_done(
        self,
        action: Action,
        unread_pictures: UnreadPictures,
        is_last_step: bool,
        take_pictures: Callable[[Mapping[str, Any]], object],
    ) -> ResultAndOutcome:
        saved, new = self._progress.collected, {**self._pending, **(action.extracted or {})}
        lost = denial(saved, new)
        is_asked = self._sent_back.has_asked_about(lost)
        is_denying = bool(lost.names) and not is_asked and not is_last_step
        # What was saved stays until the answer takes it back once more.
        known = saved if is_denying else without_left_out(saved, new)
        merge = deep_merge if is_denying else merge_answer
        extracted, judgment = self._final_answer(new, action, known, merge)
        if is_last_step or not is_premature(self._task, extracted):
            take_pictures(extracted)
        completion = self._completion(extracted, judgment, action)
        objection = self._objection(extracted)
        problems = lost if is_denying else None, completion, objection
        if not is_last_step and (notice := self._sent_back.notice(*problems)):
            self._keep(extracted, judgment, completion, objection)
            return ActionResult(False, notice, error=notice), None
        if given := completion.unread_judgment:
            self._progress.notes.append(f"the judgment as given: {given}")
        if not completion.accepted:
            reasons = [completion.reason(), *([objection.reason] if objection else [])]
            return _incomplete(extracted, completion, "; ".join(reasons))
        if objection:
            return _review(objection.reason, extracted, completion)
        why = reason_to_read_pictures(self._task, extracted, unread_pictures)
        if lost.names and not is_asked:
            why = why or f"the answer has {lost}"
        if why := why or "; ".join(self._open_doubts(extracted)):
            return _review(why, extracted, completion)
        if lost.names:
            self._progress.notes.append(f"done took back {', '.join(lost.names)}")
        self._progress.notes += completion.twins
        return _accepted(extracted, completion)

    def _completion(
        self, extracted: Mapping[str, Any], judgment: Any, action: Action
    ) -> Completion:
        """What ``done`` brings, checked; what could not be read of it is a problem too."""
        found = check(self._task, extracted, judgment, self._writer.artifacts)
        if not action.unread:
            return found
        problems = (*found.problems, action.unread)
        return replace(found, problems=problems, wrong=found.wrong | {"unread"})

    def _keep(
        self,
        extracted: Mapping[str, Any],
        judgment: Any,
        completion: Completion,
        objection: Objection | None,
    ) -> None:
        """Save what was right in an answer that is sent back. The rest is not saved, but stays; of
        a field that the task does not have, there is no need."""
        unproven = objection.fields if objection else ()
        right = {n: v for n, v in extracted.items() if v is not None and n not in completion.wrong}
        kept = {name: value for name, value in right.items() if name not in unproven}
        fields = self._task.output_schema
        self._pending = {
            name: extracted[name]
            for name in (*unproven, *completion.wrong)
            if name in extracted and (name in fields or not fields)
        }
        self._progress.collected = {**self._progress.collected, **kept}
        self._progress.judgment = judgment or self._progress.judgment

    def _asked_for_review(
        self, action: Action, why: str, take_pictures: Callable[[Mapping[str, Any]], object]
    ) -> ResultAndOutcome:
        """The policy knows that its answer is not whole, and says why."""
        new = {**self._pending, **(action.extracted or {})}
        extracted, judgment = self._final_answer(new, action, self._progress.collected)
        take_pictures(extracted)
        completion = check(self._task, extracted, judgment, self._writer.artifacts)
        objection = self._objection(extracted)
        reasons = [*_too_short(completion), why, *([objection.reason] if objection else [])]
        result, outcome = _review("; ".join(filter(None, reasons)), extracted, completion)
        if outcome is not None and completion.short:
            outcome = replace(outcome, status="partial_success")
        return result, outcome

    def from_fail(self, action: Action, unreached: str) -> ResultAndOutcome:
        """The agent gave up; its note is the reason.

        If the page did not come (``unreached`` says why), whatever the agent concludes is about
        the server, and not about the sample; but what it has saved of it is known. A record that
        does not exist needs no fields.
        """
        note = action.note or "the agent called fail without giving a reason"
        if unreached:
            reason = (
                f"{unreached}, so nothing is known about the sample; the agent's reason: {note}"
            )
            if has_values(self._progress.collected):
                reason = f"{note}; {unreached}"
            return ActionResult(True, reason), self._unknown(reason)
        kind = action.kind or "other"
        is_missing = kind == "not_found"
        if is_missing and has_values(self._progress.collected):
            self._progress.notes.append(SAVED_OF_NOTHING)
        missing = () if is_missing else self._missing()
        outcome = Outcome("failed", note, self._progress.collected, missing, kind=kind)
        return ActionResult(True, note), outcome

    def without_proof(self, outcome: Outcome) -> Outcome:
        """The outcome of a sample that was not found, but whose page could not be photographed."""
        return self._unknown(f"{outcome.reason}; no picture of the page could be taken to prove it")

    def _unknown(self, reason: str) -> Outcome:
        """A failure that says nothing of the sample."""
        collected, missing = self._progress.collected, self._missing()
        return Outcome("failed", reason, collected, missing, broken=True, kind="other")

    def from_error(self, error: Exception, unreached: str = "") -> Outcome:
        """The sample was ended by a limit or an error: with saved data it is a partial success,
        without any it is failed. ``unreached`` says why its page could not be reached."""
        saved, missing = self._progress.collected, self._missing()
        collected = {**self._pending, **saved}  # what was sent back is not lost with the model
        if isinstance(error, EvidenceError):  # what cannot be proven is not a success
            return Outcome("failed", str(error), collected, missing, broken=True)
        status: Status = "partial_success" if has_values(saved) else "failed"
        if not isinstance(error, LimitReached | Stuck):
            return Outcome(status, str(error), collected, missing, broken=True)
        reason = f"{error}; {unreached}" if unreached else str(error)
        return Outcome(status, reason, collected, missing, broken=bool(unreached))

    def ask_finalizer(self, turn: Turn, error: Exception) -> Decision | None:
        """Get one last answer from the collected data after the steps or the model ran out.

        None if no last answer is possible or useful; then the saved data stays as it is. The
        outcome is at best a partial success. Raises ModelFailed.
        """
        ran_out = isinstance(error, LimitReached | ModelFailed)
        if self._finalizer is None or not self._progress.collected or not ran_out:
            return None
        model_failed = isinstance(error, ModelFailed)
        decision = self._finalizer.finalize(turn, str(error), model_failed=model_failed)
        answer, collected = decision.actions[0], self._progress.collected
        note = f"the last answer was made by {decision.model} after the sample ended: {error}"
        if lost := taken_back(collected, answer.extracted or {}):
            note += f"; it took back {', '.join(lost)}"
        new = answer.extracted or {}
        self._progress.collected, _ = self._final_answer(new, answer, collected)
        self._progress.notes.append(note)
        return decision

    def _final_answer(
        self,
        new: Mapping[str, Any],
        action: Action,
        saved: Mapping[str, Any],
        merge: Merge = merge_answer,
    ) -> tuple[dict[str, Any], Any]:
        """What was saved together with what ``done`` adds or takes back, and the judgment: that of
        ``done``, as a parameter of its own or among its values, or else the saved one."""
        extracted, judgment = split_judgment(new, self._task.output_schema)
        judgment = action.judgment or judgment or self._progress.judgment
        return merge(saved, extracted), judgment

    def _missing(self) -> tuple[str, ...]:
        collected = self._progress.collected
        return check(self._task, collected, None, self._writer.artifacts).missing


def _too_short(completion: Completion) -> list[str]:
    """Which arrays are too short, in one sentence, or none."""
    return [f"incomplete: {'; '.join(completion.short)}"] if completion.short else []


def _accepted(extracted: Mapping[str, Any], completion: Completion) -> ResultAndOutcome:
    reason = "".join(_too_short(completion))
    status: Status = "partial_success" if reason else "done"
    outcome = Outcome(status, reason, extracted, judgment=completion.judgment)
    return ActionResult(True, "accepted: everything required is there"), outcome


def _review(why: str, extracted: Mapping[str, Any], completion: Completion) -> ResultAndOutcome:
    missing, judgment = completion.missing, completion.judgment
    outcome = Outcome("needs_review", why, extracted, missing, judgment)
    return ActionResult(True, f"a person must review this: {why}"), outcome


def _incomplete(
    extracted: Mapping[str, Any], completion: Completion, reason: str
) -> ResultAndOutcome:
    """``done`` was refused and no step is left to correct it: a person must review the sample."""
    missing, judgment = completion.missing, completion.judgment
    outcome = Outcome("needs_review", reason, extracted, missing, judgment)
    return ActionResult(False, completion.notice(), error=completion.notice()), outcome


class SentBack:
    """What the ``done`` of one sample was sent back for so far."""

    def __init__(self) -> None:
        self._faults: set[str] = set()
        """What was missing or wrong."""
        self._unproven: set[str] = set()
        """The fields that were not proven."""
        self._was_asked_for_pictures = False
        self._denied: list[str] = []
        """What the last ``done`` denied of what was saved."""

    def has_asked_about(self, lost: Denial) -> bool:
        """Whether the answer before this one denied the same."""
        return lost.names == self._denied

    def notice(
        self, lost: Denial | None, completion: Completion, objection: Objection | None
    ) -> str:
        """Why an answer is sent back; empty if there is nothing but what was asked before. What
        is denied of what was saved (``lost``), is asked about whenever it is something else."""
        is_new, parts = lost is not None, []
        if lost is not None:
            self._denied = lost.names
            parts.append(
                f"done was refused because it has {lost}: leave out the fields that are to be kept "
                "as saved, or send the same again to take them back."
            )
        if not completion.accepted:
            is_new = is_new or not self._faults.issuperset(completion.faults)
            self._faults.update(completion.faults)
            parts.append(completion.notice())
        if objection:
            is_new = is_new or not self._unproven.issuperset(objection.fields)
            self._unproven.update(objection.fields)
            parts.append(f"done was not accepted yet. {objection.notice}")
        if completion.twins and not self._was_asked_for_pictures:
            is_new = self._was_asked_for_pictures = True
            twins = "; ".join(completion.twins)
            parts.append(f"{twins}: take each picture where the page shows what its label says.")
        return " ".join(parts) if is_new else ""


UnreadPictures = Mapping[str, tuple[str, Observation]]
"""Pages whose pictures were not read, by URL: why they should be read, and the observation."""


def reason_to_read_pictures(
    task: TaskSpec, extracted: Mapping[str, Any], unread_pictures: UnreadPictures
) -> str:
    """Names fields without a value that a page with unread pictures mentions, or that may stand on
    one of nothing but pictures; empty if none."""
    for url, (why, page) in unread_pictures.items():
        empty = [name for name in task.output_schema if extracted.get(name) is None]
        is_picture = page.is_bare
        fields = [
            n for n in empty if is_picture or mentions_field(page, n, task.aliases.get(n, ()))
        ]
        if fields:
            return (
                f"{', '.join(fields)} was not found, and on {url} {why}: "
                "look at the screenshot, or let a model with vision read it"
            )
    return ""
