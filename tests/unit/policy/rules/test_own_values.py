"""Which values of a page are the sample's own: regions, frames, sections, rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from rules_audit import MARIA, OWNER, Audit, owner, page, row, value
from rules_audit import named_owner as named

from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.step import LabelledValue

ANN = value("Owner", "Ann")


# -- regions and frames --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("regions", "is_own"),
    [
        ((), True), (("main",), True), (("form",), True), (("article", "main"), True),
        (("navigation",), False), (("complementary",), False), (("banner",), False),
        (("contentinfo",), False), (("search",), False), (("dialog",), False),
        (("article",), False), (("comment",), False), (("main", "comment"), False),
        (("main", "navigation"), False), (("main", "search"), False), (("main", "article"), False),
        (("main", "dialog"), False), (("main", "complementary"), True),
    ],
)  # fmt: skip
def test_only_the_content_of_the_page_counts(regions, is_own):
    seen = page("/1", "Bug", value("Owner", "Ann", regions=regions))
    assert owner(seen) == ("Ann" if is_own else None)


def test_what_a_frame_shows_is_another_pages():
    heading = value("h1", MARIA, "heading", frame="https://x.org/in")
    inside = value("Owner", "Ann", frame="https://x.org/in")
    assert owner(page("/1", MARIA, heading, inside), name=MARIA) is None
    assert named(page("/p", "Portal", heading, inside)) is None
    assert named(page("/p", "Portal", heading, ANN)) is None
    advert = value("h1", "Advertisement", "heading", frame="https://ads.org/")
    assert named(page("/p", MARIA, advert, ANN)) == "Ann", "its heading is none of the page's"


def test_beside_a_record_fields_ask_for_something_new():
    field = value("Owner", "Me", "input")
    assert owner(page("/1", "Bug", field)) == "Me"
    assert owner(page("/1", "Bug", field, value("State", "open"))) is None


def test_a_form_of_a_record_may_have_values_that_cannot_be_changed():
    form = {"regions": ("main", "form")}
    field = value("Owner", "Ann", "input", **form)
    other, fixed = value("City", "Riga", "input", **form), value("Deposit", "7", "pair", **form)
    empty, outside = value("City", "", "input", **form), value("State", "open", regions=("main",))
    assert owner(page("/1", "Bug", field, other, fixed)) == "Ann"
    assert owner(page("/1", "Bug", field, empty, fixed)) is None, "it asks for more than it shows"
    assert owner(page("/1", "Bug", field, other, fixed, outside)) is None


# -- sections -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headings", "is_own"),
    [
        (("Bug 7",), True),
        (("Details",), True),
        (("Bug 7", "Details"), True),
        (("Bug details",), True),
        (("Bug",), True),
        (("Additional information",), True),
        (("Allgemeine Informationen",), False),
        (("Owner",), True),
        (("Related",), False),
        (("7",), False),
        (("Blocked by",), False),
        (("Bug 7", "Emergency contact"), False),
        (("Mario Garcia",), False),
        (("Mario Garcia details",), False),
        (("Mario Garcia", "Details"), False),
    ],
)
def test_a_section_of_something_else_is_not_the_samples(headings, is_own):
    seen = page("/1", "Bug 7", value("Owner", "Ann", headings=headings))
    assert owner(seen) == ("Ann" if is_own else None)


@pytest.mark.parametrize(
    ("address", "heading", "is_own"),
    [
        ("/crates/fernway", "Crate metadata", True),
        ("/crates/fernway", "Stats", False),
        ("/crates/other", "Crate metadata", False),
    ],
)
def test_a_section_may_be_called_like_the_collection_in_the_address(address, heading, is_own):
    found = value("Owner", "Ann", headings=(heading,))
    seen = page(address, "fernway", found)
    assert owner(seen, address, name="fernway") == ("Ann" if is_own else None)


def card(heading: str, who: str, kind: str = "pair", text: str = "") -> list[LabelledValue]:
    return row(heading, value("Owner", who, kind), headings=("Bug 7", heading), record=text or who)


def test_the_card_with_the_heading_of_the_samples_own_page_is_the_samples():
    heading = value("h1", "Details", "heading", record="all", record_name="Details")
    other = replace(heading, place=replace(heading.place, record="other"))
    own = value("Owner", "Ann", record="all", record_name="Details")
    assert owner(page("/1", "", heading, own)) == "Ann"
    assert named(page("/p", "", heading, own)) is None, "nothing says whose page it is"
    assert owner(page("/1", "", heading, other, own)) is None, "two cards have such a heading"


def test_a_section_that_is_called_like_the_sample_is_its_own():
    seen = page("/1", "Bug", value("Owner", "Ann", headings=(MARIA,)))
    assert owner(seen, name=MARIA) == "Ann"


@pytest.mark.parametrize(
    ("name", "below", "is_own"),
    [
        (MARIA, (), True),
        (MARIA, ("Details",), True),
        (MARIA, ("Linked contract",), False),
    ],
)
def test_a_heading_inside_of_the_samples_own_card_says_whose_its_values_are(name, below, is_own):
    above = ("Tenants", "Region North")
    headings = (*above, MARIA) if name == MARIA else above
    rest = value("Status", "open", headings=headings)
    who = value("Owner", "Ann", headings=(*headings, *below))
    card = [replace(v, place=replace(v.place, record="all", record_name=name)) for v in (rest, who)]
    seen = page("/1", "Portal", *card)
    assert owner(seen, name=MARIA) == ("Ann" if is_own else None)


def in_people(*parts: LabelledValue, url: str = "/1", title: str = "Bug 7") -> object:
    """What is read as the owner of the bug at /1 where an alias names the section "People"."""
    spec = {"aliases": {"owner": ["People > Owner"]}}
    audit = Audit(OWNER, {"name": "Bug 7"}, spec, asked="/1")
    seen = page(url, title, value("State", "open"), *parts, text="Bug 7")
    return audit.read(seen).values.get("owner")


def people(who: str = "Ann", kind: str = "pair", **place: Any) -> LabelledValue:
    return value("Owner", who, kind, **{"headings": ("Bug 7", "People"), **place})


@pytest.mark.parametrize("region", ["complementary", "dialog", "article"])
def test_a_section_that_an_alias_names_is_the_samples_wherever_it_stands(region):
    assert in_people(people(regions=(region,))) == "Ann"
    assert in_people(*row("People", people(), headings=("People",))) == "Ann", "a card of its own"
    assert in_people(people(kind="input")) == "Ann", "a form that shows the record"


@pytest.mark.parametrize("region", ["navigation", "banner", "contentinfo", "search", "comment"])
def test_what_is_never_a_record_is_none_because_an_alias_names_its_section(region):
    assert in_people(people(regions=("main", region))) is None
    assert in_people(*row("Bug 8", people())) is None, "an entry that is called otherwise"
    assert in_people(*row("People", people(kind="table"))) is None, "a row of a list"
    assert in_people(people(frame="https://x.org/in")) is None
    assert in_people(people(), url="/login", title="Sign in") is None, "not the sample's page"
    assert in_people(people(headings=("Bug 7", "Vendors"))) is None


def test_a_value_in_a_section_that_nobody_knows_is_kept_and_the_section_named():
    audit = Audit(OWNER, asked="/1")
    found = audit.read(page("/1", "Bug", value("Owner", "Ann", headings=("Related",))))
    assert (found.doubted, found.codes) == ({"owner": "Ann"}, {"owner": [Doubt.UNDER_HEADING]})
    assert found.open == {"owner": "it stands under “Related”"}
    own = value("Owner", "Bo", headings=("Bug",))
    found = audit.read(page("/1", "Bug", value("Owner", "Ann", headings=("Related",)), own))
    assert found.values == {"owner": "Bo"}, "its own says nothing of what is related"


def test_the_reason_of_a_null_names_where_the_label_stands():
    audit = Audit(OWNER, asked="/1")
    found = audit.read(page("/1", "Bug", value("Owner", "Ann", regions=("navigation",))))
    assert found.open == {"owner": "not found"}, "a menu is no place for a value"
    aside = value("Owner", "Ann", regions=("dialog",), headings=("Bug", "People", "Owner"))
    found = audit.read(page("/1", "Bug", aside, value("Team", "Core")))
    reason = "not found; “People > Owner” stands outside of this sample's record"
    assert found.open == {"owner": reason}
    found = audit.read(page("/1", "Bug", value("Owner", "Me", "input"), value("Team", "Core")))
    says = "not found; “Owner” is only a field to fill in, beside values of the page's own"
    assert found.open == {"owner": says}


# -- rows ----------------------------------------------------------------------------------------


def team(*names: str, cell: str = "Owner") -> list[LabelledValue]:
    rows = [row(name, value(cell, f"boss of {n}", "table")) for n, name in enumerate(names)]
    return [one for cells in rows for one in cells]


def test_of_many_rows_only_the_samples_own_counts():
    assert named(page("/", "Team", *team("Ada", MARIA))) == "boss of 1"
    assert named(page("/", "Team", *team("Ada", "Maria Garcias"))) is None
    assert owner(page("/1", "Bug", *team("Ada"))) is None, "a row is another's on its own page too"


def test_of_two_rows_of_one_name_neither_is_the_samples():
    assert named(page("/", "Team", *team(MARIA, MARIA))) is None


def test_a_row_is_named_by_the_column_that_names_samples_too():
    cells = row("1", value("Name", MARIA, "table"), value("Owner", "Ann", "table"))
    assert named(page("/", "Team", *cells)) == "Ann"
    cells = row("1", value("Manager", MARIA, "table"), value("Owner", "Ann", "table"))
    assert named(page("/", "Team", *cells)) is None


def test_beside_the_samples_row_the_page_is_still_nobodys():
    assert named(page("/", "Team", *team(MARIA, cell="City"), ANN)) is None
    cells = row("1", value("Name", MARIA, "table"))
    assert named(page("/", "Team", *cells, ANN)) is None
