"""What of a changed element or row is another record, and what only ticks."""

from __future__ import annotations

import pytest

from pytest_bwa.actions.seen.same_record import SameRecord, Words
from pytest_bwa.steps.step import Element, Observation, Place

AGO = ("#", "second", "seconds", "minute", "minutes", "hour", "hours", "ago", "min.", "前", "#分前")


def difference(was, now, *others, heading=("", "")):
    """``was`` and ``now`` are a name and the parts of a record."""
    element, *rest = (
        Element(n, (0, n), "button", name, around=around, place=Place(headings=headings))
        for n, (name, around, headings) in enumerate(
            [(*was, tuple(filter(None, heading[:1]))), *((*other, ()) for other in others)]
        )
    )
    page = Observation("", "", (element, *rest))
    words = Words(now[0], now[1], tuple(filter(None, heading[1:])))
    return SameRecord(page, AGO).difference(element, words)


def row(*cells):
    return "Close", cells


OTHER_RECORDS = {
    "another number of a record": (row("OR-2", "Open"), row("OR-1", "Open")),
    "another person": (row("Ann Lee", "Finance"), row("Bob Ray", "Finance")),
    "a person of the same name": (row("Ann Lee", "Finance"), row("Ann Lee", "Legal")),
    "a number in the first cell": (row("17", "Ann"), row("16", "Ann")),
    "a name with a number": (row("Ann", "Order 12", "Open"), row("Ann", "Order 13", "Open")),
    "a code in a cell": (row("Ann", "1042", "Open"), row("Ann", "1039", "Open")),
    "the number of a place, and what is there": (row("1", "OR-2"), row("1", "OR-1")),
    "one line": (row("OR-2 Open"), row("OR-1 Open")),
    "a part gone and another come": (row("Ann", "Legal"), row("Bob", "Ann")),
    "the first part gone": (row("OR-2", "Open"), row("Open")),
    "nothing left": (row("OR-2", "Open"), row()),
    "a person with a time": (row("Ann 3 minutes ago"), row("Bob 5 minutes ago")),
    "a name": (("Close OR-2", ()), ("Close OR-1", ())),
    "a longer name": (("Delete", ()), ("Delete all", ())),
    "a field for somebody else": (("Reply to Ann", ()), ("Reply to Bob", ())),
}
SAME_RECORDS = {
    "a clock": (row("OR-2", "12:03:59"), row("OR-2", "12:04:00")),
    "how long ago": (row("OR-2", "just now"), row("OR-2", "1 minute ago")),
    "how long ago, after words": (row("OR-2 · 59 min. ago"), row("OR-2 · 1 hour ago")),
    "how long ago, without spaces": (row("OR-2", "2分前"), row("OR-2", "3分前")),
    "a price": (row("AAPL", "101.20", "+0.3%"), row("AAPL", "101.25", "+0.4%")),
    "a count": (row("Ann", "1 comment"), row("Ann", "2 comments")),
    "a share": (row("build-7", "Step 3 of 9"), row("build-7", "Step 4 of 9")),
    "one more cell": (row("OR-2", "Open"), row("OR-2", "New", "Open")),
    "one more word": (row("OR-2", "Open"), row("OR-2", "Open (you)")),
    "one cell less": (row("OR-2", "New", "Open"), row("OR-2", "Open")),
    "what was awaited": (row("OR-2", "Loading…"), row("OR-2", "Open")),
    "a countdown": (("Resend in 30 s", ()), ("Resend in 27 s", ())),
    "a record where there was none": (row(), row("OR-2")),
    "a count in a name": (("Inbox (3)", ()), ("Inbox (4)", ())),
    "the first of a name": (("Inbox", ()), ("Inbox (1)", ())),
    "a count alone": (("12", ()), ("13", ())),
    "a count that leads": (("3 new messages", ()), ("4 new messages", ())),
    "the count of an entry": (("Inbox", ("Inbox (3)",)), ("Inbox", ("Inbox (4)",))),
    "a likes button in a record": (("12", ("Ann", "12")), ("13", ("Ann", "13"))),
}


@pytest.mark.parametrize(("was", "now"), OTHER_RECORDS.values(), ids=OTHER_RECORDS)
def test_another_record_is_told_with_both_texts(was, now):
    found = difference(was, now)
    assert found
    for name, parts in (was, now):
        assert not parts or " | ".join(parts) in found.text, name


@pytest.mark.parametrize(("was", "now"), SAME_RECORDS.values(), ids=SAME_RECORDS)
def test_what_changes_by_itself_is_the_same_record(was, now):
    assert difference(was, now) is None


def test_where_records_differ_by_their_numbers_alone_these_count():
    prices = row("Gate", "3.20"), row("Gate", "3.10")
    assert difference(*prices) is None
    found = difference(*prices, row("Gate", "3.10"))
    assert found
    assert not found.may_tick
    days = ("12", ()), ("17", ())
    assert difference(*days, ("13", ()))


def test_what_a_button_is_called_may_tick():
    ann, bob = (("Follow", (name, "Follow")) for name in ("Ann", "Bob"))
    block = "Block", ("Ann", "Follow")
    found = difference(block, ("Block", ("Ann", "Following")), ann, bob)
    assert found
    assert found.may_tick
    name = "Close", ("OR-2", "Close")  # a button that has the name
    assert difference(name, ("Close", ("OR-1", "Close")), ("OR-2", ("OR-2", "Close")))


def test_the_number_of_a_row_is_no_part_of_its_record():
    rows = [row(str(n), f"OR-{n}") for n in (1, 2)]
    assert difference(rows[1], row("1", "OR-2"), rows[0]) is None
    assert difference(rows[1], row("1", "OR-1"), rows[0])
    assert difference(row("2", "Open"), row("1", "Open"), row("1", "Open"))


def test_what_may_tick_is_said():
    viewers = difference(row("Ann", "Viewers 1203"), row("Ann", "Viewers 1204"))
    assert viewers
    assert viewers.may_tick
    status = row("build-7", "compiles"), row("build-7", "links")
    assert (difference(*status) or viewers).may_tick
    alike = difference(*status, row("build-7", "waits"))
    assert alike
    assert not alike.may_tick


def test_outside_of_records_the_heading_counts():
    nothing = ("Close", ())
    found = difference(nothing, nothing, heading=("OR-2", "OR-1"))
    assert found
    assert found.text == ("[0] button “Close” stood under “OR-2” and now stands under “OR-1”")
    assert difference(nothing, nothing, heading=("Inbox (3)", "Inbox (4)")) is None
    assert difference(nothing, nothing, heading=("", "New")) is None
