"""Carries out the actions that concern the sample and not its page: save_progress, done, fail."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pytest_bwa.agent.ending.own_page import Doubt, OwnPage
from pytest_bwa.agent.limits import Limits
from pytest_bwa.agent.outcome import Outcome, OutcomeBuilder, ResultAndOutcome
from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.step_log import StepLog
from pytest_bwa.errors import SampleEnded, SiteUnreachable
from pytest_bwa.evidence.pictures import ProofPictures
from pytest_bwa.evidence.record import has_values
from pytest_bwa.steps import Action, ActionResult, Observation

EXISTS = "Report what it has; if that is another record, call fail again: a person will look at it."


class Answers:
    """What the agent says about one sample, with the pictures that prove it."""

    def __init__(
        self,
        limits: Limits,
        progress: Progress,
        step_log: StepLog,
        pictures: ProofPictures,
        outcome_builder: OutcomeBuilder,
        own_page: OwnPage,
        existing: Callable[[], str],
    ) -> None:
        """``existing`` says what a page has of the sample that may be reported as not found."""
        self._limits, self._progress, self._step_log = limits, progress, step_log
        self._pictures, self._outcome_builder = pictures, outcome_builder
        self._own_page, self._existing, self._was_asked = own_page, existing, False

    def carry_out(self, action: Action, page: Observation) -> ResultAndOutcome:
        """The result of the action, and the outcome if it ends the sample. Raises EvidenceError."""
        if action.action == "save_progress":
            self._pictures.keep(action.extracted or {}, page, self._step_log.step)
            return self._progress.save(action), None
        end = self._limits.end
        unreached = self._own_page.reason_unknown(page)
        if isinstance(end, SiteUnreachable):
            unreached = unreached or str(end)
        if action.action == "done":
            result, outcome = self._finish(action, page, unreached)
        else:
            result, outcome = self._give_up(action, page, unreached)
        if outcome is not None and end is not None:
            outcome = self._after(end, outcome)
        return result, outcome

    def _finish(self, action: Action, page: Observation, unreached: str) -> ResultAndOutcome:
        def take_pictures(answer: Mapping[str, Any]) -> None:
            # First the required pictures: they may prove values as well.
            self._pictures.take_required(answer, page, self._step_log.step)
            self._pictures.keep(answer, page, self._step_log.step)

        unread = self._step_log.unread_pictures
        is_last = self._limits.is_last(self._step_log.step)
        return self._outcome_builder.from_done(action, unread, is_last, unreached, take_pictures)

    def _give_up(self, action: Action, page: Observation, unreached: str) -> ResultAndOutcome:
        """A login in place of the page says nothing of the sample. A sample that was not found,
        though a page has it, or no page that was asked for says so, is sent back once; then a
        person must look at it."""
        login = self._own_page.login_in_its_place(page)
        if action.kind == "access_denied":
            unreached = unreached or login
        result, outcome = self._outcome_builder.from_fail(action, unreached)
        is_missing = outcome is not None and outcome.kind == "not_found"
        if outcome is None or not is_missing or not (doubt := self._doubt(page)):
            return result, outcome
        if not self._was_asked and not self._limits.is_last(self._step_log.step):
            self._was_asked = True
            notice = f"fail was refused because {doubt.why}. {doubt.advice}"
            return ActionResult(False, notice, error=notice), None
        if login:
            return self._outcome_builder.from_fail(action, login)
        reason = f"{outcome.reason}; but {doubt.why}"
        return result, replace(outcome, status="needs_review", reason=reason, kind=None)

    def _doubt(self, page: Observation) -> Doubt | None:
        """Why the sample may exist that was reported as not found."""
        if there := self._existing():
            return Doubt(f"a page that names the sample has “{there}”", EXISTS)
        return self._own_page.doubt_about_absence(page)

    def _after(self, end: SampleEnded, outcome: Outcome) -> Outcome:
        """The outcome of a decision that was the last one, because a limit was reached."""
        if outcome.status == "done":
            self._progress.notes.append(f"this was the last decision: {end}")
            return outcome
        reason = f"{outcome.reason}; {end}"
        if outcome.kind == "other" and not outcome.broken and has_values(outcome.extracted or {}):
            # The agent gave up only because it could not go on: what it has saved is kept.
            return replace(outcome, reason=reason, status="partial_success", kind=None)
        return replace(outcome, reason=reason)
