"""The loop: observe → decide → act → verify → record, until something ends the sample."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from pytest_bwa.actions.catalog import changes_page
from pytest_bwa.agent.batch import broken_off
from pytest_bwa.agent.limits import Limits, turns_page
from pytest_bwa.agent.outcome import Outcome, OutcomeBuilder
from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.recovery import Recovery, diagnosis
from pytest_bwa.agent.state import State, StateMachine
from pytest_bwa.agent.step_log import StepLog
from pytest_bwa.agent.transition import Transition
from pytest_bwa.agent.turn_builder import TurnBuilder
from pytest_bwa.agent.verify import verify
from pytest_bwa.agent.watchers.group import ENDINGS
from pytest_bwa.errors import (
    DecisionUnusable,
    EvidenceError,
    ModelFailed,
    PageLost,
    SampleEnded,
    Stuck,
)
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.perception.vision import VisionGoal
from pytest_bwa.policy.base import Policy
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import (
    Action,
    ActionResult,
    Decision,
    Intent,
    Observation,
    Step,
    Usage,
    utc_now,
)

ENDING_TRIES = 2
NOWHERE = Observation(url="", title="")


class Observer(Protocol):
    def observe(self) -> Observation: ...


class Executor(Protocol):
    def act(self, action: Action, observation: Observation, step: int) -> ActionResult: ...


class Vision(Protocol):
    def look(
        self, observation: Observation, wanted: VisionGoal, step: int, seconds_left: float | None
    ) -> tuple[Observation, Usage]: ...


class Loop:
    """One sample's way from its page to its ending. ``watch`` is told of every step."""

    def __init__(
        self,
        task: TaskSpec,
        sample: Sample,
        *,
        policy: Policy,
        eyes: Observer,
        hands: Executor,
        looking: Vision,
        writer: SampleWriter,
        watch: Callable[[Step, Usage], None],
    ) -> None:
        self.policy, self.eyes, self.hands, self.looking = policy, eyes, hands, looking
        self.limits, self.progress, self.states = Limits(task), Progress(), StateMachine()
        self.recovery = Recovery()
        self.outcomes = OutcomeBuilder(task, self.progress, writer, policy.helpers.finalizer)
        self.step_log = StepLog(writer, self.progress, watch)
        self.turn_builder = TurnBuilder(
            task,
            sample,
            step_log=self.step_log,
            limits=self.limits,
            progress=self.progress,
            summarizer=policy.helpers.summarizer,
        )
        self.outcome: Outcome | None = None

    def run(self, url: str | None) -> Outcome:
        """Never raises for what the page, the model or the disk did; RunStopped passes."""
        try:
            if url:
                self._open(url)
            while self.outcome is None:
                self._begin_step()
                observation = self._observe()
                decision = self._decide(observation)
                self._carry_out(decision, observation)
        except (SampleEnded, EvidenceError) as end:
            self.outcome = self._cut_short(end)
        self.progress.collected = dict(self.outcome.extracted or self.progress.collected)
        self.states.to(State.COMPLETE if self.outcome.status == "done" else State.FAILED)
        return self.outcome

    def _begin_step(self) -> None:
        self.limits.check(self.step_log.step + 1)
        self.step_log.step += 1

    def _carry_out(self, decision: Decision, observation: Observation) -> None:
        """Every action of the decision, each a step of its own, as long as the page that it was
        chosen for is there (F-46)."""
        for number, action in enumerate(decision.actions):
            if number:
                self._begin_step()
            transition = self._turn(action, decision, observation)
            observation = transition.after
            why = broken_off(transition)
            if self.recovery.after(transition):
                self._recover(observation)
                why = why or "the page did not move"
            left = len(decision.actions) - number - 1
            if left and why:
                self.step_log.notices.append(f"{left} more actions were not done, because {why}.")
                return

    def _turn(self, action: Action, decision: Decision, before: Observation) -> Transition:
        """Act, verify, record; then what the next decision is told of it."""
        started = utc_now()
        result = self._act(action, before)
        transition = self._verified(action, result, before, self._observe_after(action, before))
        self._record(transition, decision, started)
        self._learn_from(transition)
        return transition

    # -- the five rooms ----------------------------------------------------------------------

    def _open(self, url: str) -> None:
        """The sample's page, before the first decision: step 0 (DESIGN 4.9)."""
        self._unasked(Action(action="goto", url=url), Observation(url=url, title=""), "open_sample")

    def _observe(self) -> Observation:
        """The page now, and, where its tree tells too little, what a picture of it shows."""
        self.states.to(State.PERCEIVING)
        seen = self.eyes.observe()
        wanted = self.turn_builder.wanted()
        seen, usage = self.looking.look(seen, wanted, self.step_log.step, self.limits.seconds_left)
        self.step_log.spend(usage)
        self.step_log.seen(seen)
        return seen

    def _decide(self, observation: Observation) -> Decision:
        self.states.to(State.PLANNING)
        self.turn_builder.begin(observation)
        while True:
            try:
                decision = self.policy.decide(self.turn_builder.turn(observation))
            except DecisionUnusable as problem:
                self.step_log.spend(problem.spent)
                self.step_log.notices.append(str(problem))
                self.limits.decision_failed(str(problem))
                self._end_if_none_is_chosen(observation)
                self.limits.check(self.step_log.step)
                self.states.to(State.PLANNING)
                continue
            except ModelFailed as problem:
                self.step_log.spend(problem.spent)
                raise
            self.limits.decision_taken()
            self.step_log.spend(decision.usage)
            return decision

    def _end_if_none_is_chosen(self, observation: Observation) -> None:
        """Where only done and fail are left, a model that keeps asking for more is not asked
        until its failures are full."""
        if (
            self.limits.failed_decisions < ENDING_TRIES
            or self.turn_builder.allowed() is not ENDINGS
        ):
            return
        if self.turn_builder.watchers.stagnation.spent:
            raise Stuck(diagnosis(observation, self.step_log.writer.steps))
        self.limits.check(self.limits.max_steps + 1)

    def _act(self, action: Action, observation: Observation) -> ActionResult:
        self.states.to(State.EXECUTING)
        match action.action:
            case "save_progress":
                return self.progress.save(action)
            case "done":
                last = self.step_log.step >= self.limits.max_steps
                result, self.outcome = self.outcomes.done(
                    action, self.step_log.unread_pictures, last
                )
                return result
            case "fail":
                result, self.outcome = self.outcomes.fail(action)
                return result
        if refusal := self.turn_builder.watchers.refusal(action, observation):
            return ActionResult(False, refusal, error=refusal)
        result = self.hands.act(action, observation, self.step_log.step)
        self.limits.count(result)
        return result

    def _observe_after(self, action: Action, before: Observation) -> Observation:
        return self.eyes.observe() if changes_page(action.action) else before

    def _verified(
        self, action: Action, result: ActionResult, before: Observation, after: Observation
    ) -> Transition:
        self.states.to(State.VERIFYING)
        passive = not changes_page(action.action) or not before.dom_hash
        return Transition(
            step=self.step_log.step,
            max_steps=self.limits.max_steps,
            action=action,
            result=result,
            before=before,
            after=after,
            verdict=None if passive else verify(before, after),
            saved=action.action == "save_progress" and result.success and self.progress.grew,
            saves=self.progress.saves,
        )

    def _record(self, transition: Transition, decision: Decision, started: str) -> None:
        self.states.to(State.RECORDING)
        self.step_log.record(transition, decision, started)

    def _learn_from(self, transition: Transition) -> None:
        """What this step earned, and what the next decision is told of it."""
        if (
            transition.moved
            and turns_page(transition.action, transition.before)
            and self.limits.turned_page()
        ):
            self.step_log.writer.max_steps = self.limits.max_steps
        self.turn_builder.after(transition)

    # -- what no policy asked for ------------------------------------------------------------

    def _unasked(
        self, action: Action, before: Observation, intent: Intent, why: str = ""
    ) -> Transition:
        """An action of the loop's own, recorded like any other. Of a page that was not observed
        (it has no dom_hash) nothing is verified."""
        started, pending, self.step_log.notices = utc_now(), self.step_log.notices, []
        self.states.to(State.EXECUTING)
        on = before if before.dom_hash else NOWHERE
        result = self.hands.act(action, on, self.step_log.step)
        self.limits.count(result)
        after = self._observe_after(action, before) if before.dom_hash else before
        transition = self._verified(action, result, before, after)
        self._record(transition, Decision((action,), thinking=why, intent=intent), started)
        self.step_log.notices = pending
        return transition

    def _recover(self, observation: Observation) -> None:
        """STUCK: try what a person would try; Stuck when nothing is left (F-61)."""
        self.states.to(State.STUCK)
        action = self.recovery.action(observation, self.step_log.writer.steps)
        why = "The last steps changed nothing on the page."
        if self._unasked(action, observation, "recovery", why).moved:
            self.recovery.recovered()
        self.step_log.notices.append(
            f"The last steps changed nothing, so {action.action} was tried for you: look at the "
            "page anew and choose another element or another way."
        )

    def _last_picture(self) -> None:
        """What the page looked like when the sample was cut short, unless a picture shows it."""
        last = self.step_log.writer.steps[-1] if self.step_log.writer.steps else None
        if last is None or last.action == "screenshot":
            return
        shot = Action(action="screenshot", label="last_view")
        try:
            self._unasked(shot, Observation(url=last.url, title=""), "last_picture")
        except (SampleEnded, EvidenceError):  # the sample has ended already, for its own reason
            return

    # -- endings -----------------------------------------------------------------------------

    def _cut_short(self, end: Exception) -> Outcome:
        if isinstance(end, SampleEnded) and not isinstance(end, PageLost):
            self._last_picture()
            self._last_answer(end)
        return self.outcomes.cut_short(end)

    def _last_answer(self, end: SampleEnded) -> None:
        started = utc_now()
        page = Observation(url=self.step_log.last_url, title="")
        try:
            decision = self.outcomes.last_answer(self.turn_builder.turn(page), end)
        except ModelFailed as problem:
            self.step_log.spend(problem.spent)
            self.progress.notes.append(f"no last answer was had: {problem}")
            return
        if decision is None:
            return
        self.step_log.spend(decision.usage)
        self.states.to(State.EXECUTING)
        result = ActionResult(True, "the last answer, from what was collected")
        transition = self._verified(decision.actions[0], result, page, page)
        self._record(transition, replace(decision, intent="last_answer"), started)
