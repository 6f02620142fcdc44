"""Walking a list without a model: open the first items in their order, read each, and go back.

Asked for by a spec whose output_schema has one array of objects with ``properties`` and whose
``expected_items`` says how many. Where it is, the policy knows from the history alone: an item is
what was opened from the list's own page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.fields import read
from pytest_bwa.policy.rules.label_matching import names_of, words
from pytest_bwa.policy.rules.links import next_page, turn_page
from pytest_bwa.policy.rules.proposal import Proposal
from pytest_bwa.policy.rules.urls import path_of
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Action, Element, Step
from pytest_bwa.text import label_key


@dataclass(frozen=True, slots=True)
class Listing:
    """The array that is asked for, and how far it has come."""

    field: str
    properties: Mapping[str, Any]
    expected: int
    path: str
    """Of the list's pages; they differ in their query."""

    def collected(self, turn: Turn) -> list[Any]:
        return list(turn.collected.get(self.field) or [])

    def opened(self, turn: Turn) -> list[Step]:
        """The steps that opened an item from the list."""
        return [
            step
            for step in turn.history
            if step.action == "goto"
            and step.step > 0
            and path_of(step.url) == self.path
            and path_of(str(step.params.get("url", ""))) != self.path
        ]


def wanted(turn: Turn) -> Listing | None:
    """The list that the task asks for, or None."""
    task = turn.task
    arrays = [
        (name, form["items"]["properties"])
        for name, form in task.output_schema.items()
        if isinstance(form, Mapping) and form.get("items", {}).get("properties")
    ]
    if len(arrays) != 1 or arrays[0][0] not in task.expected_by_field or not turn.history:
        return None
    name, properties = arrays[0]
    return Listing(
        name, properties, task.expected_by_field[name], path_of(str(turn.history[0].url))
    )


def next_move(turn: Turn, listing: Listing) -> Proposal:
    """None where the list is done, or leads no further."""
    if path_of(turn.observation.url) == listing.path:
        return _on_the_list(turn, listing)
    return _on_an_item(turn, listing)


def _on_the_list(turn: Turn, listing: Listing) -> Proposal:
    been = {path_of(str(step.params["url"])) for step in listing.opened(turn)}
    if len(been) >= listing.expected:
        return None
    for element in _items(turn.observation.elements, listing.path, been):
        if path_of(element.url or "") not in been:
            why = f"Item {len(been) + 1} of {listing.expected}: “{element.name}”."
            return Action(action="goto", url=element.url), why
    if button := next_page(turn):
        return turn_page(button)
    return None


def _items(elements: Sequence[Element], path: str, been: Collection[str]) -> list[Element]:
    """The links whose addresses differ only in their last part from those that were opened; at
    first, from the most others."""
    links = [e for e in elements if e.role == "link" and e.url and path_of(e.url) != path]
    kinds = Counter(_kind(item) for item in been) or Counter(_kind(e.url or "") for e in links)
    if not kinds:
        return []
    kind, _ = kinds.most_common(1)[0]
    return [e for e in links if _kind(e.url or "") == kind]


def _kind(url: str) -> str:
    return path_of(url).rpartition("/")[0]


def _on_an_item(turn: Turn, listing: Listing) -> Proposal:
    opened = listing.opened(turn)
    if not opened:
        return None
    since = [step for step in turn.history if step.step > opened[-1].step]
    here = turn.observation.url
    if not any(s.action == "screenshot" and s.url == here for s in since):
        label = label_key("_".join(path_of(here).split("/")[-2:]))
        return Action(action="screenshot", label=label), "Every item is kept as a picture."
    saved = _saved(since, listing.field)
    fresh = {k: v for k, v in _read(turn, listing).items() if k not in saved}
    open_fields = [name for name in listing.properties if name not in saved and name not in fresh]
    if fresh:
        # What names the item is said again, so that its parts are put together.
        entry = {**{k: v for k, v in saved.items() if k in ("id", "number", "url")}, **fresh}
        action = Action(action="save_progress", extracted={listing.field: [entry]})
        return action, "What this page tells of the item is kept."
    if part := _part(turn, opened[-1], since, open_fields):
        why = f"“{part.name}” may show {', '.join(open_fields)}."
        return Action(action="goto", url=part.url), why
    return Action(action="goto", url=opened[-1].url), "Back to the list."


def _part(
    turn: Turn, opened: Step, since: Sequence[Step], open_fields: Sequence[str]
) -> Element | None:
    """A link to a part of this item (its address stands below the item's own) whose words are
    those of a field that is still open."""
    below = path_of(str(opened.params["url"])) + "/"
    been = {path_of(str(step.params.get("url", step.url))) for step in since}
    asked = {word for name in open_fields for alias in names_of(turn.task, name) for word in alias}
    for element in turn.observation.elements:
        path = path_of(element.url or "")
        new = element.role == "link" and path.startswith(below) and path not in been
        if new and asked & set(words(element.name)):
            return element
    return None


def _saved(since: Sequence[Step], field: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for step in since:
        if step.action == "save_progress":
            for entry in step.params.get("extracted", {}).get(field, []):
                found |= entry
    return found


def _read(turn: Turn, listing: Listing) -> dict[str, Any]:
    """The item's fields on this page, read like a sample of its own."""
    task = item_task(turn.task, listing)
    return dict(read(task, turn.sample, turn.observation).values)


def item_task(task: TaskSpec, listing: Listing) -> TaskSpec:
    return task.model_copy(
        update={"output_schema": dict(listing.properties), "expected_items": None}
    )
