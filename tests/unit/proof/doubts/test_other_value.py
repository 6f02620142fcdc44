"""Another value under the same label in the sample's own record speaks against a value."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from grounded_sample import Sample, element, page

from pytest_bwa.steps.step import LabelledValue, Place

OWN = Place(headings=("Heron Mills",))


def entry(label: str, value: str, place: Place = OWN, kind: Any = "pair") -> LabelledValue:
    return LabelledValue(label, value, kind, place=place, ref=(0, 700))


def against(own: LabelledValue, *others: LabelledValue) -> dict[str, str]:
    labelled = (own, *(replace(e, ref=(0, 701 + n)) for n, e in enumerate(others)))
    sample = Sample(page(labelled=labelled), sources={"field": "0.700"})
    return sample.against(field=own.value)


IN_PART = Place(headings=("Heron Mills", "Billing"))


@pytest.mark.parametrize(
    "other",
    [
        entry("Owner", "Bo Ek"),
        entry("OWNER:", "Bo Ek"),
        entry("Owner", "Bo Ek", kind="input"),
        entry("Owner", "Bo Ek", replace(OWN, record="Owner | Bo Ek")),  # no more than a pair
    ],
)
def test_another_value_under_the_same_label_is_named(other):
    (said,) = against(entry("Owner", "Ann Lee"), other).items()
    assert said == ("other_value", f"{other.label} | Bo Ek")


@pytest.mark.parametrize(
    "other",
    [
        entry("Owner", "Ann Lee"),
        entry("Owner", "ANN  LEE"),
        entry("Owner", " "),
        entry("Backup", "Bo Ek"),
        entry("Owner", "Bo Ek", IN_PART),  # what a part says of its own
        entry("Owner", "Bo Ek", replace(OWN, headings=())),  # or what stands around it
        entry("Owner", "Bo Ek", Place(headings=("Gannet",))),
        entry("Owner", "Bo Ek", replace(OWN, regions=("navigation",))),
        entry("Owner", "Bo Ek", replace(OWN, frame="https://ads.test/")),
        entry("Owner", "Bo Ek", replace(OWN, record="Gannet | Bo Ek | open")),
        entry("Owner", "Bo Ek", kind="table"),
        entry("Owner", "Bo Ek", kind="link"),
        entry("Owner", f"Bo Ek {'and another one ' * 6}"),
    ],
)
def test_what_is_no_other_value_of_the_record_is_not_named(other):
    assert against(entry("Owner", "Ann Lee"), other) == {}


def test_all_other_values_are_named():
    found = against(entry("Owner", "Ann"), entry("Owner", "Bo"), entry("Owner", "Cy"))
    assert found == {"other_value": "Owner | Bo; Owner | Cy"}


def test_what_no_label_names_is_not_doubted():
    labelled = (entry("", "Ann Lee"), replace(entry("", "Bo Ek"), ref=(0, 701)))
    sample = Sample(page("Ann Lee", labelled=labelled), sources={"owner": 0})
    assert sample.against(owner="Ann Lee") == {}


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ("open", {}),
        ("closed", {"other_value": "closed"}),
    ],
)
def test_a_value_that_no_longer_stands_at_its_place_is_an_older_one(now, said):
    before = page(element(3, "text", "open"))
    sample = Sample(before, page(element(3, "text", now), title="later"), sources={"state": 3})
    assert sample.against(state="open") == said


@pytest.mark.parametrize(
    ("now", "said"), [("Q1 sales: 77 €", "Q1 sales: 77 €"), ("Q2 sales: 77 €", ""), ("Totals", "")]
)
def test_a_line_that_shows_something_else_now_has_no_newer_value(now, said):
    before, after = page(element(3, "text", "Q1 sales: 61 €")), page(element(3, "text", now))
    sample = Sample(before, after, sources={"sales": 3})
    assert sample.against(sales=61).get("other_value", "") == said


def test_a_page_that_was_left_has_no_newer_value():
    left = page(element(3, "text", "open"))
    elsewhere = page(element(9, "text", "closed"), url="https://site.test/b")
    assert Sample(left, elsewhere, sources={"state": 3}).against(state="open") == {}


def test_the_value_of_a_field_that_was_changed_is_the_newer_one():
    before = page(element(3, "textbox", "State", value="draft"))
    after = page(element(3, "textbox", "State", value="final"))
    sample = Sample(before, after, sources={"state": 3})
    assert sample.against(state="draft") == {"other_value": "final"}
    assert sample.against(state="final") == {}
