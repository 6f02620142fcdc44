"""Which of a page's nodes the model is shown: passes 3 and 4 of F-25, pure.

Passes 1 and 2 (nameless, hidden and presentational nodes; semantic roles) happen inside the page,
in page.js, because moving a node out of the page costs more than judging it there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_bwa.paging import is_paging
from pytest_bwa.steps import INTERACTIVE_ROLES

MAX_NODES = 120  # F-25
ALWAYS_KEPT = INTERACTIVE_ROLES | {"heading", "dialog", "alertdialog", "status", "alert"}


@dataclass(frozen=True, slots=True)
class Node:
    """What page.js says of one element; ``ref`` is (frame, number inside the frame)."""

    ref: tuple[int, int]
    role: str
    name: str
    value: str | None
    states: tuple[str, ...]
    url: str | None
    box: tuple[float, float, float, float]
    near: bool
    """At least partly inside the viewport."""
    landmark: str
    """navigation, banner or contentinfo, where it stands in such a block."""

    @classmethod
    def read(cls, frame: int, raw: dict[str, Any]) -> Node:
        more = [f'note="{raw["more"]}"'] if raw["more"] else []
        level = [f"level={raw['level']}"] if raw["level"] else []
        x, y, width, height = raw["box"]
        return cls(
            ref=(frame, raw["n"]),
            role=raw["role"],
            name=raw["name"],
            value=raw["value"],
            states=(*raw["states"], *level, *more),
            url=raw["url"],
            box=(x, y, width, height),
            near=raw["near"],
            landmark=raw["land"],
        )


def choose(nodes: Sequence[Node], keywords: Iterable[str], most: int = MAX_NODES) -> list[Node]:
    """At most ``most`` nodes, in page order.

    Whole navigation, banner and footer blocks go, but for what a keyword names, tabs and paging.
    Where too many are left: those that match keywords first, then what is in the viewport, then
    what can be acted on, then the page's own order.
    """
    matches = _matcher(keywords)
    kept = [n for n in nodes if not n.landmark or _wanted_in_landmark(n, matches)]
    if len(kept) <= most:
        return kept
    ranked = sorted(
        range(len(kept)),
        key=lambda i: (
            not matches(kept[i]),
            not kept[i].near,
            kept[i].role not in ALWAYS_KEPT,
            i,
        ),
    )
    return [kept[i] for i in sorted(ranked[:most])]


def _wanted_in_landmark(node: Node, matches: Any) -> bool:
    return matches(node) or node.role in ("tab", "searchbox") or is_paging(node.name)


def _matcher(keywords: Iterable[str]) -> Any:
    words = [re.escape(k.strip()) for k in keywords if k.strip()]
    if not words:
        return lambda node: False
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(words) + r")", re.I)
    return lambda node: bool(
        pattern.search(node.name) or (node.value and pattern.search(node.value))
    )


def cut_line(total: int, shown: int, below: int) -> str:
    """What was left out, in one line; empty if nothing was."""
    if shown >= total:
        return ""
    where = f", {below} of them out of view" if below else ""
    way = "scroll, or find" if below else "find"
    return f"… {total - shown} more elements are not listed{where}: {way} a text to reach them."
