"""A loop whose policy, page, executor and finalizer are played as a test scripts them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from unit.agent.transitions import PAGE, page

from pytest_bwa.agent.state import State
from pytest_bwa.audit.composition import loop_of
from pytest_bwa.evidence.trajectory.recorder import TrajectoryRecorder
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.policy.base import ModelHelpers, Turn
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Action, ActionResult, Decision, Observation, Picture, Step, Usage

SAVED = {"name": "Anna"}
"""A text that is long enough to be looked up in several lines."""


def save(**extracted: Any) -> Action:
    return Action(action="save_progress", extracted=extracted or SAVED)


def click(selector: str = "0") -> Action:
    return Action(action="click", selector=selector)


DONE = Action(action="done", extracted=SAVED)


class Stage:
    """Policy, observer, executor, vision and finalizer of one loop, all as a test scripts them.

    ``decisions`` are lists of actions, or errors to raise; the last one is repeated. ``faults``
    maps an action's name, or "observe", "finalize" or a state, to the error that it raises.
    ``results`` has the results of actions, by name, that do not simply work. ``url`` is the
    sample's own address.
    """

    name, model, reads_labelled_values = "scripted", "", False
    is_beside = False

    def __init__(
        self,
        folder: Path,
        *decisions: Any,
        max_steps: int = 9,
        task: dict[str, Any] | None = None,
        trajectory: TrajectoryRecorder | None = None,
        exemplars: tuple[str, ...] = (),
        url: str = "",
        **faults: Exception,
    ):
        self.decisions, self.faults = list(decisions), faults
        self.results: dict[str, ActionResult] = {}
        self.turns: list[Turn] = []
        self.executed: list[str] = []
        self.observations: list[Observation] = []
        self.helpers = ModelHelpers(finalizer=self)
        task = TaskSpec.model_validate(
            {"task_id": "t", "goal": "g", "output_schema": {"name": "string"},
             "required_fields": ["name"], "max_steps": max_steps, **(task or {})}
        )  # fmt: skip
        self.writer = SampleWriter(folder / "s", "s", max_steps)
        sample = Sample("s", {"sample_id": "s", "url": url})
        self.loop = loop_of(
            task, sample, policy=self, observer=self, executor=self,
            vision=self, writer=self.writer, on_step=self._on_step, on_state=self._on_state,
            trajectory=trajectory, exemplars=exemplars,
        )  # fmt: skip

    def run(self):
        return self.loop.run(PAGE)

    def decide(self, turn: Turn) -> Decision:
        self.turns.append(turn)
        index = min(len(self.turns), len(self.decisions)) - 1
        decision = self.decisions[index]
        if isinstance(decision, Exception):
            raise decision
        return Decision(tuple(decision))

    def observe(self) -> Observation:
        self._fail("observe")
        # Unless the test says otherwise, every look shows another text, so that no step repeats.
        if self.observations:
            return self.observations.pop(0) if len(self.observations) > 1 else self.observations[0]
        return page(f"look {len(self.executed)}; name: {SAVED['name']}")

    def look(self, observation: Observation, *_: object) -> tuple[Observation, Usage]:
        return observation, Usage()

    def act(self, action: Action, observation: Observation, step: int) -> ActionResult:
        self._fail(action.action)
        self.executed.append(action.action)
        if action.action in self.results:
            return self.results[action.action]
        if action.action == "screenshot":
            picture = Picture(b"", observation.url, observation.state)
            artifact = self.writer.save_screenshot(picture, action.label or "", step)
            return ActionResult(True, "saved it", artifact=artifact)
        return ActionResult(True, "it worked")

    def unclear(self, action: Action, observation: Observation) -> str:
        return ""

    def take_picture(self, reveal: object = ()) -> Picture:
        """The stage shows what it showed at the last look."""
        return Picture(b"png", PAGE, self.loop.step_runner.observed.looks[-1].state)

    def finalize(self, turn: Turn, why: str, *, model_failed: bool) -> Decision:
        self._fail("finalize")
        return Decision((DONE,), model="scripted")

    def close(self) -> None: ...

    def _on_step(self, step: Step, usage: Usage) -> None:
        self._fail("step")

    def _on_state(self, state: State) -> None:
        self._fail(state.value)

    def _fail(self, where: str) -> None:
        if where in self.faults:
            raise self.faults[where]
