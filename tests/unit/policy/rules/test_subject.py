"""Whose page it is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rules_audit import MARIA, OWNER, Audit, control, owner, page, value
from rules_audit import named_owner as named

from pytest_bwa.spec.notation.record_names import is_called
from pytest_bwa.steps.doubts import Doubt

ANN = value("Owner", "Ann")


@pytest.mark.parametrize(
    ("text", "name", "is_it"),
    [
        ("Maria Garcia", MARIA, True),
        ("  Maria\n Garcia ", MARIA, True),
        ("Maria Garcia · Controller", MARIA, True),
        ("Maria Garcia - Contoso", MARIA, True),
        ("Maria Garcia (Contoso)", MARIA, True),
        ("Maria Garcia, Controller", MARIA, False),
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
        ("/staff/7", "/staff/7/pay", False),
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


@pytest.mark.parametrize(
    ("title", "is_own"),
    [("Record", True), ("", True), ("BUG-7", True), ("BUG-8", False), ("Not found", False)],
)
def test_the_page_at_the_samples_own_address_is_its_own_unless_it_names_another(title, is_own):
    seen = page("/bugs/7", title, ANN)
    assert owner(seen, "/bugs/7", name="BUG-7") == ("Ann" if is_own else None)


@pytest.mark.parametrize(
    ("path", "heading", "is_named"),
    [
        ("/p", "Fixes BUG-7", False),
        ("/p", "Ersetzt BUG-7", False),
        ("/p", "Ticket BUG-7", False),
        ("/tickets/x1", "Ticket BUG-7", True),
        ("/tickets/x1", "Ticket BUG-7: Slow search", True),
        ("/p", "Sample BUG-7", True),
        ("/p", "BUG-7 Slow search", True),
    ],
)
def test_a_word_before_a_number_must_say_what_the_sample_is(path, heading, is_named):
    """By the address of the page, or by a column of the list."""
    assert named(page(path, heading, ANN, text="x"), "BUG-7") == ("Ann" if is_named else None)


@pytest.mark.parametrize("open_tab", ["BUG-7", "BUG-9", "Overview"])
def test_an_open_tab_of_another_record_is_whatever_the_window_is_called(open_tab):
    tabs = [
        control(n, "tab", name, states=(f"selected={str(name == open_tab).lower()}",))
        for n, name in enumerate(["BUG-7", "BUG-9", "Overview"])
    ]
    audit = Audit(OWNER, sample_id="BUG-7", asked="/bugs/7")
    seen = replace(page("/bugs/7", "Workspace", ANN, *tabs), title="Workspace BUG-7")
    assert bool(audit.read(seen).values) is (open_tab != "BUG-9")


def test_a_section_that_is_called_by_a_verb_and_the_number_is_anothers():
    below = value("Owner", "Ann", headings=("Ticket BUG-7", "Blocks BUG-7"))
    assert named(page("/tickets/x1", "Ticket BUG-7", below, text="x"), "BUG-7") is None


def test_a_page_that_was_opened_from_the_samples_is_its_own_if_it_is_below_or_names_it():
    assert owner(page("/new/7", MARIA, ANN), "/old/7", name=MARIA) is None, "a redirect"
    for path, name, is_own in (
        ("/new/7", MARIA, True),
        ("/new/7", "Mario Garcia", False),
        ("/old/7/pay", "Mario Garcia", True),
    ):
        audit = Audit(OWNER, {"name": name}, asked="/old/7")
        audit.turn(page("/old/7", name))
        opening = audit.history[0].model_copy(update={"params": {"url": f"https://x.org{path}"}})
        audit.history.append(opening)
        assert bool(audit.read(page(path, MARIA, ANN, text=name)).values) is is_own, path


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
        value("Name", MARIA, doubt=Doubt.LINK_BESIDE),
        value("Name", MARIA, regions=("complementary",)),
        value("Name", MARIA, headings=("Emergency contact",)),
        value("Manager", MARIA),
    ],
)
def test_what_stands_elsewhere_names_nobody(saying):
    assert named(page("/p", "Profile", saying, ANN)) is None


def test_a_record_with_two_names_is_nobodys():
    assert named(page("/p", "Profile", value("Name", MARIA), value("Name", "Ada"), ANN)) is None


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


def test_a_sample_id_with_digits_names_the_sample_too():
    assert named(page("/p", "EMP-7 Profile", ANN), sample_id="EMP-7") == "Ann"
    assert named(page("/p", "emp Profile", ANN), sample_id="emp") is None
