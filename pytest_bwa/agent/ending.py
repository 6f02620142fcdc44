"""The end of a sample: its answer, its last picture, and what is kept if it broke off."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from pytest_bwa.agent.decider import TurnBuilder
from pytest_bwa.agent.limits import Limits
from pytest_bwa.agent.outcome import Outcome, OutcomeBuilder, ResultAndOutcome
from pytest_bwa.agent.own_page import OwnPage
from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.state import State, StateMachine
from pytest_bwa.agent.step_log import StepLog
from pytest_bwa.agent.step_runner import StepRunner
from pytest_bwa.errors import (
    DecisionUnusable,
    EvidenceError,
    ModelFailed,
    PageLost,
    SampleEnded,
    SiteUnreachable,
)
from pytest_bwa.evidence.record import has_values
from pytest_bwa.proof.photos.proof_pictures import ProofPictures
from pytest_bwa.steps.step import Action, ActionResult, Observation, utc_now
from pytest_bwa.steps.text import continued


@dataclass
class Answers:
    """What the agent says about one sample, with the pictures that prove it."""

    limits: Limits
    progress: Progress
    step_log: StepLog
    pictures: ProofPictures
    outcome_builder: OutcomeBuilder
    own_page: OwnPage
    _was_asked: bool = field(default=False, init=False)
    _sent_back: set[tuple[str, str]] = field(default_factory=set, init=False)
    """The values that were not saved, because the line that was cited does not show them."""

    def carry_out(self, action: Action, page: Observation) -> ResultAndOutcome:
        """The result of the action, and the outcome if it ends the sample. Raises EvidenceError."""
        self.pictures.cite(action, page, self.step_log.step)
        if action.action == "save_progress":
            return self._save(action, page), None
        end = self.limits.end
        unreached = self.own_page.reason_unknown(page)
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
        wrong = self.pictures.miscited(values)
        names = [name for name in (wrong.fields if wrong else ())
                 if (name, repr(values[name])) not in self._sent_back]  # fmt: skip
        self._sent_back.update((name, repr(values[name])) for name in names)
        kept = {name: value for name, value in values.items() if name not in names}
        self.pictures.keep(kept, page, self.step_log.step)
        if not names or wrong is None:
            return self.progress.save(action)
        notice, not_saved = f"Not saved: {wrong.notice}", f"not saved: {', '.join(names)}"
        if not kept:
            return ActionResult(False, not_saved, error=not_saved, notice=notice)
        saved = self.progress.save(action.model_copy(update={"extracted": kept}))
        return replace(saved, description=continued(saved.description, not_saved), notice=notice)

    def _finish(self, action: Action, page: Observation, unreached: str) -> ResultAndOutcome:
        def take_pictures(answer: Mapping[str, Any]) -> None:
            # First the required pictures: they may prove values as well.
            self.pictures.take_required(answer, page, self.step_log.step)
            self.pictures.keep(answer, page, self.step_log.step)

        unread = self.step_log.unread_pictures
        is_last = self.limits.is_last(self.step_log.step)
        return self.outcome_builder.from_done(action, unread, is_last, unreached, take_pictures)

    def _give_up(self, action: Action, page: Observation, unreached: str) -> ResultAndOutcome:
        """What was found until then is kept. A login in place of the page says nothing of the
        sample. A sample that was not found is proven by the line that says so; without one, a page
        that says no such thing is sent back once, and then a person must look at it."""
        if action.extracted:
            self._save(action, page)
        login = self.own_page.login_in_its_place(page)
        if action.kind == "access_denied":
            unreached = unreached or login
        result, outcome = self.outcome_builder.from_fail(action, unreached)
        if outcome is None or outcome.kind != "not_found":
            return result, outcome
        doubt = None
        if not self.pictures.keep_line(action.source, page, self.step_log.step):
            doubt = self.own_page.doubt_about_absence(page)
        if doubt is None:
            return result, outcome
        if not self._was_asked and not self.limits.is_last(self.step_log.step):
            self._was_asked = True
            notice = f"fail was refused because {doubt.why}. {doubt.advice}"
            return ActionResult(False, notice, error=notice), None
        if login:
            return self.outcome_builder.from_fail(action, login)
        reason = f"{outcome.reason}; but {doubt.why}"
        return result, replace(outcome, status="needs_review", reason=reason, kind=None)

    def _after(self, end: SampleEnded, outcome: Outcome) -> Outcome:
        """The outcome of a decision that was the last one, because a limit was reached."""
        if outcome.status == "done":
            self.progress.notes.append(f"this was the last decision: {end}")
            return outcome
        reason = f"{outcome.reason}; {end}"
        if outcome.kind == "other" and not outcome.broken and has_values(outcome.extracted or {}):
            # The agent gave up only because it could not go on: what it has saved is kept.
            return replace(outcome, reason=reason, status="partial_success", kind=None)
        return replace(outcome, reason=reason)


@dataclass
class Ending:
    """Ends one sample. Nothing that was saved is lost."""

    states: StateMachine
    limits: Limits
    progress: Progress
    step_log: StepLog
    step_runner: StepRunner
    turn_builder: TurnBuilder
    outcome_builder: OutcomeBuilder
    own_page: OwnPage

    def prove_failure(self, outcome: Outcome) -> Outcome:
        """Of a sample that failed, or that a person must review, keep a picture of the page that
        says why; without one, nobody can say that it does not exist."""
        is_to_be_seen = outcome.kind is not None or outcome.status == "needs_review"
        if not is_to_be_seen or self.step_log.has_picture_of_page:
            return outcome
        self._take_last_screenshot()
        if outcome.kind == "not_found" and not self.step_log.has_picture_of_page:
            return self.outcome_builder.without_proof(outcome)
        return outcome

    def break_off(self, error: Exception, outcome: Outcome | None) -> Outcome:
        """The outcome of a sample that was ended by a limit or an error. As long as the browser
        works, a last screenshot is taken and the finalizer is asked for a last answer.

        ``outcome`` is what done or fail brought, if their step could not be recorded.
        """
        if outcome is not None:
            self.progress.collected = dict(outcome.extracted or self.progress.collected)
        reason = error if isinstance(error, EvidenceError) else self.limits.end or error
        if isinstance(error, SampleEnded) and not isinstance(error, PageLost):
            self._take_last_screenshot()
        try:
            self._ask_for_last_answer(error if isinstance(error, ModelFailed) else reason)
        except EvidenceError as fault:
            reason = fault
        unreached = self.own_page.reason_unknown(self.step_log.page)
        return self.outcome_builder.from_error(reason, unreached)

    def announce(self, outcome: Outcome) -> Outcome:
        """Keep what the outcome brings, and announce the end."""
        self.progress.collected = dict(outcome.extracted or self.progress.collected)
        outcome = self._unapproved(outcome)
        try:
            self.states.to(State.COMPLETE if outcome.status == "done" else State.FAILED)
        except EvidenceError as error:
            return self.outcome_builder.from_error(error)
        return outcome

    def _unapproved(self, outcome: Outcome) -> Outcome:
        """A sample is for review if nobody decided in time about what it would have sent."""
        steps = (step for step in self.step_log.writer.steps for a in step.approvals if not a.by)
        if outcome.broken or (step := next(steps, None)) is None:
            return outcome
        why = f"step {step.step}: {step.result}"
        is_said = not outcome.reason or step.result in outcome.reason
        reason = why if is_said else f"{why}; {outcome.reason}"
        return replace(outcome, status="needs_review", reason=reason, kind=None)

    def _take_last_screenshot(self) -> None:
        """Save what the page looked like at the end, unless the last step was a screenshot."""
        last = self.step_log.last_step
        if last is None or last.action == "screenshot":
            return
        screenshot = Action(action="screenshot", label="last_view")
        page = Observation(url=last.url, title="")
        with suppress(SampleEnded, EvidenceError):  # it has already ended for another reason
            self.states.interrupt()
            self.step_runner.take_own_step(screenshot, page, "last_picture")

    def _ask_for_last_answer(self, error: Exception) -> None:
        started, last = utc_now(), self.step_log.last_step
        page = Observation(url=last.url if last else "", title="")
        try:
            decision = self.outcome_builder.ask_finalizer(self.turn_builder.turn(page), error)
        except (SampleEnded, DecisionUnusable) as problem:
            self.step_log.add_usage(getattr(problem, "usage", None))
            self.progress.notes.append(f"the model gave no last answer: {problem}")
            return
        if decision is None:
            return
        self.step_log.add_usage(decision.usage)
        self.states.interrupt()
        self.states.to(State.EXECUTING)
        result = ActionResult(True, "the last answer, from what was collected")
        transition = self.step_runner.verify(decision.actions[0], result, page, page)
        self.step_runner.record(transition, replace(decision, intent="last_answer"), started)
