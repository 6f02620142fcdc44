"""Visiting the items of a list, and choosing a day in a calendar, without a model."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules import pagination
from pytest_bwa.policy.rules.date_picker import MAX_CLICKS, pick_day
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Element, LabelledValue, Observation, Step

SITE = "http://site.test"
LIST = f"{SITE}/merged"
NUMBER, TEXT = {"type": "integer"}, {"type": "string"}
PROPERTIES = {"number": NUMBER, "author": TEXT, "files": NUMBER}
ITEMS = {"type": "array", "items": {"type": "object", "properties": PROPERTIES}}
TASK = TaskSpec(task_id="t", goal="g", output_schema={"pulls": ITEMS}, expected_items=2)


def step(number: int, action: str, on: str, **params: Any) -> Step:
    return Step(step=number, action=action, params=params, result="", success=True, url=on,
                started_at="", timestamp="")  # fmt: skip


def link(index: int, name: str, path: str) -> Element:
    return Element(index, (0, index), "link", name, url=SITE + path)


def turn(url: str, history: list[Step], *elements: Element, **more: Any) -> Turn:
    seen = Observation(url=url, title="", elements=elements, labelled=more.pop("labelled", ()))
    return Turn(seen, TASK, Sample("s", {"sample_id": "s"}), step=len(history), max_steps=50,
                history=history, **more)  # fmt: skip


ROWS = (link(0, "Home", "/"), link(1, "First", "/merged/1"), link(2, "Second", "/merged/2"),
        link(3, "Next", "/merged?page=2"))  # fmt: skip
OPENED = [step(0, "goto", LIST, url=LIST), step(1, "goto", LIST, url=f"{SITE}/merged/1")]


def move(given: Turn):
    walk = pagination.wanted(given)
    assert walk is not None
    found = pagination.next_move(given, walk)
    return found and found[0]


def test_items_are_opened_in_order_then_the_next_page_then_it_is_done():
    assert move(turn(LIST, OPENED[:1], *ROWS)).url == f"{SITE}/merged/1"
    assert move(turn(LIST, OPENED, *ROWS)).url == f"{SITE}/merged/2"
    only = (*ROWS[:2], ROWS[3])
    assert move(turn(LIST, OPENED, *only)).selector == "3"
    both = [*OPENED, step(2, "goto", f"{LIST}?page=2", url=f"{SITE}/merged/2")]
    assert move(turn(LIST, both, *ROWS)) is None


def test_an_item_is_pictured_saved_and_left_for_its_parts_and_the_list():
    item, part = f"{SITE}/merged/1", f"{SITE}/merged/1/files"
    told = (
        LabelledValue("Number", "1", "definition"),
        LabelledValue("Author", "ann", "definition"),
    )
    tabs = (link(0, "Changed files", "/merged/1/files"), link(1, "All", "/merged"))
    history = [*OPENED]
    picture = move(turn(item, history, *tabs, labelled=told))
    assert (picture.action, picture.label) == ("screenshot", "merged_1")
    history.append(step(2, "screenshot", item, label="merged_1"))
    kept = move(turn(item, history, *tabs, labelled=told))
    assert kept.extracted == {"pulls": [{"number": 1, "author": "ann"}]}
    history.append(step(3, "save_progress", item, extracted=kept.extracted))
    assert move(turn(item, history, *tabs, labelled=told)).url == part
    history += [step(4, "goto", item, url=part), step(5, "screenshot", part, label="x")]
    files = (LabelledValue("Files", "4", "definition"),)
    kept = move(turn(part, history, *tabs, labelled=files))
    # What names the item is said again, so that both halves are put together.
    assert kept.extracted == {"pulls": [{"number": 1, "files": 4}]}
    history.append(step(6, "save_progress", part, extracted=kept.extracted))
    assert move(turn(part, history, *tabs, labelled=files)).url == LIST


@pytest.mark.parametrize(
    "changes",
    [{"expected_items": None}, {"output_schema": {"pulls": "array"}},
     {"output_schema": {"pulls": ITEMS, "others": ITEMS}}],
    ids=["no number", "no properties", "two lists"],
)  # fmt: skip
def test_only_a_list_that_is_described_is_walked(changes):
    given = turn(LIST, OPENED[:1], *ROWS)
    task = TASK.model_copy(update=changes)
    assert pagination.wanted(dataclasses.replace(given, task=task)) is None


# -- a calendar --------------------------------------------------------------------------------


def button(index: int, name: str) -> Element:
    return Element(index, (0, index), "button", name)


FIELD = Element(0, (0, 0), "textbox", "Date", value="", states=("readonly",))


def calendar(month: str) -> tuple[Element, ...]:
    return (FIELD, button(1, "Previous month"), Element(2, (0, 2), "text", month),
            button(3, "Next month"), button(4, "3"), button(5, "13"))  # fmt: skip


@pytest.mark.parametrize(
    ("elements", "clicked"),
    [
        ((FIELD,), "0"),
        (calendar("September 2026"), "3"),
        (calendar("November 2026"), "4"),
        (calendar("January 2027"), "1"),
    ],
    ids=["closed", "earlier", "there", "later"],
)
def test_a_day_is_reached_by_its_month(elements, clicked):
    found = pick_day(turn(SITE, [], *elements), FIELD, "2026-11-03")
    assert found is not None
    assert (found[0].action, found[0].selector) == ("click", clicked)


def test_a_calendar_that_leads_nowhere_is_given_up():
    clicks = [step(n, "click", SITE, selector="3") for n in range(MAX_CLICKS)]
    found = pick_day(turn(SITE, clicks, *calendar("May 1990")), FIELD, "2026-11-03")
    assert found is not None
    assert found[0].action == "fail"
    assert "does not reach 2026-11-03" in (found[0].note or "")


def test_what_is_no_date_or_is_there_already_is_left_alone():
    assert pick_day(turn(SITE, [], FIELD), FIELD, "soon") is None
    held = Element(0, (0, 0), "textbox", "Date", value="2026-11-03", states=("readonly",))
    assert pick_day(turn(SITE, [], held), held, "2026-11-03") is None
