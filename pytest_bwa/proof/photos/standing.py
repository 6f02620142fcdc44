"""In which elements of a page a text stands. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pytest_bwa.facts.fact import Fact
from pytest_bwa.facts.text_match import words
from pytest_bwa.proof.observed import Look, Observed
from pytest_bwa.steps.step import Box, ElementRef

MAX_BETWEEN = 3
"""Elements between two parts of a line that say nothing of it, such as the names of icons."""


def standings(fact: Fact, look: Look, observed: Observed) -> list[list[Fact]]:
    """Where a fact may stand: in one of these, each with the elements that make it up. A text of no
    known element stands in those that have it, or else in several that have its parts, one after
    the other. Empty if that is not known."""
    if fact.element is not None:
        return [[fact]]
    around = [[o] for o in look.facts if o.is_of_element and fact.text in o.text]
    if around or fact.kind != "text":
        return around
    return _in_parts(fact, look, observed)


def elements_of(
    facts: Sequence[Fact], state: str, observed: Observed
) -> dict[ElementRef, Box | None]:
    """The elements, each with its box, in which the first of these facts stands of which that is
    known, in this state of the page."""
    for fact in facts:
        for look in observed.looks_with(fact):
            if look.state == state and (places := standings(fact, look, observed)):
                return {part.element: part.box for part in places[0] if part.element}
    return {}


def _in_parts(line: Fact, look: Look, observed: Observed) -> list[list[Fact]]:
    """Each place of a line; a part is the nearest before the next one that has its words."""
    wanted = words(line.text)
    begins = (fact for fact in observed.with_words(wanted[:1]) if fact in look.order)
    found: dict[Fact, list[Fact]] = {}
    for begin in sorted(map(look.order.__getitem__, begins)):
        if parts := _run(wanted, look.facts[begin:]):
            found[parts[-1]] = parts
    return list(found.values())


def _run(wanted: Sequence[str], following: Iterable[Fact]) -> list[Fact]:
    """The elements that have the words of a line, from the first one on; empty if these do not."""
    parts, done, between = list[Fact](), 0, 0
    for fact in following:
        if fact.kind != "element" or fact.element is None:
            continue
        own = words(fact.text)
        if own and own == wanted[done : done + len(own)]:
            parts, done, between = [*parts, fact], done + len(own), 0
        elif not parts or (between := between + 1) > MAX_BETWEEN:
            break
        if done == len(wanted):
            return parts
    return []
