"""Rows as they are listed: each once, with the indices of the elements in it. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pytest_bwa.page.perception.prune import Node
from pytest_bwa.steps.step import INTERACTIVE_ROLES, ElementRef

_NUMBER = re.compile(r" ?\ufdd1(\d+)\ufdd2 ?")
"""How the page script marks the number of an element in the line of a row."""


def without_repeats(nodes: Sequence[Node]) -> list[Node]:
    """The nodes without what a row says twice (of the links to one address all but the one with the
    longest name, pictures that its text names), and with one node for neighbouring rows that are
    identical and have nothing to act on."""
    return _merge_rows(_without_equal_parts(nodes))


def _without_equal_parts(nodes: Sequence[Node]) -> list[Node]:
    rows = {node.ref for node in nodes if node.role == "row"}
    longest: dict[tuple[ElementRef, str], Node] = {}
    for node in nodes:
        if node.role == "link" and node.url and node.row is not None:
            key = (node.row, node.url)
            if key not in longest or len(node.name) > len(longest[key].name):
                longest[key] = node
    kept = []
    for node in nodes:
        if node.row in rows and node.row is not None:
            best = longest.get((node.row, node.url or ""), node)
            if node.role == "img" or (node.role == "link" and node is not best and not node.found):
                continue
        kept.append(node)
    return kept


def _merge_rows(nodes: Sequence[Node]) -> list[Node]:
    with_controls = {node.row for node in nodes if node.role in INTERACTIVE_ROLES}
    merged: list[Node] = []
    repeats = 1
    for node in nodes:
        last = merged[-1] if merged else None
        if last and node.ref not in with_controls and _is_same_row(last, node, repeats):
            repeats += 1
            merged[-1] = replace(last, states=(*_own_states(last, repeats - 1), f"×{repeats}"))
            continue
        merged.append(node)
        repeats = 1
    return merged


def _is_same_row(last: Node, node: Node, repeats: int) -> bool:
    return node.role == last.role == "row" and (
        node.name,
        node.line,
        node.states,
        node.landmark,
        node.place.headings,
    ) == (last.name, last.line, _own_states(last, repeats), last.landmark, last.place.headings)


def _own_states(merged: Node, repeats: int) -> tuple[str, ...]:
    return merged.states if repeats == 1 else merged.states[:-1]


def line_of_row(node: Node, indices: Mapping[ElementRef, int]) -> str:
    """The line of a row, with the indices of those of its elements that are listed."""
    if not node.line:
        return ""

    def index(mark: re.Match[str]) -> str:
        number = indices.get((node.ref[0], int(mark[1])))
        return " " if number is None else f" [{number}] "

    return _NUMBER.sub(index, node.line).strip()
