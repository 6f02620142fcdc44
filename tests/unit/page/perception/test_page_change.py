"""What a prompt says about the parts of a page that are the same as at the last decision."""

from __future__ import annotations

from dataclasses import replace

from pytest_bwa.page.perception.page_change import PageChange
from pytest_bwa.steps.step import Element, Observation

PAGE = Observation(
    url="http://site.test/form",
    title="Form",
    elements=tuple(Element(n, (0, n), "textbox", f"Field {n}") for n in range(6)),
)


def with_value(page: Observation, number: int, value: str) -> Observation:
    elements = [replace(e, value=value) if e.index == number else e for e in page.elements]
    return replace(page, elements=tuple(elements))


def said(*pages: Observation) -> list[str]:
    change, texts = PageChange(), []
    for step, page in enumerate(pages, start=1):
        change.update(step, page)
        texts.append(change.text)
    return texts


def test_an_unchanged_page_says_since_when():
    typed = with_value(PAGE, 3, "Ada")
    assert said(PAGE, PAGE, PAGE, typed, typed) == [
        "",
        "Unchanged since step 1.",
        "Unchanged since step 1.",
        "Since step 3: [3] changed or new, the rest is the same.",
        "Unchanged since step 4.",
    ]


def test_another_page_and_a_page_that_lost_lines_say_nothing():
    other = replace(PAGE, url="http://site.test/other")
    shorter = replace(PAGE, elements=PAGE.elements[:4])
    longer = replace(PAGE, cut="(12 more elements are not listed)")
    for page in (other, shorter, longer):
        assert said(PAGE, page) == ["", ""]
    assert said(other, PAGE, PAGE)[-1] == "Unchanged since step 2."


def test_a_page_that_is_mostly_new_is_not_called_the_same():
    page = PAGE
    for number in range(4):
        page = with_value(page, number, "x")
    assert said(PAGE, page) == ["", ""]
