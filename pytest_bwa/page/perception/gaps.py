"""What the list of a page leaves out, in between and in all. Pure.

Without a mark there, what follows a gap is taken for a part of what stands before it: the second
row of a ticket for that of another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from pytest_bwa.page.perception.prune import Node, icon_of
from pytest_bwa.steps.step import ElementRef
from pytest_bwa.steps.text import one_line

MAX_KINDS = 6  # kinds of elements that are named when some are not listed
CONTENT = ("row", "heading", "text")
"""What of the page's content is named first, where it is not listed."""
MAX_NAMED = 8  # links of the navigation whose names stand in the line of what is not listed
MAX_NAME = 30  # characters
_LANDMARKS = {
    "navigation": " in the navigation",
    "banner": " in the page's header",
    "contentinfo": " in the page's footer",
}


def gaps_in(nodes: Sequence[Node], listed: Collection[ElementRef]) -> Mapping[ElementRef, str]:
    """For the first listed node behind each gap, what of the page's content is missing there. What
    is missing before the first one and behind the last one says the line below the list."""
    found: dict[ElementRef, str] = {}
    missing: Counter[str] = Counter()
    is_between = False
    for node in nodes:
        if node.ref in listed:
            if missing and is_between:
                found[node.ref] = ", ".join(counted(n, role) for role, n in missing.items())
            is_between = True
            missing.clear()
        elif node.role in CONTENT and not node.landmark:
            missing[node.role] += 1
    return found


def behind_line(behind: int) -> str:
    """One line for the whole page behind an open dialog; empty if there is none."""
    return f"… {behind} elements of the page behind the dialog are not listed." if behind else ""


def cut_line(nodes: Sequence[Node], listed: Collection[ElementRef], unread: int) -> str:
    """One line that says how many nodes are listed and what kinds are not; empty if all are."""
    missing = [node for node in nodes if node.ref not in listed]
    if not missing and not unread:
        return ""
    kinds = sorted(Counter(map(_kind, missing)).most_common(), key=_order_of_kind)[:MAX_KINDS]
    parts = [counted(number, *kind) + _names(missing, kind) for kind, number in kinds]
    rest = len(missing) - sum(number for _, number in kinds)
    parts += [f"{rest + unread} others"] if rest + unread else []
    below = sum(not node.in_viewport for node in missing) + unread
    where = f", {below} of them out of view" if below else ""
    total = len(nodes) + unread
    ways = "Scroll, or find a text," if below else "Find a text"
    return (
        f"{len(nodes) - len(missing)} of {total} elements. Not listed{where}: {', '.join(parts)}. "
        f"{ways} to reach them."
    )


def _names(missing: Sequence[Node], kind: tuple[str, str]) -> str:
    """The names of a few links of the navigation: they may be the tabs of the record."""
    if kind != ("link", _LANDMARKS["navigation"]):
        return ""
    links = [node for node in missing if _kind(node) == kind]
    names = dict.fromkeys(icon_of(n) or f'"{one_line(n.name, MAX_NAME)}"' for n in links)
    return f" ({', '.join(names)})" if len(names) <= MAX_NAMED else ""


def _kind(node: Node) -> tuple[str, str]:
    return node.role, _LANDMARKS.get(node.landmark, "")


def _order_of_kind(counted: tuple[tuple[str, str], int]) -> tuple[bool, int]:
    """The content before what all pages of a site have."""
    (role, where), _ = counted
    return where != "", CONTENT.index(role) if role in CONTENT else len(CONTENT)


def counted(number: int, role: str, where: str = "") -> str:
    """``43 links in the navigation``."""
    role = "table row" if role == "row" else role
    plural = "" if number == 1 else "es" if role.endswith(("x", "ch", "s")) else "s"
    return f"{number} {role}{plural}{where}"
