"""Pages that show nothing say so, and are waited for where that helps."""

from __future__ import annotations

import pytest
from rules_audit import NEEDS_ASSIGNEE, TICKET, Audit, page


@pytest.mark.parametrize(
    ("title", "status", "said"),
    [
        ("Page not found", 404, "not found: HTTP 404"),
        ("This ticket was deleted", 200, "not found: the page says"),
        ("Sign in to see this ticket", 200, "sign-in"),
        ("Oops", 403, "sign-in"),
        ("Oops", 500, "HTTP 500"),
    ],
)
def test_a_closed_door_is_pictured_and_named(title, status, said):
    audit = Audit(TICKET, spec=NEEDS_ASSIGNEE)
    seen = page("/1", title, status=status)
    assert audit.act(seen).label == "not_available"
    failed = audit.act(seen)
    assert failed.action == "fail"
    assert said in failed.note


@pytest.mark.parametrize("title", ["404 on login", "Rate limit is wrong", "Sign in is slow"])
def test_a_ticket_that_is_called_like_an_error_is_read_all_the_same(title):
    audit = Audit(TICKET)
    seen = page("/1", title, assignee="Ann", due_date="—")
    assert audit.names(seen, 2) == ["screenshot", "done"]


@pytest.mark.parametrize("status", [429, 503])
def test_refusals_that_pass_are_tried_again_a_few_times(status):
    audit = Audit(TICKET, spec=NEEDS_ASSIGNEE)
    refused = page("/1", "Busy", status=status)
    assert audit.names(refused, 4) == ["goto", "goto", "screenshot", "fail"]
    assert str(status) in (audit.history[-1].params["note"])
