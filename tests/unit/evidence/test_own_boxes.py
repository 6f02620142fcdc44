"""What the sample's own record says in headings and in boxes speaks against another value."""

from __future__ import annotations

import pytest
from grounded_sample import PAGE, Sample, element, page

from pytest_bwa.steps import Box, LabelledValue, Place


def test_a_heading_with_a_colon_is_a_label_with_its_value():
    texts = ("Author: Ann Lee", "Default tester: Bob Ray", "Automated: True", "Note")
    headings = [LabelledValue("h2", text, "heading", box=(0.0, 0.0, 9.0, 9.0)) for text in texts]
    shown = page(*texts, "Bob Ray", labelled=tuple(headings))
    answer = {"author": "Bob Ray", "default_tester": "Bob Ray", "automated": False}
    tree = Sample(shown, labelled=False).ground(**answer)
    assert [tree[name].contested for name in answer] == [
        ("Author | Ann Lee",),
        None,
        ("Automated | True",),
    ]


ANYWHERE = Box(0.0, 0.0, 9.0, 9.0)


@pytest.mark.parametrize(
    ("stated", "value", "shown", "others"),
    [
        ("Dan Levy", "18,420.50", "18,420.50", ("Manager | Dan Levy",)),
        ("Dan Levy", "2026-06-17", "June 17, 2026", ("Manager | Dan Levy",)),
        ("410200", "Basic data", "Basic data", ("Manager | 410200",)),
        ("18,420.50 EUR", "18,420.50", "18,420.50", None),
        ("in 3 days (June 17, 2026)", "2026-06-17", "June 17, 2026", None),
    ],
)
def test_a_value_of_another_kind_speaks_against_one_that_nothing_connects_with_its_field(
    stated, value, shown, others
):
    labelled = (
        LabelledValue("Manager", stated, "pair", box=ANYWHERE),
        LabelledValue("Other", shown, "pair", box=ANYWHERE),
    )
    sample = Sample(page(stated, shown, labelled=labelled), own=PAGE, labelled=False)
    assert sample.ground(manager=value)["manager"].contested == others


@pytest.mark.parametrize("frame", ["https://ads.test/300", "https://site.test/part"])
def test_a_frame_of_another_host_says_nothing_of_what_the_page_itself_says(frame):
    inside = Place(frame=frame, headings=("Vans",))
    labelled = (
        LabelledValue("Price", "9.99 EUR", "pair", place=inside, box=ANYWHERE),
        LabelledValue("Price", "1,150 EUR", "pair", box=ANYWHERE),
    )
    elements = [element(1, "row", "Price | 9.99 EUR", place=inside), "Price | 1,150 EUR"]
    sample = Sample(page(*elements, labelled=labelled), own=PAGE, labelled=False)
    own, other = (
        sample.ground(price=price)["price"].contested for price in ("1,150 EUR", "9.99 EUR")
    )
    assert own == (None if "ads" in frame else ("Price | 9.99 EUR",))
    assert other == ("Price | 1,150 EUR",)


def test_numbers_with_dots_are_compared_also_where_one_may_be_a_day():
    labelled = (LabelledValue("Version", "3.18.0", "pair", box=ANYWHERE),)
    strip = element(2, "text", "2026.11.2", place=Place(regions=("contentinfo",)))
    shown = page("Version", "3.18.0", "Version", strip, labelled=labelled)
    sample = Sample(shown, own=PAGE, labelled=False)
    assert sample.ground(version="2026.11.2")["version"].contested == ("Version | 3.18.0",)


def test_a_label_of_the_same_stem_is_that_of_another_field():
    labelled = (LabelledValue("State", "Choose here", "pair", box=ANYWHERE),)
    sample = Sample(page("State", "Choose here", "Published", labelled=labelled), own=PAGE)
    assert sample.ground(record_status="Published")["record_status"].contested is None
    assert sample.ground(state="Published")["state"].contested == ("State | Choose here",)


def boxes(*values: tuple[str, str, str]) -> tuple[LabelledValue, ...]:
    """Each with its label and its box."""
    return tuple(
        LabelledValue(label, value, "pair", place=Place(record=f"{box} | text"))
        for label, value, box in values
    )


@pytest.mark.parametrize(
    ("labelled", "others"),
    [
        ([("Status", "open", "Basics"), ("Owner", "Bob", "People")], ("Status | open",)),
        ([("Status", "open", "Ticket 7"), ("Status", "closed", "Ticket 8")], None),
        (
            [("Id", "7", "A"), ("Due", "May", "A"), ("Status", "open", "A"), ("Id", "8", "B"),
             ("Due", "June", "B")],
            None,
        ),
    ],
)  # fmt: skip
@pytest.mark.parametrize("own", [PAGE, ""])
def test_a_box_of_the_samples_own_page_speaks_against_a_value_and_an_entry_does_not(
    labelled, others, own
):
    shown = page("Status changed from new to open", labelled=boxes(*labelled))
    sample = Sample(shown, own=own, labelled=False)
    assert sample.ground(status="new")["status"].contested == (others if own else None)


@pytest.mark.parametrize(
    ("record", "others"), [("ENG-10", ("Status | open",)), ("ENG-101", None), ("XENG-10", None)]
)
def test_the_row_of_a_record_whose_number_goes_on_is_not_the_samples_own(record, others):
    rows = boxes(("Status", "open", record), ("Status", "closed", "ENG-7"))
    shown = page("Status changed from new to open", labelled=rows)
    sample = Sample(shown, given=("ENG-10",), own=PAGE, labelled=False)
    assert sample.ground(status="new")["status"].contested == others


def test_an_alias_alone_is_the_name_of_a_field():
    shown = page("Estimated: 90 minutes", labelled=(LabelledValue("Worked", "25 minutes", "pair"),))
    aliases = {"worked_minutes": ["Worked"]}
    record = Sample(shown, labelled=False, aliases=aliases).ground(worked_minutes=90)
    assert record["worked_minutes"].contested == ("Worked | 25 minutes",)


@pytest.mark.parametrize(
    ("kind", "text", "is_unsure"),
    [("integer", "0:05:00", True), ("date", "3 weeks", True), ("integer", "-", False),
     ("integer", "not known", False), ("boolean", "2 of 3", False)],
)  # fmt: skip
def test_a_null_is_unsure_where_what_begins_with_a_number_stands_under_an_alias(
    kind, text, is_unsure
):
    shown = page(labelled=(LabelledValue("h2", f"Setup duration: {text}", "heading"),))
    task = {"output_schema": {"setup": f"{kind} | null"}, "aliases": {"setup": ["Setup duration"]}}
    record = Sample(shown, own=PAGE, labelled=False, **task).ground(setup=None)["setup"]
    assert (record.contested if record else None) == (
        (f"Setup duration | {text}",) if is_unsure else None
    )
