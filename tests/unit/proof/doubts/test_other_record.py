"""The row or the page of another record speaks against a value; a mere neighbour, and the page that
the sample's own address leads to, do not."""

from __future__ import annotations

from typing import Any

import pytest
from grounded_sample import PAGE, Sample, element, page, table

from pytest_bwa.steps.step import Action, ActionResult, LabelledValue, Observation, Place

ROWS = table(
    {"No.": "REQ-203", "Customer": "Acme Corp", "State": "open"},
    {"No.": "REQ-204", "Customer": "Brugg AG", "State": "paid"},
)


def against(value: str, line: int | str, observation: Observation, **more: Any) -> dict[str, str]:
    return Sample(observation, sources={"field": line}, **more).against(field=value)


# -- rows ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "others"),
    [
        (("REQ-204",), ()),  # a name of the same kind
        (("Brugg AG",), ("req-203",)),  # another sample of the list
        (("Brugg AG",), ()),  # the sample has an entry of its own in this list
    ],
)
def test_a_row_that_names_another_record_is_named(given, others):
    listed = page(**ROWS)
    for line in (10, "0.1012"):
        found = against("Acme Corp", line, listed, given=given, others=others)
        assert found == {"other_record": "REQ-203"}
    assert against("Brugg AG", 20, listed, given=given, others=others) == {}


@pytest.mark.parametrize("given", [(), ("Heron Mills",)])
def test_a_row_of_a_list_that_does_not_have_the_sample_is_a_mere_neighbour(given):
    parts = table({"Part": "Valve", "Quantity": "14"}, {"Part": "Gasket", "Quantity": "30"})
    assert against("14", 10, page(**parts), given=given) == {}


def test_a_label_with_its_value_is_no_record():
    entry = LabelledValue(
        "Follows", "REQ-7", "pair", place=Place(record="Follows | REQ-7"), ref=(0, 5)
    )
    assert against("REQ-7", "0.5", page(labelled=(entry,)), given=("REQ-204",)) == {}
    row = page(element(0, "row", "Follows | REQ-7"))
    assert against("REQ-7", 0, row, given=("REQ-204",)) == {}, "the value is the name itself"


def test_a_row_that_names_the_sample_as_well_is_its_own():
    row = page(element(0, "row", "REQ-203 | copy of REQ-204 | open"))
    assert against("open", 0, row, given=("REQ-204",)) == {}
    assert "other_record" in against("open", 0, row, given=("REQ-205",))


def test_the_samples_row_is_its_own_on_a_page_that_is_called_like_another_record():
    """The list stood beside the record that was open."""
    opened = element(90, "heading", "REQ-203")
    listed = page(*ROWS["elements"], opened, labelled=ROWS["labelled"])
    assert against("Brugg AG", 20, listed, given=("REQ-204",)) == {}
    assert against("Acme Corp", 10, listed, given=("REQ-204",)) == {"other_record": "REQ-203"}


def test_a_name_that_goes_on_is_that_of_another_record():
    row = page(element(0, "row", "ENG-101 | 2026-05-04"))
    assert against("2026-05-04", 0, row, given=("ENG-10",)) == {"other_record": "ENG-101"}


def test_a_value_that_stands_elsewhere_as_well_is_not_doubted_where_it_was_not_cited():
    entry = page(element(0, "row", "REQ-203 | Acme Corp"), element(1, "text", "Acme Corp"))
    assert Sample(entry, given=("REQ-204",)).against(customer="Acme Corp") == {}
    alone = page(element(0, "row", "REQ-203 | Acme Corp"))
    assert "other_record" in Sample(alone, given=("REQ-204",)).against(customer="Acme Corp")


# -- pages -----------------------------------------------------------------------------------------


def record(path: str, heading: str, *texts: str, title: str = "") -> Observation:
    elements = [element(n + 1, "text", text) for n, text in enumerate(texts)]
    head = element(0, "heading", heading)
    return page(head, *elements, url=f"https://site.test{path}", title=title)


@pytest.mark.parametrize(
    ("heading", "given", "others", "said"),
    [
        ("Ticket REQ-203", ("REQ-204",), (), "Ticket REQ-203"),
        ("REQ-203 Pump leaks", ("REQ-204",), (), "REQ-203 Pump leaks"),
        ("Ada Quist", ("Ben Okoro",), ("ada quist",), "Ada Quist"),
        ("Ada Quist · Controller", ("Ben Okoro",), ("ada quist",), "Ada Quist · Controller"),
        ("Ticket REQ-204", ("REQ-204",), (), ""),
        ("REQ-204 is like REQ-203", ("REQ-204",), (), ""),
        ("Ada Quistgaard", ("Ben Okoro",), ("ada quist",), ""),
        ("Overview", ("REQ-204",), ("req-203",), ""),
        ("Fixes REQ-203 at last", ("REQ-204",), (), ""),
    ],
)
def test_a_page_that_is_called_like_another_record_is_named(heading, given, others, said):
    found = against("open", 1, record("/t/1", heading, "open"), given=given, others=others)
    assert found == ({"other_record": said} if said else {})


def test_the_title_of_a_page_names_its_record_too():
    shown = record("/t/1", "Details", "open", title="REQ-203 – Desk")
    assert against("open", 1, shown, given=("REQ-204",)) == {"other_record": "REQ-203 – Desk"}


def test_the_entries_of_a_list_with_the_sample_name_other_records():
    listed = page(
        **table({"Name": "Acme Corp", "City": "Rome"}, {"Name": "Brugg AG", "City": "Bern"})
    )
    shown = page(element(50, "heading", "Acme Corp"), element(51, "text", "Rome"), url=f"{PAGE}/2")
    sample = Sample(listed, shown, given=("Brugg AG",), sources={"city": 51})
    assert sample.against(city="Rome") == {"other_record": "Acme Corp"}
    stranger = Sample(listed, shown, given=("Cargill",), sources={"city": 51})
    assert stranger.against(city="Rome") == {}, "the list does not have the sample"


def test_the_samples_own_address_is_its_page_whatever_that_is_called():
    shown = record("/t/7", "REQ-203 Pump", "open")
    own = "https://site.test/t/7"
    assert against("open", 1, shown, given=("REQ-204",), own=own) == {}
    assert "other_record" in against("open", 1, shown, given=("REQ-204",), own=f"{own}1")


@pytest.mark.parametrize(
    ("heading", "others", "is_own"),
    [
        ("REQ-203 Pump", (), True),  # its new number, for all that is known
        ("REQ-203", ("req-203",), False),  # another sample of the list
        ("Pump", ("req-203",), True),
    ],
)
def test_a_redirect_of_the_own_address_is_the_samples_page(heading, others, is_own):
    own, led_to = "https://site.test/t/7", record("/new/9", heading, "open")
    sample = Sample(given=("REQ-204",), own=own, others=others, sources={"state": 1})
    goto = Action(action="goto", url=own)
    sample.observed.add_action(goto, ActionResult(True, ""), page(url="about:blank"), step=0)
    sample.observed.add_observation(led_to, 1)
    assert (sample.against(state="open") == {}) is is_own
    walked = Sample(led_to, given=("REQ-204",), own=own, others=others, sources={"state": 1})
    assert (walked.against(state="open") == {}) is (heading == "Pump")
