"""The identity of a place: found again wherever it moved, and never mistaken for another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_bwa.facts.address import address_pattern
from pytest_bwa.facts.identity import PlaceNotFound, find, identity_of
from pytest_bwa.steps.observation import Box, Element, Observation, Place
from pytest_bwa.steps.place_identity import PlaceIdentity

TITLE = "Ticket BUG-7"


def button(
    name: str, *headings: str, at: int = 0, role: str = "button", **place: object
) -> Element:
    where = Place(headings=(TITLE, *headings), regions=("main",))
    return Element(
        index=at,
        ref=(0, at),
        role=role,
        name=name,
        box=Box(0, at * 20, 80, 20),
        place=replace(where, **place),  # type: ignore[arg-type]
    )


def page(*elements: Element, title: str = TITLE) -> Observation:
    heading = Element(90, (0, 90), "heading", title, states=("level=1",), box=Box(0, 0, 9, 9))
    return Observation("https://shop.test/7", "", elements=(heading, *elements))


def reason(identity: PlaceIdentity, present: Observation, *given: str) -> str:
    with pytest.raises(PlaceNotFound) as caught:
        find(identity, present, given)
    return str(caught.value)


def recorded(element: Element, *others: Element) -> PlaceIdentity:
    return identity_of(element, page(element, *others))


def test_it_survives_json():
    identity = recorded(button("Approve", "Review"))
    assert PlaceIdentity.model_validate_json(identity.model_dump_json()) == identity


def test_a_moved_element_is_found_and_its_number_does_not_matter():
    identity = recorded(button("Approve", "Review", at=1), button("Reject", "Review", at=2))
    moved = button("Approve", "Review", at=8)
    assert find(identity, page(button("Reject", "Review", at=1), moved)) is moved
    into_form = button("Approve", "Review", at=3, regions=("main", "form"))
    assert find(identity, page(into_form)) is into_form


def test_an_element_without_a_number_is_found_too():
    identity = recorded(button("Approve", "Review", at=1))
    unlisted = replace(button("Approve", "Review", at=1), index=-1)
    assert find(identity, replace(page(), unlisted=(unlisted,))) is unlisted


@pytest.mark.parametrize(
    ("present", "why"),
    [
        ([], "the button “Approve” under “Review” is not on the page"),
        (
            [button("Approve it", "Review")],
            "the button “Approve” under “Review” is not on the page",
        ),
        ([button("Approve", "Review", role="link")], "is not on the page"),
        ([button("Approve", "Billing")], "one of that name stands under “Billing”"),
        ([button("Approve")], f"one of that name stands under “{TITLE}”"),
        ([button("Approve", "Review", regions=("main", "dialog"))], "is not on the page"),
        ([button("Approve", "Review", frame="https://ads.test/x")], "is not on the page"),
        ([button("Approve", "Review", record="Ann | Approve")], "is not on the page"),
        (
            [button("Approve", "Review", at=1), button("Approve", "Review", at=2)],
            "is on the page 2 times, and one was expected: it is not certain which one is meant",
        ),
    ],
)
def test_another_one_is_never_taken(present, why):
    assert why in reason(recorded(button("Approve", "Review")), page(*present))


def test_equals_are_told_apart_by_their_order_only_if_all_are_still_there():
    first, second, third = (button("Remove", "Basket", at=n) for n in (1, 2, 3))
    identity = recorded(second, first, third)
    assert (identity.ordinal, identity.equals) == (2, 3)
    assert find(identity, page(third, second, first)) is second
    assert "2 times, and 3 were expected" in reason(identity, page(first, second))
    assert "once, and 3 were expected" in reason(identity, page(first))


def test_equals_without_a_name_are_never_told_apart_by_their_order():
    icons = [button("", "Basket", at=n) for n in (1, 2)]
    assert "the button without a name" in reason(recorded(*icons), page(*icons))
    assert find(recorded(icons[0]), page(icons[1])) is icons[1]


def test_what_stands_in_the_content_is_not_found_around_it():
    identity = recorded(button("Next", at=1))
    there = button("Next", at=1, regions=("navigation",))
    assert "is not on the page" in reason(identity, page(there))
    both = page(there, button("Next", at=2))
    assert find(identity, both).ref == (0, 2)


def row(name: str, at: int, number: str = "") -> list[Element]:
    record = " | ".join(filter(None, (number, name, "open", "Edit")))
    place = {"record": record}
    return [
        button(record, "Tickets", at=at, role="row", **place),
        button(name, "Tickets", at=at + 1, role="link", **place),
        button("Edit", "Tickets", at=at + 2, **place),
    ]


def test_a_row_is_known_by_what_it_is_called_wherever_it_stands():
    ann, bob = row("Ann", 10), row("Bob", 20)
    identity = identity_of(bob[2], page(*ann, *bob))
    assert (identity.record, identity.equals) == ("Bob", 1)
    moved = row("Bob", 5)
    assert find(identity, page(*moved, *ann)) is moved[2]
    assert "the button “Edit” in the row “Bob”" in reason(identity, page(*ann))


def test_the_number_of_a_row_is_no_name():
    identity = identity_of(row("Bob", 20, "2")[2], page(*row("Ann", 10, "1"), *row("Bob", 20, "2")))
    sorted_anew = page(*row("Bob", 10, "1"), *row("Ann", 20, "2"))
    assert "is not on the page" in reason(identity, sorted_anew)


def test_the_title_of_the_page_may_change_but_not_lose_the_sample():
    identity = recorded(button("Approve", "Review"))
    assert identity.is_titled
    other = "Ticket BUG-7 (2 comments)"
    there = button("Approve", headings=(other, "Review"))
    assert find(identity, page(there, title=other), ["BUG-7"]) is there
    foreign = button("Approve", headings=("Ticket BUG-8", "Review"))
    assert "is not on the page" in reason(identity, page(foreign, title="Ticket BUG-8"), "BUG-7")


def test_a_frame_is_known_by_the_pattern_of_its_address():
    frame = "http://127.0.0.1:4711/widget/8f3a?session=1#x"
    identity = recorded(button("Pay", frame=frame))
    assert identity.frame == "127.0.0.1/widget/*"
    again = button("Pay", frame="http://127.0.0.1:9999/widget/77b1")
    assert find(identity, page(again)) is again
    assert "is not on the page" in reason(identity, page(button("Pay")))
    assert address_pattern("https://shop.test/a/", "https://shop.test/7") == "/a"
    assert address_pattern("about:srcdoc") == "about:srcdoc"
    assert address_pattern("http://[broken") == ""
