"""Choosing a day in a calendar that a page draws itself, without a model: a field that cannot be
typed into, a month with its year, days as buttons, and a way to the months around."""

from __future__ import annotations

import re
from datetime import date

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.proposal import Proposal
from pytest_bwa.steps import Action, Element

MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
MAX_CLICKS = 30  # two years of months, and some
_SHOWN = re.compile(rf"\b({'|'.join(MONTHS)})\s+(\d{{4}})\b", re.I)
_LATER, _EARLIER = re.compile(r"\bnext\b", re.I), re.compile(r"\bprev(?:ious)?\b", re.I)
_PRESSED = frozenset({"button", "clickable", "link"})


def pick_day(turn: Turn, element: Element, value: str) -> Proposal:
    """The next click towards the day; None where the field holds it, or the value is no date."""
    try:
        wanted = date.fromisoformat(value)
    except ValueError:
        return None
    if (element.value or "") == value:
        return None
    clicks = [s for s in turn.history if s.action == "click" and s.url == turn.observation.url]
    if len(clicks) >= MAX_CLICKS:
        note = f'the calendar of "{element.name}" does not reach {value}'
        return Action(action="fail", note=note), "A form that is not filled is not submitted."
    shown = _month_shown(turn)
    if shown is None:
        action = Action(action="click", selector=str(element.index))
        return action, f"{element.name} opens a calendar."
    if shown != (wanted.year, wanted.month):
        way = _LATER if shown < (wanted.year, wanted.month) else _EARLIER
        return _click(turn, way, f"The calendar shows another month than {value}.")
    return _click(turn, re.compile(rf"^{wanted.day}$"), f"Choose {value}.")


def _month_shown(turn: Turn) -> tuple[int, int] | None:
    for element in turn.observation.elements:
        if found := _SHOWN.fullmatch(element.name.strip()):
            return int(found[2]), MONTHS.index(found[1].casefold()) + 1
    return None


def _click(turn: Turn, name: re.Pattern[str], why: str) -> Proposal:
    for element in turn.observation.elements:
        if element.role in _PRESSED and name.search(element.name.strip()):
            return Action(action="click", selector=str(element.index)), why
    return None
