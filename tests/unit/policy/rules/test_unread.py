"""Sentences and choices beside a record, which may say that a value is another one."""

from __future__ import annotations

from typing import Any

import pytest
from rules_audit import Audit, control, page, value

from pytest_bwa.steps.step import Box, Element, LabelledValue, Observation, Place

TITLE = "Crate CR-88"
LINE = 30  # pixels


def line(number: int, *, x: int = 0, width: int = 400) -> Box:
    return Box(x=x, y=number * LINE, width=width, height=LINE - 10)


def text(name: str, at: int, role: str = "text", **more: Any) -> Element:
    more.setdefault("place", Place(headings=(TITLE,)))
    return control(at, role, name, box=line(at), **more)


def stated(label: str, shown: str, at: int) -> list[Element | LabelledValue]:
    """A label with its value, as text and as what the page labels."""
    place = {"headings": (TITLE,), "box": line(at)}
    return [text(f"{label} {shown}", at), value(label, shown, **place)]


def weight(seen: Observation) -> Any:
    audit = Audit({"weight": "integer | null"}, asked="/crates/88", sample_id="CR-88")
    return audit.read(seen).values.get("weight")


def crate(*before: Element, behind: tuple[Element, ...] = (), title: str = TITLE) -> Observation:
    record = [*stated("Weight", "62", 3), *stated("Hall", "North", 4)]
    seen = page("/crates/88", TITLE, *before, *record, *behind)
    return Observation(**{**_fields(seen), "title": title})


def _fields(seen: Observation) -> dict[str, Any]:
    return {name: getattr(seen, name) for name in seen.__dataclass_fields__}


def test_a_record_with_nothing_beside_it_is_read():
    assert weight(crate()) == 62


@pytest.mark.parametrize(
    ("note", "is_doubted"),
    [
        ("All weights in lb.", True),
        ("重量はすべてポンドです。", True),
        ("Edit", False),
        ("3 crates more", False),
        ("Hall North", False),
    ],
)
def test_a_sentence_right_below_the_record_may_say_more_of_it(note, is_doubted):
    seen = crate(behind=(text(note, 5),))
    assert (weight(seen) is None) is is_doubted


def test_a_line_with_a_label_is_a_part_of_the_record_if_more_of_it_follows():
    stated_below = stated("Team", "Core", 6)
    line_above = (text("At work since: 2019", 5), value("At work since", "2019", "text"))
    seen = page("/crates/88", TITLE, *stated("Weight", "62", 3), *line_above, *stated_below)
    assert weight(seen) == 62


def test_the_reason_quotes_the_sentence():
    audit = Audit({"weight": "integer | null"}, asked="/crates/88", sample_id="CR-88")
    reading = audit.read(crate(behind=(text("All weights in lb.", 5),)))
    assert reading.doubted == {"weight": 62}
    assert reading.open["weight"] == "the page says beside it: “All weights in lb.”"


@pytest.mark.parametrize(
    "behind",
    [
        (text("Ann weighed it again today", 5, place=Place(headings=(TITLE, "Activity"))),),
        (text("Ann weighed it again today", 5, place=Place(regions=("contentinfo",))),),
        (text("Ann weighed it again today", 5, "link"),),
    ],
)
def test_what_is_apart_from_the_record_says_nothing_of_it(behind):
    assert weight(crate(behind=behind)) == 62


def test_a_sentence_in_another_column_says_nothing_of_it():
    beside = text("All weights in lb.", 5)
    far = control(5, "text", beside.name, box=line(5, x=600), place=beside.place)
    assert weight(crate(behind=(far,))) == 62


@pytest.mark.parametrize(
    ("note", "is_doubted"),
    [
        ("As it was on 1 January 2015", True),
        ("All weights in lb.", True),
        ("CR-88 · weighed in the hall", False),
        ("CR-88 was weighed by another.", True),
        ("Weighed by Ann", False),
    ],
)
def test_a_sentence_right_above_the_record_may_say_more_of_it(note, is_doubted):
    assert (weight(crate(text(note, 1))) is None) is is_doubted


def test_a_long_sentence_may_have_links_and_stand_above_a_box_that_repeats_the_title():
    old = text("This is an old weight of this crate, as Ann wrote it at noon in the hall", 1)
    links = text("Ann", 1, "link"), text("hall", 1, "link")
    assert weight(crate(old, *links, text(TITLE, 2, "row"))) is None


def test_its_own_label_as_a_heading_parts_no_value_from_a_sentence():
    written = text("Weight 62", 3)
    apart = value("Weight", "62", headings=(TITLE, "Weight"), box=line(3))
    seen = page("/crates/88", TITLE, text("All of it is an unsaved draft", 1), written, apart)
    assert weight(seen) is None
    assert weight(page("/crates/88", TITLE, written, apart)) == 62


@pytest.mark.parametrize(
    ("note", "more", "is_doubted"),
    [
        ("You are offline. This is a copy", {}, True),
        ("This is revision 4. Open the last one", {}, True),
        ("Viewing the crate as a guest", {}, False),  # as the name and the motto of a site
        ("You are offline.", {}, False),
        ("CR-88 is a copy. It may be old.", {}, True),
        ("You are offline. This is a copy", {"regions": ("banner",)}, False),
        ("You are offline. This is a copy", {"frame": "map"}, False),
        ("You are offline. This is a copy", {"at": 2}, False),
    ],
)
def test_sentences_above_the_title_may_say_what_the_page_is(note, more, is_doubted):
    place = Place(regions=more.get("regions", ()), frame=more.get("frame", ""))
    above = text(note, more.get("at", 0), more.get("role", "text"), place=place)
    menu = text("Crates", 0, "link", place=Place())
    seen = crate(above, menu, text(TITLE, 1, "heading", place=Place()))
    assert (weight(seen) is None) is is_doubted


def test_what_stands_under_a_longer_label_is_no_part_of_the_shorter_one():
    seen = crate(behind=(text("Print", 5, "button"), *stated("Weight of the lid", "58", 6)))
    assert weight(seen) == 62


def test_a_sentence_with_the_confirmation_is_what_the_user_waits_for():
    spec = {"read_only": False, "submit": "Send", "confirmation": "was booked"}
    seen = crate(text("Crate 88 was booked on 3 May.", 1))
    audit = Audit({"weight": "integer | null"}, asked="/crates/88", sample_id="CR-88", spec=spec)
    assert weight(seen) is None
    assert audit.read(seen).values == {"weight": 62}


def test_what_the_page_is_about_is_no_sentence_about_its_values():
    seen = crate(behind=(text("Close the valve first", 5),), title="Close the valve first · CR-88")
    assert weight(seen) == 62
