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

from pytest_bwa.policy.recipe.compiling import merged_page
from pytest_bwa.policy.recipe.parameters import ANYTHING, fits
from pytest_bwa.policy.recipe.places import PageLook
from pytest_bwa.policy.recipe.recipe import (
    ON_ITS_OWN_PAGE,
    EndingKind,
    EndingRecipe,
    Misfit,
    WayRecipe,
)
from pytest_bwa.policy.recipe.shape import CONFIRMED
from pytest_bwa.policy.recipe.sketch import Repeated, Sketch
from pytest_bwa.policy.recipe.walk import SamplePages

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


@dataclass(frozen=True, slots=True)
class EndedPage:
    """The page on which a sample may have ended: the how manieth, and what is there."""

    number: int
    pages: SamplePages
    look: PageLook
    repeated: Repeated
    """The fields whose labels it has too often, where it is the sample's own page."""


class Endings:
    """The pages of one way on which samples were failed."""

    def __init__(self, way: WayRecipe) -> None:
        self._way = way

    def compiled(self, sketches: Sequence[Sketch]) -> tuple[EndingRecipe, ...]:
        """The endings that these samples teach. Where a model had values on a page like those on
        which it failed others, or failed it in another way, the page is no ending."""
        failed = [(s, self._last(s)) for s in sketches if s.ending and self._is_on_the_way(s)]
        return tuple(
            ending
            for ending in (*self._instead(failed), *self._contradicting(failed))
            if not any(
                self._fits(ending, _page(s, ending.steps))
                for s in sketches
                if s.ending != ending.outcome and ending.steps < len(s.looks)
            )
        )

    def _is_on_the_way(self, sketch: Sketch) -> bool:
        number = len(sketch.looks) - 1
        steps = [page.step for page in self._way.pages[:number]]
        return number < len(self._way.pages) and list(sketch.steps) == steps

    def _last(self, sketch: Sketch) -> EndedPage:
        return _page(sketch, len(sketch.looks) - 1)

    def end_of(self, endings: Sequence[EndingRecipe], page: EndedPage) -> Ended | None:
        """How the sample ends, if the page is one of the endings. Raises KeyError for a column that
        the sample does not have."""
        for ending in endings:
            if ending.steps == page.number and self._fits(ending, page):
                others = _ENDED[ending.outcome].format(" and ".join(ending.learnt_from[:CONFIRMED]))
                return Ended(ending.outcome, f"{self._why(ending, page)}; {others}")
        return None

    def _why(self, ending: EndingRecipe, page: EndedPage) -> str:
        if ending.repeated:
            labels = {places[0].name: None for places in ending.repeated.values()}
            return f"the page has {_quoted(labels)} more often than any page before it"
        return next(page.pages.misfits(self._way.pages[ending.steps], page.look))[1]

    def _fits(self, ending: EndingRecipe, page: EndedPage) -> bool:
        look, own = page.look, ending.page
        if ending.repeated:
            are_there = all(page.repeated.get(name) == ps for name, ps in ending.repeated.items())
            return are_there and look.controls <= set(ending.controls)
        expected = (
            ending.status, ending.unlike,
            frozenset(own.shows), frozenset(own.own_texts), frozenset(own.alerts),
        )  # fmt: skip
        return (
            self._signature(page) == expected
            and fits(own.address, look.address, page.pages.address_columns)
            and fits(own.heading, look.heading, page.pages.columns)
        )

    def _signature(self, page: EndedPage) -> tuple[object, ...]:
        """What must be the same on every page of one ending."""
        look = page.look
        misfits = page.pages.misfits(self._way.pages[page.number], look)
        unlike: tuple[Misfit, ...] = tuple(part for part, _ in misfits)
        columns = frozenset(look.sure_columns(page.pages.columns))
        return look.status, unlike, columns, look.own_texts, look.alerts

    # -- another page instead of the sample's own ----------------------------------------------

    def _instead(self, failed: Sequence[tuple[Sketch, EndedPage]]) -> Iterator[EndingRecipe]:
        groups: dict[tuple[object, ...], list[tuple[Sketch, EndedPage]]] = {}
        for sketch, page in failed:
            key = (sketch.ending, page.number, *self._signature(page))
            groups.setdefault(key, []).append((sketch, page))
        for group in groups.values():
            sketch, page = group[0]
            misfits = page.pages.misfits(self._way.pages[page.number], page.look)
            unlike: tuple[Misfit, ...] = tuple(part for part, _ in misfits)
            is_other = bool(_OTHER_PAGE & set(unlike))
            if len(group) < CONFIRMED or sketch.ending in (None, ON_ITS_OWN_PAGE) or not is_other:
                continue
            ending = EndingRecipe(
                outcome=sketch.ending,
                learnt_from=tuple(one.sample_id for one, _ in group),
                steps=page.number,
                status=page.look.status,
                unlike=unlike,
                page=merged_page(page.number, [one for one, _ in group]),
            )
            if _says_something(ending):
                yield ending

    # -- the sample's own page, which contradicts itself ---------------------------------------

    def _contradicting(self, failed: Sequence[tuple[Sketch, EndedPage]]) -> Iterator[EndingRecipe]:
        """The endings on pages that have labels more often than the sample's own page should. Each
        is made of the two samples that had the fewest labels too often: a page that has others too
        often besides is recognised all the same."""
        groups: dict[tuple[object, ...], list[tuple[Sketch, EndedPage]]] = {}
        for sketch, page in failed:
            if sketch.ending == ON_ITS_OWN_PAGE and page.repeated:
                key = (page.number, next(iter(page.repeated.items())))
                groups.setdefault(key, []).append((sketch, page))
        for group in groups.values():
            by_number = sorted(group, key=lambda one: len(one[1].repeated))
            for (first, page), (second, other) in combinations(by_number, CONFIRMED):
                if not _are_alike(page.repeated, other.repeated):
                    continue
                yield EndingRecipe(
                    outcome=ON_ITS_OWN_PAGE,
                    learnt_from=(first.sample_id, second.sample_id),
                    steps=page.number,
                    repeated={**page.repeated, **other.repeated},
                    controls=tuple(sorted(page.look.controls | other.look.controls)),
                    page=merged_page(page.number, [first, second]),
                )
                break


def _page(sketch: Sketch, number: int) -> EndedPage:
    repeated = sketch.repeated[number] if number < len(sketch.repeated) else {}
    return EndedPage(number, sketch.pages, sketch.looks[number], repeated)


def _says_something(ending: EndingRecipe) -> bool:
    """Whether its address and its heading do; a server that has no such page says it by its
    answer."""
    is_refused = "status" in ending.unlike
    return is_refused or ANYTHING not in (ending.page.address, ending.page.heading)


def _are_alike(first: Repeated, second: Repeated) -> bool:
    """Whether labels that both have too often stand at the same places."""
    return all(first[name] == second[name] for name in first.keys() & second.keys())


def _quoted(labels: Collection[str]) -> str:
    *before, last = (f"“{label}”" for label in labels)
    return f"{', '.join(before)} and {last}" if before else last
