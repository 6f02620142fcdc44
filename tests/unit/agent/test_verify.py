"""What is said of the changes between two observations."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_bwa.agent.verification import verify
from pytest_bwa.steps.step import Box, Effects, Element, Observation, Place

MESSAGE = "The user “ann” was changed successfully. You may edit it again below, or go back to all."


def element(number, role, name, value=None, states=(), document=0):
    return Element(number, (document, number), role, name, value, states)


def page(*elements, url="http://h/a", text="", unlisted=()):
    shown = repr([(e.role, e.name, e.value, e.states) for e in (*elements, *unlisted)])
    return Observation(
        url, "T", elements, unlisted=unlisted, text=text, dom_hash=shown, state=shown + text
    )


def test_a_state_that_went_is_told_and_the_text_that_stayed_is_not_said_to_be_empty():
    before = page(
        element(1, "text", "REQ-1888", states=("loading",)),
        element(2, "combobox", "Status", "Closed"),
        element(3, "textbox", "Owner", None, ("required", "empty")),
    )
    after = page(
        element(1, "text", "REQ-1888"),
        element(2, "combobox", "Status", "Open"),
        element(3, "textbox", "Owner", None, ("required", "empty", "invalid=true")),
    )
    assert verify(before, after).summary == (
        'combobox "Status" shows “Open”; textbox "Owner" is now invalid=true'
    )


def test_of_a_state_in_two_parts_only_the_part_that_changed_is_told():
    before = page(element(1, "textbox", "Password", None, ("password, empty", "required")))
    after = page(element(1, "textbox", "Password", None, ("password, filled", "required")))
    assert verify(before, after).summary == 'textbox "Password" is now filled'


def test_an_element_that_was_replaced_by_an_equal_one_is_neither_new_nor_gone():
    before = page(element(1, "text", "REQ-1888"), element(2, "combobox", "Status", "Closed"))
    after = page(element(7, "text", "REQ-1888"), element(8, "combobox", "Status", "Open"))
    assert verify(before, after).summary == 'combobox "Status" shows “Open”'


def test_controls_without_a_name_are_the_same_only_where_the_page_is_and_bear_their_new_number():
    back = element(1, "button", "", states=("icon: arrow back",))
    save = element(2, "button", "", states=("disabled", "icon: check"))
    search, check = (
        element(n, "button", "", states=(f"icon: {icon}",))
        for n, icon in enumerate(["search", "check"], start=7)
    )
    title = element(3, "heading", "CTR-1")
    here, there = page(back, save), page(search, check, title, url="http://h/list")
    assert "icon" not in verify(here, there).summary
    now = page(replace(check, index=9), title)
    assert "button [9] is no longer disabled" in verify(page(save, title), now).summary
    hidden = replace(check, index=-1)
    done = verify(page(title, unlisted=(save,)), page(title, unlisted=(hidden,)))
    assert done.summary == "button that is not listed is no longer disabled"


def test_what_is_only_listed_now_has_not_appeared():
    one, two = element(1, "text", "One"), element(2, "text", "Two")
    before = page(one, unlisted=(two,))
    after = replace(page(two, element(3, "text", "Three"), unlisted=(one,)))
    assert verify(before, after).summary == 'appeared: text "Three"'


def test_a_message_is_told_word_for_word_and_before_the_rest():
    before = page(element(1, "button", "Save"))
    after = page(
        element(1, "button", "Save"),
        element(2, "textbox", "City", "Rome"),
        element(3, "status", MESSAGE),
    )
    assert verify(before, after).summary == (
        f'appeared: status "{MESSAGE}", textbox "City" showing “Rome”'
    )


def test_the_element_acted_on_comes_first_and_a_new_address_hides_nothing():
    before = page(element(1, "text", "Draft"), element(2, "tab", "Log", states=("selected=false",)))
    after = page(
        element(1, "text", "Open"),
        element(2, "tab", "Log", states=("selected=true",)),
        element(3, "heading", "Entries"),
        url="http://h/a#log",
    )
    effects = Effects(("aria-selected now “true”", "class now “active”"))
    assert verify(before, after, effects, before.elements[1]).summary == (
        'tab "Log" is now selected=true; class now “active”; the page is now http://h/a#log; '
        'text "Draft" is now “Open”; appeared: heading "Entries"'
    )


@pytest.mark.parametrize(
    ("description", "is_repeated"),
    [
        ("opened http://h/b", False),
        ("opened http://h/; it led to http://h/b; not sent, because x: POST http://h/c", False),
        ("opened http://h/b: HTTP 404", False),
        ("opened http://h/b?q=1", True),
        ("opened http://h/b;c", True),
        ('clicked link "B"', True),
    ],
)
def test_an_address_that_the_action_has_named_is_not_repeated(description, is_repeated):
    before, after = page(), page(element(1, "heading", "B", document=1), url="http://h/b")
    summary = verify(before, after, description=description).summary
    assert ("the page is now http://h/b" in summary) is is_repeated
    assert summary.endswith('appeared: heading "B"')


def test_of_another_document_messages_headings_and_first_texts_are_told():
    before = page(element(1, "button", "Save"))
    links = [element(n, "link", f"Link {n}", document=1) for n in range(9)]
    texts = [element(20 + n, "text", f"Row {n}", document=1) for n in range(9)]
    after = page(*links, *texts, element(50, "alert", MESSAGE, document=1), url="http://h/b")
    summary = verify(before, after).summary
    assert summary.startswith(f'the page is now http://h/b; appeared: alert "{MESSAGE}", text "Row')
    assert "Link" not in summary
    assert summary.count('text "') == 5


def test_another_page_is_never_said_to_differ_in_nothing():
    before = page(element(1, "link", "Home"), element(2, "heading", "Books"))
    more = page(
        element(1, "link", "Home", document=1), element(2, "heading", "Books", document=1),
        element(3, "link", "Page 3", document=1), url="http://h/b",
    )  # fmt: skip
    opened = "opened http://h/b"
    assert verify(before, more, description=opened).summary == 'appeared: link "Page 3"'
    same = replace(more, elements=more.elements[:2])
    said = verify(before, same, description=opened).summary
    assert said == "this is another page with the same list"


def test_of_a_long_text_that_changed_behind_its_beginning_the_change_is_told():
    start = "terminal Welcome to the shell of this machine. " * 5
    ends = [f"{start}$ ls total 4", f"{start}$ ls total 5 done", f"{start}$ ls total"]
    pages = [page(element(1, "text", text)) for text in ends]
    assert "is now “…5 done”" in verify(pages[0], pages[1]).summary
    assert "$ ls total”" in verify(pages[0], pages[2]).summary


def test_one_more_is_no_plural():
    fields = [element(n, "textbox", f"F{n}") for n in range(21)]
    after = [replace(e, value="x") for e in fields]
    gone = element(40, "text", "Gone")
    before = page(*fields, gone)
    summary = verify(before, page(*after)).summary
    assert "and 1 more element changed; gone: 1 element" in summary
    assert "elements" not in summary
    two = verify(page(*fields, gone, replace(gone, ref=(0, 41), name="Two")), page(*after))
    assert "gone: 2 elements" in two.summary


def test_twenty_changes_are_named_and_the_rest_counted():
    before = page(*(element(n, "textbox", f"F{n}", None) for n in range(15)))
    after = page(
        *(element(n, "textbox", f"F{n}", "x") for n in range(15)),
        *(element(50 + n, "text", f"T{n}") for n in range(8)),
    )
    summary = verify(before, after).summary
    assert summary.count("shows “x”") == 15
    assert summary.endswith('text "T4" and 3 more')


def test_a_change_that_only_the_state_of_the_page_shows_is_one():
    before = page(element(1, "button", "Like"))
    assert verify(before, replace(before, state="other")).changed
    liked = verify(before, before, Effects(("class now “liked”",)))
    assert liked.changed
    assert liked.summary == "class now “liked”"


def test_nothing_changed_is_said_only_where_nothing_did():
    same = page(element(1, "button", "Like"))
    looks = verify(same, same, Effects(looks=("color now rgb(0, 0, 255)",)))
    assert looks.summary == "only its look changed: color now rgb(0, 0, 255)"
    hidden = verify(same, same, Effects(is_mutated=True))
    assert hidden.summary == "nothing that the page shows changed, only its code"
    idle = verify(same, same)
    assert idle.summary == "nothing changed on the page"
    assert not any(verdict.changed for verdict in (looks, hidden, idle))


def test_a_text_that_no_element_has_is_told():
    before = page(element(1, "button", "Go"), text="Go\nOld")
    assert verify(before, page(element(1, "button", "Go"), text="Go\nNew words")).summary == (
        "new text: “New words”"
    )


def test_a_text_that_was_moved_is_said_to_be_where_it_is():
    names = ("Build", "Test", "Scan", "Deploy")
    build, tests, scan, deploy = (element(n, "text", name) for n, name in enumerate(names))
    before = page(build, tests, scan, deploy)
    up = replace(page(build, deploy, tests, scan), state="up")
    assert verify(before, up).summary == 'text "Deploy" moved before text "Test"'
    down = replace(page(tests, scan, deploy, build), state="down")
    assert verify(before, down).summary == 'text "Build" moved to the end'
    turned = replace(page(deploy, scan, tests, build), state="turned")
    assert "moved" not in verify(before, turned).summary


def test_what_follows_from_a_value_that_was_filled_or_emptied_is_not_said_beside_it():
    empty = element(1, "textbox", "Tag", None, ("required", "empty", 'placeholder="Name"'))
    full = element(1, "textbox", "Tag", "audit", ("required",))
    assert verify(page(empty), page(full)).summary == 'textbox "Tag" shows “audit”'
    assert verify(page(full), page(empty)).summary == 'textbox "Tag" is empty now'
    other = replace(empty, states=("required", "empty", 'placeholder="City"'))
    assert 'is now placeholder="City"' in verify(page(empty), page(other)).summary


def test_what_was_chosen_in_a_dialog_appears_on_the_page_although_it_stood_in_the_dialog():
    """A picker closed, and nothing said that the field had the chosen person now."""
    page_heading = element(1, "heading", "New risk")
    under = {name: Place(headings=(name,)) for name in ("New risk", "Select Item")}
    chosen = replace(element(8, "text", "Joanna Eik"), place=under["Select Item"])
    before = page(page_heading, element(7, "heading", "Select Item"), chosen)
    now = replace(element(9, "text", "Joanna Eik"), place=under["New risk"])
    after = page(page_heading, now)
    summary = verify(before, after).summary
    assert 'appeared: text "Joanna Eik"' in summary
    assert 'gone: heading "Select Item", text "Joanna Eik"' in summary
    renamed = page(element(5, "heading", "Cart (2)"), element(6, "text", "Pen"))
    cart = page(element(2, "heading", "Cart (1)"), element(3, "text", "Pen"))
    assert "Pen" not in verify(cart, renamed).summary


def test_a_box_that_appears_says_whether_it_is_on():
    box = element(2, "checkbox", "Accepted", None, ("checked=false", "icon: indeterminate"))
    text = element(1, "text", "Risk")
    summary = verify(page(text), page(text, box)).summary
    assert summary == 'appeared: checkbox "Accepted" (checked=false, icon: indeterminate)'


def test_a_value_that_changed_is_said_before_all_else_and_tooltips_of_others_are_not():
    days = [element(n, "text", str(n), states=(f'note="May {n}"',)) for n in range(30)]
    other_days = [element(n, "text", str(n), states=(f'note="June {n}"',)) for n in range(30)]
    marks = [element(n, "clickable", f"Tag {n}", states=("pressed=false",)) for n in range(40, 70)]
    pressed = [replace(mark, states=("pressed=true",)) for mark in marks]
    owner = element(99, "textbox", "Owner", "")
    before = page(*days, *marks, owner)
    after = page(*other_days, *pressed, replace(owner, value="Ann"))
    summary = verify(before, after).summary
    assert summary.startswith('textbox "Owner" shows “Ann”; clickable "Tag 40" is now')
    assert "June" not in summary


def test_rows_that_come_are_named_after_what_else_comes():
    rows = [element(n, "row", f"RR-{n}") for n in range(25)]
    note = element(30, "clickable", "Item Created")
    summary = verify(page(element(50, "text", "A")), page(*rows, note)).summary
    assert 'appeared: clickable "Item Created", row "RR-0"' in summary


def test_controls_without_a_name_are_the_same_in_the_same_place_only():
    def icon(number, x, name):
        made = element(number, "clickable", "", states=(f"icon: {name}",))
        return replace(made, box=Box(x, 10, 20, 20))

    before = page(icon(1, 10, "arrow"), icon(2, 90, "star"))
    after = page(icon(7, 50, "spacer"), icon(8, 90, "star filled"))
    assert verify(before, after).summary == (
        "clickable [8] is now icon: star filled and is no longer icon: star"
    )


def test_what_stands_in_the_rows_that_come_is_named_after_them():
    row = element(0, "row", "RR-1 | Open")
    chip = replace(element(1, "clickable", "Open"), place=Place(record="RR-1 | Open"))
    note = element(2, "text", "Item Created")
    summary = verify(page(element(9, "text", "A")), page(chip, row, note)).summary
    assert 'appeared: text "Item Created", row "RR-1 | Open", clickable "Open"' in summary
