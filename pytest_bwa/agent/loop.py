"""The agent loop: observe → decide → act → verify → record, until the sample has an outcome."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_bwa.agent.batch import Batch, notice_of_dropped
from pytest_bwa.agent.ending import Answers, Ending
from pytest_bwa.agent.limits import Limits, turns_page
from pytest_bwa.agent.memory.worker_memory import SampleMemory
from pytest_bwa.agent.outcome import Outcome, OutcomeBuilder
from pytest_bwa.agent.own_page import OwnPage
from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.protocols import Executor, Observer, OnState, OnStep, Trajectory, Vision
from pytest_bwa.agent.recovery import Recovery, diagnosis
from pytest_bwa.agent.state import State, StateMachine
from pytest_bwa.agent.step_log import StepLog
from pytest_bwa.agent.step_runner import StepRunner, with_picture
from pytest_bwa.agent.transition import Transition
from pytest_bwa.agent.turn_builder import TurnBuilder
from pytest_bwa.errors import (
    DecisionUnusable,
    EvidenceError,
    LimitReached,
    ModelFailed,
    SampleEnded,
    SiteUnreachable,
    Stuck,
)
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.policy.base import Policy
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import ANSWERS, Action, ActionResult, Decision, Observation, utc_now

LIMITS = (LimitReached, Stuck, SiteUnreachable)
"""What ends a sample although its page and its model still work: one last decision is left."""
MAX_UNUSABLE_FINAL_REPLIES = 2
"""Unusable replies that are accepted while only done and fail are allowed."""


class Loop:
    """Runs the agent on one sample, from opening its page to its outcome.

    ``on_step`` is called after every step with the step and the usage so far, ``on_state`` whenever
    the state changes. ``exemplars`` say how similar samples of earlier runs were done, and
    ``meanwhile`` is what may be done while a model thinks.
    """

    outcome: Outcome | None = None

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
        memory: SampleMemory | None = None,
        trajectory: Trajectory | None = None,
        exemplars: Sequence[str] = (),
        meanwhile: Callable[[], None] | None = None,
        others: frozenset[str] = frozenset(),
    ) -> None:
        self.policy, self.vision = policy, vision
        self.limits, self.batch, self.progress = Limits(task), Batch(), Progress(task.output_schema)
        # A model has read the task, which may forbid to open the page anew; it decides itself.
        self.states, self.recovery = StateMachine(on_state), Recovery(may_reload=not policy.model)
        self.step_log = StepLog(writer, self.progress, on_step, trajectory)
        self.step_runner = StepRunner(
            task,
            sample,
            observer=observer,
            executor=executor,
            states=self.states,
            limits=self.limits,
            progress=self.progress,
            step_log=self.step_log,
            labels_prove=policy.reads_labelled_values,
            holds_pictures=bool(policy.model),
            others=others,
        )
        context = memory or SampleMemory(), exemplars, meanwhile
        self.turn_builder = self._make_turn_builder(task, sample, *context)
        self.pictures = self.step_runner.pictures
        self.answers, self.ending = self._make_ending(task, writer)

    def _make_turn_builder(
        self,
        task: TaskSpec,
        sample: Sample,
        memory: SampleMemory,
        exemplars: Sequence[str],
        meanwhile: Callable[[], None] | None,
    ) -> TurnBuilder:
        return TurnBuilder(
            task,
            sample,
            step_log=self.step_log,
            limits=self.limits,
            progress=self.progress,
            summarizer=self.policy.helpers.summarizer,
            memory=memory,
            exemplars=exemplars,
            meanwhile=meanwhile,
        )

    def _make_ending(self, task: TaskSpec, writer: SampleWriter) -> tuple[Answers, Ending]:
        pictures, finalizer = self.pictures, self.policy.helpers.finalizer
        builder = OutcomeBuilder(
            task,
            self.progress,
            writer,
            finalizer,
            objection=pictures.objection,
            open_doubts=pictures.doubts if self.policy.reads_labelled_values else lambda values: (),
        )
        sightings = self.step_runner.sightings
        own_page = OwnPage(self.step_log, sightings)
        ending = Ending(
            states=self.states,
            limits=self.limits,
            progress=self.progress,
            step_log=self.step_log,
            step_runner=self.step_runner,
            turn_builder=self.turn_builder,
            outcome_builder=builder,
            own_page=own_page,
        )
        parts = (self.limits, self.progress, self.step_log, pictures, builder)
        return Answers(*parts, own_page), ending

    def run(self, url: str | None) -> Outcome:
        """Work on the sample until it has an outcome.

        Faults of the page, the model or the disk become the outcome; RunStopped is passed on.
        """
        try:
            if url:
                self._open(url)
            while self.outcome is None:
                self._take_turn()
            outcome = self.ending.prove_failure(self.outcome)
        except (SampleEnded, EvidenceError) as error:
            outcome = self.ending.break_off(error, self.outcome)
        return self.ending.announce(outcome)

    def _take_turn(self) -> None:
        """One decision and its actions. After a limit is reached, one last decision follows, for
        which only done and fail are allowed."""
        is_last = self.limits.end is not None
        try:
            self._begin_step()
            observation = self._observe()
            self._carry_out(self._decide(observation), observation)
        except LIMITS as end:
            if is_last or self.turn_builder.offers_only_the_end:
                raise
            self.limits.end = end
            self.states.interrupt()
        if is_last and self.outcome is None and self.limits.end is not None:
            raise self.limits.end

    def _open(self, url: str) -> None:
        """Open the sample's page before the first decision; this is step 0."""
        goto = Action(action="goto", url=url)
        self.step_runner.take_own_step(goto, Observation(url=url, title=""), "open_sample")

    def _begin_step(self) -> None:
        last = self.step_log.last_step
        step = last.step + 1 if last is not None else 1
        self.limits.check(step)
        self.step_log.step = step

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
        self.step_runner.photograph_error(observation)
        return observation

    def _decide(self, observation: Observation) -> Decision:
        """Ask the policy; if its decision is unusable, or its model fails for now, ask again until
        a limit is reached."""
        self.states.to(State.PLANNING)
        self.turn_builder.begin_step(observation)
        while True:
            try:
                decision = self.policy.decide(self.turn_builder.turn(observation))
            except DecisionUnusable as problem:
                self.step_log.add_usage(problem.usage)
                self.step_log.notices.append(str(problem))
                self.limits.count_unusable_reply(str(problem))
                self._end_if_final_actions_are_ignored(observation)
            except ModelFailed as problem:
                self.step_log.add_usage(problem.usage)
                if not problem.is_passing:
                    raise
                self.step_log.faults.append(f"a decision failed: {problem}")
                self.limits.count_failed_call(str(problem))
            else:
                self.limits.reset_failed_decisions()
                self.step_log.add_usage(decision.usage)
                return decision
            self.limits.check(self.step_log.step)
            self.states.to(State.PLANNING)

    def _end_if_final_actions_are_ignored(self, observation: Observation) -> None:
        """If only done and fail are allowed and the model keeps choosing other actions, end the
        sample before the limit of failed decisions is reached."""
        is_final = self.turn_builder.offers_only_the_end
        if not is_final or self.limits.unusable_replies < MAX_UNUSABLE_FINAL_REPLIES:
            return
        if self.limits.end is not None:
            raise self.limits.end
        if self.turn_builder.watchers.stagnation.is_exhausted:
            raise Stuck(diagnosis(observation, self.step_log.writer.steps))
        self.limits.check(self.limits.max_steps + 1)

    # -- act, verify and record ----------------------------------------------------------------

    def _carry_out(self, decision: Decision, observation: Observation) -> None:
        """Execute the decision's actions, each as a step of its own, until one of them fails or
        changes the page so much that the remaining ones no longer fit, or only the last step is
        left."""
        self.batch.begin(observation, self.step_log.writer.steps)
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
            reason = self.batch.reason_to_stop(transition, remaining[0], self.limits.max_steps)
            if is_stuck:
                reason = reason or "the page did not change"
            if reason:
                self.step_log.notices.append(notice_of_dropped(remaining, reason))
                return

    def _take_step(self, action: Action, decision: Decision, before: Observation) -> Transition:
        """Execute one action as one step; update notices and run state for the next decision."""
        started = utc_now()
        result = self._act(action, before)
        after = self.step_runner.observe_after(action, before)
        if result.success and action.action not in ANSWERS:
            picture = self.step_runner.take_picture(action, after)
            result = with_picture(result, picture, after)
        transition = self.step_runner.verify(action, result, before, after)
        self.step_runner.record(transition, decision, started)
        if transition.page_changed and turns_page(action, before):
            # Each further page of a list is granted extra steps beyond the task's max_steps.
            self.step_log.writer.max_steps = self.limits.grant_steps_for_page()
        self.turn_builder.update(transition)
        return transition

    def _act(self, action: Action, observation: Observation) -> ActionResult:
        self.states.to(State.EXECUTING)
        if action.action in ANSWERS:
            # Its picture is taken first: the answer may require it, or refer to it.
            picture = self.step_runner.take_picture(action, observation)
            result, self.outcome = self.answers.carry_out(action, observation)
            return with_picture(result, picture, observation)
        if refusal := self.turn_builder.watchers.refusal(action, observation):
            return ActionResult(False, refusal, error=refusal)
        return self.step_runner.execute(action, observation)

    def _recover(self, observation: Observation) -> None:
        """Try what may help; raises Stuck if nothing is left."""
        self.states.to(State.STUCK)
        steps = self.step_log.writer.steps
        if action := self.recovery.next_action(observation, steps):
            why = "The last steps changed nothing on the page."
            transition = self.step_runner.take_own_step(action, observation, "recovery", why)
            if transition.page_changed:
                self.recovery.reset()
        self.step_log.notices.append(self.recovery.notice(observation, steps))
