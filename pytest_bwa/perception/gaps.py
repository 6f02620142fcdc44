"""Where the list of a page leaves something out in between. Pure.

Without a mark there, what follows a gap is taken for a part of what stands before it: the second
row of a ticket for that of another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from pytest_bwa.perception.prune import CONTENT, Node, counted
from pytest_bwa.steps import ElementRef


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
