"""Builds the Turn that the policy decides on: the page, and what happened in the sample so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_bwa.agent.limits import Limits
from pytest_bwa.agent.memory.worker_memory import SampleMemory
from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.run_state import RunState, SeenFields
from pytest_bwa.agent.step_log import StepLog
from pytest_bwa.agent.summaries import Summaries
from pytest_bwa.agent.transition import Transition
from pytest_bwa.agent.watchers import Watchers
from pytest_bwa.page.perception.page_change import PageChange
from pytest_bwa.page.perception.picture_needs import VisionGoal
from pytest_bwa.policy.base import Summarizer, Turn
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import FINAL_ACTIONS, ActionName, Observation


class TurnBuilder:
    """Keeps watchers, run state and summaries of one sample, and puts them into every Turn."""

    def __init__(
        self,
        task: TaskSpec,
        sample: Sample,
        *,
        step_log: StepLog,
        limits: Limits,
        progress: Progress,
        summarizer: Summarizer | None,
        memory: SampleMemory,
        exemplars: Sequence[str] = (),
        meanwhile: Callable[[], None] | None = None,
    ) -> None:
        self._task, self._sample, self._exemplars = task, sample, exemplars
        self._meanwhile = meanwhile
        self._step_log, self._limits, self._progress = step_log, limits, progress
        self.watchers, self._memory = Watchers(task), memory
        self.run_state = RunState(progress, SeenFields(task, progress))
        self.summaries = Summaries(summarizer)
        self._page_change = PageChange()
        self.offers_only_the_end = False
        """Whether the latest turn allowed nothing but done and fail."""
        self.picture = b""
        """The picture that the model asked for with its last action."""
        self.picture_number: int | None = None

    def begin_step(self, observation: Observation) -> None:
        """Note the visit of this page, say if this decision is the last, and summarize older steps
        if that is due."""
        self.run_state.add_visit(observation)
        self._page_change.update(self._step_log.step, observation)
        self._step_log.notices += self._memory.notices_on(observation.url)
        if why := self._why_last():
            self._step_log.notices.append(f"{why} Only done and fail are left.")
        turn = self.turn(observation)
        if self.summaries.is_due(turn):
            self._step_log.add_usage(self.summaries.add(turn))

    def turn(self, observation: Observation) -> Turn:
        """The input for the policy's next decision."""
        step_log, limits = self._step_log, self._limits
        allowed = self.allowed_actions()
        self.offers_only_the_end = allowed is FINAL_ACTIONS
        return Turn(
            observation=observation,
            task=self._task,
            sample=self._sample,
            step=step_log.step,
            max_steps=limits.max_steps,
            history=self.summaries.without_condensed(step_log.writer.steps),
            collected=self._progress.collected,
            screenshots=step_log.screenshots,
            artifacts=tuple(step_log.writer.artifacts),
            notices=step_log.notices,
            summaries=self.summaries.latest,
            run_state=self.run_state.lists(),
            run_state_totals=self.run_state.totals(),
            extracts=[s for s in step_log.writer.steps if s.action == "extract" and s.success],
            advice=self._memory.advice_for(step_log.step, observation.url),
            exemplars=self._exemplars,
            page_change=self._page_change.text,
            picture=self.picture,
            picture_number=self.picture_number,
            allowed=allowed,
            seconds_left=limits.seconds_left,
            meanwhile=self._meanwhile,
            redact=step_log.writer.redactor,
            failed_decisions=limits.unusable_replies,
        )

    def vision_goal(self) -> VisionGoal:
        """What to look for in pictures: the fields that have no value yet."""
        task, progress = self._task, self._progress
        names = [name for name in task.output_schema if progress.is_open(name)]
        question = task.judgment_question if task.judgment_required else ""
        return VisionGoal(task.goal, names, question or "", task.aliases)

    def allowed_actions(self) -> Sequence[ActionName] | None:
        """Only done and fail if nothing can follow this step, or after too many steps without
        anything new; otherwise None, which allows all."""
        if self._limits.is_last(self._step_log.step) or self.watchers.stagnation.is_exhausted:
            return FINAL_ACTIONS
        return None

    def _why_last(self) -> str:
        """Why this decision is the last; empty if it is not."""
        if self._limits.end is not None:
            return f"This is the last decision of the sample: {self._limits.end}."
        return "This is the last step." if self._limits.is_last(self._step_log.step) else ""

    def update(self, transition: Transition) -> None:
        """Update notices and run state for the next decision."""
        action, result = transition.action.action, transition.result
        if action == "done" and not result.success:
            self._step_log.notices.append(result.description)
        elif not result.success:
            self._step_log.notices += self._memory.notices_after_error(
                action, result.error or "", transition.before.url
            )
        self._step_log.notices += filter(None, [result.notice])
        self.picture = result.picture or b""
        self.picture_number = next((n.index for n in result.lines if n.source == "look"), None)
        self.run_state.update(transition)
        self._step_log.notices += self.watchers.notices_after(transition)
        if self.watchers.stagnation.needs_checkpoint:
            self._step_log.checkpoint("in_progress")
