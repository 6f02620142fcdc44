"""Walking a list without a model: open its first entries in their order, read each, and go back.

Asked for by a spec whose output_schema has one array of objects with ``properties`` and whose
``expected_items`` says how many. Everything is known from the history: an entry is what was opened
from the list's own page, and its page is the entry's because that address was opened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pytest_bwa.facts.address import is_part_of, segments
from pytest_bwa.policy.base import ITEM_IDS, Turn
from pytest_bwa.policy.rules.endings import done, is_pictured
from pytest_bwa.policy.rules.explore import leads_to_part, links_of, may_open
from pytest_bwa.policy.rules.fields import Answer, Reading, against, read
from pytest_bwa.policy.rules.kept import kept_of
from pytest_bwa.policy.rules.proposal import Proposal, fail, goto, screenshot
from pytest_bwa.policy.rules.search import turn_page
from pytest_bwa.policy.rules.subject import Subject
from pytest_bwa.spec.field_labels import keys_of
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Action, Step
from pytest_bwa.steps.text import label_key


@dataclass(frozen=True, slots=True)
class Items:
    """The array that is asked for, and the list's own page."""

    field: str
    properties: Mapping[str, Any]
    expected: int
    path: list[str]

    def opened(self, turn: Turn) -> list[Step]:
        """The steps that opened an entry from the list, each entry once."""
        steps = {
            tuple(segments(str(step.params.get("url", "")))): step
            for step in reversed(turn.history)
            if step.action == "goto" and step.step > 0 and segments(step.url) == self.path
        }
        steps.pop(tuple(self.path), None)
        return sorted(steps.values(), key=lambda step: step.step)


def wanted(turn: Turn) -> Items | None:
    """The list that the task asks for, or None."""
    task = turn.task
    arrays = {
        name: form["items"]["properties"]
        for name, form in task.output_schema.items()
        if isinstance(form, Mapping) and form.get("items", {}).get("properties")
    }
    expected = task.expected_by_field
    arrays = {name: form for name, form in arrays.items() if name in expected}
    if len(arrays) != 1 or not turn.history:
        return None
    ((name, properties),) = arrays.items()
    return Items(name, properties, expected[name], segments(str(turn.history[0].url)))


def proposals(turn: Turn, items: Items) -> Iterator[Proposal]:
    if segments(turn.observation.url) == items.path:
        yield from _on_the_list(turn, items)
    else:
        yield from _on_an_item(turn, items)


def _on_the_list(turn: Turn, items: Items) -> Iterator[Proposal]:
    opened = [segments(str(step.params["url"])) for step in items.opened(turn)]
    if not opened and not is_pictured(turn):
        yield screenshot("list", "The list itself is evidence.")
    if len(opened) < items.expected:
        kinds = Counter(tuple(path[:-1]) for path in opened or _paths(turn, items))
        for link in links_of(turn):
            path = segments(link.url or "")
            is_item = bool(kinds) and tuple(path[:-1]) == kinds.most_common(1)[0][0]
            if is_item and path not in [*opened, items.path] and may_open(turn, link.url or ""):
                why = f"Entry {len(opened) + 1} of {items.expected}: “{link.value}”."
                yield goto(link.url, why)
        if onward := turn_page(turn):
            yield onward
    if turn.collected:
        kept = kept_of(turn, Reading())
        reviews = against(kept)
        found = {name: replace(answer, source=None) for name, answer in kept.items()}
        yield done(turn, found, reviews=reviews)  # each entry said its places as it was saved
    yield fail("the list has no entry that could be read")


def _paths(turn: Turn, items: Items) -> list[list[str]]:
    found = [segments(link.url or "") for link in links_of(turn)]
    return [path for path in found if path and path != items.path]


def _on_an_item(turn: Turn, items: Items) -> Iterator[Proposal]:
    opened = items.opened(turn)
    if not opened:
        yield fail("the list leads to another page")
        return
    address = str(opened[-1].params["url"])
    since = [step for step in turn.history if step.step > opened[-1].step]
    if not is_pictured(turn):
        label = label_key("_".join(segments(turn.observation.url)[-2:]))
        yield screenshot(label, "Every entry has its picture.")
    saved = _saved(since, items.field)
    task = _item_task(turn.task, items)
    answers = read(task, Subject((), address), turn.observation).answers
    if fresh := {name: answer for name, answer in answers.items() if name not in saved}:
        ids = {name: value for name, value in saved.items() if name in ITEM_IDS}
        yield _save(items.field, ids, fresh)
    missing = [name for name in items.properties if name not in saved]
    visited = [segments(str(step.params.get("url", step.url))) for step in since]
    for link in links_of(turn):
        is_new = is_part_of(link.url or "", address) and segments(link.url or "") not in visited
        if is_new and leads_to_part(link, keys_of(task, missing)):
            yield goto(link.url, f"A part of it: “{link.label}”.")
    yield goto(turn.history[0].url, "Back to the list.")


def _save(field: str, ids: dict[str, Any], fresh: dict[str, Answer]) -> Proposal:
    """What an entry's page says, with the ids again, by which its parts are joined."""
    values = {name: answer.value for name, answer in fresh.items()}
    sources = {name: answer.source for name, answer in fresh.items() if answer.source is not None}
    doubts = {
        doubt: ", ".join(filter(None, (detail, f"{name} of {next(iter((ids | values).values()))}")))
        for name, answer in fresh.items() for doubt, detail in answer.doubts.items()
    }  # fmt: skip
    action = Action(
        action="save_progress",
        extracted={field: [{**ids, **values}]},
        sources={field: [sources]},
        doubts={field: doubts} if doubts else None,
    )
    return Proposal(action, "Keep what was read.")


def _saved(since: list[Step], field: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for step in since:
        if step.action == "save_progress":
            for entry in step.params.get("extracted", {}).get(field, []):
                found |= entry
    return found


def _item_task(task: TaskSpec, items: Items) -> TaskSpec:
    """The task of one entry, read like a sample of its own."""
    return task.model_copy(update={"output_schema": dict(items.properties), "expected_items": None})
