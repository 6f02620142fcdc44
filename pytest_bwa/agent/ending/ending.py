"""The end of a sample: its last picture, its last answer, and what was saved if it broke off."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from pytest_bwa.agent.ending.own_page import OwnPage
from pytest_bwa.agent.limits import Limits
from pytest_bwa.agent.outcome import Outcome, OutcomeBuilder
from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.state import State, StateMachine
from pytest_bwa.agent.step_log import StepLog
from pytest_bwa.agent.step_runner import StepRunner
from pytest_bwa.agent.turn_builder import TurnBuilder
from pytest_bwa.errors import DecisionUnusable, EvidenceError, ModelFailed, PageLost, SampleEnded
from pytest_bwa.steps.step import Action, ActionResult, Observation, utc_now


class Ending:
    """Ends one sample. Nothing that was saved is lost."""

    def __init__(
        self,
        *,
        states: StateMachine,
        limits: Limits,
        progress: Progress,
        step_log: StepLog,
        step_runner: StepRunner,
        turn_builder: TurnBuilder,
        outcome_builder: OutcomeBuilder,
        own_page: OwnPage,
    ) -> None:
        self._states, self._limits, self._progress = states, limits, progress
        self._step_log, self._step_runner = step_log, step_runner
        self._turn_builder, self._outcome_builder = turn_builder, outcome_builder
        self._own_page = own_page

    def prove_failure(self, outcome: Outcome) -> Outcome:
        """Of a sample that failed, or that a person must review, keep a picture of the page that
        says why; without one, nobody can say that it does not exist."""
        is_to_be_seen = outcome.kind is not None or outcome.status == "needs_review"
        if not is_to_be_seen or self._step_log.has_picture_of_page:
            return outcome
        self._take_last_screenshot()
        if outcome.kind == "not_found" and not self._step_log.has_picture_of_page:
            return self._outcome_builder.without_proof(outcome)
        return outcome

    def break_off(self, error: Exception, outcome: Outcome | None) -> Outcome:
        """The outcome of a sample that was ended by a limit or an error. As long as the browser
        works, a last screenshot is taken and the finalizer is asked for a last answer.

        ``outcome`` is what done or fail brought, if their step could not be recorded.
        """
        if outcome is not None:
            self._progress.collected = dict(outcome.extracted or self._progress.collected)
        reason = error if isinstance(error, EvidenceError) else self._limits.end or error
        if isinstance(error, SampleEnded) and not isinstance(error, PageLost):
            self._take_last_screenshot()
        try:
            self._ask_for_last_answer(error if isinstance(error, ModelFailed) else reason)
        except EvidenceError as fault:
            reason = fault
        unreached = self._own_page.reason_unknown(self._step_log.page)
        return self._outcome_builder.from_error(reason, unreached)

    def announce(self, outcome: Outcome) -> Outcome:
        """Keep what the outcome brings, and announce the end."""
        self._progress.collected = dict(outcome.extracted or self._progress.collected)
        try:
            self._states.to(State.COMPLETE if outcome.status == "done" else State.FAILED)
        except EvidenceError as error:
            return self._outcome_builder.from_error(error)
        return outcome

    def _take_last_screenshot(self) -> None:
        """Save what the page looked like at the end, unless the last step was a screenshot."""
        last = self._step_log.last_step
        if last is None or last.action == "screenshot":
            return
        screenshot = Action(action="screenshot", label="last_view")
        page = Observation(url=last.url, title="")
        with suppress(SampleEnded, EvidenceError):  # it has already ended for another reason
            self._states.interrupt()
            self._step_runner.take_own_step(screenshot, page, "last_picture")

    def _ask_for_last_answer(self, error: Exception) -> None:
        started, last = utc_now(), self._step_log.last_step
        page = Observation(url=last.url if last else "", title="")
        try:
            decision = self._outcome_builder.ask_finalizer(self._turn_builder.turn(page), error)
        except (SampleEnded, DecisionUnusable) as problem:
            self._step_log.add_usage(getattr(problem, "usage", None))
            self._progress.notes.append(f"the model gave no last answer: {problem}")
            return
        if decision is None:
            return
        self._step_log.add_usage(decision.usage)
        self._states.interrupt()
        self._states.to(State.EXECUTING)
        result = ActionResult(True, "the last answer, from what was collected")
        transition = self._step_runner.verify(decision.actions[0], result, page, page)
        self._step_runner.record(transition, replace(decision, intent="last_answer"), started)
