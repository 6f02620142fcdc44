"""What the rules policy does next, and that it never claims what it did not see."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rules_audit import NEEDS_ASSIGNEE, SITE, TICKET, Audit, control, page

from pytest_bwa.steps import LabelledValue, Observation


def test_a_page_that_answers_everything_takes_a_picture_and_is_done():
    audit = Audit(TICKET, spec={**NEEDS_ASSIGNEE, "required_artifacts": ["ticket"]})
    seen = page("/tickets/1", "One", assignee="Ann", due_date="2026-12-04")
    assert audit.act(seen).label == "ticket"
    done = audit.act(seen)
    assert done.action == "done"
    assert done.extracted == {"assignee": "Ann", "due_date": "2026-12-04"}
    assert done.judgment is None


def test_a_loading_page_is_waited_for_but_not_for_ever():
    audit = Audit(TICKET)
    busy = replace(page("/1", "One"), busy=True)
    assert audit.names(busy, 4) == ["wait", "wait", "wait", "screenshot"]


def test_a_page_that_asks_to_log_in_beside_other_words_is_told_at_the_end():
    audit = Audit(TICKET, spec=NEEDS_ASSIGNEE)
    seen = replace(page("/1", "User 3"), text="Demo Please login with your name. Help")
    assert audit.act(seen).action == "screenshot"
    assert audit.act(seen).note.endswith("the page asks to log in")


def test_a_missing_field_is_looked_for_behind_the_best_link_and_what_was_read_is_kept():
    audit = Audit({**TICKET, "approver": "string"}, spec={"required_fields": ["approver"]})
    links = (
        control(1, "link", "Home", "/"),
        control(2, "link", "Delete approver", "/tickets/1/approver/delete"),
        control(3, "link", "Approver and history", "/tickets/1/approval"),
        control(4, "link", "Approver of ticket 2", "/tickets/2"),
    )
    first = page("/tickets/1", "One", *links, assignee="Ann")
    assert audit.names(first, 2) == ["screenshot", "save_progress"]
    assert audit.collected == {"assignee": "Ann"}
    assert audit.act(first).url == "https://x.org/tickets/1/approval"
    second = page("/tickets/1/approval", "Approval", approver="Bob", assignee="Someone else")
    assert audit.act(second).action == "screenshot"
    done = audit.act(second)
    assert done.action == "done"
    assert done.extracted == {"assignee": "Ann", "approver": "Bob", "due_date": None}


def test_what_the_first_page_says_is_none_is_not_taken_from_another():
    audit = Audit(
        {"due_date": "date | null", "owner": "string"}, spec={"required_fields": ["owner"]}
    )
    link = control(1, "link", "Owner", "/a/owner")
    first = page("/a", "A", link, due_date="No due date")
    assert audit.names(first, 3) == ["screenshot", "save_progress", "goto"]
    second = page("/a/owner", "Owner", due_date="2026-01-01", owner="Ann")
    audit.act(second)
    assert audit.act(second).extracted == {"due_date": None, "owner": "Ann"}


def test_a_dead_end_leads_back_to_the_other_link():
    audit = Audit({"owner": "string"}, spec={"required_fields": ["owner"]})
    links = (
        control(1, "link", "Owner data", "/a/one"),
        control(2, "link", "Owner of it", "/a/two"),
    )
    start, dead = page("/a", "A", *links), page("/a/one", "One", status=404)
    audit.act(start)
    assert audit.act(start).url.endswith("/a/one")
    assert audit.act(dead, success=True).url.endswith("/a")
    assert audit.act(start).url.endswith("/a/two")
    end = page("/a/two", "Two")
    audit.act(end)
    assert audit.act(end).url.endswith("/a")
    failed = audit.act(start)
    assert failed.action == "fail"
    assert "not seen on any page: owner" in failed.note


@pytest.mark.parametrize("name", ["Change log of the owner", "Start time, owner"])
def test_what_only_begins_like_that_is_followed(name):
    audit = Audit({"owner": "string"}, spec={"required_fields": ["owner"]})
    seen = page("/a", "A", control(1, "link", name, "/a/owner"))
    assert audit.names(seen, 2) == ["screenshot", "goto"]


@pytest.mark.parametrize(
    "name",
    ["Delete owner", "Sign out owner", "Approve owner", "Merge", "Submit owner", "Remove owner",
     "Close owner", "Buy owner", "Change owner", "Restart owner", "Enable owner"],
)  # fmt: skip
@pytest.mark.parametrize("role", ["button", "link"])
def test_what_changes_something_is_never_pressed(name, role):
    audit = Audit({"owner": "string"}, spec={"required_fields": ["owner"], "keywords": [name]})
    seen = page("/a", "A", control(1, role, name, "/a/owner" if role == "link" else None))
    assert audit.names(seen, 2) == ["screenshot", "fail"]


@pytest.mark.parametrize(
    "url", ["/logout", "/a/owner/delete", "mailto:owner@x.org", "/owner.pdf", "https://y.org/o"]
)
def test_links_that_lead_nowhere_good_are_not_followed(url):
    audit = Audit({"owner_name": "string"}, spec={"required_fields": ["owner_name"]})
    seen = page("/a", "A", control(1, "link", "Owner", url))
    assert audit.names(seen, 2) == ["screenshot", "fail"]


def test_another_site_is_followed_only_for_a_clear_promise():
    audit = Audit({"owner_name": "string"}, spec={"required_fields": ["owner_name"]})
    seen = page("/a", "A", control(1, "link", "Name of owner", "https://y.org/o"))
    audit.act(seen)
    assert audit.act(seen).url == "https://y.org/o"


def vendor_list(*names: str) -> Observation:
    """A table whose rows end with a link "Details"."""
    links = [control(n, "link", "Details", f"/v{n}") for n, _ in enumerate(names)]
    cells = [
        LabelledValue("More", "Details", "table", url=f"{SITE}/v{n}", row=f"{name} | Details")
        for n, name in enumerate(names)
    ]
    return replace(page("/", "Vendors", *links), labelled=tuple(cells))


@pytest.mark.parametrize("query", ["?sort=owner", "?_sort_desc=owner&page=2", "?asc=1&order=owner"])
def test_the_same_list_in_another_order_tells_nothing_more(query):
    audit = Audit({"owner": "string"}, spec={"required_fields": ["owner"]})
    head = LabelledValue("Owner", "Ann", "table", row="1 | Ann")
    other = LabelledValue("Owner", "Bob", "table", row="2 | Bob")
    link, button = control(1, "link", "Owner", f"/list{query}"), control(2, "button", "Owner")
    seen = replace(page("/list", "List", link, button), labelled=(head, other))
    assert audit.names(seen, 2) == ["screenshot", "fail"]
    filtered = replace(seen, elements=(control(1, "link", "Owner", "/list?by=owner"),))
    assert Audit({"owner": "string"}, spec={"required_fields": ["owner"]}).names(filtered, 2) == [
        "screenshot", "goto",
    ]  # fmt: skip


def test_details_are_those_of_the_samples_own_row():
    spec = {"required_fields": ["owner"]}
    columns = {"vendor": "Globex", "url": SITE}
    audit = Audit({"owner": "string"}, spec=spec, columns=columns)
    assert audit.names(vendor_list("Acme", "Globex"), 2) == ["screenshot", "goto"]
    assert audit.history[-1].params["url"] == f"{SITE}/v1"
    audit = Audit({"owner": "string"}, spec=spec, columns=columns)
    assert audit.names(vendor_list("Acme", "Initech"), 2) == ["screenshot", "fail"]


def test_of_several_links_of_the_same_name_none_is_followed():
    audit = Audit({"owner": "string"}, spec={"required_fields": ["owner"]}, columns={"url": SITE})
    cards = [control(n, "link", "Details", f"/v{n}") for n in range(2)]
    assert audit.names(page("/", "Vendors", *cards), 2) == ["screenshot", "fail"]
    audit = Audit({"owner": "string"}, spec={"required_fields": ["owner"]}, columns={"url": SITE})
    assert audit.names(page("/", "Vendor", cards[0]), 2) == ["screenshot", "goto"]


def test_a_label_that_any_page_bears_is_not_looked_for():
    spec = {"required_artifacts": ["page"], "required_fields": ["owner"]}
    audit = Audit({"owner": "string"}, spec=spec)
    seen = page("/", "Types", control(1, "link", "page for the type char", "/char"))
    assert audit.names(seen, 2) == ["screenshot", "fail"]
    audit = Audit({"owner": "string"}, spec={**spec, "required_artifacts": ["char"]})
    assert audit.names(seen, 2) == ["screenshot", "goto"]


def test_tabs_are_opened_by_index_and_what_they_show_is_pictured():
    audit = Audit({"owner": "string"}, spec={"required_fields": ["owner"]})
    tabs = (
        control(4, "tab", "Summary", states=("selected=true",)),
        control(5, "tab", "People", states=("selected=false",)),
    )
    closed = page("/a", "A", *tabs)
    assert audit.act(closed).action == "screenshot"
    assert audit.act(closed, changed=True).selector == "5"
    opened = page("/a", "A", owner="Ann")
    assert audit.act(opened).action == "screenshot"
    assert audit.act(opened).action == "done"


def test_a_tab_with_an_address_of_its_own_is_opened_once():
    audit = Audit({"owner": "string"}, spec={"required_fields": ["owner"]})
    tabs = [control(n, "tab", name) for n, name in enumerate(("Overview", "Files"))]
    for path in ("/7", "/7/overview", "/7/files"):
        seen = page(path, "Seven", *tabs)
        audit.act(seen)
        audit.act(seen)
    assert [s.params["selector"] for s in audit.history if s.action == "click"] == ["0", "1"]


def test_a_label_goes_to_the_page_that_it_is_true_of():
    audit = Audit({"owner": "string", "result": "string"}, spec={"required_artifacts": ["checks"]})
    first = page("/a", "A", control(1, "link", "All checks", "/a/checks"), owner="Ann")
    assert audit.act(first).label == "a"
    audit.act(first)
    assert audit.act(first).url.endswith("/a/checks")
    assert audit.act(page("/a/checks", "Checks of A")).label == "checks"


def test_a_label_that_no_page_has_is_not_given_to_any_other():
    spec = {"required_artifacts": ["page a", "checks"], "required_fields": ["owner"]}
    audit = Audit({"owner": "string"}, spec=spec)
    seen = page("/a", "A", owner="Ann")
    assert audit.act(seen).label == "page a"
    assert audit.act(seen, success=False).action == "done"
    refused = [audit.act(seen) for _ in range(2)][-1]
    assert refused.action == "fail"
    assert "refused" in refused.note


def test_a_refused_done_is_not_repeated():
    audit = Audit({"owner": "string"})
    seen = page("/a", "A", owner="Ann")
    audit.act(seen)
    assert audit.act(seen, success=False).action == "done"
    rest = audit.names(seen, 2)
    assert "done" not in rest
    assert rest[-1] == "fail"


def test_the_last_step_asks_for_done_so_that_nothing_read_is_lost():
    audit = Audit(TICKET, spec={"required_fields": ["due_date"]}, max_steps=2)
    seen = page("/a", "A", control(1, "link", "Due date", "/a/due"), assignee="Ann")
    audit.act(seen)
    last = audit.act(seen)
    assert last.action == "done"
    assert last.extracted == {"assignee": "Ann", "due_date": None}


def test_only_allowed_actions_are_taken():
    audit = Audit(TICKET)
    seen = page("/a", "A", assignee="Ann", due_date="2026-12-04")
    assert audit.act(seen, allowed=("done", "fail")).action == "done"


def test_out_of_time_it_ends_at_once():
    audit = Audit(TICKET)
    seen = page("/a", "A", assignee="Ann", due_date="2026-12-04")
    assert audit.act(seen, seconds_left=1.0).action == "done"


def test_judgments_are_left_to_others():
    audit = Audit({"owner": "string"}, spec={"judgment_required": True})
    seen = page("/a", "A", owner="Ann")
    audit.act(seen)
    judgment = audit.act(seen).judgment
    assert judgment["answer"] == "inconclusive"
    assert judgment["confidence"] == 0
    assert judgment["evidence_refs"] == audit.screenshots


def test_why_a_field_stays_open_is_said():
    fields = {"owner": "string", "team": "string", "site": "string", "floor": "string"}
    audit = Audit(fields, spec={"required_fields": ["owner"]})
    seen = page("/a", "A", owner="Ann")
    two = tuple(LabelledValue("Team", t, "definition") for t in ("Red", "Blue"))
    seen = replace(seen, labelled=seen.labelled + two)
    assert audit.names(seen, 2) == ["screenshot", "done"]
    said = audit.history[-1].params
    assert said["note"] == (
        "team: the page gives different values: 'Red', 'Blue'; not seen on any page: site, floor"
    )
    assert said["extracted"]["team"] is None


def test_the_same_turn_gives_the_same_decision():
    audit = Audit(TICKET)
    seen = page("/a", "A", assignee="Ann")
    assert audit.decide(seen) == audit.decide(seen)


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ("/tickets/ENG-101", "/tickets/ENG-102"),
        ("/staff/7/", "/staff/8"),
        ("/record?id=7", "/record?id=8"),
        ("/commit/3f9a1c2", "/commit/8b20de4"),
        ("/people/jane-doe", "/people/max-roe"),
        ("/people/jane", "/people/max"),
        ("/staff/7/pay", "/staff"),
        ("/staff/7", "/staff/8/pay"),
        ("/staff/7/pay", "/staff/8"),
    ],
)
def test_another_thing_of_the_same_sort_is_never_read_as_the_samples(own, other):
    audit = Audit({"salary": "number"}, {"who": "jane"}, {"required_fields": ["salary"]})
    seen = page(own, "Jane Doe", control(1, "link", "Salary of a colleague", other))
    assert audit.names(seen, 2) == ["screenshot", "fail"]


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ("/staff/7/", "/staff/7/pay"),
        ("/project/overview", "/project/pay"),
        ("/pull/412", "/pull/412/checks"),
        ("/record?id=7", "/record?id=7&tab=pay"),
        ("/record?id=7&page=1", "/record?id=7&page=2"),
        ("/jane", "/pay"),
    ],
)
def test_another_side_of_the_same_thing_is_read(own, other):
    audit = Audit({"salary": "number"}, {"who": "jane"}, {"required_fields": ["salary"]})
    seen = page(own, "Jane Doe", control(1, "link", "Salary", other))
    audit.act(seen)
    assert audit.act(seen).url == "https://x.org" + other
