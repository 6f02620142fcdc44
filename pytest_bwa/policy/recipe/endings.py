"""How a sample is recognised that a model would fail: by a page on which it failed others. Pure.

A page counts only if two samples were failed on one like it, in the same way: they were not found,
or may not be seen, and another page is there instead of their own. It may then differ in nothing
that could say more of the sample: the server's answer, the texts that name the sample and the
alerts must be the same, and it must be unlike the right page in the same parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pytest_bwa.policy.recipe.compiling import merged_page
from pytest_bwa.policy.recipe.parameters import ANYTHING, fits
from pytest_bwa.policy.recipe.places import PageLook
from pytest_bwa.policy.recipe.recipe import (
    EndingKind,
    EndingRecipe,
    Misfit,
    WayRecipe,
)
from pytest_bwa.policy.recipe.shape import CONFIRMED
from pytest_bwa.policy.recipe.sketch import Sketch
from pytest_bwa.policy.recipe.walk import SamplePages

_OTHER_PAGE = frozenset({"status", "address", "heading"})
"""One of these must differ: else it may be the sample's own page, with something missing."""
_ENDED: Mapping[EndingKind, str] = {
    "not_found": "{} were not found on such a page",
    "access_denied": "{} were denied access on such a page",
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
            for ending in self._endings(failed)
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
                why = next(page.pages.misfits(self._way.pages[ending.steps], page.look))[1]
                return Ended(ending.outcome, f"{why}; {others}")
        return None

    def _fits(self, ending: EndingRecipe, page: EndedPage) -> bool:
        look, own = page.look, ending.page
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
        columns = frozenset(look.sure_columns(page.pages.columns))
        return look.status, self._unlike(page), columns, look.own_texts, look.alerts

    def _unlike(self, page: EndedPage) -> tuple[Misfit, ...]:
        meant = self._way.pages[page.number]
        return tuple(part for part, _ in page.pages.misfits(meant, page.look))

    def _endings(self, failed: Sequence[tuple[Sketch, EndedPage]]) -> Iterator[EndingRecipe]:
        groups: dict[tuple[object, ...], list[tuple[Sketch, EndedPage]]] = {}
        for sketch, page in failed:
            key = (sketch.ending, page.number, *self._signature(page))
            groups.setdefault(key, []).append((sketch, page))
        for group in groups.values():
            sketch, page = group[0]
            unlike = self._unlike(page)
            if len(group) < CONFIRMED or _OTHER_PAGE.isdisjoint(unlike):
                continue
            if sketch.ending is None or sketch.ending == "other":
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


def _page(sketch: Sketch, number: int) -> EndedPage:
    return EndedPage(number, sketch.pages, sketch.looks[number])


def _says_something(ending: EndingRecipe) -> bool:
    """Whether its address and its heading do; a server that has no such page says it by its
    answer."""
    is_refused = "status" in ending.unlike
    return is_refused or ANYTHING not in (ending.page.address, ending.page.heading)
