"""Puts the rooms together: the policy of a worker, and the loop of one sample."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from playwright.sync_api import Page

from pytest_bwa.actions.approval import Approver
from pytest_bwa.actions.catalog import tools_for
from pytest_bwa.actions.dispatch import Executor
from pytest_bwa.actions.rate_limit import RateLimiter
from pytest_bwa.agent.batch import Batch
from pytest_bwa.agent.decider import Decider, TurnBuilder
from pytest_bwa.agent.ending import Answers, Ending
from pytest_bwa.agent.limits import Limits
from pytest_bwa.agent.loop import Loop
from pytest_bwa.agent.memory.lessons import LessonStore
from pytest_bwa.agent.memory.worker_memory import SampleMemory, WorkerMemory
from pytest_bwa.agent.outcome import OutcomeBuilder
from pytest_bwa.agent.own_page import OwnPage
from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.recorded_policy import RecordedPolicy, recorded_helpers
from pytest_bwa.agent.recovery import Recovery
from pytest_bwa.agent.sign_in import SignIn, WorkerLogin
from pytest_bwa.agent.state import OnState, StateMachine
from pytest_bwa.agent.step_log import OnStep, StepLog
from pytest_bwa.agent.step_runner import Eyes, StepRunner
from pytest_bwa.agent.summaries import Summaries
from pytest_bwa.audit.audits import Audit
from pytest_bwa.browser.watchdog import Watchdog
from pytest_bwa.confinement.boundary import Boundary, boundary_of
from pytest_bwa.confinement.confinement import Confinement
from pytest_bwa.confinement.guard import RequestGuard
from pytest_bwa.evidence.approvals import ApprovalDesk, Question
from pytest_bwa.evidence.cost_limit import CostLimit
from pytest_bwa.evidence.folder import LIVE, RunFolder
from pytest_bwa.evidence.record import RecipeUse, SampleResult
from pytest_bwa.evidence.trajectory.exemplars import find_exemplars
from pytest_bwa.evidence.trajectory.recorder import TrajectoryRecorder
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.page.perception import ocr, task_words
from pytest_bwa.page.perception.observer import Observer
from pytest_bwa.page.perception.vision import Vision
from pytest_bwa.page.readers import INIT_SCRIPT
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.page.time_limit import Clock, TimeLimit
from pytest_bwa.policy.base import Distiller, Policy
from pytest_bwa.policy.recorded import RecordedRun
from pytest_bwa.policy.registry import POLICIES, REPLAY
from pytest_bwa.proof.observed import Observed
from pytest_bwa.proof.photos.proof_pictures import ProofPictures
from pytest_bwa.settings import Settings
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.redaction import Redactor
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.sample_inputs import files_of, first_url
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.spec.typed_secrets import TypedSecrets

LAST_SECONDS = 5.0
"""Seconds that one action may still take when the sample's time is up."""


class SampleRecipes(Protocol):
    """What a sample follows and teaches."""

    def policy_for(self, policy: Policy, task: TaskSpec, sample: Sample) -> Policy | None:
        """What decides in front of the policy; None if it decides alone."""

    def use_of(self, policy: Policy) -> RecipeUse | None:
        """What became of the recipe in a sample with this policy; None if there was none."""

    def learn(
        self,
        sample: Sample,
        result: SampleResult,
        writer: SampleWriter | None,
        observed: Observed,
    ) -> None:
        """Keep what the policy did in a sample."""


@dataclass(frozen=True, slots=True)
class WorkerContext:
    """What one worker needs for any sample of one audit."""

    audit: Audit
    policy: Policy
    settings: Settings
    watchdog: Watchdog
    worker_id: str
    base_url: str | None = None
    memory: WorkerMemory | None = None
    confinement: Confinement | None = None
    """The boundary of the sample's browser context; None where pages are opened without one."""
    cost_limit: CostLimit | None = None
    login: WorkerLogin | None = None
    """None if the spec names no login."""
    recipes: SampleRecipes | None = None
    """None if samples neither teach a recipe nor follow one."""
    shared_rate_limit: Callable[[str, float], None] | None = None
    """Waits for a domain that samples on other machines load pages of, too."""
    keeps_trajectory: bool = True
    """Not where a sample is run again to check it."""
    meanwhile: Callable[[], None] | None = None
    """What prepares the next sample while a model thinks."""
    approve_timeout: float = 600.0
    """Seconds to wait for a person to approve a write."""
    show_question: Callable[[ApprovalDesk, Question], None] | None = None
    """Shows in the terminal what waits; None where there is none."""

    @property
    def folder(self) -> RunFolder:
        assert self.audit.folder is not None, "an audit is opened before a sample runs"
        return self.audit.folder

    @property
    def guard(self) -> RequestGuard | None:
        return self.confinement.guard if self.confinement is not None else None

    def recipe_use(self, policy: Policy) -> RecipeUse | None:
        """What became of the recipe in a sample with this policy; None if there was none."""
        return self.recipes.use_of(policy) if self.recipes is not None else None


def policy_for(
    name: str, settings: Settings, task: TaskSpec, recorded: RecordedRun | None = None
) -> Policy:
    """The policy that decides for every sample of the task; ``recorded`` is what a replay
    performs."""
    tools = tools_for(task, evaluates=settings.enable_evaluate)
    return POLICIES[name].create(settings, task, tools, recorded)


def boundary_for(audit: Audit, base_url: str | None) -> Boundary:
    """What the samples of an audit may reach."""
    task = audit.task
    samples = [] if task.allowed_domains else audit.samples.samples
    filled = ((s, task if s.url else placeholders.fill(task, s)) for s in samples)
    urls = [first_url(filled_task, sample, base_url) for sample, filled_task in filled]
    return boundary_of(task, [*urls, task.start_url, base_url])


def make_login(audit: Audit) -> WorkerLogin | None:
    """The login of a worker for one audit; None if its spec names none."""
    assert audit.folder is not None, "an audit is opened before a sample runs"
    login = audit.task.login
    return WorkerLogin(login, audit.folder.path / LIVE / "login") if login else None


def make_memory(audit: Audit, policy: Policy, settings: Settings) -> WorkerMemory:
    """The memory of a worker for one audit. Without a model, nothing asks for lessons."""
    assert audit.folder is not None, "an audit is opened before a sample runs"
    has_lessons = settings.enable_lessons and policy.model
    return WorkerMemory(
        audit.folder,
        audit.task,
        store=LessonStore(settings.home) if has_lessons else None,
    )


def make_distiller(
    worker: WorkerContext, trajectory: TrajectoryRecorder | None
) -> Distiller | None:
    """Who is asked what later samples should know; None if there are none."""
    if len(worker.audit.samples.samples) <= 1:
        return None
    helpers = worker.policy.helpers
    return (recorded_helpers(helpers, trajectory) if trajectory else helpers).distiller


def make_loop(
    worker: WorkerContext,
    task: TaskSpec,
    sample: Sample,
    *,
    page: Page,
    writer: SampleWriter,
    on_step: OnStep,
    on_state: OnState,
    secrets: TypedSecrets,
    memory: SampleMemory | None = None,
    trajectory: TrajectoryRecorder | None = None,
) -> Loop:
    """The loop of one sample on its page; ``task`` has its placeholders filled."""
    policy = _policy_of_sample(worker, task, sample, trajectory)
    page.context.add_init_script(INIT_SCRIPT)
    tabs = Tabs(page, task.dialogs)
    tabs.secrets_in = secrets.redactor.secrets_in
    within = _limited_by_task_time(task, worker.watchdog, tabs.clock)
    time_limit = tabs.report_crashes(within)
    guard, settings = worker.guard, worker.settings
    return loop_of(
        _with_room(task, worker.policy),
        sample,
        policy=policy,
        observer=Observer(
            tabs,
            time_limit,
            words=task_words.words_of(task, sample),
            while_open=guard.certificates.read if guard else lambda: None,
            reads_labels=_needs_labels(policy, task),
            timeout=settings.observe_timeout,
        ),
        executor=_make_executor(worker, policy, sample, tabs, time_limit, writer, secrets),
        vision=Vision(
            tabs,
            time_limit,
            writer,
            vision_model=policy.helpers.vision_model,
            ocr=ocr.find_reader() if settings.vision == "auto" else None,
            timeout=settings.observe_timeout,
        ),
        writer=writer,
        on_step=on_step,
        on_state=on_state,
        memory=memory,
        trajectory=trajectory,
        exemplars=find_similar(worker, task, sample),
        meanwhile=worker.meanwhile,
        others=worker.audit.samples.names(),
        login=worker.login,
        clock=tabs.clock,
    )


def loop_of(
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
    trajectory: TrajectoryRecorder | None = None,
    exemplars: Sequence[str] = (),
    meanwhile: Callable[[], None] | None = None,
    others: frozenset[str] = frozenset(),
    login: WorkerLogin | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Loop:
    """The loop of one sample with all of its parts.

    ``on_step`` is called after every step with the step and the usage so far, ``on_state`` whenever
    the state changes. ``others`` are what the list calls the other samples.
    """
    limits, progress, states = (
        Limits(task, clock),
        Progress(task.output_schema),
        StateMachine(on_state),
    )
    step_log = StepLog(writer, progress, on_step, trajectory)
    observed = Observed(
        [*sample.names.values(), *sample.secrets.values()],
        labels_prove=policy.reads_labelled_values,
        own_url=sample.own_address(task.start_url),
        start_urls=filter(None, (sample.url, task.start_url)),
        others=others,
        read_only=task.read_only,
        reads_labels=_needs_labels(policy, task),
    )
    eyes, is_model = Eyes(observer, observed, step_log), bool(policy.model)
    pictures = ProofPictures(task, observed, writer, executor, eyes.observe_again, holds=is_model)
    steps = StepRunner(eyes, executor, pictures, states, limits, progress, step_log)
    builder = OutcomeBuilder(
        task,
        progress,
        writer,
        policy.helpers.finalizer,
        objection=pictures.objection,
        open_doubts=pictures.doubts if policy.reads_labelled_values else lambda values: (),
    )
    own_page, summaries = OwnPage(step_log, observed), Summaries(policy.helpers.summarizer)
    turns = TurnBuilder(
        task,
        sample,
        step_log,
        limits,
        progress,
        summaries,
        memory or SampleMemory(),
        exemplars,
        meanwhile,
    )
    return Loop(
        states,
        limits,
        progress,
        step_log,
        Decider(policy, vision, states, limits, step_log, steps, turns),
        Batch(executor.unclear),
        steps,
        pictures,
        # A model has read the task, which may forbid to open the page anew; it decides itself.
        Recovery(may_reload=not is_model),
        Answers(limits, progress, step_log, pictures, builder, own_page),
        Ending(states, limits, progress, step_log, steps, turns, builder, own_page),
        SignIn(login, executor, steps, step_log),
    )


def _policy_of_sample(
    worker: WorkerContext, task: TaskSpec, sample: Sample, trajectory: TrajectoryRecorder | None
) -> Policy:
    """The worker's policy, whose calls are recorded; behind the recipe, if there is one."""
    policy: Policy = RecordedPolicy(worker.policy, trajectory) if trajectory else worker.policy
    recipes = worker.recipes
    return (recipes.policy_for(policy, task, sample) if recipes else None) or policy


def make_trajectory(
    worker: WorkerContext, task: TaskSpec, sample: Sample, started_at: str, redactor: Redactor
) -> TrajectoryRecorder | None:
    """What keeps the sample's trajectory."""
    if not worker.keeps_trajectory:
        return None
    return TrajectoryRecorder(
        worker.folder.path / LIVE,
        worker.worker_id,
        task=task,
        sample=sample,
        policy=worker.policy.name,
        model=worker.policy.model,
        started_at=started_at,
        redactor=redactor,
    )


def find_similar(worker: WorkerContext, task: TaskSpec, sample: Sample) -> tuple[str, ...]:
    """What a model is shown of similar samples; nothing unless the settings want it."""
    limit, own_run = worker.settings.exemplars, worker.folder.path
    if limit == 0 or not worker.policy.model:
        return ()
    return find_exemplars(own_run.parent, own_run, task, sample, limit)


def _with_room(task: TaskSpec, policy: Policy) -> TaskSpec:
    """A replay also saves what it reads, and waits for what is slow."""
    is_replay = policy.name == REPLAY
    return task.model_copy(update={"max_steps": 2 * task.max_steps}) if is_replay else task


def _needs_labels(policy: Policy, task: TaskSpec) -> bool:
    is_asked = bool(task.output_schema or task.judgment_question)
    return is_asked or policy.reads_labelled_values


def _make_executor(
    worker: WorkerContext,
    policy: Policy,
    sample: Sample,
    tabs: Tabs,
    time_limit: TimeLimit,
    writer: SampleWriter,
    secrets: TypedSecrets,
) -> Executor:
    return Executor(
        tabs,
        time_limit,
        writer,
        RateLimiter(
            worker.folder.path / LIVE / "pace",
            worker.settings.rate_limits,
            worker.shared_rate_limit,
        ),
        worker.settings,
        base_url=worker.base_url,
        files=files_of(sample, Path(worker.audit.record.samples.path).parent),
        secrets=secrets,
        guard=worker.guard,
        approver=_approver_of(worker, sample, tabs.clock),
        # While a model thinks, a page has time to show what comes late.
        is_patient=not policy.model or worker.recipe_use(policy) is not None,
    )


def _approver_of(worker: WorkerContext, sample: Sample, clock: Clock) -> Approver | None:
    """Whom the sample asks before it writes; None if nobody."""
    task, desk = worker.audit.task, ApprovalDesk(worker.folder.path)
    if worker.guard is None or not worker.guard.boundary.asks:
        return None

    @contextmanager
    def stopped() -> Iterator[None]:
        with worker.watchdog.paused(), clock.stopped():
            yield

    approver = Approver(desk, task.task_id, sample.sample_id, worker.approve_timeout, stopped)
    if worker.show_question is not None:
        return replace(approver, show=partial(worker.show_question, desk))
    return approver


def _limited_by_task_time(task: TaskSpec, watchdog: Watchdog, clock: Clock) -> TimeLimit:
    """Bounds all work on the page by the sample's own time limit; a few seconds are always left
    for the last screenshot."""
    if task.max_time_seconds is None:
        return watchdog.within
    end = clock() + task.max_time_seconds

    def within(seconds: float, activity: str) -> AbstractContextManager[None]:
        return watchdog.within(min(seconds, max(end - clock(), LAST_SECONDS)), activity)

    return within
