"""One decision of a sample: look at the page, tell the policy what it should know, and ask it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pytest_bwa.actions.read import MAX_PAGES
from pytest_bwa.agent.limits import Limits
from pytest_bwa.agent.memory.worker_memory import SampleMemory
from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.recovery import diagnosis
from pytest_bwa.agent.run_state import RunState, SeenFields
from pytest_bwa.agent.state import State, StateMachine
from pytest_bwa.agent.step_log import StepLog, Transition
from pytest_bwa.agent.step_runner import StepRunner
from pytest_bwa.agent.summaries import Summaries
from pytest_bwa.agent.watchers import Watchers
from pytest_bwa.errors import DecisionUnusable, ModelFailed, Stuck
from pytest_bwa.facts.address import is_same_page
from pytest_bwa.facts.page import asks_for_password
from pytest_bwa.page.perception.page_change import PageChange
from pytest_bwa.page.perception.picture_needs import VisionGoal
from pytest_bwa.page.perception.vision import Vision
from pytest_bwa.policy.base import Policy, Turn
from pytest_bwa.spec.network.responses import is_error
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import (
    ANSWERS,
    FINAL_ACTIONS,
    ActionName,
    Decision,
    Observation,
    PageRead,
)


@dataclass
class TurnBuilder:
    """Keeps watchers, run state and summaries of one sample, and puts them into every Turn."""

    task: TaskSpec
    sample: Sample
    step_log: StepLog
    limits: Limits
    progress: Progress
    summaries: Summaries
    memory: SampleMemory = field(default_factory=SampleMemory)
    exemplars: Sequence[str] = ()
    """How similar samples of earlier runs were done."""
    meanwhile: Callable[[], None] | None = None
    """What may be done while a model thinks."""
    offers_only_the_end: bool = field(default=False, init=False)
    """Whether the latest turn allowed nothing but done and fail."""
    picture: bytes = field(default=b"", init=False)
    """The picture that the model asked for with its last action."""
    picture_number: int | None = field(default=None, init=False)
    pages: tuple[PageRead, ...] = field(default=(), init=False)
    """The latest pages that were read in the background, until something else is done than to
    answer."""

    def __post_init__(self) -> None:
        self.watchers = Watchers(self.task)
        self.run_state = RunState(self.progress, SeenFields(self.task, self.progress))
        self._page_change = PageChange()

    def begin_step(self, observation: Observation) -> None:
        """Note the visit of this page, say if this decision is the last, and summarize older steps
        if that is due."""
        self.run_state.add_visit(observation)
        self._page_change.update(self.step_log.step, observation)
        self.step_log.notices += self.memory.notices_on(observation.url)
        if why := self._why_last():
            self.step_log.notices.append(f"{why} Only done and fail are left.")
        turn = self.turn(observation)
        if self.summaries.is_due(turn):
            self.step_log.add_usage(self.summaries.add(turn))

    def turn(self, observation: Observation) -> Turn:
        """The input for the policy's next decision."""
        step_log, limits = self.step_log, self.limits
        allowed = self.allowed_actions()
        self.offers_only_the_end = allowed is FINAL_ACTIONS
        return Turn(
            observation=observation,
            task=self.task,
            sample=self.sample,
            step=step_log.step,
            max_steps=limits.max_steps,
            history=self.summaries.without_condensed(step_log.of_sample),
            collected=self.progress.collected,
            screenshots=step_log.screenshots,
            artifacts=tuple(step_log.writer.artifacts),
            notices=step_log.notices,
            summaries=self.summaries.latest,
            run_state=self.run_state.lists(),
            run_state_totals=self.run_state.totals(),
            extracts=[
                s for s in step_log.writer.steps if s.action in ("extract", "find") and s.success
            ],
            advice=self.memory.advice_for(step_log.step, observation),
            exemplars=self.exemplars,
            page_change=self._page_change.text,
            picture=self.picture,
            picture_number=self.picture_number,
            pages=self.pages,
            allowed=allowed,
            seconds_left=limits.seconds_left,
            meanwhile=self.meanwhile,
            redact=step_log.writer.redactor.for_model,
            failed_decisions=limits.unusable_replies,
        )

    def vision_goal(self) -> VisionGoal:
        """What to look for in pictures: the fields that have no value yet."""
        task, progress = self.task, self.progress
        names = [name for name in task.output_schema if progress.is_open(name)]
        question = task.judgment_question if task.judgment_required else ""
        return VisionGoal(task.goal, names, question or "", task.aliases)

    def allowed_actions(self) -> Sequence[ActionName] | None:
        """Only done and fail if nothing can follow this step, or after too many steps without
        anything new; otherwise None, which allows all."""
        if self.limits.is_last(self.step_log.step) or self.watchers.stagnation.is_exhausted:
            return FINAL_ACTIONS
        return None

    def _why_last(self) -> str:
        """Why this decision is the last; empty if it is not."""
        if self.limits.end is not None:
            return f"This is the last decision of the sample: {self.limits.end}."
        return "This is the last step." if self.limits.is_last(self.step_log.step) else ""

    def update(self, transition: Transition) -> None:
        """Update notices and run state for the next decision."""
        action, result = transition.action.action, transition.result
        if action in ANSWERS and not result.success and not result.notice:
            self.step_log.notices.append(result.description)
        elif not result.success:
            self.step_log.notices += self.memory.notices_after_error(
                action, result.error or "", transition.before.url
            )
        self.step_log.notices += filter(None, [result.notice])
        self.picture = result.picture or b""
        self.picture_number = next((n.index for n in result.lines if n.source == "look"), None)
        if action == "read":
            self._show_pages(*self.pages, _page_read(transition))
        elif action not in ANSWERS:
            self._show_pages()
        self.run_state.update(transition)
        self.step_log.notices += self.watchers.notices_after(transition)
        if self.watchers.stagnation.needs_checkpoint:
            self.step_log.checkpoint("in_progress")

    def _show_pages(self, *pages: PageRead) -> None:
        """Show the latest of these beside the page from now on."""
        before, latest = self.pages, {read.url: read for read in pages}
        self.pages = tuple(latest.values())[-MAX_PAGES:]
        addresses = {read.url for read in self.pages}
        for read in before:
            if read.page is not None and read.url not in addresses:
                self.run_state.leave(read.page)


def _page_read(transition: Transition) -> PageRead:
    """What is said of a page beside what it shows: that it is another one, or an error."""
    (asked,), result = map(str, transition.action.pages or ()), transition.result
    page = result.page
    if page is None:
        return PageRead(asked, result.error or result.description, None)
    is_odd = is_error(page.http_status) or not is_same_page(asked, page.url)
    remarks = [result.description] if is_odd else []
    remarks += ["it asks for a password"] if asks_for_password(page) else []
    return PageRead(page.url, "; ".join(remarks), page)


MAX_UNUSABLE_FINAL_REPLIES = 2
"""Unusable replies that are accepted while only done and fail are allowed."""


@dataclass
class Decider:
    """Asks the policy of one sample, with all that it should know."""

    policy: Policy
    vision: Vision
    states: StateMachine
    limits: Limits
    step_log: StepLog
    step_runner: StepRunner
    turn_builder: TurnBuilder

    @property
    def offers_only_the_end(self) -> bool:
        return self.turn_builder.offers_only_the_end

    def look(self) -> Observation:
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
        self.step_runner.observed.add_observation(observation, self.step_log.step)
        self.step_runner.photograph_error(observation)
        return observation

    def decide(self, page: Observation) -> Decision:
        """Ask the policy; if its decision is unusable, or its model fails for now, ask again until
        a limit is reached."""
        self.states.to(State.PLANNING)
        self.turn_builder.begin_step(page)
        while True:
            try:
                decision = self.policy.decide(self.turn_builder.turn(page))
            except DecisionUnusable as problem:
                self.step_log.add_usage(problem.usage)
                self.step_log.notices.append(str(problem))
                self.limits.count_unusable_reply(str(problem))
                self._end_if_final_actions_are_ignored(page)
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

    def _end_if_final_actions_are_ignored(self, page: Observation) -> None:
        """If only done and fail are allowed and the model keeps choosing other actions, end the
        sample before the limit of failed decisions is reached."""
        is_ignored = self.limits.unusable_replies >= MAX_UNUSABLE_FINAL_REPLIES
        if not (self.offers_only_the_end and is_ignored):
            return
        if self.limits.end is not None:
            raise self.limits.end
        if self.turn_builder.watchers.stagnation.is_exhausted:
            raise Stuck(diagnosis(page, self.step_log.writer.steps))
        self.limits.check(self.limits.max_steps + 1)
