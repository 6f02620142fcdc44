"""What proves a yes, a no or an empty answer, and what speaks against it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from grounded_sample import Sample, element, page

from pytest_bwa.steps import (
    Element,
    LabelledValue,
    Observation,
    Place,
)


@pytest.mark.parametrize(
    ("name", "state", "how"),
    [
        ("Archived", "checked=true", "normalised boolean"),
        ("Archived", "checked=false", "derived boolean"),
        ("Other", "checked=true", "derived boolean"),
        ("Archived", "current=true", "derived boolean"),
    ],
)
def test_a_yes_is_proven_by_a_tick_that_is_set_and_the_fields_own(name, state, how):
    assert Sample(page(element(0, "checkbox", name, states=(state,)))).how(archived=True) == how


def test_the_open_tab_that_is_called_like_a_field_is_no_yes():
    tab = element(0, "tab", "Archived", states=("selected=true",))
    assert Sample(page(tab)).how(archived=True) == "derived boolean"


def test_a_box_that_shows_neither_on_nor_off_proves_no_no_and_contests_it():
    """A form asked for the answer, and nobody had given it: “false” was done, and not flagged."""
    decided = element(0, "checkbox", "Archived", states=("checked=false", "icon: moon"))
    sample = Sample(page(decided))
    assert sample.how(archived=False) == "normalised boolean"
    assert sample.ground(archived=False)["archived"].contested is None
    undecided = element(0, "checkbox", "Archived now", states=("checked=mixed",))
    sample = Sample(page(undecided))
    for value in (False, True):
        assert sample.how(archived=value) == "derived boolean"
        assert sample.ground(archived=value)["archived"].contested == (
            "Archived now: neither on nor off",
        )
    assert sample.ground(deleted=True)["deleted"].contested is None
    behind_dialog = Sample(page(undecided), page(element(7, "text", "Vendor")))
    assert behind_dialog.ground(archived=False)["archived"].contested is not None


@pytest.mark.parametrize(
    ("values", "contested"),
    [
        ([("Archived", "Unknown", "input")], ("Archived | Unknown",)),
        ([("Archived", "No", "input")], None),
        ([("Archived", "No", "input"), ("Archived", "Yes", "input")], True),
        ([("Archived", "on shelf 3", "pair")], None),
    ],
)
def test_a_no_is_contested_by_a_choice_that_is_neither_and_by_a_yes_of_the_same_name(
    values, contested
):
    """“false” was done where a list had “Unknown”, and where two boxes of one name differed."""
    shown = page(labelled=tuple(LabelledValue(*value) for value in values))
    found = Sample(shown, labelled=False).ground(archived=False)["archived"].contested
    assert found == contested or (contested is True and found)


def boxed(number: int, is_on: bool, *headings: str, record: str = "Name | Active") -> LabelledValue:
    """What the box with this number says of a label that several boxes have."""
    place = Place(headings=headings, record=record)
    return LabelledValue("Active", str(is_on).lower(), "input", place=place, ref=(0, number))


def ticked(number: int, is_on: bool) -> Element:
    return element(number, "checkbox", "Active", states=(f"checked={str(is_on).lower()}",))


@pytest.mark.parametrize(
    ("values", "of_true", "of_false"),
    [
        # The record's own box, and that of one of its addresses.
        ([(False,), (True, "Addresses")], True, False),
        ([(False,)], True, False),
        ([(True, "Invoices"), (False, "Orders")], True, True),
    ],
)
def test_a_yes_is_contested_by_a_no_of_the_same_name_that_stands_no_deeper(
    values, of_true, of_false
):
    """The box of an address proved that a vendor is active, whose own box was empty: the form had
    no heading, and stood in a box of its own."""
    boxes = [ticked(n, is_on) for n, (is_on, *_) in enumerate(values)]
    labelled = tuple(boxed(n, *value, record=f"Part {n}") for n, value in enumerate(values))
    others = [replace(e, label=f"{n}{x}", value="-") for n, e in enumerate(labelled) for x in "ab"]
    sample = Sample(page(*boxes, labelled=(*labelled, *others)), labelled=False)
    for value, is_contested in ((True, of_true), (False, of_false)):
        assert bool(sample.ground(active=value)["active"].contested) == is_contested, value


def test_the_boxes_of_the_entries_of_a_list_contest_no_yes_of_another():
    labelled = tuple(boxed(n, is_on) for n, is_on in enumerate((False, False, True)))
    labelled = tuple(replace(e, place=replace(e.place, record=f"R{e.ref}")) for e in labelled)
    sample = Sample(page(ticked(2, True), labelled=labelled), labelled=False)
    assert sample.ground(active=True)["active"].contested is None


@pytest.mark.parametrize("nothing", [None, []])
def test_nothing_is_contested_by_a_tab_of_that_name_that_was_never_opened(nothing):
    """A model said that there were no identifiers, and had not opened the tab Identifiers."""

    def contested(*pages: Observation) -> Any:
        record = Sample(*pages).ground(identifiers=nothing)["identifiers"]
        return record and record.contested

    closed = page(element(0, "tab", "Identifiers", states=("selected=false",)))
    opened = page(element(0, "tab", "Identifiers", states=("selected=true",)))
    assert contested(closed) == ("Identifiers: not opened",)
    assert not contested(closed, opened)
    assert not contested(opened, closed)
    assert not contested(page(element(0, "tab", "Notes", states=("selected=false",))))
    assert not contested(page(element(0, "tab", "Identifiers")))


def test_a_tab_was_not_opened_if_only_the_class_of_another_says_which_one_is_open():
    """All five tabs said “expanded=true” of themselves, open or not."""

    def tabs(*of: str, states: tuple[str, ...] = ("class: active",)) -> Observation:
        names = ("General", "Identifiers", "Stock")
        states_of = {name: states if name in of else () for name in names}
        return page(
            *(
                element(n, "tab", name, states=("expanded=true", *states_of[name]))
                for n, name in enumerate(names)
            )
        )

    def contested(*pages: Observation) -> Any:
        record = Sample(*pages).ground(identifiers=None)["identifiers"]
        return record and record.contested

    assert contested(tabs("General")) == ("Identifiers: not opened",)
    assert not contested(tabs("General"), tabs("Identifiers"))
    assert not contested(tabs())
    assert not contested(tabs("General", "Stock"))
    assert not contested(tabs("General", states=("note=“new”",)))


def test_a_yes_is_not_proven_by_what_only_shares_a_word_with_its_field():
    approval = element(0, "checkbox", "Buying requires approval", states=("checked=false",))
    attention = element(1, "checkbox", "Requires special attention", states=("checked=true",))
    task: Any = {"aliases": {"requires_approval": ["Buying requires approval"]}}
    sample = Sample(page(approval, attention), **task)
    assert sample.ground(requires_approval=False)["requires_approval"].name == approval.name
    assert sample.ground(requires_approval=True)["requires_approval"].how == "derived"
    assert sample.ground(special_attention=True)["special_attention"].name == attention.name
