"""How a sample is recognised that does not exist: by the page that is there instead. Pure.

Such a page counts only if two samples ended on one like it, and a model said of both that they were
not found. It may then differ in nothing that could say more of the sample: the server's answer, the
texts that name the sample and the alerts must be the same, and it must be unlike the right page in
the same parts.
"""

from __future__ import annotations

from collections.abc import Sequence

from pytest_bwa.evidence.places.value_place import ReadablePage
from pytest_bwa.place_identity import title_of
from pytest_bwa.recipe.groups import steps_of
from pytest_bwa.recipe.lesson import Lesson
from pytest_bwa.recipe.parameters import ANYTHING, fits, plain_address
from pytest_bwa.recipe.places import alerts_of, merged_page, own_texts, shown_columns
from pytest_bwa.recipe.recipe import EndingRecipe, PageRecipe, WayRecipe
from pytest_bwa.recipe.walk import SamplePages

CONFIRMED = 2
"""Samples that must have ended on such a page."""
_OTHER_PAGE = frozenset({"status", "address", "heading"})
"""One of these must differ: else it may be the sample's own page, with something missing."""


def compile_endings(way: WayRecipe, lessons: Sequence[Lesson]) -> tuple[EndingRecipe, ...]:
    """The endings that these lessons teach; ``way`` is the first one. Where a model had values on a
    page like those on which it found nothing, the page is no ending."""
    groups: dict[tuple[object, ...], list[Lesson]] = {}
    for lesson in lessons:
        number = len(lesson.visits) - 1
        is_on_the_way = number < len(way.pages) and steps_of(lesson) == [
            page.step for page in way.pages[:number]
        ]
        if lesson.is_not_found and is_on_the_way:
            pages = SamplePages(lesson.columns, lesson.own_host, "")
            key = (number, *signature(way.pages[number], pages, lesson.pages[number]))
            groups.setdefault(key, []).append(lesson)
    confirmed = (group for group in groups.values() if len(group) >= CONFIRMED)
    endings = [_ending(way, group) for group in confirmed]
    found = [lesson for lesson in lessons if not lesson.is_not_found]
    return tuple(
        ending
        for ending in endings
        if _is_other_page(ending) and not any(_fits_lesson(ending, way, le) for le in found)
    )


def signature(meant: PageRecipe, pages: SamplePages, readable: ReadablePage) -> tuple[object, ...]:
    """What must be the same on every page of one ending; ``meant`` is the page that should be
    there."""
    return (
        readable.page.http_status,
        tuple(part for part, _ in pages.misfits(meant, readable)),
        frozenset(shown_columns(readable.page, pages.columns)),
        frozenset(own_texts(readable, pages.columns)),
        frozenset(alerts_of(readable.page, pages.columns)),
    )


def why_not_found(
    endings: Sequence[EndingRecipe],
    way: WayRecipe,
    number: int,
    pages: SamplePages,
    readable: ReadablePage,
) -> str:
    """Why the sample does not exist, if the page is one of the endings; else empty. Raises KeyError
    for a column that the sample does not have."""
    for ending in endings:
        if ending.steps == number and _fits(ending, way, pages, readable):
            _, why = next(pages.misfits(way.pages[number], readable))
            others = " and ".join(ending.learnt_from[:CONFIRMED])
            return f"{why}; {others} were not found on such a page"
    return ""


def _ending(way: WayRecipe, lessons: Sequence[Lesson]) -> EndingRecipe:
    number, first = len(lessons[0].visits) - 1, lessons[0]
    pages = SamplePages(first.columns, first.own_host, "")
    unlike = tuple(part for part, _ in pages.misfits(way.pages[number], first.pages[number]))
    return EndingRecipe(
        learnt_from=tuple(lesson.sample_id for lesson in lessons),
        steps=number,
        status=first.visits[number].page.http_status,
        unlike=unlike,
        page=merged_page(number, lessons),
    )


def _is_other_page(ending: EndingRecipe) -> bool:
    """Whether its address and its heading say something; a server that has no such page says it
    by its answer."""
    is_refused = "status" in ending.unlike
    says_something = ANYTHING not in (ending.page.address, ending.page.heading)
    return bool(_OTHER_PAGE & set(ending.unlike)) and (is_refused or says_something)


def _fits(ending: EndingRecipe, way: WayRecipe, pages: SamplePages, readable: ReadablePage) -> bool:
    own, page = ending.page, readable.page
    expected = (
        ending.status, ending.unlike,
        frozenset(own.shows), frozenset(own.own_texts), frozenset(own.alerts),
    )  # fmt: skip
    if signature(way.pages[ending.steps], pages, readable) != expected:
        return False
    address = plain_address(page.url, pages.own_host)
    return fits(own.address, address, pages.address_columns) and fits(
        own.heading, title_of(page), pages.columns
    )


def _fits_lesson(ending: EndingRecipe, way: WayRecipe, lesson: Lesson) -> bool:
    if ending.steps >= len(lesson.visits):
        return False
    pages = SamplePages(lesson.columns, lesson.own_host, "")
    return _fits(ending, way, pages, lesson.pages[ending.steps])
