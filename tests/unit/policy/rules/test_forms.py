"""Forms: filled only where the spec permits it, sent once, and done only when confirmed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from rules_audit import Audit, control, page

from pytest_bwa.steps.step import Box, Element, Place

WRITES: dict[str, Any] = {
    "read_only": False,
    "submit": "Send claim",
    "confirmation": "Claim received",
    "input_schema": {"amount": "string"},
}
BUTTON = control(9, "button", "Send claim")


def claim(spec: Any = None, fields: Any = None, **columns: str) -> Audit:
    columns = columns or {"amount": "12"}
    spec = {**WRITES, "input_schema": dict.fromkeys(columns, "string"), **(spec or {})}
    fields = fields or {"form_submitted": "boolean", "reference": "string"}
    return Audit(fields, asked="/new-claim", columns=columns, spec=spec)


def form(*fields: Element, button: Element | None = BUTTON, text: str = "") -> Any:
    parts = [*fields, button] if button else fields
    return page("/new-claim", "Claim", *parts, text=text)


def amount(value: str = "", **more: Any) -> Element:
    return control(1, "textbox", "Amount", value=value, **more)


def send(audit: Audit) -> None:
    """Fills and sends the form."""
    assert audit.act(form(amount())).action == "screenshot"
    assert audit.act(form(amount()), changed=True).action == "type"
    assert audit.act(form(amount("12"))).action == "screenshot"
    assert audit.act(form(amount("12")), changed=True).action == "click"


# -- permission ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [{"read_only": None}, {"read_only": True}, {"submit": None}, {"confirmation": None}],
)
def test_without_permission_button_and_confirmation_nothing_is_filled_or_pressed(spec):
    audit = claim(spec)
    audit.end(form(amount()))
    assert {step.action for step in audit.history} == {"goto", "fail"}


# -- the fields ----------------------------------------------------------------------------------


def test_of_radio_buttons_of_one_name_only_that_of_the_columns_group_is_pressed():
    groups = [
        replace(
            control(n, "radio", "Yes", states=("checked=false",)), place=Place(headings=(group,))
        )
        for n, group in enumerate(("Insurance", "Newsletter"), start=1)
    ]
    audit = claim(newsletter="Yes")
    audit.act(form(*groups))
    pressed = audit.act(form(*groups), changed=True)
    assert (pressed.action, pressed.selector) == ("click", "2")


def test_a_list_that_has_one_of_several_options_of_the_name_is_not_filled_by_that():
    alike = ('group="Illinois"', "one of 2 options of this name")
    audit = claim(city="Springfield")
    city = control(1, "combobox", "City", value="Springfield", states=alike)
    audit.act(form(city))
    chosen = audit.act(form(city), success=False)
    assert (chosen.action, chosen.value) == ("select_option", "Springfield")


def test_a_form_is_pictured_filled_pictured_and_sent():
    audit = claim()
    assert audit.act(form(amount())).label == "empty"
    typed = audit.act(form(amount()), changed=True)
    assert (typed.action, typed.selector, typed.text) == ("type", "1", "12")
    assert audit.act(form(amount("12"))).label == "filled"
    pressed = audit.act(form(amount("12")))
    assert (pressed.action, pressed.selector) == ("click", "9")
    assert audit.history[-1].intent == "submit"


def first_action(field: Element, value: str, column: str = "amount", **spec: Any) -> Any:
    audit = claim(spec, **{column: value})
    audit.act(form(field))
    action = audit.act(form(field))
    return action.action, action.text or action.value


@pytest.mark.parametrize(
    ("field", "value", "taken"),
    [
        (control(1, "textbox", "Amount:", value=""), "12", ("type", "12")),
        (control(1, "spinbutton", "amount", value=""), "12", ("type", "12")),
        (control(1, "combobox", "Amount", value="one"), "two", ("select_option", "two")),
        (control(1, "listbox", "Amount"), "two", ("select_option", "two")),
        (control(1, "checkbox", "Amount", states=("checked=false",)), "yes", ("click", None)),
        (control(1, "checkbox", "Amount", states=("checked=true",)), "no", ("click", None)),
        (control(1, "radio", "High", states=("checked=false",)), "high", ("click", None)),
    ],
)
def test_each_kind_of_field_is_filled_in_its_way(field, value, taken):
    assert first_action(field, value) == taken


@pytest.mark.parametrize(
    "field",
    [
        control(1, "textbox", "Total amount", value=""),
        control(1, "textbox", "Amounts", value=""),
        control(1, "textbox", "", value=""),
        control(1, "textbox", "Amount", value="", states=("disabled",)),
        control(1, "radio", "12 or more", states=("checked=false",)),
        control(1, "button", "Amount"),
    ],
)
def test_other_fields_are_left_as_they_are_and_nothing_is_sent(field):
    audit = claim()
    end = audit.end(form(field))
    assert end.note == "no field of the form took amount; nothing was sent"
    assert {step.action for step in audit.history} == {"goto", "screenshot", "wait", "fail"}


def test_an_alias_names_a_field_too():
    field = control(1, "textbox", "Sum", value="")
    assert first_action(field, "12", aliases={"amount": ["Sum"]}) == ("type", "12")


def test_the_same_value_in_the_field_of_another_column_fills_nothing():
    audit = claim(first_name="Ann", nickname="Ann")
    first = control(1, "textbox", "First name", value="")
    end = audit.end(form(first))
    assert end.note == "no field of the form took nickname; nothing was sent"


def test_what_the_first_page_of_a_form_took_stays_filled_on_the_next():
    audit = claim(amount="12", day="2")
    audit.names(form(amount()), 2)
    day = control(2, "textbox", "Day", value="")
    assert audit.act(form(day)).text == "2"
    assert audit.act(form(replace(day, value="2"))).selector == "9"


def test_what_a_field_has_already_is_not_entered_again():
    audit = claim()
    assert audit.names(form(amount("12")), 2) == ["screenshot", "click"]


def test_a_box_that_must_not_be_checked_is_left_alone():
    audit, box = claim(amount="no"), control(1, "checkbox", "Amount", states=("checked=false",))
    assert audit.act(form(box)).action == "screenshot"
    assert audit.act(form(box)).selector == "9"


def test_a_word_that_may_not_mean_yes_or_no_sends_nothing():
    box = control(1, "checkbox", "Amount", states=("checked=false",))
    assert "neither" not in claim(amount="ja").end(form(box)).note
    assert "is not known" in claim(amount="jawohl").end(form(box)).note


def test_a_field_that_writes_the_value_its_own_way_has_taken_it():
    audit = claim()
    audit.names(form(amount()), 2)
    assert audit.act(form(amount("12.00 €"))).action == "click"


def test_a_field_that_refuses_twice_ends_it_unsent():
    audit = claim()
    audit.act(form(amount()))
    assert [audit.act(form(amount()), success=False).action for _ in range(2)] == ["type"] * 2
    assert audit.end(form(amount())).note == 'the field "Amount" does not take "12"'


def test_what_a_list_does_not_offer_is_never_typed_into_it():
    audit, field = claim(amount="Oslo"), control(1, "combobox", "Amount", value="")
    audit.act(form(field))
    chosen = [audit.act(form(field), success=False).action for _ in range(2)]
    assert chosen == ["select_option"] * 2
    assert audit.end(form(field)).note == 'the field "Amount" does not take "Oslo"'


def calendar(month: str, *more: Element) -> list[Element]:
    """A month with its days, and an arrow at each side; number 30 is the fourth."""
    arrows = [control(2, "button", "‹", box=Box(10, 50, 20, 20)),
              control(3, "button", "›", box=Box(200, 50, 20, 20))]  # fmt: skip
    days = [control(26 + day, "button", str(day)) for day in range(1, 31)]
    return [control(5, "text", month, box=Box(60, 50, 90, 20)), *arrows, *days, *more]


def picked(*drawn: Element, day: str = "2026-07-04", language: str = "") -> Any:
    """What is done with a calendar for a field that cannot be typed into."""
    field = control(1, "textbox", "Day", value="", states=("readonly",))
    audit = claim(day=day)
    audit.act(form(field))
    return audit.act(replace(form(field, *drawn), language=language))


@pytest.mark.parametrize(
    ("month", "language", "button"),
    [
        ("June 2026", "", "3"), ("August 2026", "", "2"), ("July 2026", "", "30"),
        ("juni 2026", "sv", "3"), ("Ιούλιος 2026", "el", "30"), ("2026年8月", "ja", "2"),
    ],
)  # fmt: skip
def test_a_calendar_is_turned_to_the_month_and_its_day_pressed(month, language, button):
    assert picked().selector == "1", "opens the calendar"
    assert picked(*calendar(month), language=language).selector == button


def test_of_four_arrows_the_inner_ones_turn_the_month():
    years = [control(80, "button", "«", box=Box(0, 50, 9, 20)),
             control(81, "button", "»", box=Box(230, 50, 9, 20))]  # fmt: skip
    assert picked(*calendar("June 2026", *years)).selector == "3"


def test_the_next_step_of_a_form_is_no_arrow_of_its_calendar():
    drawn = [e for e in calendar("June 2026") if e.index not in (2, 3)]
    wizard = control(90, "button", "Next", box=Box(10, 400, 60, 20))
    assert picked(*drawn, wizard).action == "fail"


def test_a_number_that_is_no_day_of_a_calendar_is_not_pressed():
    rating = [control(5, "text", "July 2026"), control(4, "button", "4")]
    assert picked(*rating).selector == "1"
    assert picked(*calendar("July 2026", control(90, "button", "4"))).action == "fail"


# -- sending -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("buttons", "count"),
    [
        ((control(9, "button", "Send"),), 0),
        ((control(9, "button", "Send claim now"),), 0),
        ((control(9, "link", "Send claim"),), 0),
        ((control(9, "button", "Send claim", states=("disabled",)),), 0),
        ((BUTTON, control(8, "button", "Send claim")), 2),
    ],
)
def test_only_the_one_button_that_the_spec_names_is_pressed(buttons, count):
    audit = claim()
    end = audit.end(form(amount("12"), *buttons, button=None))
    assert end.note == f"{count} buttons of the form are called “Send claim”"
    assert "click" not in {step.action for step in audit.history}


def test_words_of_the_confirmation_before_the_sending_confirm_nothing():
    audit = claim()
    end = audit.end(form(amount("12"), text="You see “claim received” when it is sent."))
    assert end.note == "the page says “Claim received” before anything was sent"


# -- afterwards ----------------------------------------------------------------------------------


def test_a_confirmed_form_is_pictured_read_and_done():
    audit = claim()
    send(audit)
    after = page("/claims/1", "Claim 1", text="Claim received.", reference="C-1")
    assert audit.act(after).label == "result"
    assert audit.act(after).extracted == {"form_submitted": True}
    assert audit.act(after).extracted == {"reference": "C-1"}
    assert audit.act(after).extracted == {"form_submitted": True, "reference": "C-1"}


@pytest.mark.parametrize("title", ["Claim", "Claim not received", "Error", "Preclaim received"])
def test_a_form_that_is_not_confirmed_is_waited_for_and_never_done(title):
    audit = claim()
    send(audit)
    after = page("/new-claim", title, BUTTON, reference="C-1")
    assert audit.act(after).action == "screenshot"
    assert audit.act(after).selector == "text=Claim received", "until it is visible"
    end = audit.act(after)
    assert end.action == "fail"
    assert end.note == "the page does not confirm it: “Claim received” is not there"
    assert audit.collected == {}


@pytest.mark.parametrize(
    ("role", "more", "confirms"),
    [
        ("text", {}, True),
        ("alert", {}, True),
        ("text", {"states": ("struck out",)}, False),
        ("text", {"states": ('struck out="Claim received"',)}, False),
        ("text", {"states": ("hidden",)}, False),
        ("text", {"place": Place(regions=("navigation",))}, False),
        ("button", {}, False),
        ("link", {}, False),
        ("textbox", {}, False),
        ("row", {}, False),
    ],
)
def test_only_what_the_content_of_the_page_says_confirms(role, more, confirms):
    audit = claim()
    send(audit)
    after = page("/claims/1", "Claim received", control(5, role, "Claim received", **more))
    assert (audit.end(after).action == "done") is confirms


def test_a_form_is_never_sent_twice():
    audit = claim()
    send(audit)
    audit.end(form(amount("12")))
    assert [step.intent for step in audit.history].count("submit") == 1


def test_a_required_field_that_the_page_does_not_show_is_no_done():
    audit = claim({"required_fields": ["reference"]})
    send(audit)
    end = audit.end(page("/claims/1", "Claim received", text="Claim received"))
    assert (end.action, end.note.split(";")[0]) == ("fail", "reference: not found")


def test_a_report_that_an_alias_names_is_downloaded_once():
    fields = {"report_downloaded": "boolean"}
    audit = claim({"aliases": {"report_downloaded": ["Receipt"]}}, fields)
    send(audit)
    after = page("/claims/1", "Claim 1", control(3, "link", "Receipt"), text="Claim received")
    assert audit.names(after, 2) == ["screenshot", "download"]
    assert audit.end(after).extracted == {"report_downloaded": True}


def test_a_download_that_failed_is_not_called_one():
    fields = {"form_submitted": "boolean", "report_downloaded": "boolean | null"}
    audit = claim({"aliases": {"report_downloaded": ["Receipt"]}}, fields)
    send(audit)
    after = page("/claims/1", "Claim 1", control(3, "link", "Receipt"), text="Claim received")
    audit.act(after)
    assert audit.act(after, success=False).action == "download"
    end = audit.end(after)
    assert end.extracted == {"form_submitted": True, "report_downloaded": None}
