"""Pages that show nothing, pictures, ``done`` and ``fail``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from rules_audit import NEEDS_ASSIGNEE, TICKET, Audit, control, page, value

from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.policy.rules.endings import open_labels
from pytest_bwa.proof.objections import doubts_in_words
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.step import Observation


def of_ticket(**spec: Any) -> Audit:
    return Audit(TICKET, asked="/1", spec={**NEEDS_ASSIGNEE, **spec})


# -- pages that show nothing ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "status", "kind"),
    [
        ("Oops", 404, "not_found"),
        ("Oops", 410, "not_found"),
        ("Oops", 401, "access_denied"),
        ("Oops", 403, "access_denied"),
        ("Oops", 400, "other"),
        ("Oops", 500, "other"),
        ("Page not found", 200, "not_found"),
        ("Error 404", 200, "not_found"),
        ("This ticket was deleted", 200, "not_found"),
        ("It does not exist", 200, "not_found"),
        ("Welcome", 200, "other"),
    ],
)
def test_a_page_that_shows_nothing_ends_it_and_its_kind_is_named(title, status, kind):
    failed = of_ticket().act(page("/1", title, status=status))
    assert (failed.action, failed.kind) == ("fail", kind)
    assert title in failed.note
    assert status == 200 or f"HTTP {status}" in failed.note


def test_a_soft_404_may_say_so_in_its_text_alone():
    assert of_ticket().end(page("/1", "Hm", text="This page no longer exists.")).kind == "not_found"


def test_the_samples_own_page_may_say_what_is_no_longer_so():
    seen = page("/staff/7", "Pump 7", text="It is no longer under warranty.")
    failed = Audit(TICKET, asked="/staff/7", spec=NEEDS_ASSIGNEE).end(seen)
    assert (failed.action, failed.kind) == ("fail", "other")


def test_a_value_of_a_404_is_never_read():
    assert of_ticket().end(page("/1", "Oops", status=404, assignee="Webmaster")).action == "fail"


@pytest.mark.parametrize("title", ["404 on login", "Report not found in list"])
def test_a_heading_that_sounds_like_an_error_is_believed_unless_it_is_the_samples_name(title):
    seen = page("/1", title, assignee="Ann")
    assert of_ticket().end(seen).action == "fail"
    named = Audit(TICKET, asked="/1", columns={"name": title})
    assert named.end(seen).extracted["assignee"] == "Ann"


@pytest.mark.parametrize("url", ["chrome-error://chromewebdata/", "about:blank"])
def test_a_page_that_could_not_be_reached_is_never_not_found(url):
    audit = of_ticket()
    lost = replace(page("/1", "x.org refused to connect", status=None), url=url)
    end = audit.end(replace(lost, text="This site can't be reached. ERR_NAME_NOT_RESOLVED 404"))
    assert (end.kind, end.note) == ("other", "the page could not be reached")


def test_a_page_with_a_password_field_is_nobodys():
    secret = control(1, "textbox", "Password", states=("password, empty",))
    end = of_ticket().end(page("/1", "Welcome", secret))
    assert end.kind == "access_denied"
    assert (end.note or "").startswith(
        "the page asks for a login: it says “Welcome” (save one with"
    )
    assert of_ticket().end(page("/1", "Bug", secret, assignee="Ann")).action == "fail"


LOGIN = control(1, "textbox", "Password", states=("password, empty",))


def test_an_address_that_leads_to_a_login_is_access_denied():
    end = of_ticket(auth_profile="tracker").end(page("/login?next=/1", "Sign in", LOGIN))
    assert end.kind == "access_denied"
    assert "that of auth_profile may have expired: `bwa login tracker URL`" in (end.note or "")


def test_a_login_in_place_of_a_list_does_not_say_that_the_sample_is_not_found():
    end = Audit(TICKET, columns={"name": "Ada"}, spec=NEEDS_ASSIGNEE).end(page("/", "Hi", LOGIN))
    assert end.kind == "access_denied"
    assert "save one with `bwa login NAME URL`, and name it in the spec" in (end.note or "")


@pytest.mark.parametrize(
    ("status", "kind"), [(429, "blocked"), (503, "other"), (502, "other"), (504, "other")]
)
def test_a_refusal_for_now_is_tried_again_a_few_times(status, kind):
    audit, refused = of_ticket(), page("/1", "Busy", status=status)
    assert audit.names(refused, 2) == ["goto", "goto"]
    failed = audit.act(refused)
    assert (failed.action, failed.kind) == ("fail", kind)
    assert of_ticket().act(page("/1", "Oops", status=500)).action == "fail"


def test_a_link_that_led_nowhere_costs_nothing_that_was_read():
    audit = of_ticket()
    audit.act(page("/1", "Bug", assignee="Ann"))
    end = audit.end(page("/1/due", "Oops", status=404))
    assert (end.action, end.extracted["assignee"]) == ("done", "Ann")


# -- pictures ------------------------------------------------------------------------------------


def test_what_is_read_is_pictured_under_the_required_label_that_fits():
    audit = of_ticket(required_artifacts=["history", "ticket"])
    seen = page("/1", "Ticket 1", assignee="Ann", due_date="2026-12-04")
    saved = audit.act(seen)
    assert (saved.action, saved.screenshot_label) == ("save_progress", "ticket")


@pytest.mark.parametrize("label", ["Übersicht", "ticket " * 12 + "history"])
def test_a_picture_has_its_label_whatever_its_file_is_called(label):
    audit = of_ticket(required_artifacts=[label, "other"])
    seen = page("/1", label, assignee="Ann", due_date="2026-12-04")
    assert open_labels(audit.turn(seen)) == [label, "other"]
    assert audit.act(seen).screenshot_label == label
    assert open_labels(audit.turn(seen)) == ["other"]


def test_the_one_picture_that_is_asked_for_is_of_the_page_that_completes_the_answer():
    audit = of_ticket(required_artifacts=["proof"])
    seen = page("/1", "Bug: it is slow", assignee="A", due_date="—")
    saved = audit.act(seen)
    assert (saved.action, saved.screenshot_label) == ("save_progress", "proof")
    assert audit.act(seen).action == "done"


@pytest.mark.parametrize(
    ("labels", "fields"),
    [(["proof", "other"], {"assignee": "A", "due_date": "—"}), (["proof"], {"due_date": "—"})],
)
def test_what_another_page_may_show_better_is_left_to_the_proof_pictures(labels, fields):
    audit = of_ticket(required_artifacts=labels, required_fields=["assignee"])
    saved = audit.act(page("/1", "Bug: it is slow", **fields))
    assert (saved.action, saved.screenshot_label) == ("save_progress", None)


# -- done ----------------------------------------------------------------------------------------


def done(seen: Observation, **spec: Any) -> Any:
    end = Audit(TICKET, asked="/1", spec=spec).end(seen)
    assert end.action == "done"
    return end


def test_done_has_what_is_doubted_with_the_doubt_and_asks_a_person():
    end = done(page("/1", "Bug", assignee="Ann", due_date="04/05/2026"))
    assert end.extracted == {"assignee": "Ann", "due_date": "2026-04-05"}
    assert end.doubts == {"due_date": {Doubt.TWO_READINGS: "2026-05-04"}}
    assert end.review == 'due_date ("2026-04-05"): it may also mean 2026-05-04'


def test_a_review_says_of_a_value_what_its_record_says():
    """So a decision about the doubt settles the sample."""
    end = done(page("/1", "Bug", assignee="Ann", due_date="04/05/2026"))
    record = Grounding(how="verbatim").with_doubts(end.doubts["due_date"])
    value = ("due_date", end.extracted["due_date"], record)
    assert [end.review] == doubts_in_words([value])


def test_a_text_that_is_no_value_of_the_type_is_a_null_that_a_person_looks_at():
    undated = done(page("/1", "Bug", assignee="Ann", due_date="to be agreed"))
    assert undated.extracted == {"assignee": "Ann", "due_date": None}
    assert undated.note == "due_date: the page says “to be agreed”, which cannot be read as a date"
    assert undated.review == undated.note
    assert done(page("/1", "Bug", assignee="Ann")).review is None, "nothing is there to look at"


def test_done_says_where_each_value_stands():
    seen = page("/1", "Bug", value("Assignee", "Ann", ref=(1, 4)), due_date="—")
    audit = Audit(TICKET, asked="/1")
    saved = audit.act(seen)
    assert saved.sources == {"assignee": "1.4"}
    assert audit.act(seen).sources == {"assignee": "1.4"}


def test_a_missing_record_is_cited():
    lost = control(3, "text", "There is no such ticket: 0 results")
    failed = of_ticket().act(page("/1", "Tickets", lost, text="Tickets: 0 results"))
    assert (failed.action, failed.kind, failed.source) == ("fail", "not_found", 3)


def test_of_two_pages_that_differ_the_first_is_kept_and_the_other_named():
    audit = Audit(TICKET, asked="/1")
    audit.act(page("/1", "Bug", assignee="Ann"))
    again = audit.act(page("/1", "Due", assignee="Bo", due_date="2026-12-04"))
    assert again.extracted == {"assignee": "Ann", "due_date": "2026-12-04"}
    assert again.doubts == {"assignee": {Doubt.OTHER_PAGE: "Due: assignee | Bo"}}
    assert "Bo" in audit.end(page("/1", "Due", assignee="Bo", due_date="2026-12-04")).review


def test_a_value_that_nothing_speaks_against_takes_the_place_of_a_doubted_one():
    audit = Audit(TICKET, asked="/1")
    audit.act(page("/1", "Bug", value("Assignee", "Ann", doubt=Doubt.MIXED_LOOK)))
    end = audit.end(page("/1", "Due", assignee="Ann Lee", due_date="—"))
    assert (end.extracted["assignee"], end.doubts, end.review) == ("Ann Lee", None, None)


@pytest.mark.parametrize(
    "seen",
    [page("/1", "Bug"), page("/1", "Bug", due_date="—"), page("/1", "Bug", value("Owner", "Ann"))],
)
def test_without_a_value_that_was_found_there_is_no_done(seen):
    assert Audit(TICKET, asked="/1").end(seen).action == "fail"


def test_a_required_field_that_is_not_certain_is_no_done():
    seen = page("/1", "Bug", value("Assigned to", "Ann"), due_date="2026-12-04")
    end = of_ticket().end(seen)
    assert end.action == "fail"
    reason = "assignee: not found; the page has “Assigned to”"
    assert end.note == f"{reason}; read: due_date; the last page is “Bug”"


def test_a_judgment_stays_inconclusive():
    spec = {"judgment_required": True, "judgment_question": "Is it late?"}
    judgment = done(page("/1", "Bug", assignee="Ann"), **spec).judgment
    assert (judgment["answer"], judgment["confidence"]) == ("inconclusive", 0.0)
    assert judgment["reasoning"]
    assert judgment["evidence_refs"] == ["01_evidence.png"]
    assert done(page("/1", "Bug", assignee="Ann")).judgment is None


def test_what_was_refused_is_answered_again_and_the_loop_leaves_it_to_a_person():
    audit, seen = of_ticket(), page("/1", "Bug", assignee="Ann", due_date="—")
    audit.names(seen, 1)
    assert audit.act(seen, success=False).action == "done"
    again = audit.act(seen)
    assert (again.action, again.extracted["assignee"], again.review) == ("done", "Ann", None)
