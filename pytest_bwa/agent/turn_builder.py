"""What each decision rests on: the page, and what the sample has been through."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_bwa.agent.limits import Limits
from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.run_state import RunState
from pytest_bwa.agent.step_log import StepLog
from pytest_bwa.agent.summaries import Summaries
from pytest_bwa.agent.transition import Transition
from pytest_bwa.agent.watchers.group import Watchers
from pytest_bwa.perception.vision import VisionGoal
from pytest_bwa.policy.base import Summarizer, Turn
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import ActionName, Observation


class TurnBuilder:
    """Gathers for one sample what its policy is told with every turn."""

    def __init__(
        self,
        task: TaskSpec,
        sample: Sample,
        *,
        step_log: StepLog,
        limits: Limits,
        progress: Progress,
        summarizer: Summarizer | None,
    ) -> None:
        self._task, self._sample = task, sample
        self._ledger, self._limits, self._progress = step_log, limits, progress
        self.watchers, self.run_state = Watchers(task), RunState(progress)
        self.summaries = Summaries(summarizer)

    def begin(self, observation: Observation) -> None:
        """A step begins on this page; older steps are condensed where that is due."""
        self.run_state.visited(observation)
        if self.summaries.due(self._ledger.step):
            self._ledger.spend(self.summaries.add(self.turn(observation)))

    def turn(self, observation: Observation) -> Turn:
        step_log, limits = self._ledger, self._limits
        return Turn(
            observation=observation,
            task=self._task,
            sample=self._sample,
            step=step_log.step,
            max_steps=limits.max_steps,
            history=step_log.writer.steps,
            collected=self._progress.collected,
            screenshots=step_log.screenshots,
            notices=step_log.notices,
            summaries=self.summaries.shown,
            run_state=self.run_state.lines(),
            allowed=self.allowed(),
            seconds_left=limits.seconds_left,
            failed_decisions=limits.failed_decisions,
        )

    def wanted(self) -> VisionGoal:
        """What pictures may still tell: the fields without a value."""
        task, collected = self._task, self._progress.collected
        names = [name for name in task.output_schema if collected.get(name) is None]
        return VisionGoal(task.goal, names)

    def allowed(self) -> Sequence[ActionName] | None:
        return self.watchers.allowed(self._ledger.step, self._limits.max_steps)

    def after(self, transition: Transition) -> None:
        """What the next decision is told of this turn."""
        if transition.action.action == "done" and not transition.result.success:
            self._ledger.notices.append(transition.result.description)
        self.run_state.after(transition)
        self._ledger.notices += self.watchers.after(transition)
        if self.watchers.stagnation.demanding:
            self._ledger.checkpoint("in_progress")
