"""Texts that stand where a value is missing are no values: nothing but their writing tells."""

from __future__ import annotations

from typing import Any

import pytest
from rules_audit import Audit, page, value

from pytest_bwa.steps.doubts import Doubt


def read(form: Any, label: str, text: str, **more: Any) -> Any:
    """What is read of the one field ``name``; None for nothing."""
    seen = page("/1", "Box", value(label, text, **more), value("Colour", "Red"))
    return Audit({"name": form}, asked="/1", spec={"aliases": {"name": [label]}}).read(seen)


@pytest.mark.parametrize(
    ("label", "text", "reason"),
    [
        ("Contact", "n/a", "that there is nothing"),
        ("Site", "N/A", "that there is nothing"),
        ("Streitwert", "k. A.", "that there is nothing"),
        ("Телефон", "н/д", "that there is nothing"),
        ("Site lead", "TBD", "that there is nothing"),
        ("Contact", "NA", "that there is nothing"),
        ("Milestone", "Without milestone", "that there is nothing"),
        ("Owner", "Could not load owner.", "that there is nothing"),
        ("Inspector", "Not assigned", "that there is nothing"),
        ("Skonto", "Keine Angabe", "that there is nothing"),
        ("納期", "未定", "that there is nothing"),
        ("Standort", "dto.", "that there is nothing"),
    ],
)
def test_a_text_that_may_say_that_there_is_no_value_is_doubted(label, text, reason):
    found = read("string | null", label, text)
    assert (found.doubted, found.codes) == ({"name": text}, {"name": [Doubt.SAYS_NOTHING]})
    assert reason in found.open["name"]
    assert read("string", label, text).values == {"name": text}, "the schema says that there is one"


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("Language", "en"),
        ("Standard", "EN71"),
        ("Product", "Go"),
        ("Company", "ACMEX"),
        ("姓", "森田"),
        ("Default branch", "kim-next"),
        ("Sprint", "Sprint 41"),
        ("Version", "version 3"),
        ("Surname", "van der Berg"),
        ("owner", "platform core"),
        ("Status", "In progress"),
        ("Category", "Non-profit"),
        ("Confidential", "No"),
        ("Unit", "No. 12"),
        ("Author", "Nona Ek"),
        ("Owner", "Not so few of the people who were asked"),
        ("Checks", "All checks passed"),
        ("Model", "iphone 15"),
        ("Notes", "the printer of the second floor does not print"),
        ("名前", "森 誠"),
        ("Name", "大石 理恵"),
        ("الاسم", "سالم العتيبي"),
    ],
)
def test_other_texts_are_values(label, text):
    assert read("string | null", label, text).values == {"name": text}


def test_a_word_for_nothing_where_no_text_is_wanted_is_a_null_and_not_open():
    assert read("array | null", "Reviewers", "None").values == {"name": None}
    assert "that there is nothing" in read("array | null", "Reviewers", "Keine").open["name"]
    assert "that there is nothing" in read("string | null", "Reviewer", "None").open["name"]


def test_a_page_that_writes_several_values_in_capitals_may_write_any_so():
    seen = page("/1", "Box", value("Format", "PDF"), value("Unit", "MB"))
    assert Audit({"format": "string | null"}, asked="/1").read(seen).values == {"format": "PDF"}


def test_a_schema_that_names_the_texts_decides():
    form = {"enum": ["not used", "in repair"]}
    assert read(form, "Condition", "not used").values == {"name": "not used"}
    assert read({"pattern": "^not "}, "Condition", "not used").values == {"name": "not used"}
    assert read({"type": ["string", "null"]}, "Condition", "not used").values == {}


def test_no_schema_makes_a_value_of_what_is_painted_as_a_stand_in():
    """docs/goals.md says so."""
    for form in ("string", {"enum": ["in use"]}):
        found = read(form, "Condition", "in use", doubt=Doubt.MIXED_LOOK)
        assert found.codes == {"name": [Doubt.MIXED_LOOK]}


def test_entries_of_a_list_are_no_stand_ins_for_one():
    entries = value("Tags", "good first\nhelp wanted", items=("good first", "help wanted"))
    found = Audit({"tags": "array"}, asked="/1").read(page("/1", "Box", entries))
    assert found.values == {"tags": ["good first", "help wanted"]}
    assert read("array | null", "Tags", "not set").values == {}
