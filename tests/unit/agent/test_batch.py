"""When the remaining actions of a decision are dropped."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from unit.agent.transitions import page, transition

from pytest_bwa.agent.batch import Batch, notice_of_dropped
from pytest_bwa.agent.step_log import Transition
from pytest_bwa.steps.step import Action, Element, Observation, Step

FIVE = ("a", "b", "c", "d", "e")


def reason_to_stop(
    after: Transition, action: str = "click", max_steps: int = 100, **params: str
) -> str:
    batch = Batch()
    batch.begin(after.before)
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
    notices = [notice_of_dropped(a, "r") for a in ([typing, click, done], [click, done], [done])]
    assert notices == [
        "type [7] and 2 more actions were not executed, because r.",
        "click text=Send and 1 more action were not executed, because r.",
        "done was not executed, because r.",
    ]


def test_the_notice_has_the_whole_address_that_was_not_opened():
    url = "https://site.test/#audit/model/party.party/11;views=149;name=Parties"
    notice = notice_of_dropped([Action(action="goto", url=url)], "r")
    assert notice == f"goto {url} was not executed, because r."


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


OPENED = transition("click", selector="3", before=form(), after=form("Topic", "Contact"))


@pytest.mark.parametrize(
    "following",
    [
        {"selector": "2"},
        {"action": "look", "question": "Which one?"},
        {"action": "screenshot", "label": "topics"},
        {"action": "scroll", "direction": "down"},
        {"action": "scroll", "selector": "Contact"},
        {"action": "scroll", "selector": "2"},
        {"action": "wait"},
        {"action": "wait", "selector": "text=Loaded"},
        {"selector": " send"},  # there is one, as before
        {"action": "type", "selector": "Name", "text": "Ann"},
        {"action": "drag", "selector": "2", "target": "Help"},
    ],
)
def test_after_a_click_that_opens_something_what_depends_on_nothing_new_goes_on(following):
    assert reason_to_stop(OPENED, **following) == ""


@pytest.mark.parametrize(
    "following",
    [
        {"selector": "Topic"},  # nobody has seen it before
        {"selector": "5"},
        {"selector": "[href='#send']"},
        {"action": "scroll", "selector": "5"},
        {"action": "drag", "selector": "2", "target": "Topic"},
        {"action": "press", "key": "Enter"},
        {"action": "done"},
        {"action": "save_progress"},
        {"action": "back"},
    ],
)
def test_after_a_click_that_opens_something_what_may_depend_on_it_ends(following):
    assert "interactive elements instead of 4" in reason_to_stop(OPENED, **following)


def test_a_text_that_names_two_elements_now_or_another_one_is_not_the_one_that_was_chosen():
    for after in (form("Topic", "Send"), form("Topic", "Contact", without="Send")):
        opened = transition("click", selector="3", before=form(), after=after)
        assert "instead of 4" in reason_to_stop(opened, selector="Send")
    other = tuple(replace(e, role="link") if e.name == "Send" else e for e in OPENED.after.elements)
    opened = replace(OPENED, after=replace(OPENED.after, elements=other))
    assert "instead of 4" in reason_to_stop(opened, selector="Send")
    anew = tuple(replace(e, ref=(1, e.index)) for e in OPENED.after.elements)
    opened = replace(OPENED, after=replace(OPENED.after, elements=anew))
    for selector in ("Send", "2"):
        assert "instead of 4" in reason_to_stop(opened, selector=selector)


def test_a_number_that_was_shown_earlier_is_the_same_element_where_it_is_listed_again():
    """A drawer hides the page, and is closed by the first action of a reply."""
    drawer = form("Save", without="Send")
    closed = transition("click", selector="4", before=drawer, after=form("Save", "Topic", "More"))
    batch = Batch()
    batch.begin(drawer)
    send = Action(action="click", selector="2")
    assert "instead of 4" in batch.reason_to_stop(closed, send, 100), "nobody has seen it"
    batch = Batch()
    batch.begin(form())
    batch.begin(drawer)
    assert batch.reason_to_stop(closed, send, 100) == ""


def test_what_fits_in_between_does_not_make_the_page_the_one_that_was_chosen_on():
    batch = Batch()
    batch.begin(OPENED.before)
    scroll, topic = Action(action="scroll"), Action(action="click", selector="Topic")
    assert batch.reason_to_stop(OPENED, scroll, 100) == ""
    scrolled = transition("scroll", before=OPENED.after, selector="")
    for dropped in (topic, Action(action="press", key="Enter"), Action(action="done")):
        assert "6 interactive elements instead of 4" in batch.reason_to_stop(scrolled, dropped, 100)
    filled = transition("click", before=OPENED.after, selector="0")
    assert batch.reason_to_stop(filled, Action(action="press", key="Enter"), 100) == ""
    batch.begin(OPENED.after)
    assert batch.reason_to_stop(scrolled, topic, 100) == ""


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


def test_escape_and_an_answer_that_was_refused_before_go_on_after_a_dialog():
    """A drawer covered what an answer came from: to close it and to answer took two replies."""
    answer = {"owner": "Ann", "tags": ["a"]}
    refused = Step.model_construct(action="done", params={"extracted": answer})
    opened = transition(before=page(names=FIVE), after=page("x", names=FIVE[:2]))

    def reason(**params: Any) -> str:
        batch = Batch()
        batch.begin(opened.before, [refused])
        return batch.reason_to_stop(opened, Action(**params), 100)

    assert reason(action="press", key="Escape") == ""
    assert reason(action="goto", url="/party/11") == ""
    assert reason(action="done", extracted=answer) == ""
    assert "elements instead" in reason(action="press", key="Enter")
    assert "elements instead" in reason(action="done", extracted={"owner": "Zoe"})


@pytest.mark.parametrize("role", ["alertdialog", "alert"])
def test_an_address_is_not_opened_over_a_question_that_came(role):
    """“Save” asked whether to overwrite the record: the form would be left without an answer."""
    asked = page("x", names=FIVE[:2])
    question = Element(90, (7, 90), role, "Overwrite the record?")
    asked = replace(asked, elements=(*asked.elements, question))
    saved = transition(before=page(names=FIVE), after=asked)
    assert "elements instead" in reason_to_stop(saved, "goto", url="/party/11")


# -- a number is a record ------------------------------------------------------------------------


def _in_rows(*rows: tuple[str, ...]) -> Observation:
    buttons = [Element(n, (0, n), "button", "Close", around=row) for n, row in enumerate(rows)]
    return replace(page(), elements=tuple(buttons))


def test_what_stands_in_another_record_than_the_policy_saw_is_dropped():
    orders = [(f"OR-{n}", "Open") for n in range(5)]
    before, moved = _in_rows(*orders[:4]), _in_rows(*orders[1:])
    closed = transition("click", selector="0", before=before, after=moved)
    reason = reason_to_stop(closed, selector="2")
    assert reason == "[2] button “Close” stood in “OR-2 | Open” and now stands in “OR-3 | Open”"
    assert reason_to_stop(closed, "scroll", selector="2") == ""


def test_a_record_that_the_decision_itself_has_changed_is_the_same():
    before = _in_rows(("Ann", "Open"), ("Bob", "Open"))
    after = _in_rows(("Ann", "Closed"), ("Bob", "Open", "next"))
    closed = transition("click", selector="0", before=before, after=after)
    assert reason_to_stop(closed, selector="0") == ""
    assert reason_to_stop(closed, selector="1") == ""
    late = transition("click", selector="1", before=before, after=after)
    assert "“Ann | Open” and now stands in “Ann | Closed”" in reason_to_stop(late, selector="0")


def test_what_the_decision_has_pressed_it_may_press_again():
    """The arrow of a calendar: three months on."""
    before, after = (_in_rows((f"{month} 2026",)) for month in ("January", "February"))
    turned = transition("click", selector="0", before=before, after=after)
    assert reason_to_stop(turned, selector="0") == ""
