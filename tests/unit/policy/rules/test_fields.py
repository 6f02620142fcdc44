"""Which labelled value answers which field, and when none does."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_bwa.policy.rules.fields import read
from pytest_bwa.policy.rules.label_matching import EXACT, MORE_WORDS, SAME_WORDS, closeness, words
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


def test_what_is_left_open_for_one_reason_is_said_in_one_note():
    rows = [
        value(label, text, "table", row=row)
        for row in ("Ann Lee", "Bob Ray")
        for label, text in (("Role", "x"), ("Status", "y"))
    ]
    found = reading({"role": "string", "status": "string"}, *rows, name="Nobody")
    assert found.notes == ("role, status: no one row of the table is the sample's",)


@pytest.mark.parametrize(
    "text", ["$1,326.21", "21 %", "#INV-1 · Issued Apr 24", "see the 4 lines below this"]
)
def test_a_number_that_names_something_is_no_amount_and_no_sentence(text):
    labelled = value("VAT", text), value("VAT", "US-1234", "text")
    assert reading({"vat_number": "string"}, *labelled).values == {"vat_number": "US-1234"}


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


@pytest.mark.parametrize(
    ("label", "field"),
    [("Previous company", "company"), ("File name", "name"), ("Due date", "date"),
     ("Author email", "author"), ("Emergency phone", "phone"), ("Old due date", "due_date"),
     ("Due amount", "due_date"), ("Ticket date", "ticket_number")],
)  # fmt: skip
def test_a_word_that_makes_another_thing_of_it_does_not_fit(label, field):
    assert closeness(label, [words(field)]) == 0


@pytest.mark.parametrize(
    ("label", "field"),
    [("Due", "due_date"), ("Company", "current_company"), ("Followers", "followers_count"),
     ("Created on", "created_at"), ("Full name", "name")],
)  # fmt: skip
def test_a_word_of_type_may_be_missing(label, field):
    assert closeness(label, [words(field)]) > 0


def test_where_only_the_stem_fits_the_value_must_show_the_type():
    fields = {"due_date": "string | null"}
    assert reading(fields, value("Due", "Dec 4, 2026")).values == {"due_date": "Dec 4, 2026"}
    assert reading(fields, value("Due", "soon")).values == {}


def test_the_fields_own_name_goes_before_an_alias():
    found = reading(
        {"owner": "string"},
        value("Reports to", "Boss"),
        value("Owner", "Ann"),
        aliases={"owner": ["Reports to"]},
    )
    assert found.values == {"owner": "Ann"}


def test_the_row_that_holds_most_of_the_samples_values_is_its_own():
    rows = [
        value("Salary", "10", "table", row="Ann Lee | Finance | 10"),
        value("Salary", "20", "table", row="Ann Lee | Sales | 20"),
        value("Salary", "30", "table", row="Bob Ray | Sales | 30"),
    ]
    columns = {"name": "Ann Lee", "team": "Sales"}
    assert reading({"salary": "number"}, *rows, **columns).values == {"salary": 20}
    doubtful = reading({"salary": "number"}, *rows, name="Ann Lee")
    assert doubtful.values == {}
    assert "row" in doubtful.notes[0]


def test_a_row_that_does_not_name_the_sample_is_not_its_own_whatever_else_it_holds():
    rows = [
        value("Salary", "10", "table", row="Ann Lee | Finance | 10"),
        value("Salary", "20", "table", row="Cid Poe | Sales | 20"),
    ]
    found = reading({"salary": "number"}, *rows, name="Zed Nix", team="Finance")
    assert found.values == {}
    heading = value("h1", "Zed Nix", "heading")
    own_page = reading({"salary": "number"}, heading, *rows, name="Zed Nix", team="Finance")
    assert own_page.values == {"salary": 10}, "on its own page a row is told by anything"


def test_a_short_mark_must_be_a_whole_cell_and_no_number():
    rows = [value("Size", f"{n}", "table", row=f"#{n} | {n}") for n in (2, 3)]
    assert reading({"size": "number"}, *rows, ticket="#2").values == {"size": 2}
    assert reading({"size": "number"}, *rows, ticket="2").values == {}


def test_what_the_page_leaves_empty_is_said_and_not_taken_from_another_row():
    rows = [
        value("Owner", "", "table", row="Ann Lee | Sales"),
        value("Owner", "Kim", "table", row="Bob Ray | Sales | Kim"),
    ]
    found = reading({"owner": "string | null"}, *rows, person="Ann Lee", team="Sales")
    assert found.values == {}
    assert found.notes == ("owner: the page leaves it empty",)
    filled = reading({"owner": "string"}, value("Owner", ""), value("Owner", "Kim", "pair"))
    assert filled.values == {"owner": "Kim"}


def test_running_text_is_no_answer_where_the_page_has_a_record():
    written = value("Status", "unclear", "prose")
    fields = {"status": "string", "owner": "string", "priority": "string"}
    beside = reading(fields, written, value("Owner", "Kim"), value("Priority", "low", "pair"))
    assert beside.values == {"owner": "Kim", "priority": "low"}
    assert beside.notes == ('status: only running text beside the record says "unclear"',)
    alone = reading(fields, written, value("Owner", "Kim", "prose"))
    assert alone.values == {"status": "unclear", "owner": "Kim"}


def test_a_change_that_the_history_tells_is_not_what_holds_now():
    change = value("Priority", "major → blocker")
    assert reading({"priority": "string"}, change, value("Priority", "blocker")).values == {
        "priority": "blocker"
    }
    assert reading({"priority": "string"}, change).values == {"priority": "major → blocker"}


def test_an_array_takes_a_whole_column_where_no_row_is_the_samples():
    rows = [value("Approver", n, "table", row=f"{n} | yes") for n in ("Ann", "Bob")]
    assert reading({"approver": "array"}, *rows).values == {"approver": ["Ann", "Bob"]}


def test_a_field_with_the_format_uri_takes_the_link():
    fields = {"homepage": {"type": "string", "format": "uri"}}
    linked = value("Homepage", "my site", url="https://a.org/")
    assert reading(fields, linked).values == {"homepage": "https://a.org/"}
    assert reading(fields, value("Homepage", "https://a.org/x")).values == {
        "homepage": "https://a.org/x"
    }
    assert reading(fields, value("Homepage", "mail", url="mailto:a@b.c")).values == {}


def test_a_text_field_for_a_date_prefers_the_machines_word():
    found = reading(
        {"joined_at": "string"}, value("Joined at", "long ago", datetime="2011-09-03T15:26:22Z")
    )
    assert found.values == {"joined_at": "2011-09-03T15:26:22Z"}


def test_the_samples_own_values_are_no_answers():
    assert reading({"name": "string"}, value("Team", "Core"), name="Ann").values == {}


def test_a_heading_is_no_label():
    found = reading({"name": "string"}, value("h1", "Ann", "heading"), aliases={"name": ["h1"]})
    assert found.values == {"name": "Ann"}
    assert found.by_label == frozenset()
