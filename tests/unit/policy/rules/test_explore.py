"""Where the policy looks for what is missing, and what it never presses."""

from __future__ import annotations

from typing import Any

import pytest
from rules_audit import SITE, TICKET, Audit, control, link, page, value

from pytest_bwa.steps.step import Element, LabelledValue, Place

OPEN = {"fields": TICKET, "spec": {"required_fields": ["due_date"]}}


def audit(**spec: Any) -> Audit:
    """A sample of its own page, of which one field is still open."""
    fields = {"assignee": "string | null", "due_date": "string | null"}
    return Audit(fields, asked="/1", collected={"assignee": "Ann"}, spec=spec)


def next_step(*parts: Element | LabelledValue, path: str = "/1") -> Any:
    """The number that is pressed or the path that is opened next; None at the end."""
    action = audit().decide(page(path, "Bug", *parts))
    return action.selector or (action.url or "").removeprefix(SITE) or None


# -- tabs and disclosures ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "states", "only_unfolds", "is_pressed"),
    [
        ("tab", ("selected=false",), True, True),
        ("button", ("expanded=false",), True, True),
        ("tab", ("disabled",), True, False),
        ("tab", ("selected=false",), False, False),
        ("button", ("expanded=false",), False, False),
        ("button", (), False, False),
    ],
)
def test_only_what_says_that_it_unfolds_is_pressed(role, states, only_unfolds, is_pressed):
    chosen = next_step(control(1, role, "History", states=states, unfolds=only_unfolds))
    assert chosen == ("1" if is_pressed else None)


@pytest.mark.parametrize("name", ["Due date", "Set due date", "Assignee", "Show due date"])
def test_a_button_is_never_pressed_for_its_name(name):
    assert next_step(control(1, "button", name)) is None


@pytest.mark.parametrize("region", ["navigation", "banner", "contentinfo", "search", "comment"])
def test_nothing_is_pressed_around_the_content(region):
    place = Place(regions=(region,))
    assert next_step(control(1, "tab", "More", place=place, unfolds=True)) is None


def test_a_button_in_a_form_may_send_it():
    place = Place(regions=("main", "form"))
    unfolding = control(1, "button", "More", place=place, unfolds=True)
    assert next_step(unfolding) is None


def test_each_is_pressed_once_and_eight_on_a_page_at_most():
    tabs = [control(n, "tab", f"Tab {n}", unfolds=True) for n in range(12)]
    one = audit()
    pressed = [one.act(page("/1", "Bug", *tabs)) for _ in range(9)]
    assert [a.selector for a in pressed[:8]] == [str(n) for n in range(11, 3, -1)]
    assert pressed[8].action != "click"


def test_a_tab_that_was_drawn_anew_is_not_pressed_again():
    one = audit()
    one.act(page("/1", "Bug", control(1, "tab", "History", unfolds=True)))
    assert one.act(page("/1", "Bug", control(5, "tab", "History", unfolds=True))).action != "click"


def test_the_reason_is_that_of_the_tab_which_has_the_label():
    one = audit()
    job = value("Due date", "soon", headings=("Bug", "Job"), regions=("dialog",))
    assert (
        one.act(page("/1", "Bug", control(1, "tab", "Files", unfolds=True), job)).action == "click"
    )
    reason = "due_date: not found; “Job > Due date” stands outside of this sample's record"
    assert reason in (
        one.end(page("/1", "Bug", control(1, "tab", "Files", unfolds=True))).note or ""
    )


def test_where_nothing_is_missing_nothing_is_pressed():
    full = Audit(TICKET, asked="/1")
    seen = page("/1", "Bug", control(1, "tab", "More", unfolds=True), link("Due date", "/1/due"),
                assignee="Ann", due_date="—")  # fmt: skip
    assert full.names(seen, 2) == ["save_progress", "done"]


# -- links ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "is_followed"),
    [
        ("Due date (2)", True), ("due_date (2)", True), ("Due date 2", True), ("Due date", False),
        ("Due dates (2)", False), ("See due date (2)", False), ("Assignee (2)", False),
    ],
)  # fmt: skip
def test_a_link_is_followed_if_it_counts_what_an_open_field_is_called(text, is_followed):
    assert next_step(link(text, "/1/due")) == ("/1/due" if is_followed else None)


@pytest.mark.parametrize(
    ("text", "address", "is_followed"),
    [
        ("#418", "/pulls/418", True), ("4a8f01c", "/commits/4a8f01c9d2", True),
        ("In review", "/move/s/in-review", False), ("Offen", "/1/offen", False),
        ("4", "/release/s/4", False), ("4", "/release/1/4", False),
        ("Offen", "/schliessen/1", False), ("Offen", "/1?action=offen", False),
        ("Offen", "/offen?id=1", False), ("Open", "/reopen", False), ("Open", "/", False),
    ],
)  # fmt: skip
def test_the_link_of_a_value_is_followed_if_the_value_is_what_the_address_says(
    text, address, is_followed
):
    date = Audit({"due": "date | null"}, asked="/1", collected={"other": 1})
    url = date.decide(page("/1", "Bug", value("Due", text, url=SITE + address))).url
    assert url == (SITE + address if is_followed else None)


@pytest.mark.parametrize(
    "address",
    ["/1/do?a=due", "/1/set", "/1/7", "/9", "/1/due/toggle", "/1/due?set=7", "/1/overdue", "/"],
)
def test_a_link_to_an_address_that_does_not_name_the_field_may_be_a_switch(address):
    assert next_step(link("Due date (2)", address)) is None


@pytest.mark.parametrize(
    "address",
    [
        "/1/due/delete", "/1/due/edit", "/due/logout", "/due/log-out", "/1/due/archive", "/due/new",
        "/1/close/due", "/de/1/approve/due", "/#/1/due/Delete", "https://y.org/due",
        "ftp://x.org/due", "mailto:due@x.org", "javascript:void(0)", "data:text/html,due", "/1",
        "/1#due",
    ],
)  # fmt: skip
def test_a_link_that_acts_or_leads_away_is_not_followed(address):
    assert next_step(link("Due date (2)", address)) is None


@pytest.mark.parametrize("address", ["/news/due", "/editors/due", "/closed/1/due"])
def test_an_address_that_only_resembles_an_action_is_a_page(address):
    assert next_step(link("Due date (2)", address)) == address


def test_a_link_around_the_content_is_not_followed():
    assert next_step(link("Due date (2)", "/due", regions=("navigation",))) is None


def test_a_required_picture_is_looked_for_like_a_field():
    one = Audit(TICKET, asked="/1", spec={"required_artifacts": ["history"]})
    seen = page("/1", "Bug", link("History", "/1/history"), assignee="Ann", due_date="—")
    assert one.names(seen, 1) == ["save_progress"]
    assert one.act(seen).url == f"{SITE}/1/history"
    history = page("/1/history", "History of 1")
    assert one.act(history).label == "history"
    assert one.act(history).action == "done"


def test_a_page_is_opened_once_and_eight_at_most():
    one = audit()
    for n in range(1, 9):
        here = f"/1/{n - 1}/due" if n > 1 else "/1"
        further = f"/1/{n}/due"
        links = [link("Due date (2)", address) for address in ("/1", further)]
        seen = page(here, "Bug", *links)
        assert (one.act(seen).url or "").endswith(f"/1/{n}/due") is (n < 9)
    last = page("/1/8/due", "Bug", link("Due date (2)", "/1/9/due"))
    assert one.act(last).url is None


def test_a_page_that_is_not_the_samples_is_not_explored():
    one = audit()
    elsewhere = page(
        "/2", "Bug", control(1, "tab", "More", unfolds=True),
        link("Due date (2)", "/2/due"),
    )  # fmt: skip
    own = page("/1", "Bug", link("Due date (2)", "/2/due"))
    assert one.act(own).url == f"{SITE}/2/due"
    assert one.act(elsewhere).action == "done"
