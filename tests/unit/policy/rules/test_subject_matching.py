"""Whose page it is: nothing is taken for a sample's that stands beside or instead of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rules_audit import SITE, Audit, control, page

from pytest_bwa.policy.rules.subject_matching import speaks_of
from pytest_bwa.steps import Action, LabelledValue, Observation


@pytest.mark.parametrize(
    ("text", "name", "spoken"),
    [
        ("Garcia, Maria (Contoso)", "Maria Garcia", True),
        ("Mario Garcia", "Maria Garcia", False),
        ("Tickets: inv-0013.", "INV-0013", True),
        ("0013 of INV", "INV-0013", False),
        ("Change number 1: fix BUG-101 | 9", "Change number 9: fix BUG-101", False),
        ("page 2", "#2", False),
        ("ticket #2 of 7", "#2", True),
    ],
)
def test_what_speaks_of_a_name(text, name, spoken):
    assert speaks_of(text, name) is spoken


@pytest.mark.parametrize(
    ("asked", "got", "gone"),
    [
        ("/staff/99/change", "/staff", True),
        ("/#/staff/99", "/#/staff", True),
        ("/staff/maria-garcia", "/", True),
        ("/staff/99/edit", "/staff/99", False),
        ("/staff/list", "/staff", False),
        ("/staff/99", "/staff/99-maria", False),
        ("/old/99", "/new/99", False),
    ],
)
def test_an_address_that_leads_up_instead_is_gone_whatever_is_labelled_there(asked, got, gone):
    audit = Audit({"company": "string"}, columns={"name": "Maria Garcia", "url": SITE + asked})
    audit._log(0, Action(action="goto", url=SITE + asked), page(asked), True)
    seen = page(got, "Home", company="Contoso")
    audit.act(seen)
    ended = audit.act(seen)
    assert ended.action == ("fail" if gone else "done")
    if gone:
        assert ended.note == f"not found: {SITE}{asked} leads to {SITE}{got}"


# -- a list that shows the sample -----------------------------------------------------------------


def commits(*others: str) -> Observation:
    """A log whose rows say who and link to what; beside them the way to the newest."""
    rows = []
    for n, said in enumerate(("Fix BUG-102", *others)):
        row, url = f"Dev {n} | {said}", f"{SITE}/rev/{n}"
        rows += [LabelledValue("Author", f"Dev {n}", "table", row=row)]
        rows += [LabelledValue("Description", said, "table", row=row, url=url)]
    newest = control(1, "link", "changeset of the date", "/rev/tip")
    return replace(page("/log", "Log", newest, repository="main"), labelled=tuple(rows))


def of_log(description: str, *required: str) -> Audit:
    fields = {"author": "string", "date": "string | null"}
    spec = {"required_fields": ["author", *required]}
    audit = Audit(fields, columns={"description": description}, spec=spec)
    audit.goal = f"Read the commit “{description}”."
    return audit


@pytest.mark.parametrize(("title", "date"), [("Fix BUG-102", "today"), ("Dev 0", None)])
def test_a_link_of_the_samples_own_row_is_followed_and_counts_if_it_leads_to_the_sample(
    title, date
):
    audit, seen = of_log("Fix BUG-102"), commits("Fix BUG-103")
    assert audit.names(seen, 2) == ["screenshot", "save_progress"]
    assert audit.act(seen).url == f"{SITE}/rev/0"
    behind = page("/rev/0", title, date="today", author="somebody")
    assert audit.act(behind).action == "screenshot"
    assert audit.act(behind).extracted == {"author": "Dev 0", "date": date}


def test_a_page_behind_a_list_counts_only_if_it_names_the_sample():
    audit, seen = of_log("Fix BUG-999"), commits("Fix BUG-103")
    assert audit.names(seen, 2) == ["screenshot", "goto"]
    newest = page("/rev/tip", "Tip", author="Bot", date="today")
    assert audit.names(newest, 2) == ["screenshot", "goto"], "nothing of it is kept"
    assert 'nothing that was seen names "Fix BUG-999"' in (audit.act(seen).note or "")


def test_a_page_that_was_reached_by_way_of_the_list_again_is_not_the_chosen_one():
    audit, seen = of_log("Fix BUG-102", "date"), commits("Fix BUG-103")
    audit.names(seen, 3)
    bare = page("/rev/0", "Fix")
    assert audit.names(bare, 2) == ["screenshot", "goto"], "back to the list"
    assert audit.act(seen).url == f"{SITE}/rev/tip"
    newest = page("/rev/tip", "Tip", author="Bot", date="today")
    assert audit.names(newest, 3) == ["screenshot", "goto", "fail"]


def test_an_entry_that_leads_elsewhere_is_opened_once():
    audit = Audit(
        {"date": "string"}, columns={"name": "Fix it"}, spec={"required_fields": ["date"]}
    )
    seen = page("/log", "Log", control(1, "link", "Fix it", "/rev/0"))
    assert audit.act(seen).action == "screenshot"
    assert audit.act(seen).url == f"{SITE}/rev/0"
    elsewhere = page("/maintenance", "Back soon")
    assert audit.names(elsewhere, 2) == ["screenshot", "goto"]
    assert audit.act(seen).action == "fail"


def test_the_pages_of_a_list_are_turned_until_one_names_the_sample():
    fields = {"author": "string"}
    audit = Audit(fields, columns={"description": "Fix BUG-7"}, goal="Read “Fix BUG-7”.")
    onward = control(5, "link", "Next page →", "/log?page=2")
    first = replace(commits("Fix BUG-103"), elements=(onward,))
    assert audit.act(first).action == "screenshot"
    assert audit.act(first, changed=True).selector == "5"
    second = replace(commits("Fix BUG-7"), url=f"{SITE}/log?page=2", elements=(onward,))
    assert audit.act(second).action == "screenshot"
    assert audit.act(second).extracted == {"author": "Dev 1"}


@pytest.mark.parametrize("moves", [True, False])
def test_a_list_that_ends_without_the_sample_says_how_far_it_was_seen(moves):
    audit = Audit({"author": "string"}, columns={"description": "Fix BUG-7"}, goal="“Fix BUG-7”")
    onward = control(5, "button", "Next")
    first = replace(commits("Fix BUG-103"), elements=(onward,))
    assert audit.act(first).action == "screenshot"
    assert audit.act(first, changed=moves).selector == "5"
    last = replace(first, elements=(control(5, "button", "Next", states=("disabled",)),))
    ended = audit.act(last if moves else first)
    assert f'names "Fix BUG-7" on none of the pages seen ({1 + moves})' in ended.note


@pytest.mark.parametrize("address", [None, "/log#slides"])
def test_the_next_of_a_slide_show_is_not_turned(address):
    audit = Audit({"author": "string"}, columns={"description": "Fix BUG-7"}, goal="“Fix BUG-7”")
    slides = page("/log", "Log", control(5, "link" if address else "button", "Next", address))
    audit.act(slides)
    assert audit.act(slides).note == 'not found: nothing that was seen names "Fix BUG-7"'


def test_a_part_of_an_address_that_is_a_column_by_chance_makes_it_nobodys_own():
    audit = Audit({"owner": "string"}, columns={"name": "Maria Garcia", "team": "hr"})
    seen = page("/hr/list", "List", owner="Kim")
    assert audit.names(seen, 2) == ["screenshot", "fail"]


def test_the_number_of_a_report_is_not_that_of_a_ticket():
    audit = Audit({"owner": "string"}, columns={"ticket": "#1"}, goal="Read #1.")
    assert audit.names(page("/report/1", "Report", owner="Kim"), 2) == ["screenshot", "fail"]
