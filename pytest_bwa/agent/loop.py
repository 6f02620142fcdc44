"""The loop: observe → decide → act → verify → record, until something ends the sample."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pytest_bwa.agent.batch import broken_off
from pytest_bwa.agent.briefing import Briefing
from pytest_bwa.agent.ending import Ending
from pytest_bwa.agent.guidance import ENDINGS
from pytest_bwa.agent.ledger import Ledger
from pytest_bwa.agent.limits import Limits, turns_page
from pytest_bwa.agent.moment import Moment
from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.recovery import Recovery, diagnosis
from pytest_bwa.agent.state import State, StateMachine
from pytest_bwa.agent.termination import Termination
from pytest_bwa.agent.verify import verify
from pytest_bwa.errors import (
    DecisionUnusable,
    EvidenceError,
    ModelFailed,
    PageLost,
    SampleEnded,
    Stuck,
)
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.perception.looking import Wanted
from pytest_bwa.policy.policy import Policy
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import (
    PASSIVE_ACTIONS,
    Action,
    ActionResult,
    Decision,
    Observation,
    Step,
    Usage,
    utc_now,
)

ENDING_TRIES = 2
NOWHERE = Observation(url="", title="")


class Eyes(Protocol):
    def observe(self) -> Observation: ...


class Hands(Protocol):
    def act(self, action: Action, observation: Observation, step: int) -> ActionResult: ...


class Looking(Protocol):
    def look(
        self, observation: Observation, wanted: Wanted, step: int, seconds_left: float | None
    ) -> tuple[Observation, Usage]: ...


class Loop:
    """One sample's way from its page to its ending. ``watch`` is told of every step."""

    def __init__(
        self,
        task: TaskSpec,
        sample: Sample,
        *,
        policy: Policy,
        eyes: Eyes,
        hands: Hands,
        looking: Looking,
        writer: SampleWriter,
        watch: Callable[[Step, Usage], None],
    ) -> None:
        self.policy, self.eyes, self.hands, self.looking = policy, eyes, hands, looking
        self.limits, self.progress, self.states = Limits(task), Progress(), StateMachine()
        self.recovery = Recovery()
        self.termination = Termination(task, self.progress, writer, policy.aides.finalizer)
        self.ledger = Ledger(writer, self.progress, watch)
        self.briefing = Briefing(
            task,
            sample,
            ledger=self.ledger,
            limits=self.limits,
            progress=self.progress,
            condenser=policy.aides.condenser,
        )
        self.ending: Ending | None = None

    def run(self, url: str | None) -> Ending:
        """Never raises for what the page, the model or the disk did; RunStopped passes."""
        try:
            if url:
                self._open(url)
            while self.ending is None:
                self._begin_step()
                observation = self._observe()
                decision = self._decide(observation)
                self._carry_out(decision, observation)
        except (SampleEnded, EvidenceError) as end:
            self.ending = self._cut_short(end)
        self.progress.collected = dict(self.ending.extracted or self.progress.collected)
        self.states.to(State.COMPLETE if self.ending.status == "done" else State.FAILED)
        return self.ending

    def _begin_step(self) -> None:
        self.limits.check(self.ledger.step + 1)
        self.ledger.step += 1

    def _carry_out(self, decision: Decision, observation: Observation) -> None:
        """Every action of the decision, each a step of its own, as long as the page that it was
        chosen for is there (F-46)."""
        for number, action in enumerate(decision.actions):
            if number:
                self._begin_step()
            moment = self._turn(action, decision, observation)
            observation = moment.after
            why = broken_off(moment)
            if self.recovery.after(moment):
                self._recover(observation)
                why = why or "the page did not move"
            left = len(decision.actions) - number - 1
            if left and why:
                self.ledger.notices.append(f"{left} more actions were not done, because {why}.")
                return

    def _turn(self, action: Action, decision: Decision, before: Observation) -> Moment:
        """Act, verify, record; then what the next decision is told of it."""
        started = utc_now()
        result = self._act(action, before)
        moment = self._verified(action, result, before, self._observe_after(action, before))
        self._record(moment, decision, started)
        self._learn_from(moment)
        return moment

    # -- the five rooms ----------------------------------------------------------------------

    def _open(self, url: str) -> None:
        """The sample's page, before the first decision: step 0 (DESIGN 4.9)."""
        self._unasked(Action(action="goto", url=url), Observation(url=url, title=""), "")

    def _observe(self) -> Observation:
        """The page now, and, where its tree tells too little, what a picture of it shows."""
        self.states.to(State.PERCEIVING)
        seen = self.eyes.observe()
        wanted = self.briefing.wanted()
        seen, usage = self.looking.look(seen, wanted, self.ledger.step, self.limits.seconds_left)
        self.ledger.spend(usage)
        self.ledger.seen(seen)
        return seen

    def _decide(self, observation: Observation) -> Decision:
        self.states.to(State.PLANNING)
        self.briefing.begin(observation)
        while True:
            try:
                decision = self.policy.decide(self.briefing.turn(observation))
            except DecisionUnusable as problem:
                self.ledger.spend(problem.spent)
                self.ledger.notices.append(str(problem))
                self.limits.decision_failed(str(problem))
                self._end_if_none_is_chosen(observation)
                self.limits.check(self.ledger.step)
                self.states.to(State.PLANNING)
                continue
            except ModelFailed as problem:
                self.ledger.spend(problem.spent)
                raise
            self.limits.decision_taken()
            self.ledger.spend(decision.usage)
            return decision

    def _end_if_none_is_chosen(self, observation: Observation) -> None:
        """Where only done and fail are left, a model that keeps asking for more is not asked
        until its failures are full."""
        if self.limits.failed_decisions < ENDING_TRIES or self.briefing.allowed() is not ENDINGS:
            return
        if self.briefing.guidance.stagnation.spent:
            raise Stuck(diagnosis(observation, self.ledger.writer.steps))
        self.limits.check(self.limits.max_steps + 1)

    def _act(self, action: Action, observation: Observation) -> ActionResult:
        self.states.to(State.EXECUTING)
        match action.action:
            case "save_progress":
                return self.progress.save(action)
            case "done":
                last = self.ledger.step >= self.limits.max_steps
                result, self.ending = self.termination.done(action, self.ledger.unread, last)
                return result
            case "fail":
                result, self.ending = self.termination.fail(action)
                return result
        if refusal := self.briefing.guidance.refusal(action, observation):
            return ActionResult(False, refusal, error=refusal)
        result = self.hands.act(action, observation, self.ledger.step)
        self.limits.count(result)
        return result

    def _observe_after(self, action: Action, before: Observation) -> Observation:
        return before if action.action in PASSIVE_ACTIONS else self.eyes.observe()

    def _verified(
        self, action: Action, result: ActionResult, before: Observation, after: Observation
    ) -> Moment:
        self.states.to(State.VERIFYING)
        passive = action.action in PASSIVE_ACTIONS or not before.dom_hash
        return Moment(
            step=self.ledger.step,
            max_steps=self.limits.max_steps,
            action=action,
            result=result,
            before=before,
            after=after,
            verdict=None if passive else verify(before, after),
            saved=action.action == "save_progress" and result.success and self.progress.grew,
            saves=self.progress.saves,
        )

    def _record(self, moment: Moment, decision: Decision, started: str) -> None:
        self.states.to(State.RECORDING)
        self.ledger.record(moment, decision, started)

    def _learn_from(self, moment: Moment) -> None:
        """What this step earned, and what the next decision is told of it."""
        if moment.moved and turns_page(moment.action, moment.before) and self.limits.turned_page():
            self.ledger.writer.max_steps = self.limits.max_steps
        self.briefing.after(moment)

    # -- what no policy asked for ------------------------------------------------------------

    def _unasked(self, action: Action, before: Observation, why: str) -> Moment:
        """An action of the loop's own, recorded like any other. Of a page that was not observed
        (it has no dom_hash) nothing is verified."""
        started, pending, self.ledger.notices = utc_now(), self.ledger.notices, []
        self.states.to(State.EXECUTING)
        on = before if before.dom_hash else NOWHERE
        result = self.hands.act(action, on, self.ledger.step)
        self.limits.count(result)
        after = self._observe_after(action, before) if before.dom_hash else before
        moment = self._verified(action, result, before, after)
        self._record(moment, Decision((action,), thinking=why), started)
        self.ledger.notices = pending
        return moment

    def _recover(self, observation: Observation) -> None:
        """STUCK: try what a person would try; Stuck when nothing is left (F-61)."""
        self.states.to(State.STUCK)
        action = self.recovery.action(observation, self.ledger.writer.steps)
        why = "Recovery: the last steps changed nothing on the page."
        if self._unasked(action, observation, why).moved:
            self.recovery.recovered()
        self.ledger.notices.append(
            f"The last steps changed nothing, so {action.action} was tried for you: look at the "
            "page anew and choose another element or another way."
        )

    def _last_picture(self) -> None:
        """What the page looked like when the sample was cut short, unless a picture shows it."""
        last = self.ledger.writer.steps[-1] if self.ledger.writer.steps else None
        if last is None or last.action == "screenshot":
            return
        shot = Action(action="screenshot", label="last_view")
        try:
            self._unasked(shot, Observation(url=last.url, title=""), "")
        except (SampleEnded, EvidenceError):  # the sample has ended already, for its own reason
            return

    # -- endings -----------------------------------------------------------------------------

    def _cut_short(self, end: Exception) -> Ending:
        if isinstance(end, SampleEnded) and not isinstance(end, PageLost):
            self._last_picture()
            self._last_answer(end)
        return self.termination.cut_short(end)

    def _last_answer(self, end: SampleEnded) -> None:
        started = utc_now()
        page = Observation(url=self.ledger.last_url, title="")
        try:
            decision = self.termination.last_answer(self.briefing.turn(page), end)
        except ModelFailed as problem:
            self.ledger.spend(problem.spent)
            self.progress.notes.append(f"no last answer was had: {problem}")
            return
        if decision is None:
            return
        self.ledger.spend(decision.usage)
        self.states.to(State.EXECUTING)
        result = ActionResult(True, "the last answer, from what was collected")
        moment = self._verified(decision.actions[0], result, page, page)
        self._record(moment, decision, started)
