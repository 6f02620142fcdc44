"""Chooses which nodes of a page are included in the prompt. Nothing here needs a browser.

Hidden, nameless and presentational nodes are already left out inside the page, by page.js, because
moving a node out of the page costs more than judging it there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_bwa.paging import is_paging
from pytest_bwa.steps import INTERACTIVE_ROLES, Place

MAX_NODES = 120
ALWAYS_KEPT = INTERACTIVE_ROLES | {"heading", "dialog", "alertdialog", "status", "alert"}


@dataclass(frozen=True, slots=True)
class Node:
    """One element as page.js describes it; ``ref`` is (document, number inside it)."""

    ref: tuple[int, int]
    role: str
    name: str
    value: str | None
    states: tuple[str, ...]
    url: str | None
    box: tuple[float, float, float, float]
    in_viewport: bool
    """At least partly inside the viewport."""
    landmark: str
    """navigation, banner or contentinfo if the element is in such a block, else empty."""
    place: Place
    note: str
    cut: bool
    """Whether the name or the value is only the beginning of what the page has."""
    lines: str = ""
    """The name with its line breaks, where a person sees them; else empty."""
    behind: bool = False
    """Whether an open dialog covers it."""

    @classmethod
    def read(cls, document: int, raw: dict[str, Any], place: Place) -> Node:
        """From the JSON object of page.js."""
        note = [f'note="{raw["note"]}"'] if raw["note"] else []
        level = [f"level={raw['level']}"] if raw["level"] else []
        x, y, width, height = raw["box"]
        return cls(
            ref=(document, raw["number"]),
            role=raw["role"],
            name=raw["name"],
            value=raw["value"],
            states=(*raw["states"], *level, *note),
            url=raw["url"],
            box=(x, y, width, height),
            in_viewport=raw["in_viewport"],
            landmark=raw["landmark"],
            place=place,
            note=raw["note"] or "",
            cut=raw["cut"],
            lines=raw.get("lines", ""),
            behind=raw.get("behind", False),
        )


def choose(
    nodes: Sequence[Node], keywords: Iterable[str], max_nodes: int = MAX_NODES
) -> list[Node]:
    """At most ``max_nodes`` nodes, in page order.

    Navigation, banner and footer blocks are left out, except tabs, search boxes, paging and what
    matches a keyword. If too many nodes remain, those that match a keyword come first, then those
    in the viewport, then those that can be acted on, then the page's own order.
    """
    matches = _matcher(keywords)
    kept = [n for n in nodes if not n.landmark or _is_kept_in_landmark(n, matches)]
    if len(kept) <= max_nodes:
        return kept
    ranked = sorted(
        range(len(kept)),
        key=lambda i: (
            not matches(kept[i]),
            not kept[i].in_viewport,
            kept[i].role not in ALWAYS_KEPT,
            i,
        ),
    )
    return [kept[i] for i in sorted(ranked[:max_nodes])]


def _is_kept_in_landmark(node: Node, matches: Any) -> bool:
    return matches(node) or node.role in ("tab", "searchbox") or is_paging(node.name)


def _matcher(keywords: Iterable[str]) -> Any:
    words = [re.escape(k.strip()) for k in keywords if k.strip()]
    if not words:
        return lambda node: False
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(words) + r")", re.I)
    return lambda node: bool(
        pattern.search(node.name) or (node.value and pattern.search(node.value))
    )


def behind_line(behind: int) -> str:
    """One line for the whole page behind an open dialog; empty if there is none."""
    return f"… {behind} elements of the page behind the dialog are not listed." if behind else ""


def cut_line(total: int, listed: int, out_of_view: int) -> str:
    """One line that says how many nodes were left out; empty if none were."""
    if listed >= total:
        return ""
    where = f", {out_of_view} of them out of view" if out_of_view else ""
    way = "scroll, or find" if out_of_view else "find"
    return f"… {total - listed} more elements are not listed{where}: {way} a text to reach them."
