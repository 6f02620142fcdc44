"""Which next action of a reply is certain."""

from __future__ import annotations

from dataclasses import replace

import pytest
from unit.agent.transitions import page, transition

from pytest_bwa.agent.batch import Batch, Uncertain, notice_of_dropped
from pytest_bwa.agent.step_log import Transition
from pytest_bwa.steps.step import Action, Artifact, Element, Observation, Place


def unclear(action: Action, page: Observation) -> str:
    """What the executor finds of a text, CSS or XPath; tests/browser asks the real one."""
    for name in (action.selector, action.target):
        called = [e for e in page.elements if e.name == name]
        if name and not name.isdigit() and len(called) != 1:
            return f"{len(called)} elements match “{name}”"
    return ""


def reason_to_stop(
    after: Transition, action: str = "click", max_steps: int = 100, **params: str
) -> str:
    batch = Batch(unclear)
    batch.begin(after.before)
    return _reason(batch, after, Action(action=action, **params), max_steps)


def _reason(batch: Batch, after: Transition, action: Action, max_steps: int = 100) -> str:
    try:
        batch.certain(after, action, max_steps)
    except Uncertain as reason:
        return str(reason)
    return ""


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


def test_a_failure_ends_a_reply():
    assert reason_to_stop(transition(success=False, description="x")) == "click failed"


def test_the_last_step_is_left_for_done_or_fail():
    second = transition("hover", step=2)
    assert reason_to_stop(second, selector="0", max_steps=4) == ""
    assert "only the last step is left" in reason_to_stop(second, max_steps=3)
    assert reason_to_stop(second, "done", max_steps=3) == ""
    assert reason_to_stop(second, "fail", max_steps=3) == ""


# -- however much of the page has changed ---------------------------------------------------------

FORM = (("textbox", "Name"), ("checkbox", "Express"), ("button", "Send"), ("link", "Help"))


def form(*more: str, without: str = "", document: int = 0, url: str = "form") -> Observation:
    """A form, with suggestions or further fields that appeared in it."""
    fields = [*FORM, *(("option", name) for name in more)]
    elements = tuple(
        Element(100 * document + n, (document, n), role, name)
        for n, (role, name) in enumerate(fields)
        if name != without
    )
    look = f"{more}{without}"
    return Observation(
        url=f"http://site.test/{url}", title="", elements=elements, text=look, dom_hash=look
    )


OPENED = transition("click", selector="3", before=form(), after=form(*"abcdefgh"))


@pytest.mark.parametrize(
    "following",
    [
        {"selector": "2"},
        {"selector": "[2]"},
        {"selector": "b"},  # nobody has seen it, and it is alone
        {"action": "drag", "selector": "2", "target": "Help"},
        {"action": "screenshot", "label": "topics"},
        {"action": "scroll", "selector": "Contact"},
        {"action": "press", "key": "ArrowDown"},
        {"action": "goto", "url": "/x"},
        {"action": "back"},
        {"action": "save_progress"},
        {"action": "done"},
        {"action": "fail"},
    ],
)
def test_however_much_the_page_has_changed_what_is_certain_goes_on(following):
    assert reason_to_stop(OPENED, **following) == ""


@pytest.mark.parametrize(
    ("following", "why"),
    [
        ({"selector": "9"}, "no page has shown [9] yet"),
        ({"selector": "Topic"}, "0 elements match “Topic”"),
        ({"action": "drag", "selector": "2", "target": "7"}, "no page has shown [7] yet"),
    ],
)
def test_what_is_not_there_ends_a_reply(following, why):
    assert reason_to_stop(OPENED, **following) == why


def test_an_element_that_went_or_is_called_otherwise_ends_it():
    gone = transition("type", selector="0", before=form(), after=form("Ann", without="Send"))
    assert reason_to_stop(gone, selector="2") == "[2] button “Send” is not on the page now"
    other = tuple(replace(e, name="Delete") if e.name == "Send" else e for e in form().elements)
    renamed = transition(
        "click", selector="3", before=form(), after=replace(form(), elements=other)
    )
    assert reason_to_stop(renamed, selector="2") == "[2] button was “Send” and is “Delete” now"
    assert reason_to_stop(renamed, selector="Send") == "0 elements match “Send”"


def test_a_number_that_was_shown_earlier_is_the_same_element_where_it_is_listed_again():
    """A drawer hides the page, and is closed by the first action of a reply."""
    drawer = form("Save", without="Send")
    closed = transition("click", selector="4", before=drawer, after=form("Save", "Topic", "More"))
    send = Action(action="click", selector="2")
    batch = Batch(unclear)
    batch.begin(drawer)
    assert _reason(batch, closed, send) == "no page has shown [2] yet"
    batch = Batch(unclear)
    batch.begin(form())
    batch.begin(drawer)
    assert _reason(batch, closed, send) == ""


def test_on_another_page_what_is_alone_of_its_name_and_place_is_pressed_by_its_number_there():
    onward = transition("click", selector="3", before=form(), after=form(document=1, url="next"))
    batch = Batch(unclear)
    batch.begin(onward.before)
    following = batch.certain(onward, Action(action="click", selector="2"), 100)
    assert following.selector == "102"
    two = replace(
        onward.after, elements=(*onward.after.elements, Element(109, (1, 9), "button", "Send"))
    )
    reason = _reason(batch, replace(onward, after=two), Action(action="click", selector="2"))
    assert reason == "[2] button “Send” is not on the page now"


def test_a_button_of_the_next_record_is_another_one():
    def record(name: str, document: int) -> Observation:
        title = Element(document, (document, 0), "heading", name, states=("level=1",))
        place = Place(headings=(name,))
        approve = Element(10 + document, (document, 1), "button", "Approve", place=place)
        onward = Element(20 + document, (document, 2), "link", "Next", place=place)
        return Observation(f"http://site.test/{name}", "", (title, approve, onward), text=name)

    onward = transition("click", selector="20", before=record("Ann", 0), after=record("Bob", 1))
    assert reason_to_stop(onward, selector="10") == "[10] button “Approve” is not on the page now"
    batch = Batch(unclear)
    batch.begin(onward.before)
    assert batch.certain(onward, Action(action="click", selector="20"), 100).selector == "21"


def test_keys_go_to_what_the_last_action_named_and_nowhere_else():
    onward = transition("click", selector="3", before=form(), after=form(document=1, url="next"))
    assert "keys would go anywhere" in reason_to_stop(onward, "press", key="Enter")
    gone = transition("click", selector="2", before=form(), after=form(without="Send"))
    assert "“Send” is not on the page" in reason_to_stop(gone, "press", key="Enter")
    assert reason_to_stop(gone, "press", key="Escape") == ""


# -- what nobody expected -------------------------------------------------------------------------


def _with(*elements: Element, **more: object) -> Transition:
    after = replace(form(), dom_hash="after", **more)
    after = replace(after, elements=(*after.elements, *elements))
    return transition("click", selector="2", before=form(), after=after)


@pytest.mark.parametrize(
    ("came", "why"),
    [
        (_with(dialogs=("Really?",)), "a dialog said “Really?”"),
        (
            _with(Element(9, (0, 9), "alert", "City is required")),
            "the page says “City is required”",
        ),
        (
            _with(Element(9, (0, 9), "textbox", "City", states=("invalid=true",))),
            "the page says of the textbox “City”: invalid=true",
        ),
        (
            _with(
                Element(9, (0, 9), "textbox", "", states=("password, empty",)), url="http://x/in"
            ),
            "the page asks for a password now",
        ),
        (_with(http_status=500, url="http://site.test/x"), "the server answered with 500"),
    ],
)
def test_what_the_page_says_unasked_ends_a_reply(came, why):
    for following in ({"selector": "2"}, {"action": "done"}, {"action": "goto", "url": "/x"}):
        assert reason_to_stop(came, **following) == why
    assert reason_to_stop(came, "screenshot", label="x") == ""


def test_what_is_read_in_between_does_not_hide_what_the_page_has_said():
    came = _with(Element(9, (0, 9), "alert", "No city"))
    look = transition("screenshot", before=came.after, label="x")
    for first in (came, transition(before=came.before)):
        batch = Batch(unclear)
        batch.begin(first.before)
        assert _reason(batch, first, look.action) == ""
        assert _reason(batch, look, Action(action="done")) != ""
    late = transition("wait", before=came.before, after=came.after)
    batch = Batch(unclear)
    batch.begin(came.before)
    assert _reason(batch, late, Action(action="done")) == "the page says “No city”"


def test_over_a_dialog_that_came_only_what_names_an_element_goes_on():
    """“Save” asked whether to overwrite the record: the form would be left without an answer."""
    ok = Element(9, (0, 9), "button", "OK", place=Place(regions=("dialog",)))
    for following in ({"selector": "OK"}, {"action": "press", "key": "Escape"}):
        assert reason_to_stop(_with(ok), **following) == ""
    for following in (
        {"action": "goto", "url": "/x"},
        {"action": "done"},
        {"action": "press", "key": "Enter"},
    ):
        assert reason_to_stop(_with(ok), **following) == "a dialog came"


def _file(name: str) -> Artifact:
    return Artifact.model_construct(filename=name)


def test_no_answer_follows_a_press_that_changed_nothing():
    assert reason_to_stop(transition(), "done") == "what was pressed last changed nothing"
    assert reason_to_stop(transition(artifact=_file("1.png")), "done")
    assert reason_to_stop(transition(artifact=_file("report.pdf")), "done") == ""
    assert reason_to_stop(transition(), selector="0") == ""
    assert reason_to_stop(transition("type", selector="0", before=form()), "done") == ""


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
    """The arrow of a calendar, painted anew with each month."""
    before = _in_rows(("January 2026",))
    arrow = Element(7, (0, 7), "button", "Close", around=("February 2026",))
    after = replace(before, elements=(arrow,))
    turned = transition("click", selector="0", before=before, after=after)
    batch = Batch(unclear)
    batch.begin(before)
    assert batch.certain(turned, Action(action="click", selector="0"), 100).selector == "7"
