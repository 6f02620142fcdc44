"""The order of the decisions, and what the policy may never do."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rules_audit import NEEDS_ASSIGNEE, TICKET, Audit, control, link, page, value

from pytest_bwa.policy.rules.policy import RulesPolicy
from pytest_bwa.steps.step import Place


def of_ticket(**more) -> Audit:
    return Audit(TICKET, asked="/1", spec=NEEDS_ASSIGNEE, **more)


def test_a_ticket_is_read_and_done():
    audit = of_ticket()
    seen = page("/1", "Bug", assignee="Ann", due_date="2026-12-04")
    assert audit.names(seen, 1) == ["save_progress"]
    assert audit.collected == {"assignee": "Ann", "due_date": "2026-12-04"}
    assert audit.act(seen).extracted == audit.collected


def test_the_same_turn_always_gives_the_same_decision():
    seen = page("/1", "Bug", assignee="Ann")
    assert [of_ticket().decide(seen) for _ in range(2)] == [of_ticket().decide(seen)] * 2


def test_a_page_that_is_still_loading_is_waited_for_and_not_read():
    audit = of_ticket()
    busy = replace(page("/1", "Bug", assignee="Ann"), busy=True)
    assert audit.names(busy, 4) == ["wait", "wait", "wait", "save_progress"]


def test_the_waits_of_the_loop_are_not_the_policys_own():
    audit = of_ticket()
    busy = replace(page("/1", "Bug", assignee="Ann"), busy=True)
    audit.names(busy, 2)
    audit.history.append(
        audit.history[-1].model_copy(update={"action": "goto", "intent": "recovery"})
    )
    assert audit.names(busy, 2) == ["wait", "save_progress"]


def test_what_was_read_on_an_earlier_page_stays():
    audit = Audit({"assignee": "string", "due_date": "string"}, asked="/1")
    parts = (link("Due date (1)", "/1/due"),)
    first = page("/1", "Bug", *parts, assignee="Ann")
    assert audit.names(first, 2) == ["save_progress", "goto"]
    second = page("/1/due", "Due date of 1", value("Due date", "soon"))
    assert audit.names(second, 1) == ["save_progress"]
    assert audit.act(second).extracted == {"assignee": "Ann", "due_date": "soon"}


def test_where_only_the_end_is_allowed_it_ends_with_what_is_there():
    seen, final = page("/1", "Bug", control(1, "tab", "More")), ["done", "fail"]
    audit = of_ticket(collected={"assignee": "Ann"})
    assert audit.decide(seen, allowed=final).extracted == {"assignee": "Ann", "due_date": None}
    assert of_ticket().decide(seen, allowed=final).action == "fail"


def test_an_action_that_is_not_allowed_now_is_left_out():
    seen = page("/1", "Bug", assignee="Ann")
    assert of_ticket().decide(seen, allowed=["save_progress", "fail"]).action == "save_progress"
    assert of_ticket().decide(seen, allowed=["fail"]).action == "fail"


ROLES = ["button", "menuitem", "checkbox", "radio", "switch", "textbox", "combobox", "clickable"]
NAMES = ["Assignee", "Set assignee", "Save", "Submit", "Delete", "Due date", "Show more", "Next"]


@pytest.mark.parametrize("read_only", [None, True, False])
@pytest.mark.parametrize("role", ROLES)
def test_nothing_is_pressed_filled_or_chosen_that_could_write(role, read_only):
    """``read_only: false`` alone permits nothing: it needs ``submit`` and ``confirmation`` too."""
    place = Place(regions=("main", "form"))
    parts = [control(n, role, name, place=place) for n, name in enumerate(NAMES)]
    spec = {**NEEDS_ASSIGNEE, "read_only": read_only, "submit": "Save" if read_only else None}
    columns = {"assignee": "Ann", "name": "Maria Garcia"}
    for audit in (
        Audit(TICKET, asked="/1", columns=columns, spec=spec),
        Audit(TICKET, columns=columns, spec=spec),
    ):
        audit.end(page("/1", "Bug", *parts))
        taken = {step.action for step in audit.history}
        assert taken <= {"goto", "screenshot", "save_progress", "fail"}


def test_the_reason_of_a_failure_names_what_was_read_and_where_it_ended():
    audit = Audit(TICKET, asked="/1", spec={"required_fields": ["assignee", "due_date"]})
    end = audit.end(page("/1", "Bug", assignee="Ann", due_date="soon"))
    assert end.action == "fail"
    assert "due_date: " in end.note
    assert "soon" in end.note
    assert end.note.endswith("read: assignee; the last page is “Bug”")


def test_the_policy_names_itself_and_asks_for_labelled_values():
    policy = RulesPolicy()
    policy.close()
    assert (policy.name, policy.model, policy.reads_labelled_values) == ("rules", "", True)
