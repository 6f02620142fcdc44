"""How well the page's elements describe the page; if they do not, a picture says more."""

from __future__ import annotations

from dataclasses import dataclass

MIN_SEMANTIC_NODES = 10


@dataclass(frozen=True, slots=True)
class PageCounts:
    """Numbers of elements in a page; hidden elements are not counted."""

    all: int = 0
    interactive: int = 0
    unnamed: int = 0
    """Interactive elements without any name."""
    canvas: int = 0
    svg: int = 0
    """SVG pictures without a name that are not part of a named element."""
    semantic: int = 0
    small_pictures: int = 0
    """Pictures of the content without a name that are too small to be listed."""

    def __add__(self, other: PageCounts) -> PageCounts:
        return PageCounts(
            self.all + other.all,
            self.interactive + other.interactive,
            self.unnamed + other.unnamed,
            self.canvas + other.canvas,
            self.svg + other.svg,
            self.semantic + other.semantic,
            self.small_pictures + other.small_pictures,
        )


def dom_confidence(counts: PageCounts) -> float:
    """1.0 − 0.3·canvas/total − 0.2·unnamed/interactive − 0.1·svg/interactive, and 0.3 less for a
    page with fewer than 10 semantic nodes; never below 0."""
    interactive = max(counts.interactive, 1)
    score = 1.0
    score -= 0.3 * counts.canvas / max(counts.all, 1)
    score -= 0.2 * counts.unnamed / interactive
    score -= 0.1 * counts.svg / interactive
    if counts.semantic < MIN_SEMANTIC_NODES:
        score -= 0.3
    return max(0.0, round(score, 3))
