"""A policy whose calls of a model are kept in the sample's trajectory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from pytest_bwa.errors import DecisionUnusable, ModelFailed
from pytest_bwa.evidence.trajectory.recorder import TrajectoryRecorder
from pytest_bwa.policy.base import Distiller, Finalizer, ModelHelpers, Policy, Summarizer, Turn
from pytest_bwa.steps.exchange import Exchange
from pytest_bwa.steps.step import Decision, ModelAnswer, Observation, Step, Usage, VisionModel

Answer = TypeVar("Answer", Decision, ModelAnswer)


class RecordedPolicy:
    """Decides as ``policy`` does. What it and its helpers were asked is added to the trajectory of
    one sample, also if the answer could not be used."""

    def __init__(self, policy: Policy, trajectory: TrajectoryRecorder) -> None:
        self._policy, self._trajectory = policy, trajectory
        self.name, self.model = policy.name, policy.model
        self.reads_labelled_values = policy.reads_labelled_values
        self.helpers = recorded_helpers(policy.helpers, trajectory)

    def decide(self, turn: Turn) -> Decision:
        return _kept(
            self._trajectory,
            lambda: self._policy.decide(turn),
            step=turn.step,
            page=turn.observation,
        )

    def close(self) -> None:
        self._policy.close()


def recorded_helpers(helpers: ModelHelpers, trajectory: TrajectoryRecorder) -> ModelHelpers:
    """The same helpers; what they are asked is added to the trajectory."""
    summarizer, finalizer, vision = helpers.summarizer, helpers.finalizer, helpers.vision_model
    return ModelHelpers(
        summarizer=summarizer and _RecordedSummarizer(summarizer, trajectory),
        finalizer=finalizer and _RecordedFinalizer(finalizer, trajectory),
        vision_model=vision and _RecordedVision(vision, trajectory),
        distiller=helpers.distiller and _RecordedDistiller(helpers.distiller, trajectory),
    )


class _RecordedSummarizer:
    def __init__(self, summarizer: Summarizer, trajectory: TrajectoryRecorder) -> None:
        self._summarizer, self._trajectory = summarizer, trajectory
        self.is_needed = summarizer.is_needed

    def summarize(self, turn: Turn, steps: Sequence[Step]) -> ModelAnswer:
        return _kept(
            self._trajectory, lambda: self._summarizer.summarize(turn, steps), step=turn.step
        )


class _RecordedFinalizer:
    def __init__(self, finalizer: Finalizer, trajectory: TrajectoryRecorder) -> None:
        self._finalizer, self._trajectory = finalizer, trajectory

    def finalize(self, turn: Turn, why: str, *, model_failed: bool) -> Decision:
        return _kept(
            self._trajectory,
            lambda: self._finalizer.finalize(turn, why, model_failed=model_failed),
            step=turn.step,
        )


class _RecordedVision:
    def __init__(self, vision_model: VisionModel, trajectory: TrajectoryRecorder) -> None:
        self._vision_model, self._trajectory = vision_model, trajectory

    def read_picture(self, png: bytes, question: str, seconds_left: float | None) -> ModelAnswer:
        return _kept(
            self._trajectory,
            lambda: self._vision_model.read_picture(png, question, seconds_left),
        )


class _RecordedDistiller:
    def __init__(self, distiller: Distiller, trajectory: TrajectoryRecorder) -> None:
        self._distiller, self._trajectory = distiller, trajectory

    def distill(
        self, goal: str, worked: Sequence[str], failed: Sequence[str], seconds_left: float | None
    ) -> ModelAnswer:
        return _kept(
            self._trajectory, lambda: self._distiller.distill(goal, worked, failed, seconds_left)
        )


def _kept(
    trajectory: TrajectoryRecorder,
    ask: Callable[[], Answer],
    *,
    step: int | None = None,
    page: Observation | None = None,
) -> Answer:
    """The answer; the call is kept, also if the answer could not be used."""
    try:
        answer = ask()
    except (DecisionUnusable, ModelFailed) as problem:
        exchange = problem.exchange if isinstance(problem.exchange, Exchange) else None
        usage = problem.usage or Usage()
        trajectory.add_call(exchange, usage, step=step, page=page, error=str(problem))
        raise
    trajectory.add_call(answer.exchange, answer.usage, step=step, page=page)
    return answer
