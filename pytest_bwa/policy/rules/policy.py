"""The policy without a model: a strict reader, sure or silent.

It keeps nothing between turns: what it did is in the history, what it found in ``collected``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any

from pytest_bwa.policy.base import ModelHelpers, Turn
from pytest_bwa.policy.rules import forms, listing
from pytest_bwa.policy.rules.discovery import collect
from pytest_bwa.policy.rules.endings import done, end_of_closed_page, label_of_page
from pytest_bwa.policy.rules.explore import look_further
from pytest_bwa.policy.rules.fields import Reading, is_vague, read
from pytest_bwa.policy.rules.proposal import Proposal, fail, screenshot, wait
from pytest_bwa.policy.rules.search import find_subject, open_match, other_of_its_name
from pytest_bwa.policy.rules.subject import Subject, has_name, subject_of
from pytest_bwa.policy.rules.subject_matching import contradiction, is_own_page
from pytest_bwa.steps import Action, Decision

MAX_WAITS = 3
_REFUSED = "done was refused because "


class RulesPolicy:
    """Deterministic: the same turn always gives the same decision."""

    name = "rules"
    model = ""
    reads_labelled_values = True
    helpers = ModelHelpers()

    def decide(self, turn: Turn) -> Decision:
        """The first proposal that is allowed now."""
        allowed = (p for p in _proposals(turn) if turn.allows(p.action.action))
        action, why, intent = next(allowed)  # the last proposal is fail, which is always allowed
        return Decision((action,), thinking=why, intent=intent)

    def close(self) -> None:
        """Holds nothing open."""


def _proposals(turn: Turn) -> Iterator[Proposal]:
    """What to do, the most pressing first."""
    waits = [s for s in turn.history if s.action == "wait" and s.url == turn.observation.url]
    if turn.observation.busy and len(waits) < MAX_WAITS:
        yield wait("The page is still loading.")
    if turn.task.phase == "discovery":
        yield from collect.proposals(turn)
        return
    if forms.is_wanted(turn.task):
        yield from forms.proposals(turn)
        yield from _read_and_go_on(turn, Subject((), turn.observation.url))
        return
    subject = subject_of(turn)
    yield from end_of_closed_page(turn, subject)
    if items := listing.wanted(turn):
        yield from listing.proposals(turn, items)
        return
    if against := contradiction(turn, subject):
        yield fail(against)
    yield from _read_and_go_on(turn, subject)


def _read_and_go_on(turn: Turn, subject: Subject) -> Iterator[Proposal]:
    reading = read(turn.task, subject, turn.observation)
    is_own = is_own_page(subject, turn.observation)
    if (reading.values and not is_own) and (why := other_of_its_name(turn, subject)):
        yield fail(why)
    yield from _keep(turn, reading, label_of_page(turn) if is_own else None)
    if is_own and (further := look_further(turn, reading)):
        yield _remembering(further, reading)
    if reading.values and reading.open and not is_own and (match := open_match(turn, subject)):
        yield match  # its row in a list says only a part
    known, refused = {**reading.values, **turn.collected}, _refusals(turn)
    seen = [name for name, value in known.items() if value is not None]
    if doubted := [name for name in seen if any(has_name(why, name) for why in refused)]:
        yield _take_back(doubted, refused[-1])
    missing = [name for name in turn.task.required_fields if known.get(name) is None]
    if seen and not missing:
        if not any(step.action == "done" for step in turn.history[-1:]):
            yield done(turn, known, _notes(turn, reading, known))
    elif not is_own and not known:
        yield find_subject(turn, subject)
    yield fail(_why_not(turn, reading, known, refused))


def _remembering(proposal: Proposal, reading: Reading) -> Proposal:
    """A step to another page or tab, with what this one says of open fields."""
    located = [f"{name}: {why}" for name, why in reading.open.items() if not is_vague(why)]
    action = proposal.action.model_copy(update={"memory_update": "\n".join(located) or None})
    return proposal._replace(action=action)


def _notes(turn: Turn, reading: Reading, known: Mapping[str, Any]) -> list[str]:
    """Why fields have no value: what this page says of them, else what an earlier one said."""
    lines = "\n".join(step.memory_update or "" for step in turn.history).splitlines()
    earlier = {name: why for name, _, why in (line.partition(": ") for line in lines)}
    return [
        f"{name}: {earlier.get(name, why) if is_vague(why) else why}"
        for name, why in reading.open.items()
        if name not in known
    ]


def _keep(turn: Turn, reading: Reading, label: str | None) -> Iterator[Proposal]:
    """Save what was read, with a picture under the page's label, and take back what two pages
    contradict."""
    if fresh := {k: v for k, v in reading.values.items() if k not in turn.collected}:
        title = turn.observation.title
        note = f"read on the page “{title}”" if title else f"read on {turn.observation.url}"
        action = Action(action="save_progress", extracted=fresh, note=note, screenshot_label=label)
        yield Proposal(action, "What is certain is kept.")
    kept = {name: turn.collected.get(name) for name in reading.values}
    if taken_back := [n for n, v in kept.items() if v not in (None, reading.values[n])]:
        yield _take_back(
            taken_back, f"different values on different pages: {', '.join(taken_back)}"
        )
    if label:
        yield screenshot(label, "It shows what was asked for.")


def _take_back(names: Iterable[str], note: str) -> Proposal:
    action = Action(action="save_progress", extracted=dict.fromkeys(names), note=note)
    return Proposal(action, "What something speaks against is not certain.")


def _refusals(turn: Turn) -> list[str]:
    """Why ``done`` was refused since anything else was done, the first time first; without advice,
    which begins behind a quotation or in parentheses."""
    steps = [step for step in turn.history if step.action != "save_progress"]
    refused = list(takewhile(lambda step: step.action == "done", reversed(steps)))
    whys = ((step.error or _REFUSED).removeprefix(_REFUSED) for step in reversed(refused))
    return [re.split(r"(?<=[”\")])\. ", why)[0] or "done was refused" for why in whys]


def _why_not(turn: Turn, reading: Reading, known: dict[str, Any], refused: list[str]) -> str:
    parts = _notes(turn, reading, known) or refused[-1:] or ["nothing certain was found"]
    if found := [name for name, value in known.items() if value is not None]:
        parts.append(f"read: {', '.join(found)}")
    if heading := turn.observation.title:
        parts.append(f"the last page is “{heading}”")
    return "; ".join(parts)
