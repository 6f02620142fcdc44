"""Which labels are a field's: its name and its aliases, and nothing that only resembles them."""

from __future__ import annotations

import pytest
from rules_audit import Audit, page, value

FIELD = {"due_date": "string"}


def found(*labels: str, aliases: tuple[str, ...] = (), **place: tuple[str, ...]) -> dict:
    audit = Audit(FIELD, asked="/1", spec={"aliases": {"due_date": list(aliases)}})
    seen = page("/1", "Bug", *(value(label, "soon", **place) for label in labels))
    return audit.read(seen).values


@pytest.mark.parametrize(
    "label", ["Due date", "due_date", "DUE DATE", "Due-date", "Due date:", "Due date*"]
)
def test_case_and_punctuation_do_not_matter(label):
    assert found(label) == {"due_date": "soon"}


@pytest.mark.parametrize(
    "label",
    ["Due", "Date", "Date due", "Due dates", "Current due date", "Due date (UTC)", "Duedate",
     "New due date", "Dué date", "Deadline", "", "***"],
)  # fmt: skip
def test_no_other_word_order_plural_or_stem_fits(label):
    assert found(label) == {}


def test_an_alias_fits_like_the_name_and_as_strictly():
    assert found("Deadline", aliases=("Deadline",)) == {"due_date": "soon"}
    assert found("Deadlines", aliases=("Deadline",)) == {}


@pytest.mark.parametrize(
    ("alias", "label", "is_found"),
    [("C#", "C#", True), ("C#", "C++", False), ("C#", "C", False), ("C", "C#", False),
     ("Votes +", "Votes +", True), ("Votes +", "Votes −", False), ("Votes +", "Votes -", False),
     ("Growth %", "Growth (%)", True), ("Growth %", "Growth €", False),
     ("Growth", "Growth %", True), ("Age < 18", "Age > 18", False), ("Order", "Order #", True),
     ("📅", "📅", True), ("📅", "👤", False), ("📅", "…", False)],
)  # fmt: skip
def test_signs_of_a_label_tell_it_from_others(alias, label, is_found):
    assert bool(found(label, aliases=(alias,))) is is_found


@pytest.mark.parametrize(("alias", "label"), [("期限", "期限"), ("Fällig am", "FÄLLIG AM:")])
def test_labels_of_any_script_are_compared_whole(alias, label):
    assert found(label, aliases=(alias,)) == {"due_date": "soon"}
    assert found("担当者", aliases=(alias,)) == {}


@pytest.mark.parametrize(
    ("headings", "is_found"),
    [
        (("Billing",), True),
        (("Bug", "Billing", "Address"), True),
        (("Shipping",), False),
        ((), False),
    ],
)
def test_an_alias_may_name_the_section(headings, is_found):
    assert bool(found("Due", aliases=("Billing > Due",), headings=headings)) is is_found


def notes(*labels: str) -> str:
    seen = page("/1", "Bug", *(value(label, "soon") for label in labels))
    reasons = Audit(FIELD, asked="/1").read(seen).open
    return f"due_date: {reasons['due_date']}"


def test_the_reason_for_a_null_names_the_labels_that_come_near():
    assert notes("Due", "Owner", "Due by") == "due_date: not found; the page has “Due”, “Due by”"
    assert notes("Owner") == "due_date: not found"


def test_misspelled_labels_are_named_too_and_never_more_than_four():
    assert "“Duedate”" in notes("Duedate")
    assert notes(*(f"Due {n}" for n in "abcdef")).count("“") == 4
