"""One sample of which a test says what was observed, and whose answer is grounded in it."""

from __future__ import annotations

from typing import Any

from pytest_bwa.evidence.grounding import Grounder, plain_values
from pytest_bwa.proof.sightings import Sightings
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Action, ActionResult, Element, Observation

PAGE = "https://site.test/page"


class NoPictures:
    def picture_of(self, look: object, spot: object) -> None: ...

    def box_in(self, filename: str, spot: object, look: object) -> None: ...


def element(number: int, role: str, name: str, **more: Any) -> Element:
    return Element(number, (0, number), role, name, **more)


def page(*texts: str | Element, **more: Any) -> Observation:
    elements = tuple(
        element(n, "text", text) if isinstance(text, str) else text for n, text in enumerate(texts)
    )
    return Observation(**{"url": PAGE, "title": "", "elements": elements, **more})


class Sample:
    """One sample's sightings, and a task without any schema."""

    def __init__(
        self,
        *pages: Observation,
        given: tuple[str, ...] = (),
        own: str = "",
        labelled: bool = True,
        **task: Any,
    ) -> None:
        self.sightings = Sightings(
            given, labelled=labelled, own_url=own, read_only=task.get("read_only")
        )
        for number, observation in enumerate(pages):
            self.sightings.add_observation(observation, number)
        self.task = TaskSpec(task_id="t", goal="g", **task)

    def act(self, name: str, result: ActionResult | None = None, **params: Any) -> None:
        result = result or ActionResult(True, "")
        action = Action(action=name, **params)
        self.sightings.add_action(action, result, page(), step=3)

    def ground(self, **values: Any) -> Any:
        return Grounder(self.task, self.sightings, NoPictures()).ground(values)

    def how(self, **values: Any) -> str:
        ((_, _, record),) = plain_values(values, self.ground(**values))
        return f"{record.how} {record.rule}" if record.rule else record.how
