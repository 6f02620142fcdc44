"""One sample of which a test says what was observed, and whose answer is grounded in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_bwa.evidence.grounding import plain_values
from pytest_bwa.proof.finding import NotShown
from pytest_bwa.proof.grounding import Grounder
from pytest_bwa.proof.objections import Objection, object_to
from pytest_bwa.proof.observed import Observed
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Action, ActionResult, Element, LabelledValue, Observation, Place

PAGE = "https://site.test/page"


class NoPictures:
    def picture_of(self, look: object, fact: object) -> None: ...

    def box_in(self, filename: str, fact: object, look: object) -> None: ...

    def state_in(self, filename: str, look: object) -> str:
        return ""


def element(number: int, role: str, name: str, **more: Any) -> Element:
    """Its number is that of its line, too."""
    return Element(number, (0, number), role, name, **more)


def page(*texts: str | Element, **more: Any) -> Observation:
    elements = tuple(
        element(n, "text", text) if isinstance(text, str) else text for n, text in enumerate(texts)
    )
    return Observation(**{"url": PAGE, "title": "", "elements": elements, **more})


def table(*rows: Mapping[str, str], headings: tuple[str, ...] = ()) -> dict[str, Any]:
    """The elements of a table with a head, and the values that its cells have."""
    labels, elements, labelled = [*rows[0]], [], []
    elements.append(element(0, "row", " | ".join(labels)))
    for number, row in enumerate(rows, 1):
        record, name = " | ".join(row.values()), next(iter(row.values()))
        elements.append(element(10 * number, "row", record))
        place = Place(headings=headings, record=record, record_name=name)
        for column, (label, text) in enumerate(row.items(), 1):
            ref = (0, 1000 + 10 * number + column)
            labelled.append(LabelledValue(label, text, "table", place=place, ref=ref))
    return {"elements": tuple(elements), "labelled": tuple(labelled)}


class Sample:
    """What the agent of one sample observed, and a task without any schema. What its answer cites
    are the numbers of lines, by field."""

    def __init__(
        self,
        *pages: Observation,
        given: Sequence[str] = (),
        own: str = "",
        others: Sequence[str] = (),
        sources: Mapping[str, Any] | None = None,
        **task: Any,
    ) -> None:
        self.observed = Observed(
            given,
            labels_prove=False,
            own_url=own,
            others=frozenset(others),
            read_only=task.get("read_only"),
        )
        for number, observation in enumerate(pages):
            self.observed.add_observation(observation, number)
        self.task = TaskSpec(task_id="t", goal="g", **task)
        self.sources = dict(sources or {})
        self.doubts: dict[str, Any] = {}
        self.locales: dict[str, str] = {}

    def act(self, name: str, result: ActionResult | None = None, **params: Any) -> None:
        result = result or ActionResult(True, "")
        action = Action(action=name, **params)
        self.observed.add_action(action, result, page(), step=3)

    def grounder(self, values: Mapping[str, Any]) -> Grounder:
        grounder = Grounder(self.task, self.observed, NoPictures())
        grounder.citations.add(values, self.sources)
        grounder.policy_doubts, grounder.locales = self.doubts, self.locales
        return grounder

    def ground(self, **values: Any) -> Any:
        return self.grounder(values).ground(values)

    def how(self, **values: Any) -> str:
        """How the one plain value was seen, and by which rule, or why it was not."""
        if refused := self.why(**values):
            return refused
        ((_, _, record),) = plain_values(values, self.ground(**values))
        return f"{record.how} {record.rule}" if record.rule else record.how

    def why(self, **values: Any) -> str:
        """Why one of the values is not proven; empty if all are."""
        found = self.grounder(values).findings(values)
        return next((f.why for _, _, f in found if isinstance(f, NotShown)), "")

    def objection(self, **values: Any) -> Objection | None:
        return object_to(self.grounder(values).refused(values), (), self.observed.says)

    def against(self, **values: Any) -> dict[str, str]:
        """What speaks against the one plain value, by code."""
        ((_, _, record),) = plain_values(values, self.ground(**values))
        assert record.how != "unseen", "the value is not seen at all"
        return {str(doubt): detail for doubt, detail in record.found()}
