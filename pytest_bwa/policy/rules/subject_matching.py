"""Whose page this is: what a sample is called, and what on a page is its own.

A sample with an address is on its page. One without is only where its name is: what a list or its
first entry labels beside it is somebody else's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import unquote_plus

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.label_matching import words
from pytest_bwa.policy.rules.proposal import Proposal
from pytest_bwa.policy.rules.urls import parts_of, split
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Action, LabelledValue, Observation

NOT_ITS_NAME = frozenset({"url", "xfail"})
_LIST_ROLES = frozenset({"link", "row", "cell", "gridcell", "listitem", "option", "textbox"})
_LIST_ROLES |= {"searchbox", "combobox"}


def name_of(task: TaskSpec, sample: Sample) -> str:
    """What the sample is called on pages, or empty: its column ``name``, the first of input_schema,
    or what the goal speaks of, the sample_id before other columns."""
    columns = {"sample_id": sample.sample_id, **sample.columns}
    spoken = [k for k, v in columns.items() if len(v.strip()) > 1 and holds(task.goal, v.strip())]
    for key in ("name", *task.input_schema, *spoken):
        if key not in NOT_ITS_NAME and (value := columns.get(key, "").strip()):
            return value
    return ""


def holds(text: str, mark: str) -> bool:
    """Whether ``mark`` stands in the text, not only as a part of a word."""
    return bool(re.search(rf"(?<!\w){re.escape(mark)}(?!\w)", text, re.I))


def speaks_of(text: str, name: str) -> bool:
    """Whether the text names it: "Garcia, Maria" is Maria Garcia, but of BUG-102 every part must
    stand in its place."""
    given, said = words(name), words(text)
    if not any(w.isalpha() for w in given):
        return holds(text, name)
    if any(c.isdigit() for c in name):
        return any(said[n : n + len(given)] == given for n in range(len(said) - len(given) + 1))
    return set(given) <= set(said)


# -- rows of tables, cards of lists --------------------------------------------------------------


def rows_of(sample: Sample, rows: Sequence[str], name: str) -> list[str]:
    """Those that hold most of the sample's values, its ``name`` if one is given; none where no row
    holds any."""
    marks = [v for k, v in sample.columns.items() if k not in NOT_ITS_NAME]
    named = [row for row in rows if speaks_of(row, name)] if name else rows
    held = {row: sum(_marks(row, mark) for mark in marks) for row in named}
    most = max(held.values(), default=0)
    return [row for row in named if held[row] == most] if most else []


def _marks(row: str, mark: str) -> bool:
    """A short mark, #2 or DE, must be a whole cell; a short number may be anything."""
    if len(mark) > 2:
        return holds(row, mark)
    return not mark.isdigit() and mark in row.split(" | ")


def row_name(task: TaskSpec, sample: Sample, seen: Observation) -> str:
    """What the sample's own row on this page must name; empty where the page itself is the
    sample's, so that its rows are told apart by something else."""
    name = name_of(task, sample)
    listed = len({v.row for v in seen.labelled if v.row}) > 1
    return "" if not listed or name.isdigit() or is_named(seen, name) else name


def rows_by_address(observation: Observation) -> dict[str | None, str]:
    """The rows of tables and the cards of lists, by what they link to."""
    return {v.url: v.row for v in observation.labelled if v.row and v.url and v.value}


# -- pages ---------------------------------------------------------------------------------------


def is_named(seen: Observation, name: str) -> bool:
    """Whether the page speaks of ``name`` otherwise than in a list."""
    rows = {v.row for v in seen.labelled if v.row}
    said = [seen.title, unquote_plus(seen.url)]
    said += [e.name for e in seen.elements if e.role not in _LIST_ROLES]
    said += [v.value for v in seen.labelled if v.kind != "link" and not (v.row and len(rows) > 1)]
    return any(speaks_of(text, name) for text in said)


def is_listed(seen: Observation, name: str) -> bool:
    """Whether ``name`` stands anywhere on the page, in a list too."""
    said = [e.name for e in seen.elements]
    said += [text for v in seen.labelled for text in (v.value, v.row or "")]
    return any(speaks_of(text, name) for text in said) or holds(seen.text, name)


def own_part(turn: Turn) -> Observation:
    """The page without the labelled values that are not certainly this sample's."""
    seen, name = turn.observation, _name_to_prove(turn)
    if not name or is_named(seen, name):
        return seen
    own = tuple(v for v in seen.labelled if v.row and speaks_of(v.row, name))
    return replace(seen, labelled=own)


def _name_to_prove(turn: Turn) -> str:
    """What a page must name before it counts; empty where it is certain, or nothing could be."""
    name = name_of(turn.task, turn.sample)
    return "" if name.isdigit() or is_certain(turn) else name


def is_certain(turn: Turn) -> bool:
    """Whether the page is the sample's whatever stands on it: by its address, or by the choice
    that led to it."""
    return bool(turn.sample.url) or _names_it_first(turn) or was_chosen(turn)


def was_chosen(turn: Turn) -> bool:
    """Whether this page was opened by the sample's name, or reached from one that was, and not by
    way of the list again."""
    chosen = [n for n, step in enumerate(turn.history) if step.intent == "open_match"]
    if not chosen:
        return False
    since = {step.url for step in turn.history[chosen[-1] + 1 :]} | {turn.observation.url}
    return not since & {step.url for step in turn.history[: chosen[-1] + 1]}


def _names_it_first(turn: Turn) -> bool:
    """Whether the address that was opened first names the sample; "hr" may be anybody's path, and
    the 1 of a report's address is not ticket #1."""
    first = turn.history[0].params.get("url", "") if turn.history else ""
    parts = split(first)
    address = unquote_plus(f"{parts.path} {parts.query}")
    values = [v.strip() for k, v in turn.sample.columns.items() if k not in NOT_ITS_NAME]
    telling = [v for v in values if len(v) > 3 or (len(v) > 1 and any(c.isdigit() for c in v))]
    return any(speaks_of(address, value) for value in telling)


def led_up(turn: Turn) -> str:
    """Why this is not the page that was asked for, or empty: a site that has it no longer leads to
    its list or its front page instead."""
    landed = {*(step.url for step in turn.history[1:]), turn.observation.url}
    if not turn.history or len(landed) > 1:
        return ""
    asked, got = turn.history[0].params.get("url", ""), turn.observation.url
    whole, rest = parts_of(asked)[1:], parts_of(got)[1:]
    lost = whole[len(rest) :]
    if not lost or rest != whole[: len(rest)]:
        return ""
    values = {words(v) for v in (turn.sample.sample_id, name_of(turn.task, turn.sample)) if v}
    if not any(c.isdigit() for c in "".join(lost)) and not values & {words(p) for p in lost}:
        return ""
    return f"not found: {asked} leads to {got}"


def unconfirmed(turn: Turn) -> str:
    """Why what is shown may not be the sample's at all, or empty: a sample without an address of
    its own whose name neither this page has nor one that something was kept from."""
    name = _name_to_prove(turn)
    if not name or turn.collected:
        return ""
    if is_named(turn.observation, name) or is_listed(turn.observation, name):
        return ""
    return f'not found: nothing that was seen names "{name}"'


def contradiction(turn: Turn) -> Proposal:
    """A page that was chosen by name, but is not the sample's by another of its columns."""
    if not was_chosen(turn):
        return None
    for column, value in other_columns(turn).items():
        shown = [v.value for v in turn.observation.labelled if _tells(v, column)]
        if shown and not any(_alike(value, text) for text in shown):
            note = f'ambiguous: the page found says {column} "{shown[0]}", the list "{value}"'
            return Action(action="fail", note=note), "It may be someone else of the same name."
    return None


def _tells(value: LabelledValue, column: str) -> bool:
    labels = value.kind not in ("link", "heading", "input")
    return bool(value.value) and labels and set(words(column)) <= set(words(value.label))


def _alike(one: str, other: str) -> bool:
    a, b = set(words(one)), set(words(other))
    return a <= b or b <= a


def other_columns(turn: Turn) -> dict[str, str]:
    """The sample's columns that may tell namesakes apart."""
    name = name_of(turn.task, turn.sample)
    return {
        k: v.strip()
        for k, v in turn.sample.columns.items()
        if k not in ("sample_id", "name", *NOT_ITS_NAME) and v.strip() not in ("", name)
    }
