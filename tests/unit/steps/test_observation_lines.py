"""The lines by which the prompt shows a page."""

from __future__ import annotations

from pytest_bwa.steps.step import Element, Observation


def page(*elements: Element) -> list[str]:
    return Observation(url="http://x.org/", title="", elements=elements).lines()[:-1]


def test_the_days_of_a_calendar_share_one_line():
    days = [Element(n, (0, n), "clickable", str(n)) for n in range(1, 29)]
    days[9] = Element(10, (0, 10), "clickable", "10", states=("selected=true",))
    text, line = page(Element(0, (0, 0), "text", "May 2026"), *days)
    assert text == '[0] [text] "May 2026"'
    assert line.startswith('[1] [clickable] "1" [2] "2" [3] "3"')
    assert '[10] "10" (selected=true) [11] "11"' in line
    assert line.endswith('[28] "28"')


def test_months_share_one_line_too_and_longer_names_do_not():
    def lines(name: str) -> int:
        return len(page(*(Element(n, (0, n), "button", name) for n in range(12))))

    assert (lines("September"), lines("September 2026")) == (1, 12)


def test_a_few_small_buttons_keep_their_lines():
    buttons = [Element(n, (0, n), "button", str(n)) for n in range(6)]
    assert len(page(*buttons)) == 6


def test_a_button_that_its_row_names_is_not_listed_again():
    row = Element(0, (0, 0), "row", "Nut Save", row_line="Nut | [1] value=12 | [2] Save")
    field = Element(1, (0, 1), "textbox", "", value="12")
    save = Element(2, (0, 2), "button", "Save")
    link = Element(3, (0, 3), "link", "Save", url="http://x.org/save")
    lines = page(row, field, save, link)
    assert [line[:3] for line in lines] == ["[0]", "[1]", "[3]"]


def test_a_button_with_a_state_is_listed_although_its_row_names_it():
    row = Element(0, (0, 0), "row", "Nut", row_line="Nut | [1] Save")
    assert len(page(row, Element(1, (0, 1), "button", "Save", states=("disabled",)))) == 2


def test_a_day_that_is_not_chosen_is_not_listed_beside_its_row():
    row = Element(0, (0, 0), "row", "7 8", row_line="[1] 7 | [2] 8")
    days = [
        Element(1, (0, 1), "clickable", "7", states=("selected=false",)),
        Element(2, (0, 2), "clickable", "8", states=("selected=true",)),
    ]
    assert page(row, *days)[1:] == ['[2] [clickable] "8" (selected=true)']


def test_a_link_by_which_one_sorts_is_left_to_the_row_of_heads():
    row = Element(0, (0, 0), "row", "Status | Name", row_line="[1] Status | [2] Name | [3]")
    link = {"role": "link", "url": "http://x.org/?sort=1"}
    heads = [
        Element(1, (0, 1), name="Status activate to sort", states=("sort=none",), **link),
        Element(2, (0, 2), name="Name activate to sort", states=("sort=ascending",), **link),
        Element(3, (0, 3), name="activate to sort", states=("sort=none",), **link),
    ]
    assert [line[:3] for line in page(row, *heads)] == ["[0]", "[2]", "[3]"]
    in_a_row = Element(1, (0, 1), name="Status", **link)
    assert len(page(row, in_a_row)) == 2, "no head"
