"""An entry of a list that stands in another section than the one called like the field."""

from __future__ import annotations

import pytest
from grounded_sample import Sample, element, page

from pytest_bwa.steps import Element, Place


def section(first: int, name: str, *rows: str, region: str = "") -> list[Element]:
    place = Place(headings=("Case 3", name), regions=(region,) if region else ())
    above = Place(headings=("Case 3",), regions=place.regions)
    inside = [element(first + n, "text", row, place=place) for n, row in enumerate(rows, 1)]
    return [element(first, "heading", name, place=above), *inside]


@pytest.mark.parametrize(
    ("name", "region", "others"),
    [
        ("Tags", "", ("Tags | No records found",)),
        ("Tags (0)", "", ("Tags (0) | No records found",)),
        ("Notes", "", None),
        ("Tags", "navigation", None),
    ],
)
def test_an_entry_of_another_section_is_contested_by_the_fields_own(name, region, others):
    own = section(1, name, "No records found", region=region)
    elements = [*own, *section(10, "Components", "Battery")]
    shown = page(*elements, text="Components\nBattery\nName")
    tree = Sample(shown, labelled=False).ground(tags=["Battery"])
    assert tree["tags"][0].contested == others


@pytest.mark.parametrize("own", [["Battery"], ["alarm", "Battery"]])
def test_an_entry_of_the_fields_own_section_is_not(own):
    elements = [*section(1, "Tags", *own), *section(10, "Components", "Battery")]
    tree = Sample(page(*elements), labelled=False).ground(tags=own)
    assert [record.contested for record in tree["tags"]] == [None] * len(own)
