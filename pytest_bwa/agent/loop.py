"""The agent loop: observe → decide → act → verify → record, until the sample has an outcome."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pytest_bwa.actions.read import MAX_PAGES
from pytest_bwa.agent.batch import Batch, Uncertain, notice_of_dropped
from pytest_bwa.agent.decider import Decider
from pytest_bwa.agent.ending import Answers, Ending
from pytest_bwa.agent.limits import Limits, turns_page
from pytest_bwa.agent.outcome import Outcome
from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.recovery import Recovery
from pytest_bwa.agent.sign_in import SignIn
from pytest_bwa.agent.state import State, StateMachine
from pytest_bwa.agent.step_log import StepLog, Transition
from pytest_bwa.agent.step_runner import StepRunner, with_picture
from pytest_bwa.errors import EvidenceError, LimitReached, SampleEnded, SiteUnreachable, Stuck
from pytest_bwa.proof.photos.proof_pictures import ProofPictures
from pytest_bwa.steps.step import ANSWERS, Action, ActionResult, Decision, Observation, utc_now

LIMITS = (LimitReached, Stuck, SiteUnreachable)
"""What ends a sample although its page and its model still work: one last decision is left."""


@dataclass
class Loop:
    """Runs the agent on one sample, from opening its page to its outcome. Its parts know the same
    limits, progress, log and states; audit/composition.py puts them together."""

    states: StateMachine
    limits: Limits
    progress: Progress
    step_log: StepLog
    decider: Decider
    batch: Batch
    step_runner: StepRunner
    pictures: ProofPictures
    recovery: Recovery
    answers: Answers
    ending: Ending
    sign_in: SignIn
    outcome: Outcome | None = field(default=None, init=False)

    def run(self, url: str | None) -> Outcome:
        """Work on the sample until it has an outcome.

        Faults of the page, the model or the disk become the outcome; RunStopped is passed on.
        """
        try:
            self.sign_in.begin()
            if url:  # the sample's page is opened before the first decision: this is step 0
                goto = Action(action="goto", url=url)
                page = Observation(url=url, title="")
                self.step_runner.take_own_step(goto, page, "open_sample")
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
            page = self.decider.look()
            if self.sign_in.is_asked_on(page):
                self.sign_in.again(page)
                page = self.decider.look()
            self._carry_out(self.decider.decide(page), page)
        except LIMITS as end:
            if is_last or self.decider.offers_only_the_end:
                raise
            self.limits.end = end
            self.states.interrupt()
        if is_last and self.outcome is None and self.limits.end is not None:
            raise self.limits.end

    def _begin_step(self) -> None:
        last = self.step_log.last_step
        step = last.step + 1 if last is not None else 1
        self.limits.check(step)
        self.step_log.step = step

    def _carry_out(self, decision: Decision, page: Observation) -> None:
        """Execute the decision's actions, each as a step of its own, as long as the next one is
        certain."""
        read = self.decider.turn_builder.pages
        self.batch.begin(page, (one.page for one in read if one.page))
        action, *remaining = decision.actions
        while True:
            transition = self._take_step(action, decision, page)
            page = transition.after
            is_stuck = self.recovery.is_stuck_after(transition)
            if is_stuck:
                self._recover(page)
            if not remaining:
                return
            try:
                action = self.batch.certain(transition, remaining[0], self.limits.max_steps)
                if is_stuck:
                    raise Uncertain("the page did not change")
            except Uncertain as reason:
                self.step_log.notices.append(notice_of_dropped(remaining, reason))
                return
            del remaining[0]
            self._begin_step()

    def _take_step(self, action: Action, decision: Decision, page: Observation) -> Transition:
        """Execute one action of a decision, on the page on which its element is."""
        if action.action == "read":
            return self._read(action, decision, page)
        there, page = self.step_runner.at_its_page(action, page)
        return self._take_one(there, _with_first(decision, action, there), page)

    def _read(self, action: Action, decision: Decision, page: Observation) -> Transition:
        """Read pages that open side by side, each as a step of its own."""
        with self.step_runner.executor.pages_of(action, page) as parts:
            left = max(1, self.limits.max_steps - self.step_log.step)
            for part in parts[: min(left, MAX_PAGES)]:
                if part is not parts[0]:
                    self._begin_step()
                transition = self._take_one(part, _with_first(decision, action, parts[0]), page)
        if more := parts[min(left, MAX_PAGES) :]:
            most = "only the last step is left" if left < MAX_PAGES else f"{MAX_PAGES} are the most"
            self.step_log.notices.append(notice_of_dropped(more, most))
        return transition

    def _take_one(self, action: Action, decision: Decision, before: Observation) -> Transition:
        """Execute one action as one step; update notices and run state for the next decision."""
        started = utc_now()
        result = self._act(action, before)
        after = self.step_runner.observe_after(action, before)
        if result.success and action.action not in ANSWERS:
            result = with_picture(result, self.step_runner.take_picture(action, after), after)
        transition = self.step_runner.verify(action, result, before, after)
        self.step_runner.record(transition, decision, started)
        if transition.page_changed and turns_page(action, before):
            # Each further page of a list is granted extra steps beyond the task's max_steps.
            self.step_log.writer.max_steps = self.limits.grant_steps_for_page()
        self.decider.turn_builder.update(transition)
        return transition

    def _act(self, action: Action, page: Observation) -> ActionResult:
        self.states.to(State.EXECUTING)
        if action.action in ANSWERS:
            # Its picture is taken first: the answer may require it, or refer to it.
            picture = self.step_runner.take_picture(action, page)
            result, self.outcome = self.answers.carry_out(action, page)
            return with_picture(result, picture, page)
        if refusal := self.decider.turn_builder.watchers.refusal(action, page):
            return ActionResult(False, refusal, error=refusal)
        return self.step_runner.execute(action, page)

    def _recover(self, page: Observation) -> None:
        """Try what may help; raises Stuck if nothing is left."""
        self.states.to(State.STUCK)
        steps = self.step_log.writer.steps
        if action := self.recovery.next_action(page, steps):
            why = "The last steps changed nothing on the page."
            transition = self.step_runner.take_own_step(action, page, "recovery", why)
            if transition.page_changed:
                self.recovery.reset()
        self.step_log.notices.append(self.recovery.notice(page, steps))


def _with_first(decision: Decision, action: Action, instead: Action) -> Decision:
    """The decision with another action in place of its first one, if that is ``action``: what the
    decision has cost is logged with it."""
    is_first = action is decision.actions[0]
    return replace(decision, actions=(instead, *decision.actions[1:])) if is_first else decision
