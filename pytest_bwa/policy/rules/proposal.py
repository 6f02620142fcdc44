"""What a part of the rules policy would do next: an action, and why."""

from __future__ import annotations

from typing import NamedTuple

from pytest_bwa.policy.base import Turn
from pytest_bwa.steps.step import Action, Element, FailKind, Intent


class Proposal(NamedTuple):
    """An action, and why, as a sentence for the log."""

    action: Action
    why: str
    intent: Intent = ""
    """What it is for, if a later decision depends on it."""


def goto(url: str | None, why: str, intent: Intent = "") -> Proposal:
    return Proposal(Action(action="goto", url=url), why, intent)


def click(element: Element, why: str, intent: Intent = "") -> Proposal:
    return Proposal(Action(action="click", selector=str(element.index)), why, intent)


def screenshot(label: str, why: str) -> Proposal:
    return Proposal(Action(action="screenshot", label=label), why)


def wait(why: str, text: str | None = None) -> Proposal:
    """For a text to be visible; without one, for the page to settle."""
    return Proposal(Action(action="wait", selector=text), why)


def fail(note: str, kind: FailKind = "other", source: int | str | None = None) -> Proposal:
    """``source`` is the line that says so."""
    action = Action(action="fail", note=note, kind=kind, source=source)
    return Proposal(action, "There is no answer.")


def count(turn: Turn, intent: Intent) -> int:
    """How often something was done with this intent."""
    return sum(step.intent == intent for step in turn.history)
