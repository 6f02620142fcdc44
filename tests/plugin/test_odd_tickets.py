"""A tracker with every kind of odd ticket: no recipe says of one what is not so."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from audit_folder import AuditFolder
from odd_tickets import KINDS, tickets, tickets_with, wrong_values
from ticket_audit import TicketAudit


@pytest.fixture(scope="module")
def odd(new_audit_folder: Callable[[], AuditFolder]) -> TicketAudit:
    kinds, forms = len(KINDS), 2
    return TicketAudit(new_audit_folder(), tickets(32, share=kinds * forms / 32))


def test_no_value_is_wrong(odd):
    assert {(t.kind, t.form) for t in odd.tickets} >= {(k, f) for k in KINDS for f in (0, 1)}
    assert list(wrong_values(odd.tickets, odd.results.__getitem__)) == []
    done = {name for name, result in odd.results.items() if result["status"] == "done"}
    assert {ticket.name for ticket in odd.tickets if ticket.truth} <= done, odd.ran.text
    assert len(odd.by_recipe) >= 8


def test_what_is_odd_is_handed_over_unless_it_is_known_by_then(odd):
    for ticket in odd.tickets:
        recipe = odd.results[ticket.name]["recipe"]
        if recipe is not None and ticket.truth is None:
            assert (ticket.kind, recipe["kind"]) == (ticket.kind, "handed_over")
    handed_over = {t.kind for t in odd.tickets if t.name in odd.recipe["handed_over"]}
    assert handed_over >= {"second_table", "redirected", "merged", "banner"}


def test_the_model_is_asked_for_nothing_else(odd):
    assert all(result["usage"]["calls"] == 0 for result in odd.by_recipe)
    live = sum(result["usage"]["calls"] for result in odd.results.values())
    checks = sum(check["usage"]["calls"] for check in odd.checks)
    assert odd.calls == live + checks
    assert odd.checks
    assert odd.recipe["rests"] == ""


def test_a_model_that_errs_alike_in_all_that_it_teaches_is_found_by_the_check(audit_folder):
    all_tickets = tickets(6, share=0)
    wrong = {
        ticket.name: {"title": f"{ticket.name}: {ticket.values['title']}"}
        for ticket in all_tickets[:3]
    }
    audit = TicketAudit(audit_folder, all_tickets, **wrong)
    assert audit.recipe["learnt_from"] == [ticket.name for ticket in all_tickets[:3]]
    assert "title" in audit.recipe["rests"]
    assert all(result["flagged"] for result in audit.by_recipe)
    summary = audit.ran.text.partition("audit odd_tracker")[2].splitlines()
    assert summary[1].startswith("RECIPE    WRONG")
    assert audit.ran.status == 1


def test_workers_do_not_ask_a_model_more_than_is_needed(audit_folder):
    """Of four workers that begin at the same time, one waits for what the others learn; of those
    that meet tickets odd alike, two ask, one after the other."""
    odd = dict.fromkeys(range(8, 14), ("unassigned", 0))
    audit = TicketAudit(audit_folder, tickets_with(14, odd), workers=4)
    assert list(wrong_values(audit.tickets, audit.results.__getitem__)) == []
    taught = [name for name, result in audit.results.items() if result["recipe"] is None]
    assert (len(taught), len(audit.recipe["handed_over"])) == (3, 2)
    assert sum(result["usage"]["calls"] for result in audit.results.values()) == 5
