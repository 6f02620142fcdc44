"""When the remaining actions of a decision are dropped."""

from __future__ import annotations

import pytest
from unit.agent.transitions import page, transition

from pytest_bwa.agent import batch
from pytest_bwa.agent.transition import Transition
from pytest_bwa.steps import Action, Element, Observation

FIVE = ("a", "b", "c", "d", "e")


def reason_to_stop(
    after: Transition, action: str = "click", max_steps: int = 100, **params: str
) -> str:
    return batch.reason_to_stop(after, Action(action=action, **params), max_steps)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (FIVE, ""),
        ((*FIVE, "f"), ""),  # exactly 20 % is allowed
        ((*FIVE, "f", "g"), "7 interactive elements instead of 5"),
        (FIVE[:3], "3 interactive elements instead of 5"),
    ],
)
def test_more_than_a_fifth_of_the_elements_changed_stops_the_batch(after, expected):
    reason = reason_to_stop(transition(before=page(names=FIVE), after=page("x", names=after)))
    assert (expected in reason) if expected else reason == ""


def test_what_find_adds_to_the_list_is_no_other_page():
    found = transition("find", before=page(names=()), after=page("x", names=("a", "b")))
    assert reason_to_stop(found) == ""


def test_a_failure_and_another_url_stop_the_batch():
    assert "failed" in reason_to_stop(transition(success=False, description="x"))
    other = page(url="http://site.test/other")
    assert "another URL" in reason_to_stop(transition(before=page(), after=other))
    assert reason_to_stop(transition("screenshot", label="x")) == ""


def test_the_notice_names_the_first_action_that_was_dropped():
    typing, click, done = (
        Action(action=name, selector=selector)
        for name, selector in (("type", "7"), ("click", "text=Send"), ("done", None))
    )
    notices = [
        batch.notice_of_dropped(a, "r") for a in ([typing, click, done], [click, done], [done])
    ]
    assert notices == [
        "type [7] and 2 more actions were not executed, because r.",
        "click text=Send and 1 more action were not executed, because r.",
        "done was not executed, because r.",
    ]


def test_the_last_step_is_left_for_done_or_fail():
    second = transition(step=2)
    assert reason_to_stop(second, max_steps=4) == ""
    assert "only the last step is left" in reason_to_stop(second, max_steps=3)
    assert reason_to_stop(second, "done", max_steps=3) == ""
    assert reason_to_stop(second, "fail", max_steps=3) == ""


# -- a form is one decision ----------------------------------------------------------------------

FORM = (("textbox", "Name"), ("checkbox", "Express"), ("button", "Send"), ("link", "Help"))


def form(*more: str, without: str = "") -> Observation:
    """A form, with suggestions or further fields that appeared in it."""
    fields = [*FORM, *(("option", name) for name in more)]
    elements = tuple(
        Element(n, (0, n), role, name) for n, (role, name) in enumerate(fields) if name != without
    )
    return Observation(url="http://site.test/form", title="", elements=elements)


@pytest.mark.parametrize(
    ("first", "selector", "following"),
    [
        ("type", "0", {"selector": "2"}),
        ("type", "0", {"selector": "[2]"}),
        ("type", "0", {"selector": "Send"}),  # a text is looked up when it is clicked
        ("type", "0", {"action": "press", "key": "Enter"}),
        ("select_option", "0", {"action": "type", "selector": "0"}),
        ("click", "1", {"selector": "2"}),  # a box was ticked
    ],
)
def test_suggestions_and_further_fields_do_not_end_a_form(first, selector, following):
    filled = transition(first, selector=selector, before=form(), after=form("Ann", "Anna"))
    assert reason_to_stop(filled, **following) == ""


@pytest.mark.parametrize(
    ("first", "selector", "after"),
    [
        ("type", "0", form("Ann", "Anna", without="Send")),  # the button went
        ("click", "3", form("Topic", "Contact", without="Send")),
    ],
)
def test_a_number_that_is_gone_ends_it(first, selector, after):
    filled = transition(first, selector=selector, before=form(), after=after)
    assert "interactive elements instead of 4" in reason_to_stop(filled, selector="2")


def test_after_a_click_that_opens_something_only_what_is_listed_as_before_goes_on():
    opened = transition("click", selector="3", before=form(), after=form("Topic", "Contact"))
    assert reason_to_stop(opened, selector="2") == ""
    assert reason_to_stop(opened, "look", question="Which one?") == ""
    for chosen in ({"selector": "Send"}, {"action": "press", "key": "Enter"}, {"action": "done"}):
        assert "interactive elements instead of 4" in reason_to_stop(opened, **chosen)


def test_a_place_in_the_page_is_no_other_page_but_a_route_is():
    start, place = page(url="http://site.test/t"), page(url="http://site.test/t#comments")
    assert reason_to_stop(transition(before=start, after=place)) == ""
    for url in ("http://site.test/t#/orders", "http://site.test/t#!/orders"):
        moved = transition(before=start, after=page(url=url))
        assert reason_to_stop(moved) == "the page has another URL now"


def test_a_form_ends_with_a_failure_or_another_address_all_the_same():
    refused = transition("type", selector="0", success=False, description="x", before=form())
    assert reason_to_stop(refused, selector="2") == "type failed"
    moved = transition("type", selector="0", before=form(), after=page())
    assert reason_to_stop(moved, selector="2") == "the page has another URL now"
