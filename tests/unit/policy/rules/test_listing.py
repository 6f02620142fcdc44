"""Walking a list: its first entries in their order, each read from its own page."""

from __future__ import annotations

from typing import Any

import pytest
from rules_audit import SITE, Audit, link, page, value

from pytest_bwa.steps.step import LabelledValue

PULLS = {
    "pulls": {
        "type": "array",
        "items": {"properties": {"number": "number", "author": "string", "checks": "string"}},
    }
}


def of_list(expected: int = 2, fields: Any = None) -> Audit:
    return Audit(fields or PULLS, asked="/pulls", spec={"expected_items": expected})


def listing(*parts: LabelledValue, path: str = "/pulls") -> Any:
    return page(path, "Pulls", *parts)


BOTH = [link("Fix it", "/pulls/7"), link("Add it", "/pulls/9")]


def entry(n: int, *parts: LabelledValue, author: str = "Ann") -> Any:
    return page(f"/pulls/{n}", f"Pull {n}", *parts, number=f"{n}", author=author)


def walk(audit: Audit, n: int, **more: Any) -> list[str]:
    return audit.names(entry(n, **more), 3)


def test_the_first_entries_are_read_in_their_order_and_nothing_else():
    audit, seen = of_list(), listing(*BOTH, link("More", "/pulls/11"))
    assert audit.act(seen).label == "list"
    assert audit.act(seen).url == f"{SITE}/pulls/7"
    assert walk(audit, 7) == ["screenshot", "save_progress", "goto"]
    assert audit.history[-1].params["url"] == f"{SITE}/pulls", "back to the list"
    assert audit.act(seen).url == f"{SITE}/pulls/9"
    assert audit.names(entry(9, author="Bo"), 2) == ["screenshot", "save_progress"]
    assert audit.collected == {"pulls": [{"number": 9, "author": "Bo"}]}, "the loop joins them"
    assert audit.act(entry(9, author="Bo")).url == f"{SITE}/pulls"
    end = audit.act(seen)
    assert end.action == "done"
    assert end.extracted["pulls"]


@pytest.mark.parametrize(
    "other",
    [
        link("Labels", "/labels"),
        link("Users", "/users/7"),
        link("Away", "https://y.org/pulls/1"),
        link("Delete", "/pulls/delete"),
        link("Top", "/pulls#top"),
        link("Nav", "/pulls/1", regions=("navigation",)),
    ],
)
def test_links_that_are_no_entries_are_not_opened(other):
    audit, seen = of_list(), listing(other, *BOTH)
    assert audit.act(seen).action == "screenshot"
    assert audit.act(seen).url == f"{SITE}/pulls/7"


def test_an_entry_that_is_linked_twice_is_one():
    audit = of_list()
    seen = listing(BOTH[0], link("1 comment", "/pulls/7#comments"), BOTH[1])
    audit.names(seen, 2)
    walk(audit, 7)
    assert audit.act(seen).url == f"{SITE}/pulls/9"


def test_a_part_of_an_entry_is_opened_and_joined_to_it():
    audit = of_list()
    audit.names(listing(*BOTH), 2)
    others = (
        link("Checks (2)", "/checks"),
        link("Author", "/pulls/7/author"),
        link("X", "/pulls/7/x"),
    )
    switch = link("Checks", "/pulls/7/checks/checks")
    seen = entry(7, *others, switch, link("Checks (2)", "/pulls/7/checks"))
    assert audit.names(seen, 2) == ["screenshot", "save_progress"]
    assert audit.act(seen).url == f"{SITE}/pulls/7/checks"
    part = page("/pulls/7/checks", "Checks of 7", value("Checks", "passed"))
    assert audit.names(part, 2) == ["screenshot", "save_progress"]
    assert audit.collected == {"pulls": [{"number": 7, "checks": "passed"}]}
    assert audit.act(part).url == f"{SITE}/pulls"


def test_a_part_is_opened_once_even_if_it_says_nothing():
    audit = of_list()
    audit.names(listing(*BOTH), 2)
    checks = link("Checks (2)", "/pulls/7/checks")
    audit.names(entry(7, checks), 3)
    seen = page("/pulls/7/checks", "Checks of 7", checks)
    assert audit.names(seen, 2) == ["screenshot", "goto"]
    assert audit.history[-1].params["url"] == f"{SITE}/pulls"


def test_an_entry_that_leads_elsewhere_gives_no_values():
    audit = of_list()
    audit.names(listing(*BOTH), 2)
    elsewhere = page("/sign-up", "Welcome", number="1", author="Webmaster")
    assert audit.names(elsewhere, 2) == ["screenshot", "goto"]
    assert audit.collected == {}


def test_the_list_is_turned_until_it_has_enough_entries():
    audit = of_list(expected=3)
    seen = listing(*BOTH, link("Next", "/pulls?page=2"))
    audit.names(seen, 2)
    walk(audit, 7)
    audit.act(seen)
    walk(audit, 9)
    assert audit.act(seen).url == f"{SITE}/pulls?page=2"
    second = listing(link("Old", "/pulls/3"), path="/pulls?page=2")
    assert audit.act(second).url == f"{SITE}/pulls/3"


def test_a_list_without_entries_is_no_answer():
    audit, seen = of_list(), listing(link("Labels", "/pulls#labels"))
    end = audit.end(seen)
    assert (end.action, end.note) == ("fail", "the list has no entry that could be read")


def test_a_page_that_is_not_the_list_is_not_walked():
    end = of_list().end(page("/", "Home", *BOTH))
    assert (end.action, end.note) == ("fail", "the list leads to another page")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [(PULLS, None), ({**PULLS, "more": PULLS["pulls"]}, 2), ({"pulls": "array"}, 2)],
)
def test_only_one_array_of_objects_with_a_number_of_items_is_a_list(fields, expected):
    audit = Audit(fields, asked="/pulls", spec={"expected_items": expected} if expected else {})
    assert audit.act(listing(*BOTH)).label != "list"
