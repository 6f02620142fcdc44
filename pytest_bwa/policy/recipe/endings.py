"""How a sample is recognised that a model would fail: by a page on which it failed others. Pure.

A page counts only if two samples were failed on one like it, in the same way. Where a sample was
not found, or may not be seen, another page is there instead of its own. It may then differ in
nothing that could say more of the sample: the server's answer, the texts that name the sample and
the alerts must be the same, and it must be unlike the right page in the same parts. Where a sample
was failed on its own page, that page must contradict itself: it has labels more often than any page
before it, at the very places where the pages of both samples have them, and is certain otherwise.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from pytest_bwa.facts.address import plain_address
from pytest_bwa.facts.page import only_heading
from pytest_bwa.facts.place import PageFacts
from pytest_bwa.policy.recipe.groups import steps_of
from pytest_bwa.policy.recipe.lesson import Lesson
from pytest_bwa.policy.recipe.parameters import ANYTHING, fits
from pytest_bwa.policy.recipe.places import (
    alerts_of,
    controls_of,
    merged_page,
    own_texts,
    shown_columns,
)
from pytest_bwa.policy.recipe.reading import FieldReader
from pytest_bwa.policy.recipe.recipe import (
    ON_ITS_OWN_PAGE,
    EndingKind,
    EndingRecipe,
    Misfit,
    PageRecipe,
    WayRecipe,
)
from pytest_bwa.policy.recipe.walk import SamplePages
from pytest_bwa.steps.place_identity import PlaceIdentity

CONFIRMED = 2
"""Samples that must have ended on such a page."""
_OTHER_PAGE = frozenset({"status", "address", "heading"})
"""One of these must differ: else it may be the sample's own page, with something missing."""
_ENDED: Mapping[EndingKind, str] = {
    "not_found": "{} were not found on such a page",
    "access_denied": "{} were denied access on such a page",
    "other": "{} failed for the same reason: a person must say which is right",
}


@dataclass(frozen=True, slots=True)
class Ended:
    """How a sample ends, and why."""

    kind: EndingKind
    why: str


class Endings:
    """The pages of one way on which samples were failed."""

    def __init__(self, way: WayRecipe, reader: FieldReader) -> None:
        self._way, self._reader = way, reader

    def compiled(self, lessons: Sequence[Lesson]) -> tuple[EndingRecipe, ...]:
        """The endings that these lessons teach. Where a model had values on a page like those on
        which it failed others, or failed it in another way, the page is no ending."""
        failed = [lesson for lesson in lessons if lesson.ending and self._is_on_the_way(lesson)]
        return tuple(
            ending
            for ending in (*self._instead(failed), *self._contradicting(failed))
            if not any(
                self._fits_lesson(ending, le) for le in lessons if le.ending != ending.outcome
            )
        )

    def _is_on_the_way(self, lesson: Lesson) -> bool:
        number = len(lesson.visits) - 1
        steps = [page.step for page in self._way.pages[:number]]
        return number < len(self._way.pages) and steps_of(lesson) == steps

    def end_of(
        self,
        endings: Sequence[EndingRecipe],
        number: int,
        pages: SamplePages,
        facts: PageFacts,
    ) -> Ended | None:
        """How the sample ends, if the page is one of the endings. Raises KeyError for a column that
        the sample does not have."""
        for ending in endings:
            if ending.steps == number and self._fits(ending, pages, facts):
                others = _ENDED[ending.outcome].format(" and ".join(ending.learnt_from[:CONFIRMED]))
                return Ended(ending.outcome, f"{self._why(ending, pages, facts)}; {others}")
        return None

    def _why(self, ending: EndingRecipe, pages: SamplePages, facts: PageFacts) -> str:
        if ending.repeated:
            labels = {places[0].name: None for places in ending.repeated.values()}
            return f"the page has {_quoted(labels)} more often than any page before it"
        return next(pages.misfits(self._way.pages[ending.steps], facts))[1]

    def _fits(self, ending: EndingRecipe, pages: SamplePages, facts: PageFacts) -> bool:
        meant = self._way.pages[ending.steps]
        if ending.repeated:
            repeated = self._repeated(meant, pages, facts)
            are_there = all(repeated.get(name) == ps for name, ps in ending.repeated.items())
            return are_there and controls_of(facts.page, pages.columns) <= set(ending.controls)
        own, page = ending.page, facts.page
        expected = (
            ending.status, ending.unlike,
            frozenset(own.shows), frozenset(own.own_texts), frozenset(own.alerts),
        )  # fmt: skip
        if signature(meant, pages, facts) != expected:
            return False
        address = plain_address(page.url, pages.own_host)
        return fits(own.address, address, pages.address_columns) and fits(
            own.heading, only_heading(page), pages.columns
        )

    def _fits_lesson(self, ending: EndingRecipe, lesson: Lesson) -> bool:
        if ending.steps >= len(lesson.visits):
            return False
        return self._fits(ending, _pages(lesson), lesson.pages[ending.steps])

    # -- another page instead of the sample's own ----------------------------------------------

    def _instead(self, failed: Sequence[Lesson]) -> Iterator[EndingRecipe]:
        groups: dict[tuple[object, ...], list[Lesson]] = {}
        for lesson in failed:
            number = len(lesson.visits) - 1
            page = self._way.pages[number]
            key = (lesson.ending, number, *signature(page, _pages(lesson), lesson.pages[number]))
            groups.setdefault(key, []).append(lesson)
        confirmed = (group for group in groups.values() if len(group) >= CONFIRMED)
        for group in confirmed:
            kind, unlike = group[0].ending, self._unlike(group[0])
            if kind in (None, ON_ITS_OWN_PAGE) or not _OTHER_PAGE & set(unlike):
                continue
            ending = _ending(kind, unlike, group)
            if _says_something(ending):
                yield ending

    def _unlike(self, lesson: Lesson) -> tuple[Misfit, ...]:
        number = len(lesson.visits) - 1
        misfits = _pages(lesson).misfits(self._way.pages[number], lesson.pages[number])
        return tuple(part for part, _ in misfits)

    # -- the sample's own page, which contradicts itself ---------------------------------------

    def _contradicting(self, failed: Sequence[Lesson]) -> Iterator[EndingRecipe]:
        """The endings on pages that have labels more often than the sample's own page should. Each
        is made of the two samples that had the fewest labels too often: a page that has others too
        often besides is recognised all the same."""
        groups: dict[tuple[object, ...], list[tuple[Lesson, _Repeated]]] = {}
        for lesson in failed:
            number = len(lesson.visits) - 1
            page, pages = self._way.pages[number], _pages(lesson)
            repeated = self._repeated(page, pages, lesson.pages[number])
            if lesson.ending == ON_ITS_OWN_PAGE and repeated:
                key = (number, next(iter(repeated.items())))
                groups.setdefault(key, []).append((lesson, repeated))
        for group in groups.values():
            pairs = combinations(sorted(group, key=lambda one: len(one[1])), CONFIRMED)
            if pair := next((two for two in pairs if _are_alike(*(r for _, r in two))), None):
                yield self._contradiction(*pair)

    def _contradiction(
        self, first: tuple[Lesson, _Repeated], second: tuple[Lesson, _Repeated]
    ) -> EndingRecipe:
        lessons = (first[0], second[0])
        number = len(lessons[0].visits) - 1
        controls = (controls_of(le.pages[number].page, le.columns) for le in lessons)
        return EndingRecipe(
            outcome=ON_ITS_OWN_PAGE,
            learnt_from=tuple(lesson.sample_id for lesson in lessons),
            steps=number,
            repeated={**first[1], **second[1]},
            controls=tuple(sorted(set.union(*controls))),
            page=merged_page(number, lessons),
        )

    def _repeated(self, meant: PageRecipe, pages: SamplePages, facts: PageFacts) -> _Repeated:
        """Where the labels stand that the page has too often, by field; empty if it is not the
        sample's own page, or is uncertain for another reason."""
        if any(pages.misfits(meant, facts)):
            return {}
        return self._reader.repeated(meant, facts, pages.columns)


_Repeated = Mapping[str, tuple[PlaceIdentity, ...]]


def signature(meant: PageRecipe, pages: SamplePages, facts: PageFacts) -> tuple[object, ...]:
    """What must be the same on every page of one ending; ``meant`` is the page that should be
    there."""
    return (
        facts.page.http_status,
        tuple(part for part, _ in pages.misfits(meant, facts)),
        frozenset(shown_columns(facts.page, pages.columns)),
        frozenset(own_texts(facts, pages.columns)),
        frozenset(alerts_of(facts.page, pages.columns)),
    )


def _pages(lesson: Lesson) -> SamplePages:
    return SamplePages(lesson.columns, lesson.own_host, "")


def _ending(
    kind: EndingKind, unlike: tuple[Misfit, ...], lessons: Sequence[Lesson]
) -> EndingRecipe:
    number = len(lessons[0].visits) - 1
    return EndingRecipe(
        outcome=kind,
        learnt_from=tuple(lesson.sample_id for lesson in lessons),
        steps=number,
        status=lessons[0].visits[number].page.http_status,
        unlike=unlike,
        page=merged_page(number, lessons),
    )


def _says_something(ending: EndingRecipe) -> bool:
    """Whether its address and its heading do; a server that has no such page says it by its
    answer."""
    is_refused = "status" in ending.unlike
    return is_refused or ANYTHING not in (ending.page.address, ending.page.heading)


def _are_alike(first: _Repeated, second: _Repeated) -> bool:
    """Whether labels that both have too often stand at the same places."""
    return all(first[name] == second[name] for name in first.keys() & second.keys())


def _quoted(labels: Collection[str]) -> str:
    *before, last = (f"“{label}”" for label in labels)
    return f"{', '.join(before)} and {last}" if before else last
