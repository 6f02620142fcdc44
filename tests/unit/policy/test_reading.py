"""Which labelled value answers which field, and when none does."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_bwa.policy.reading import EXACT, MORE_WORDS, SAME_WORDS, closeness, read, words
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import LabelledValue, Observation


def value(label: str, text: str, kind: str = "definition", **more: Any) -> LabelledValue:
    return LabelledValue(label, text, kind, **more)  # type: ignore[arg-type]


def reading(fields: dict[str, str], *values: LabelledValue, aliases=None, **columns: str):
    task = TaskSpec(task_id="t", goal="g", output_schema=fields, aliases=aliases or {})
    seen = Observation(url="u", title="", labelled=values)
    return read(task, Sample("s", {"sample_id": "s", **columns}), seen)


@pytest.mark.parametrize(
    ("label", "score"),
    [
        ("Due date", EXACT),
        ("due_date", EXACT),
        ("DueDate", EXACT),
        ("Date due", SAME_WORDS),
        ("Current due date", MORE_WORDS),
        ("Date", 0),
        ("Assignee", 0),
    ],
)
def test_labels_are_as_close_as_their_words(label, score):
    assert closeness(label, [words("due_date")]) == score


def test_an_alias_counts_as_the_field():
    found = reading(
        {"owner": "string"}, value("Reports to", "Ann"), aliases={"owner": ["Reports to"]}
    )
    assert found.values == {"owner": "Ann"}


def test_a_definition_beats_text_and_an_exact_label_beats_both():
    found = reading(
        {"assignee": "string"},
        value("assignee", "Comment", "text"),
        value("Assignee", "Panel"),
        value("Old assignee", "Former"),
    )
    assert found.values == {"assignee": "Panel"}


def test_two_different_answers_are_no_answer():
    found = reading({"salary": "number"}, value("Salary", "1"), value("Salary", "2"))
    assert found.values == {}
    assert "different values" in found.notes[0]
    assert reading({"salary": "number"}, value("Salary", "1"), value("Salary", "1.0")).values


def test_of_many_rows_only_the_samples_own_counts():
    rows = [
        value("Salary", "10", "table", row="Ann Lee | 10"),
        value("Salary", "20", "table", row="Bob Ray | 20"),
    ]
    assert reading({"salary": "number"}, *rows, name="Bob Ray").values == {"salary": 20}
    assert reading({"salary": "number"}, *rows, name="Nobody").values == {}
    assert reading({"salary": "number"}, *rows).values == {}


def test_an_address_is_the_links_and_never_its_text():
    fields = {"ticket_url": "string | null"}
    assert reading(fields, value("Ticket URL", "LED-1", url="https://x/LED-1")).values == {
        "ticket_url": "https://x/LED-1"
    }
    assert reading(fields, value("Ticket URL", "LED-1")).values == {}


def test_an_array_takes_every_value_of_its_label():
    found = reading({"approvers": "array"}, value("Approver", "a"), value("Approver", "b"))
    assert found.values == {"approvers": ["a", "b"]}


def test_a_value_of_the_wrong_type_is_left_and_noted():
    found = reading({"followers": "number"}, value("Followers", "plenty"))
    assert found.values == {}
    assert "followers" in found.notes[0]
