"""The fields that records' pages propose for a first spec."""

from __future__ import annotations

import pytest
from rules_audit import Audit, control, page, value

from pytest_bwa.policy.rules.proposed_fields import Proposal
from pytest_bwa.steps.step import Box, LabelledValue, Place

BOX = Box(0, 0, 100, 10)


def proposed(*pages: list[LabelledValue], sentence: str = "") -> Proposal:
    """What is proposed of pages with these labelled values, and a sentence above them."""
    note = (
        [control(1, "text", sentence, box=BOX, place=Place(headings=("Box 1",)))]
        if sentence
        else []
    )
    turns = [
        Audit({"x": "string"}, asked=f"/{n}").turn(page(f"/{n}", f"Box {n}", *values, *note))
        for n, values in enumerate(pages, 1)
    ]
    return Proposal(turns)


def form(*texts: str) -> str:
    """The type of a field that has one of these texts on each page."""
    beside = value("Colour", "red")
    (field,) = [
        field
        for field in proposed(*([value("Size", text), beside] for text in texts)).fields
        if field.name == "size"
    ]
    return field.form


@pytest.mark.parametrize(
    ("texts", "is_read_as"),
    [
        (["7"], "integer"),
        (["7", "7.5"], "number"),
        (["7", ""], "integer | null"),
        (["7", "many"], "string"),
        (["yes", "no"], "boolean"),
        (["3 May 2026"], "date"),
        (["3 May 2026, 14:05"], "string"),
        (["#418"], "string"),
        (["+49301234567"], "string"),
        ([""], "string | null"),
    ],
)
def test_a_field_has_the_strictest_type_that_all_pages_have(texts, is_read_as):
    assert form(*texts) == is_read_as


def test_a_name_is_ascii_where_the_letters_are_latin():
    labels = ["Größe", "Straße", "Øre", "Наименование", "2nd line", "Judgment"]
    fields = proposed([value(label, f"a{n}") for n, label in enumerate(labels)]).fields
    names = ["grosse", "strasse", "ore", "наименование", "value_2nd_line"]
    assert [field.name for field in fields] == [*names, "value_judgment"]
    assert [field.alias for field in fields] == labels


def test_a_sentence_beside_a_field_is_named_and_the_field_kept():
    size = value("Size", "7", box=BOX, headings=("Box 1",))
    found = proposed([size], sentence="All sizes are in inches.")
    assert [field.name for field in found.fields] == ["size"]
    assert found.notes() == ["size: the page says beside it: “All sizes are in inches.”"]
