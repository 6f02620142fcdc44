"""The loop: observe → decide → act → verify → record, until something ends the sample."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from pytest_bwa.agent import completion, ending
from pytest_bwa.agent.ending import Ending
from pytest_bwa.agent.limits import Limits
from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.state import State, StateMachine
from pytest_bwa.agent.verify import verify
from pytest_bwa.errors import (
    DecisionUnusable,
    EvidenceError,
    LimitReached,
    ModelFailed,
    SampleEnded,
)
from pytest_bwa.evidence.writer import CHECKPOINT_EVERY, SampleWriter
from pytest_bwa.policy.policy import Policy, Turn
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
    Verdict,
    utc_now,
)


class Eyes(Protocol):
    def observe(self) -> Observation: ...


class Hands(Protocol):
    def act(self, action: Action, observation: Observation, step: int) -> ActionResult: ...


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
        writer: SampleWriter,
        watch: Callable[[Step, Usage], None],
    ) -> None:
        self.task, self.sample = task, sample
        self.policy, self.eyes, self.hands, self.writer = policy, eyes, hands, writer
        self.watch = watch
        self.limits, self.progress, self.states = Limits(task), Progress(), StateMachine()
        self.usage = Usage()
        self.step = 0
        self.notices: list[str] = []
        self.ending: Ending | None = None

    def run(self, url: str | None) -> Ending:
        """Never raises for what the page, the model or the disk did; RunStopped passes."""
        try:
            if url:
                self._open(url)
            while self.ending is None:
                self.limits.check(self.step + 1)
                self.step += 1
                observation = self._observe()
                decision = self._decide(observation)
                for action in decision.actions:
                    observation = self._turn(action, decision, observation)
        except (SampleEnded, EvidenceError) as end:
            self.ending = self._cut_short(end)
            if isinstance(end, LimitReached | ModelFailed):
                self._last_picture()
        self.states.to(State.COMPLETE if self.ending.status == "done" else State.FAILED)
        return self.ending

    def _turn(self, action: Action, decision: Decision, before: Observation) -> Observation:
        """Act, verify, record; the page afterwards."""
        started = utc_now()
        result = self._act(action, before)
        after = self._observe_after(action, before)
        self._record(action, decision, before, result, self._verify(action, before, after), started)
        return after

    # -- the five rooms ----------------------------------------------------------------------

    def _open(self, url: str) -> None:
        """The sample's page, before the first decision: step 0 (DESIGN 4.9)."""
        nowhere = Observation(url="", title="")
        action, started = Action(action="goto", url=url), utc_now()
        result = self._act(action, nowhere)
        after = Observation(url=url, title="")
        self._record(
            action, Decision((action,)), after, result, self._verify(action, None, None), started
        )

    def _observe(self) -> Observation:
        self.states.to(State.PERCEIVING)
        return self.eyes.observe()

    def _decide(self, observation: Observation) -> Decision:
        self.states.to(State.PLANNING)
        while True:
            try:
                decision = self.policy.decide(self._turn_for(observation))
            except DecisionUnusable as problem:
                self._spend(problem.spent)
                self.notices.append(str(problem))
                self.limits.decision_failed(str(problem))
                self.limits.check(self.step)
                self.states.to(State.PLANNING)
                continue
            except ModelFailed as problem:
                self._spend(problem.spent)
                raise
            self.limits.decision_taken()
            self._spend(decision.usage)
            return decision

    def _act(self, action: Action, observation: Observation) -> ActionResult:
        self.states.to(State.EXECUTING)
        match action.action:
            case "save_progress":
                return self.progress.save(action)
            case "done":
                return self._done(action)
            case "fail":
                return self._fail(action)
            case _:
                result = self.hands.act(action, observation, self.step)
                self.limits.count(result)
                return result

    def _observe_after(self, action: Action, before: Observation) -> Observation:
        return before if action.action in PASSIVE_ACTIONS else self.eyes.observe()

    def _verify(
        self, action: Action, before: Observation | None, after: Observation | None
    ) -> Verdict | None:
        self.states.to(State.VERIFYING)
        if action.action in PASSIVE_ACTIONS or before is None or after is None:
            return None
        return verify(before, after)

    def _record(
        self,
        action: Action,
        decision: Decision,
        before: Observation,
        result: ActionResult,
        verdict: Verdict | None,
        started: str,
    ) -> None:
        self.states.to(State.RECORDING)
        first = action is decision.actions[0]
        step = Step(
            step=self.step,
            action=action.action,
            params=action.params(),
            result=result.description,
            success=result.success,
            error=result.error,
            url=before.url,
            thinking=decision.thinking,
            evaluation_previous_step=action.evaluation_previous_step,
            memory_update=action.memory_update,
            next_goal=action.next_goal,
            changed=verdict.changed if verdict else None,
            artifact=result.artifact.filename if result.artifact else None,
            notices=self.notices,
            model=decision.model,
            usage=decision.usage if first else Usage(),
            started_at=started,
            timestamp=utc_now(),
        )
        self.notices = [] if result.success or action.action != "done" else [result.description]
        self.writer.log(step)
        self.watch(step, self.usage)
        if action.action == "save_progress" or self.step % CHECKPOINT_EVERY == 0:
            self.checkpoint("in_progress")

    # -- endings -----------------------------------------------------------------------------

    def _done(self, action: Action) -> ActionResult:
        extracted, judgment = ending.answer(action, self.progress.collected)
        found = completion.check(self.task, extracted, judgment, self.writer.artifacts)
        if found.accepted:
            self.ending = ending.accepted(extracted, found)
            return ActionResult(True, "accepted: all that is required is there")
        if self.step >= self.limits.max_steps:
            self.ending = ending.on_last_step(extracted, found)
        return ActionResult(False, found.notice(), error=found.notice())

    def _fail(self, action: Action) -> ActionResult:
        note = action.note or "the agent gave up without saying why"
        collected = self.progress.collected
        missing = completion.check(self.task, collected, None, self.writer.artifacts).missing
        self.ending = ending.Ending("failed", note, collected, missing)
        return ActionResult(True, note)

    def _cut_short(self, end: Exception) -> Ending:
        collected = self.progress.collected
        missing = completion.check(self.task, collected, None, self.writer.artifacts).missing
        if isinstance(end, EvidenceError):  # what cannot be proven is not a success
            return ending.Ending("failed", str(end), collected, missing, broken=True)
        broken = not isinstance(end, LimitReached)
        return ending.cut_short(str(end), collected, missing, broken=broken)

    def _last_picture(self) -> None:
        """What the page looked like when the sample was cut short, unless a picture shows it."""
        last = self.writer.steps[-1] if self.writer.steps else None
        if last is None or last.action == "screenshot":
            return
        action, started = Action(action="screenshot", label="last_view"), utc_now()
        before = Observation(url=last.url, title="")
        try:
            result = self._act(action, before)
            verdict = self._verify(action, None, None)
            self._record(action, Decision((action,)), before, result, verdict, started)
        except (SampleEnded, EvidenceError):  # the sample has ended already, for its own reason
            return

    # -- small things ------------------------------------------------------------------------

    def checkpoint(self, status: str) -> None:
        self.writer.checkpoint(self.step, self.progress.collected, self.progress.notes, status)

    def _spend(self, usage: Any) -> None:
        if isinstance(usage, Usage):
            self.usage = self.usage + usage

    def _turn_for(self, observation: Observation) -> Turn:
        return Turn(
            observation=observation,
            task=self.task,
            sample=self.sample,
            step=self.step,
            max_steps=self.limits.max_steps,
            history=self.writer.steps,
            collected=self.progress.collected,
            screenshots=[a.filename for a in self.writer.artifacts if a.filename.endswith(".png")],
            notices=self.notices,
            seconds_left=self.limits.seconds_left,
        )
