"""Runs the rules policy on hand-made pages, with the bookkeeping that the loop normally does."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urljoin

from pytest_bwa.evidence.files import safe_name
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.fields import Reading, read
from pytest_bwa.policy.rules.policy import RulesPolicy
from pytest_bwa.policy.rules.subject import subject_of
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import (
    Action,
    Artifact,
    Element,
    Intent,
    LabelledValue,
    Observation,
    Place,
    Step,
    Target,
)

SITE = "https://x.org"
TICKET = {"assignee": "string | null", "due_date": "date | null"}
MARIA = "Maria Garcia"
OWNER = {"owner": "string"}
NEEDS_ASSIGNEE = {"required_fields": ["assignee"]}


def value(label: str, text: str, kind: str = "definition", **more: Any) -> LabelledValue:
    """A labelled value; what belongs to its place (regions, headings, record…) goes there."""
    names = Place.__dataclass_fields__
    place = Place(**{name: more.pop(name) for name in list(more) if name in names})
    return LabelledValue(label, text, kind, place=place, **more)  # type: ignore[arg-type]


def link(text: str, path: str, **more: Any) -> LabelledValue:
    return value(text, text, "link", url=urljoin(SITE, path), **more)


def row(name: str, *cells: LabelledValue, **place: Any) -> list[LabelledValue]:
    """The cells as those of one table row or card that is called ``name``."""
    text = " | ".join(dict.fromkeys([name, *(cell.value for cell in cells)]))
    own = {"record": text, "record_name": name, **place}
    return [replace(cell, place=replace(cell.place, **own)) for cell in cells]


def page(
    path: str,
    title: str = "",
    *parts: Element | LabelledValue,
    status: int | None = 200,
    text: str = "",
    language: str = "",
    **values: str,
) -> Observation:
    """Return a page with a heading and labelled values, such as ``due_date="2026-12-04"``."""
    labelled = [value("h1", title, "heading")] if title else []
    labelled += [value(k, v) for k, v in values.items()]
    labelled += [part for part in parts if isinstance(part, LabelledValue)]
    return Observation(
        url=urljoin(SITE, path),
        title=title,
        elements=tuple(part for part in parts if isinstance(part, Element)),
        labelled=tuple(labelled),
        http_status=status,
        text=text or title,
        unlisted=tuple(
            _written(line) for line in (text.split("\n") if text else re.split("[/?#]", path))
        ),
        language=language,
    )


def _written(text: str) -> Element:
    return Element(index=-1, ref=(0, -1), role="text", name=text)


def control(index: int, role: str, name: str, **more: Any) -> Element:
    return Element(index=index, ref=(0, index), role=role, name=name, **more)


@dataclass
class Seen:
    """What a page answers: the values that nothing speaks against, and why the others have none or
    are doubted."""

    reading: Reading

    @property
    def values(self) -> dict[str, Any]:
        return {n: a.value for n, a in self.reading.answers.items() if not a.doubts}

    @property
    def doubted(self) -> dict[str, Any]:
        return {n: a.value for n, a in self.reading.answers.items() if a.doubts}

    @property
    def codes(self) -> dict[str, list[str]]:
        return {n: list(a.doubts) for n, a in self.reading.answers.items() if a.doubts}

    @property
    def open(self) -> dict[str, str]:
        answers = self.reading.answers.items()
        doubts = {
            n: "; ".join(doubt.in_words(detail) for doubt, detail in a.doubts.items())
            for n, a in answers
            if a.doubts
        }
        return {**self.reading.open, **doubts}

    @property
    def links(self) -> list[LabelledValue]:
        return list(self.reading.links)


@dataclass
class Audit:
    """One sample, decided step by step; the test supplies the page that follows each action."""

    fields: dict[str, Any]
    columns: dict[str, str] = field(default_factory=dict)
    spec: dict[str, Any] = field(default_factory=dict)
    sample_id: str = "s"
    goal: str = "g"
    asked: str = ""
    """The path of the sample's own url; empty for a sample without one."""
    max_steps: int = 20
    history: list[Step] = field(default_factory=list)
    collected: dict[str, Any] = field(default_factory=dict)
    screenshots: list[str] = field(default_factory=list)
    artifacts: list[Artifact] = field(default_factory=list)
    _thinking: str = ""
    _intent: Intent = ""

    def turn(self, observation: Observation, **turn: Any) -> Turn:
        columns = {"sample_id": self.sample_id, **self.columns}
        if self.asked:
            columns["url"] = urljoin(SITE, self.asked)
        if not self.history:
            url = columns.get("url", observation.url)
            self._log(0, Action(action="goto", url=url), Observation(url=url, title=""), True)
        return Turn(
            observation=observation,
            task=TaskSpec(task_id="t", goal=self.goal, output_schema=self.fields, **self.spec),
            sample=Sample(self.sample_id, columns),
            step=self.history[-1].step + 1,
            max_steps=self.max_steps,
            history=self.history,
            collected=self.collected,
            screenshots=self.screenshots,
            artifacts=self.artifacts,
            **turn,
        )

    def read(self, observation: Observation) -> Seen:
        """What the page answers for this sample."""
        turn = self.turn(observation)
        return Seen(read(turn.task, subject_of(turn), observation))

    def decide(self, observation: Observation, **turn: Any) -> Action:
        decision = RulesPolicy().decide(self.turn(observation, **turn))
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
        label = action.label or action.screenshot_label
        if action.action == "save_progress":
            label = label or "evidence"  # the picture that proves what is saved
        if label and success:
            self._save(label, step)
        if action.action == "save_progress":
            self.collected |= action.extracted or {}
        return action

    def _save(self, label: str, step: int) -> None:
        name = f"{len(self.screenshots) + 1:02d}_{safe_name(label)}.png"
        self.screenshots.append(name)
        file = {"filename": name, "label": label, "step": step}
        self.artifacts.append(Artifact(**file, sha256="", source_url="", timestamp=""))

    def names(self, observation: Observation, count: int) -> list[str]:
        return [self.act(observation).action for _ in range(count)]

    def end(self, observation: Observation) -> Action:
        """The ``done`` or ``fail`` that follows if the page stays as it is."""
        for _ in range(8):
            if (action := self.act(observation)).action in ("done", "fail"):
                return action
        raise AssertionError(f"no end: {[step.action for step in self.history]}")

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
                memory_update=action.memory_update,
                intent=self._intent,
                changed=changed,
                started_at="",
                timestamp="",
            )
        )


def owner(seen: Observation, asked: str = "/1", **columns: str) -> Any:
    """The owner that is read for a sample with an address of its own."""
    return Audit(OWNER, columns=columns, asked=asked).read(seen).values.get("owner")


def named_owner(seen: Observation, name: str = MARIA, **audit: Any) -> Any:
    """The owner that is read for a sample without an address, which has only a name."""
    return Audit(OWNER, columns={"name": name}, **audit).read(seen).values.get("owner")
