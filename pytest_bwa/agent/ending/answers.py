"""Carries out the actions that concern the sample and not its page: save_progress, done, fail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pytest_bwa.agent.ending.own_page import OwnPage
from pytest_bwa.agent.limits import Limits
from pytest_bwa.agent.outcome import Outcome, OutcomeBuilder, ResultAndOutcome
from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.step_log import StepLog
from pytest_bwa.errors import SampleEnded, SiteUnreachable
from pytest_bwa.evidence.record import has_values
from pytest_bwa.proof.photos.proof_pictures import ProofPictures
from pytest_bwa.steps.step import Action, ActionResult, Observation
from pytest_bwa.steps.text import continued


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
    ) -> None:
        self._limits, self._progress, self._step_log = limits, progress, step_log
        self._pictures, self._outcome_builder = pictures, outcome_builder
        self._own_page, self._was_asked = own_page, False
        self._sent_back: set[tuple[str, str]] = set()
        """The values that were not saved, because the line that was cited does not show them."""

    def carry_out(self, action: Action, page: Observation) -> ResultAndOutcome:
        """The result of the action, and the outcome if it ends the sample. Raises EvidenceError."""
        self._pictures.cite(action, page, self._step_log.step)
        if action.action == "save_progress":
            return self._save(action, page), None
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

    def _save(self, action: Action, page: Observation) -> ActionResult:
        """Keep the values, but once those that the cited lines do not show."""
        values = action.extracted or {}
        wrong = self._pictures.miscited(values)
        names = [name for name in (wrong.fields if wrong else ())
                 if (name, repr(values[name])) not in self._sent_back]  # fmt: skip
        self._sent_back.update((name, repr(values[name])) for name in names)
        kept = {name: value for name, value in values.items() if name not in names}
        self._pictures.keep(kept, page, self._step_log.step)
        if not names or wrong is None:
            return self._progress.save(action)
        notice, not_saved = f"Not saved: {wrong.notice}", f"not saved: {', '.join(names)}"
        if not kept:
            return ActionResult(False, not_saved, error=not_saved, notice=notice)
        saved = self._progress.save(action.model_copy(update={"extracted": kept}))
        return replace(saved, description=continued(saved.description, not_saved), notice=notice)

    def _finish(self, action: Action, page: Observation, unreached: str) -> ResultAndOutcome:
        def take_pictures(answer: Mapping[str, Any]) -> None:
            # First the required pictures: they may prove values as well.
            self._pictures.take_required(answer, page, self._step_log.step)
            self._pictures.keep(answer, page, self._step_log.step)

        unread = self._step_log.unread_pictures
        is_last = self._limits.is_last(self._step_log.step)
        return self._outcome_builder.from_done(action, unread, is_last, unreached, take_pictures)

    def _give_up(self, action: Action, page: Observation, unreached: str) -> ResultAndOutcome:
        """What was found until then is kept. A login in place of the page says nothing of the
        sample. A sample that was not found is proven by the line that says so; without one, a page
        that says no such thing is sent back once, and then a person must look at it."""
        if action.extracted:
            self._save(action, page)
        login = self._own_page.login_in_its_place(page)
        if action.kind == "access_denied":
            unreached = unreached or login
        result, outcome = self._outcome_builder.from_fail(action, unreached)
        if outcome is None or outcome.kind != "not_found":
            return result, outcome
        doubt = None
        if not self._pictures.keep_line(action.source, page, self._step_log.step):
            doubt = self._own_page.doubt_about_absence(page)
        if doubt is None:
            return result, outcome
        if not self._was_asked and not self._limits.is_last(self._step_log.step):
            self._was_asked = True
            notice = f"fail was refused because {doubt.why}. {doubt.advice}"
            return ActionResult(False, notice, error=notice), None
        if login:
            return self._outcome_builder.from_fail(action, login)
        reason = f"{outcome.reason}; but {doubt.why}"
        return result, replace(outcome, status="needs_review", reason=reason, kind=None)

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
