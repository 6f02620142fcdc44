"""Whose page it is, and which of its values are the sample's own."""

from __future__ import annotations

from typing import Any

import pytest
from rules_audit import Audit, control, link, page, row, value

from pytest_bwa.policy.rules.subject import is_called
from pytest_bwa.steps import LabelledValue, Observation

OWNER = {"owner": "string"}
ANN = value("Owner", "Ann")
MARIA = "Maria Garcia"


def owner(seen: Observation, asked: str = "/1", **columns: str) -> Any:
    return Audit(OWNER, columns=columns, asked=asked).read(seen).values.get("owner")


def named(seen: Observation, name: str = MARIA, **audit: Any) -> Any:
    """The owner that is read for a sample without an address, which has only a name."""
    return Audit(OWNER, columns={"name": name}, **audit).read(seen).values.get("owner")


@pytest.mark.parametrize(
    ("text", "name", "is_it"),
    [
        ("Maria Garcia", MARIA, True),
        ("  Maria\n Garcia ", MARIA, True),
        ("Maria Garcia · Controller", MARIA, True),
        ("Maria Garcia - Contoso", MARIA, True),
        ("Maria Garcia (Contoso)", MARIA, True),
        ("Maria Garcia, Controller", MARIA, True),
        ("“Maria Garcia”", MARIA, True),
        ("Maria Garcia-Lopez", MARIA, False),
        ("Maria Garcias", MARIA, False),
        ("Maria Garcia Lopez", MARIA, False),
        ("maria garcia", MARIA, False),
        ("Garcia, Maria", MARIA, False),
        ("Ana Maria Garcia", MARIA, False),
        ("Manager of Maria Garcia", MARIA, False),
        ("María García", MARIA, False),
        ("BUG-7", "BUG-7", True),
        ("#BUG-7", "BUG-7", True),
        ("[BUG-7] Slow search", "BUG-7", True),
        ("BUG-7 Slow search", "BUG-7", True),
        ("BUG-7: Slow search", "BUG-7", True),
        ("Ticket BUG-7", "BUG-7", True),
        ("BUG-71 Slow search", "BUG-7", False),
        ("BUG-7-b", "BUG-7", False),
        ("Duplicate of BUG-7", "BUG-7", False),
        ("8 BUG-7", "BUG-7", False),
        ("Ada Quist", "Ada", False),
        ("", MARIA, False),
    ],
)
def test_a_name_counts_whole_and_letter_for_letter(text, name, is_it):
    assert is_called(text, name) is is_it


# -- a sample with an address of its own ---------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "got", "is_own"),
    [
        ("/staff/7", "/staff/7/", True),
        ("/staff/7", "/en/staff/7#pay", True),
        ("/staff/7", "/staff/7/pay", True),
        ("/staff/7", "/staff", False),
        ("/staff/7", "/", False),
        ("/staff/7", "/staff/8", False),
        ("/staff/7", "/staff/7?as=8", False),
        ("/#/staff/7", "/#/staff", False),
        ("/old/7", "/new/7", False),
        ("/staff/7", "https://y.org/staff/7", False),
    ],
)
def test_a_redirect_to_another_path_is_nobodys_page(asked, got, is_own):
    assert owner(page(got, "Record", ANN), asked) == ("Ann" if is_own else None)


def test_another_page_that_names_the_sample_is_its_own():
    seen = page("/new/7", MARIA, ANN)
    assert owner(seen, "/old/7", name=MARIA) == "Ann"
    assert owner(seen, "/old/7", name="Mario Garcia") is None


def test_an_address_that_was_made_of_the_name_is_the_samples_own():
    assert named(page("/tickets/BUG-7", "Slow search", ANN), "BUG-7") == "Ann"


# -- a sample that the page must name ------------------------------------------------------------


def test_the_heading_names_the_sample():
    assert named(page("/p", MARIA, ANN)) == "Ann"
    assert named(page("/p", "Mario Garcia", ANN)) is None
    assert named(page("/p", "", ANN)) is None


def test_of_two_main_headings_neither_names_the_page():
    assert named(page("/p", MARIA, value("h1", "Mario Garcia", "heading"), ANN)) is None


def test_a_heading_outside_of_the_content_is_not_the_pages():
    aside = value("h1", MARIA, "heading", regions=("complementary",))
    assert named(page("/p", "Team", aside, ANN)) is None
    banner = value("h1", MARIA, "heading", regions=("banner",))
    assert named(page("/p", "", banner, ANN)) == "Ann", "the content has none of its own"


@pytest.mark.parametrize("label", ["Name", "sample id"])
def test_the_record_names_the_sample(label):
    assert named(page("/p", "Profile", value(label, MARIA), ANN)) == "Ann"
    assert named(page("/p", "Profile", value(label, f"{MARIA} Lopez"), ANN)) is None


@pytest.mark.parametrize(
    "saying",
    [
        value("Name", MARIA, "input"),
        value("Name", MARIA, doubt="a link follows the text"),
        value("Name", MARIA, regions=("complementary",)),
        value("Name", MARIA, headings=("Emergency contact",)),
        value("Manager", MARIA),
    ],
)
def test_what_stands_elsewhere_names_nobody(saying):
    assert named(page("/p", "Profile", saying, ANN)) is None


def test_a_record_with_two_names_is_nobodys():
    assert named(page("/p", "Profile", value("Name", MARIA), value("Name", "Ada"), ANN)) is None


def test_the_echo_of_a_query_names_nobody():
    assert named(page("/find?q=Maria%20Garcia", MARIA, ANN)) is None
    typed = control(1, "searchbox", "Search", value="maria garcia")
    assert named(page("/find", MARIA, typed, ANN)) is None


@pytest.mark.parametrize(
    "title", ["1 result for Maria Garcia", "Results: Maria Garcia", "Search: Maria Garcia"]
)
def test_the_title_of_a_search_names_nobody(title):
    assert named(page("/find", title, ANN)) is None


@pytest.mark.parametrize(
    ("columns", "goal", "title", "is_named"),
    [
        ({"name": MARIA, "team": "Core"}, "Read Core.", "Core", False),
        ({"team": "Core", "city": "Oslo"}, "Read the team Core.", "Core", True),
        ({"team": "Core", "city": "Oslo"}, "Read the team Core.", "Oslo", False),
        ({"team": "Core"}, "Read the Corel team.", "Core", False),
        ({"team": "Core"}, "Read it.", "S-4", True),
    ],
)
def test_what_the_goal_calls_the_sample_is_its_name(columns, goal, title, is_named):
    audit = Audit(OWNER, columns=columns, goal=goal, sample_id="S-4")
    assert bool(audit.read(page("/p", title, ANN)).values) is is_named


def test_the_first_column_of_input_schema_names_the_sample():
    spec = {"input_schema": {"team": "string", "city": "string"}}
    audit = Audit(OWNER, columns={"team": "Core", "city": "Oslo"}, spec=spec)
    assert audit.read(page("/p", "Core", ANN)).values
    assert not audit.read(page("/p", "Oslo", ANN)).values


# -- regions and frames --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("regions", "is_own"),
    [
        ((), True), (("main",), True), (("form",), True), (("complementary", "main"), True),
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


def test_a_frame_counts_only_if_it_names_the_sample():
    def framed(title: str) -> Observation:
        heading = value("h1", title, "heading", frame="https://ads.org/")
        inside = value("Owner", "Ann", frame="https://ads.org/")
        return page("/1", MARIA, heading, inside)

    assert owner(framed(MARIA), name=MARIA) == "Ann"
    assert owner(framed("Advertisement"), name=MARIA) is None


def test_beside_a_record_fields_ask_for_something_new():
    field = value("Owner", "Me", "input")
    assert owner(page("/1", "Bug", field)) == "Me"
    assert owner(page("/1", "Bug", field, value("State", "open"))) is None


# -- sections ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headings", "is_own"),
    [
        (("Bug",), True),
        (("Details",), True),
        (("Bug", "Details"), True),
        (("Bug details",), True),
        (("Allgemeine Informationen",), False),
        (("Owner",), True),
        (("Related",), False),
        (("Blocked by",), False),
        (("Bug", "Emergency contact"), False),
        (("Mario Garcia",), False),
        (("Mario Garcia details",), False),
        (("Mario Garcia", "Details"), False),
    ],
)
def test_a_section_of_something_else_is_not_the_samples(headings, is_own):
    seen = page("/1", "Bug", value("Owner", "Ann", headings=headings))
    assert owner(seen) == ("Ann" if is_own else None)


def test_a_section_that_is_called_like_the_sample_is_its_own():
    seen = page("/1", "Bug", value("Owner", "Ann", headings=(MARIA,)))
    assert owner(seen, name=MARIA) == "Ann"


def test_the_reason_names_the_section_and_the_alias_that_would_do():
    audit = Audit(OWNER, asked="/1")
    found = audit.read(page("/1", "Bug", value("Owner", "Ann", headings=("Related",))))
    said = 'not found; “Owner” stands under “Related” (alias "Related > Owner")'
    assert found.open == {"owner": said}
    found = audit.read(page("/1", "Bug", value("Owner", "Ann", regions=("navigation",))))
    assert found.open == {"owner": "not found; “Owner” stands outside of this sample's record"}


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


# -- contradictions ------------------------------------------------------------------------------


def test_a_page_that_says_another_name_is_refused():
    audit = Audit(OWNER, columns={"name": MARIA}, asked="/1")
    end = audit.end(page("/1", "Profile", value("Name", "Mario Garcia"), ANN))
    assert (end.action, end.kind) == ("fail", "other")
    assert end.note == 'the page says name "Mario Garcia", and the list says "Maria Garcia"'


def test_a_column_of_the_list_may_contradict_too():
    spec = {"input_schema": {"company": "string"}, "aliases": {"company": ["Employer"]}}
    audit = Audit(OWNER, columns={"company": "Contoso"}, spec=spec, asked="/1")
    assert "company" in audit.end(page("/1", "P", value("Employer", "Tailspin"), ANN)).note
    assert audit.read(page("/1", "P", value("Employer", "CONTOSO"), ANN)).values


def test_what_stands_beside_the_record_contradicts_nothing():
    audit = Audit(OWNER, columns={"name": MARIA}, asked="/1")
    other = value("Name", "Mario Garcia", regions=("complementary",))
    assert audit.end(page("/1", "Profile", other, link("x", "/x"), ANN)).action == "done"
