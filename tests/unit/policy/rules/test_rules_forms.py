"""Forms: filled exactly as the sample says, submitted once, and believed only if accepted."""

from __future__ import annotations

from typing import Any

from rules_audit import SITE, Audit, control, page

from pytest_bwa.steps import Observation

FIELDS = {"form_submitted": "boolean", "receipt": "string | null"}
SPEC: dict[str, Any] = {
    "required_artifacts": ["empty", "filled", "result"],
    "required_fields": ["form_submitted"],
    "input_schema": {"team": "string", "room": "string"},
}
COLUMNS = {"team": "Core", "room": "R-1", "url": SITE + "/new"}
SUBMIT = control(9, "button", "Submit request")


def form(*, team: str = "Choose…", room: str | None = None, off: bool = True) -> Observation:
    return page(
        "/new",
        "New request",
        control(1, "combobox", "Team *", value=team),
        control(2, "textbox", "Room", value=room, states=("disabled",) if off else ()),
        SUBMIT,
    )


def filled() -> Audit:
    audit = Audit(FIELDS, columns=COLUMNS, spec=SPEC)
    assert audit.act(form()).label == "empty"
    chosen = audit.act(form())
    assert (chosen.action, chosen.selector, chosen.value) == ("select_option", "1", "Core")
    assert audit.act(form(team="Core")).action == "wait"  # the second field is not ready yet
    typed = audit.act(form(team="Core", off=False))
    assert (typed.action, typed.selector, typed.text) == ("type", "2", "R-1")
    whole = form(team="Core", room="R-1", off=False)
    assert audit.act(whole).label == "filled"
    assert audit.act(whole).selector == "Submit request"
    return audit


def test_a_form_is_filled_in_order_submitted_and_its_result_read():
    audit = filled()
    result = page("/done", "Request received", receipt="R-77")
    assert audit.act(result).label == "result"
    assert audit.act(result).extracted == {"form_submitted": True}
    done = audit.act(result)
    assert done.action == "done"
    assert done.extracted == {"form_submitted": True, "receipt": "R-77"}


def test_a_refused_form_is_never_called_submitted():
    whole = form(team="Core", room="R-1", off=False)
    alert = control(7, "alert", "Please correct: room")
    for refused in (
        page("/new", "Not submitted", status=422),
        page("/new", "New request", alert),
        whole,
    ):
        audit = filled()
        assert audit.act(refused).label == "result"
        failed = audit.act(refused)
        assert failed.action == "fail"
        assert "not accepted" in failed.note
        assert audit.collected == {}


def test_a_form_without_a_field_for_a_column_is_not_submitted():
    audit = Audit(FIELDS, columns=COLUMNS, spec=SPEC)
    only_team = page("/new", "New", control(1, "combobox", "Team", value="Core"), SUBMIT)
    actions = audit.names(only_team, 5)
    assert actions == ["screenshot", "wait", "wait", "wait", "fail"]
    assert "room" in audit.history[-1].params["note"]


def test_a_field_that_refuses_the_value_ends_it_before_submitting():
    audit = Audit(FIELDS, columns=COLUMNS, spec=SPEC)
    audit.act(form())
    audit.act(form(), success=False)
    audit.act(form(), success=False)
    failed = audit.act(form())
    assert failed.action == "fail"
    assert '"Team *" does not take "Core"' in failed.note


def test_checkboxes_and_radios_are_set_once():
    spec = {"required_fields": ["form_submitted"]}
    audit = Audit(FIELDS, columns={"urgent": "yes", "kind": "Travel"}, spec=spec)

    def seen(urgent: bool, travel: bool) -> Observation:
        return page(
            "/new",
            "New",
            control(1, "checkbox", "Urgent", states=(f"checked={str(urgent).lower()}",)),
            control(2, "radio", "Food", states=("checked=false",)),
            control(3, "radio", "Travel", states=(f"checked={str(travel).lower()}",)),
            SUBMIT,
        )

    audit.act(seen(False, False))
    assert audit.act(seen(False, False)).selector == "1"
    assert audit.act(seen(True, False)).selector == "3"
    assert audit.act(seen(True, True)).label == "filled"
