"""Runs the rules policy on hand-made pages, with the bookkeeping that the loop normally does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.policy import RulesPolicy
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Action, Element, Intent, LabelledValue, Observation, Step, Target

SITE = "https://x.org"
TICKET = {"assignee": "string | null", "due_date": "date | null"}
NEEDS_ASSIGNEE = {"required_fields": ["assignee"]}


def page(
    path: str, title: str = "", *elements: Element, status: int | None = 200, **values: str
) -> Observation:
    """Return a page with labelled values, such as ``due_date="2026-12-04"``."""
    heading = Element(index=99, ref=(0, 99), role="heading", name=title)
    labelled = tuple(LabelledValue(k, v, "definition") for k, v in values.items())
    return Observation(
        url=SITE + path,
        title=title,
        elements=(*elements, heading),
        labelled=labelled,
        http_status=status,
    )


def control(index: int, role: str, name: str, url: str | None = None, **more: Any) -> Element:
    address = SITE + url if url is not None and url.startswith("/") else url
    return Element(index=index, ref=(0, index), role=role, name=name, url=address, **more)


@dataclass
class Audit:
    """One sample, decided step by step; the test supplies the page that follows each action."""

    fields: dict[str, Any]
    columns: dict[str, str] = field(default_factory=dict)
    spec: dict[str, Any] = field(default_factory=dict)
    sample_id: str = "s"
    goal: str = "g"
    max_steps: int = 20
    history: list[Step] = field(default_factory=list)
    collected: dict[str, Any] = field(default_factory=dict)
    screenshots: list[str] = field(default_factory=list)
    _thinking: str = ""
    _intent: Intent = ""

    def decide(self, observation: Observation, **turn: Any) -> Action:
        task = TaskSpec(task_id="t", goal=self.goal, output_schema=self.fields, **self.spec)
        if not self.history:
            self._log(0, Action(action="goto", url=observation.url), observation, True)
        step = self.history[-1].step + 1
        decision = RulesPolicy().decide(
            Turn(
                observation=observation,
                task=task,
                sample=Sample(self.sample_id, {"sample_id": self.sample_id, **self.columns}),
                step=step,
                max_steps=self.max_steps,
                history=self.history,
                collected=self.collected,
                screenshots=self.screenshots,
                **turn,
            )
        )
        assert len(decision.actions) == 1
        assert decision.thinking
        self._thinking, self._intent = decision.thinking, decision.intent
        return decision.actions[0]

    def act(
        self, observation: Observation, *, success: bool = True, changed: bool = False, **turn: Any
    ) -> Action:
        """Decide on an action, and record it as the loop would."""
        action = self.decide(observation, **turn)
        step = self.history[-1].step + 1
        self._log(step, action, observation, success, changed=changed)
        if action.action == "screenshot" and success:
            self.screenshots.append(f"{len(self.screenshots) + 1:02d}_{action.label}.png")
        if action.action == "save_progress":
            self.collected |= action.extracted or {}
        return action

    def names(self, observation: Observation, count: int) -> list[str]:
        return [self.act(observation).action for _ in range(count)]

    def _log(
        self,
        step: int,
        action: Action,
        observation: Observation,
        success: bool,
        changed: bool = False,
    ) -> None:
        element = observation.element_for(action.selector or "")
        self.history.append(
            Step(
                step=step,
                action=action.action,
                params=action.params(),
                result="",
                success=success,
                error=None if success else "refused",
                url=observation.url,
                target=Target(role=element.role, name=element.name) if element else None,
                thinking=self._thinking,
                intent=self._intent,
                changed=changed,
                started_at="",
                timestamp="",
            )
        )
