"""Recorded values are read afresh: no value of the recording is ever an answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.facts.fact import whole
from pytest_bwa.facts.place import PageFacts, ValuePlace, place_of
from pytest_bwa.proof.rereading import RecordedValues
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.place_identity import PlaceIdentity
from pytest_bwa.steps.step import Box, Element, LabelledValue, Observation, Place

URL = "https://site.test/page"


def labelled(label: str, value: str, row: str = "", **more: Any) -> LabelledValue:
    place = Place(record=f"{row} | {value}" if row else "", record_name=row)
    at = abs(hash((label, row))) % 9999
    return LabelledValue(label, value, "table", place=place, box=Box(0, at, 9, 9), **more)


def page(*values: LabelledValue, url: str = URL) -> Observation:
    return Observation(url, "", labelled=values)


def place(label: str, text: str, row: str = "", **more: Any) -> ValuePlace:
    identity = PlaceIdentity(role="table", name=label, record=row)
    return ValuePlace(
        **{"identity": identity, "part": "text", "page": "site.test/page", "steps_done": 1,
           "text": text, **more}
    )  # fmt: skip


def grounded(text: str, label: str = "Size", rule: str | None = None, **more: Any) -> Grounding:
    return Grounding(how="normalised", rule=rule, place=place(label, text, **more))


def recorded(value: Any, tree: Any, form: Any) -> RecordedValues:
    task = TaskSpec(task_id="t", goal="g", output_schema={"size": form})
    return RecordedValues(task, {"size": value}, {"size": tree}, ["Ann"])


def read(values: RecordedValues, *now: LabelledValue, url: str = URL) -> tuple[Any, list[str]]:
    again = values.read(page(*now, url=url), 1, 2, {})
    return again.values["size"], list(again.missing)


@pytest.mark.parametrize(
    ("value", "text", "rule", "form", "now", "again"),
    [
        (12, "12", None, "number", "15", 15),
        (1200, "1.2k", "number", "number", "1.2k", 1200),
        (0.12, "12 %", "percent", "number", "15", 0.15),
        ("2025-11-03", "3 Nov 2025", "date", "date", "4 Nov 2025", "2025-11-04"),
        ("2025-11-03", "3 Nov 2025", "date", "string", "4 Nov 2025", "2025-11-04"),
        ("OPEN", "open", "case", "string", "open", "OPEN"),
        ("OPEN", "open", "case", "string", "closed", "CLOSED"),
        (True, "yes", "boolean", "boolean", "no", False),
    ],
)
def test_a_text_means_what_the_schema_says(value, text, rule, form, now, again):
    values = recorded(value, grounded(text, rule=rule), form)
    assert read(values, labelled("Size", now)) == (again, [])


@pytest.mark.parametrize(
    ("value", "text", "rule", "form", "now", "why"),
    [
        (12, "12", None, "number", "many", "many"),
        (12, "12", None, "number", "", "the page has no text there"),
        ("2025-11-03T10:00", "3 Nov 10:00", "date", "string", "4 Nov 11:00", "that meant"),
        ("12", "12", None, "number", "12 | 13", "13"),
        ("open", "Still to do", "choice", "string", "Finished", "meant “open”"),
    ],
)
def test_what_cannot_be_converted_is_null_with_a_reason(value, text, rule, form, now, why):
    values = recorded(value, grounded(text, rule=rule), form)
    found, missing = read(values, labelled("Size", now))
    assert found is None
    assert why in missing[0]
    assert missing[0].startswith("size: ")


def test_another_unit_around_a_number_is_another_place():
    values = recorded(12, grounded("12", text_after=" kg"), "number")
    assert read(values, labelled("Size", "15 kg")) == (15, [])
    assert read(values, labelled("Size", "15 lb"))[0] is None


def test_the_same_words_with_another_time_are_read_anew():
    tree = grounded("yesterday", rule="date", datetime="2026-11-20")
    values = recorded("2026-11-20", tree, "date")
    assert read(values, labelled("Size", "yesterday", datetime="2026-11-20")) == ("2026-11-20", [])
    assert read(values, labelled("Size", "yesterday", datetime="2026-11-21")) == ("2026-11-21", [])


def test_another_page_has_no_place_of_it():
    values = recorded(12, grounded("12"), "number")
    found, missing = read(values, labelled("Size", "12"), url="https://site.test/login")
    assert (found, "stood on another one" in missing[0]) == (None, True)


def test_a_site_that_moved_to_another_host_has_the_same_places():
    task = TaskSpec(task_id="t", goal="g", output_schema={"size": "number"})
    moved = ("site.test", "staging.test")
    values = RecordedValues(task, {"size": 12}, {"size": grounded("12")}, [], moved)
    assert read(values, labelled("Size", "15"), url="https://staging.test/page") == (15, [])
    assert read(values, labelled("Size", "15"))[0] is None


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (Grounding(how="unseen"), "no page showed it"),
        (Grounding(how="vision"), "read from a picture"),
        (Grounding(how="counted", rule="3 lines"), "counted from several places"),
        (Grounding(how="derived", rule="count: items of tags"), "derived in the recorded run"),
        (
            Grounding(how="verbatim", text="x"),
            "nothing on its page told its place from other places",
        ),
        (None, "no page showed it"),
        ([], "no page showed it"),
    ],
)
def test_a_value_without_a_place_is_named(record, why):
    values = recorded(3, record, "number")
    assert why in values.without_place[0]
    assert not values.is_due(0, 99)


def test_a_null_needs_no_place():
    assert recorded(None, None, "number | null").without_place == []


ROWS = [
    {"name": grounded("lint", "Name", row="lint", peers=2),
     "state": grounded("passed", "State", row="lint", peers=2)},
    {"name": grounded("unit", "Name", row="unit", peers=2),
     "state": grounded("failed", "State", row="unit", peers=2)},
]  # fmt: skip
CHECKS = [{"name": "lint", "state": "passed"}, {"name": "unit", "state": "failed"}]
FORM = {"type": "array", "items": {"type": "object", "properties": {"state": {"type": "string"}}}}


def row(name: str, state: str) -> tuple[LabelledValue, LabelledValue]:
    return labelled("Name", name, row=name), labelled("State", state, row=name)


def test_a_list_is_read_row_by_row_in_whatever_order():
    values = recorded(CHECKS, ROWS, FORM)
    found, missing = read(values, *row("unit", "passed"), *row("lint", "passed"))
    assert found == [{"name": "lint", "state": "passed"}, {"name": "unit", "state": "passed"}]
    assert missing == []


def test_a_list_that_grew_is_not_taken_for_the_whole():
    values = recorded(CHECKS, ROWS, FORM)
    now = [*row("unit", "passed"), *row("lint", "passed"), *row("perf", "failed")]
    found, missing = read(values, *now)
    assert found == [{"name": None, "state": None}] * 2
    assert missing[0] == "size[0].name: the list has 3 entries, and had 2"


def test_a_row_that_is_gone_keeps_no_value():
    found, missing = read(recorded(CHECKS, ROWS, FORM), *row("unit", "passed"))
    assert found[0] == {"name": None, "state": None}
    assert "in the row “lint” is not on the page" in missing[0]


def test_values_of_several_pages_are_joined():
    values = recorded(CHECKS, ROWS, FORM)
    first = values.read(page(*row("unit", "ok"), *row("lint", "ok")), 1, 2, {}).values
    assert not values.is_due(2, 9)
    assert values.read(page(), 2, 9, first).values == {}


@pytest.mark.parametrize(
    "state", ["checked=true", "selected=true", "pressed=false", "current=step"]
)
def test_a_state_that_proves_a_value_has_a_place(state):
    seen = Observation(URL, "", (Element(0, (0, 0), "button", "Monthly", states=(state,)),))
    page = PageFacts(seen)
    (fact,) = (fact for fact in page.unlabelled if fact.kind == "state")
    found = place_of(whole(fact), 0, page)
    assert found is not None
    assert (found.part, found.text) == ("state", state)


def test_a_value_that_was_read_again_is_cited_where_it_stands():
    values = recorded(CHECKS, ROWS, FORM)
    now = [replace(v, ref=(4, n)) for n, v in enumerate((*row("unit", "ok"), *row("lint", "ok")))]
    again = values.read(page(*now), 1, 2, {})
    lint, unit = {"name": "4.2", "state": "4.3"}, {"name": "4.0", "state": "4.1"}
    assert again.sources == {"size": [lint, unit]}
