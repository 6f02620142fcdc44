"""What records' pages say without a label, each with where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_bwa.facts.page import is_in_own_region
from pytest_bwa.policy.base import Turn
from pytest_bwa.steps.step import Element, Observation
from pytest_bwa.steps.text import label_key

MAX_SHOWN = 12
_ROLES = frozenset({"heading", "text", "listitem", "status", "note"})


@dataclass(frozen=True, slots=True)
class Unlabelled:
    """A text, what it is (a heading, a text …), and the heading above it."""

    text: str
    role: str
    heading: str


def unlabelled(turns: Sequence[Turn]) -> list[Unlabelled]:
    """The texts of the first page that are no value of a label and, where more pages are given, do
    not stand on all of them."""
    first, *others = [turn.observation for turn in turns]
    on_all = [{element.name for element in page.all_elements} for page in others]
    found = {
        e.name: Unlabelled(e.name, e.role, next(reversed(e.place.headings), ""))
        for e in _texts(first)
        if not others or not all(e.name in names for names in on_all)
    }
    return list(found.values())[:MAX_SHOWN]


def _texts(page: Observation) -> list[Element]:
    pairs = [f"{v.label} {v.value}" for v in page.labelled if v.kind != "heading"]
    known = "__".join(label_key(pair) for pair in pairs)
    return [
        e for e in page.all_elements
        if e.role in _ROLES and is_in_own_region(e.place) and not e.place.frame
        and not e.place.record and (key := label_key(e.name)) and f"_{key}_" not in f"_{known}_"
    ]  # fmt: skip
