"""The agent loop: observe → decide → act → verify → record, until the sample has an outcome."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from pytest_bwa.agent.batch import reason_to_stop
from pytest_bwa.agent.limits import Limits, turns_page
from pytest_bwa.agent.outcome import Outcome, OutcomeBuilder
from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.protocols import Executor, Observer, OnState, OnStep, Vision
from pytest_bwa.agent.recovery import Recovery, diagnosis
from pytest_bwa.agent.state import State, StateMachine
from pytest_bwa.agent.step_log import StepLog
from pytest_bwa.agent.step_runner import StepRunner
from pytest_bwa.agent.transition import Transition
from pytest_bwa.agent.turn_builder import TurnBuilder
from pytest_bwa.agent.watchers.watchers import FINAL_ACTIONS
from pytest_bwa.errors import (
    DecisionUnusable,
    EvidenceError,
    ModelFailed,
    PageLost,
    SampleEnded,
    Stuck,
)
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.policy.base import Policy
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Action, ActionResult, Decision, Observation, utc_now

MAX_UNUSABLE_FINAL_REPLIES = 2
"""Unusable replies that are accepted while only done and fail are allowed."""


class Loop:
    """Runs the agent on one sample, from opening its page to its outcome.

    ``on_step`` is called after every step with the step and the usage so far, ``on_state`` whenever
    the state changes.
    """

    def __init__(
        self,
        task: TaskSpec,
        sample: Sample,
        *,
        policy: Policy,
        observer: Observer,
        executor: Executor,
        vision: Vision,
        writer: SampleWriter,
        on_step: OnStep,
        on_state: OnState,
    ) -> None:
        self.policy, self.vision = policy, vision
        self.limits, self.progress = Limits(task), Progress()
        self.states, self.recovery = StateMachine(on_state), Recovery()
        self.step_log = StepLog(writer, self.progress, on_step)
        self.turn_builder = TurnBuilder(
            task,
            sample,
            step_log=self.step_log,
            limits=self.limits,
            progress=self.progress,
            summarizer=policy.helpers.summarizer,
        )
        self.step_runner = StepRunner(
            task,
            sample,
            observer=observer,
            executor=executor,
            states=self.states,
            limits=self.limits,
            progress=self.progress,
            step_log=self.step_log,
        )
        self.pictures, finalizer = self.step_runner.pictures, policy.helpers.finalizer
        self.outcome_builder = OutcomeBuilder(
            task, self.progress, writer, finalizer, objection=self.pictures.objection
        )
        self.outcome: Outcome | None = None

    def run(self, url: str | None) -> Outcome:
        """Work on the sample until it has an outcome.

        Faults of the page, the model or the disk become the outcome; RunStopped is passed on.
        """
        try:
            if url:
                self._open(url)
            while self.outcome is None:
                self._begin_step()
                observation = self._observe()
                decision = self._decide(observation)
                self._carry_out(decision, observation)
            self._prove_failure()
        except (SampleEnded, EvidenceError) as error:
            self.outcome = self._end_early(error)
        return self._finish(self.outcome)

    def _open(self, url: str) -> None:
        """Open the sample's page before the first decision; this is step 0."""
        goto = Action(action="goto", url=url)
        self.step_runner.take_own_step(goto, Observation(url=url, title=""), "open_sample")

    def _begin_step(self) -> None:
        self.limits.check(self.step_log.step + 1)
        self.step_log.step += 1

    # -- observe and decide --------------------------------------------------------------------

    def _observe(self) -> Observation:
        """The page as it is now, with text from its pictures if its tree says too little."""
        self.states.to(State.PERCEIVING)
        observation, usage = self.vision.look(
            self.step_runner.observe(),
            self.turn_builder.vision_goal(),
            self.step_log.step,
            self.limits.seconds_left,
        )
        self.step_log.add_usage(usage)
        self.step_log.add_picture_text(observation)
        self.step_runner.sightings.add_observation(observation, self.step_log.step)
        return observation

    def _decide(self, observation: Observation) -> Decision:
        """Ask the policy; if its decision is unusable, ask again until a limit is reached."""
        self.states.to(State.PLANNING)
        self.turn_builder.begin_step(observation)
        while True:
            try:
                decision = self.policy.decide(self.turn_builder.turn(observation))
            except DecisionUnusable as problem:
                self.step_log.add_usage(problem.usage)
                self.step_log.notices.append(str(problem))
                self.limits.count_failed_decision(str(problem))
                self._end_if_final_actions_are_ignored(observation)
                self.limits.check(self.step_log.step)
                self.states.to(State.PLANNING)
                continue
            except ModelFailed as problem:
                self.step_log.add_usage(problem.usage)
                raise
            self.limits.reset_failed_decisions()
            self.step_log.add_usage(decision.usage)
            return decision

    def _end_if_final_actions_are_ignored(self, observation: Observation) -> None:
        """If only done and fail are allowed and the model keeps choosing other actions, end the
        sample before the limit of failed decisions is reached."""
        is_final = self.turn_builder.allowed_actions() is FINAL_ACTIONS
        if not is_final or self.limits.failed_decisions < MAX_UNUSABLE_FINAL_REPLIES:
            return
        if self.turn_builder.watchers.stagnation.is_exhausted:
            raise Stuck(diagnosis(observation, self.step_log.writer.steps))
        self.limits.check(self.limits.max_steps + 1)

    # -- act, verify and record ----------------------------------------------------------------

    def _carry_out(self, decision: Decision, observation: Observation) -> None:
        """Execute the decision's actions, each as a step of its own, until one of them fails or
        changes the page so much that the remaining ones no longer fit, or only the last step is
        left."""
        for number, action in enumerate(decision.actions, start=1):
            if number > 1:
                self._begin_step()
            transition = self._take_step(action, decision, observation)
            observation = transition.after
            is_stuck = self.recovery.is_stuck_after(transition)
            if is_stuck:
                self._recover(observation)
            remaining = decision.actions[number:]
            if not remaining:
                return
            reason = reason_to_stop(transition, remaining[0], self.limits.max_steps)
            if is_stuck:
                reason = reason or "the page did not change"
            if reason:
                actions = f"{len(remaining)} more action{'s were' if remaining[1:] else ' was'}"
                notice = f"{actions} not executed, because {reason}."
                self.step_log.notices.append(notice)
                return

    def _take_step(self, action: Action, decision: Decision, before: Observation) -> Transition:
        """Execute one action as one step; update notices and run state for the next decision."""
        started = utc_now()
        result = self._act(action, before)
        after = self.step_runner.observe_after(action, before)
        transition = self.step_runner.verify(action, result, before, after)
        self.step_runner.record(transition, decision, started)
        if transition.page_changed and turns_page(action, before):
            # Each further page of a list is granted extra steps beyond the task's max_steps.
            self.step_log.writer.max_steps = self.limits.grant_steps_for_page()
        self.turn_builder.update(transition)
        return transition

    def _act(self, action: Action, observation: Observation) -> ActionResult:
        self.states.to(State.EXECUTING)
        unreached = self.step_log.reason_not_reached(observation)
        match action.action:
            case "save_progress":
                self.pictures.keep(action.extracted or {}, observation, self.step_log.step)
                return self.progress.save(action)
            case "done":
                is_last_step = self.step_log.step >= self.limits.max_steps
                unread, step = self.step_log.unread_pictures, self.step_log.step
                result, self.outcome = self.outcome_builder.from_done(
                    action, unread, is_last_step, unreached,
                    lambda answer: self.pictures.keep(answer, observation, step),
                )  # fmt: skip
                return result
            case "fail":
                result, self.outcome = self.outcome_builder.from_fail(
                    action, observation, unreached
                )
                return result
        if refusal := self.turn_builder.watchers.refusal(action, observation):
            return ActionResult(False, refusal, error=refusal)
        return self.step_runner.execute(action, observation)

    def _recover(self, observation: Observation) -> None:
        """Try a recovery action; raises Stuck if none is left."""
        self.states.to(State.STUCK)
        action = self.recovery.next_action(observation, self.step_log.writer.steps)
        why = "The last steps changed nothing on the page."
        transition = self.step_runner.take_own_step(action, observation, "recovery", why)
        if transition.page_changed:
            self.recovery.reset()
        self.step_log.notices.append(
            f"The last steps changed nothing, so {action.action} was tried for you: look at the "
            "page again and choose another element or another approach."
        )

    # -- the end ---------------------------------------------------------------------------------

    def _prove_failure(self) -> None:
        """Of a sample that failed, keep a picture of the page that says why; without one, nobody
        can say that it does not exist."""
        outcome, log = self.outcome, self.step_log
        if outcome is None or outcome.kind is None or log.has_picture_of_page:
            return
        self._take_last_screenshot()
        if outcome.kind == "not_found" and not log.has_picture_of_page:
            self.outcome = self.outcome_builder.without_proof(outcome)

    def _finish(self, outcome: Outcome) -> Outcome:
        """Keep what the outcome brings, and announce the end."""
        self.progress.collected = dict(outcome.extracted or self.progress.collected)
        try:
            self.states.to(State.COMPLETE if outcome.status == "done" else State.FAILED)
        except EvidenceError as error:
            return self.outcome_builder.from_error(error)
        return outcome

    def _end_early(self, error: Exception) -> Outcome:
        """The outcome of a sample that was ended by a limit or an error. As long as the browser
        works, a last screenshot is taken and the finalizer is asked for a last answer."""
        if self.outcome is not None:  # done or fail was called, but the step was not recorded
            self.progress.collected = dict(self.outcome.extracted or self.progress.collected)
        if isinstance(error, SampleEnded) and not isinstance(error, PageLost):
            self._take_last_screenshot()
            try:
                self._ask_for_last_answer(error)
            except EvidenceError as fault:
                error = fault
        unreached = self.step_log.reason_not_reached(self.step_log.page)
        return self.outcome_builder.from_error(error, unreached)

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

    def _ask_for_last_answer(self, error: SampleEnded) -> None:
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
