"""What each decision rests on: the page, and what the sample has been through."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_bwa.agent.guidance import Guidance
from pytest_bwa.agent.ledger import Ledger
from pytest_bwa.agent.limits import Limits
from pytest_bwa.agent.moment import Moment
from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.run_state import RunState
from pytest_bwa.agent.summaries import Summaries
from pytest_bwa.perception.looking import Wanted
from pytest_bwa.policy.aides import Condenser
from pytest_bwa.policy.turn import Turn
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import ActionName, Observation


class Briefing:
    """Gathers for one sample what its policy is told with every turn."""

    def __init__(
        self,
        task: TaskSpec,
        sample: Sample,
        *,
        ledger: Ledger,
        limits: Limits,
        progress: Progress,
        condenser: Condenser | None,
    ) -> None:
        self._task, self._sample = task, sample
        self._ledger, self._limits, self._progress = ledger, limits, progress
        self.guidance, self.run_state = Guidance(task), RunState(progress)
        self.summaries = Summaries(condenser)

    def begin(self, observation: Observation) -> None:
        """A step begins on this page; older steps are condensed where that is due."""
        self.run_state.visited(observation)
        if self.summaries.due(self._ledger.step):
            self._ledger.spend(self.summaries.add(self.turn(observation)))

    def turn(self, observation: Observation) -> Turn:
        ledger, limits = self._ledger, self._limits
        return Turn(
            observation=observation,
            task=self._task,
            sample=self._sample,
            step=ledger.step,
            max_steps=limits.max_steps,
            history=ledger.writer.steps,
            collected=self._progress.collected,
            screenshots=ledger.screenshots,
            notices=ledger.notices,
            summaries=self.summaries.shown,
            run_state=self.run_state.lines(),
            allowed=self.allowed(),
            seconds_left=limits.seconds_left,
            failed_decisions=limits.failed_decisions,
        )

    def wanted(self) -> Wanted:
        """What pictures may still tell: the fields without a value."""
        task, collected = self._task, self._progress.collected
        names = [name for name in task.output_schema if collected.get(name) is None]
        return Wanted(task.goal, names)

    def allowed(self) -> Sequence[ActionName]:
        return self.guidance.allowed(self._ledger.step, self._limits.max_steps)

    def after(self, moment: Moment) -> None:
        """What the next decision is told of this turn."""
        if moment.action.action == "done" and not moment.result.success:
            self._ledger.notices.append(moment.result.description)
        self.run_state.after(moment)
        self._ledger.notices += self.guidance.after(moment)
        if self.guidance.stagnation.demanding:
            self._ledger.checkpoint("in_progress")
