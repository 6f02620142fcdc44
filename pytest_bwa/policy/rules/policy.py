"""The policy without a model: a strict reader, sure or silent.

It keeps nothing between turns: what it did is in the history, what it found in ``collected``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pytest_bwa.policy.base import ModelHelpers, Turn
from pytest_bwa.policy.rules import collect, forms, listing
from pytest_bwa.policy.rules.endings import (
    done,
    end_of_closed_page,
    fail,
    last_pictures,
    picture,
)
from pytest_bwa.policy.rules.explore import look_further
from pytest_bwa.policy.rules.fields import Reading, read
from pytest_bwa.policy.rules.proposal import Proposal
from pytest_bwa.policy.rules.search import find_subject, open_match
from pytest_bwa.policy.rules.subject import (
    Subject,
    contradiction,
    is_own_page,
    subject_of,
)
from pytest_bwa.steps import Action, Decision

MAX_WAITS = 3
MIN_SECONDS = 5.0  # less than this left: finish with what is there
_FINAL = frozenset({"done", "fail"})


class RulesPolicy:
    """Deterministic: the same turn always gives the same decision."""

    name = "rules"
    model = ""
    reads_labelled_values = True
    helpers = ModelHelpers()

    def decide(self, turn: Turn) -> Decision:
        """The first proposal that is allowed now."""
        is_over = turn.step >= turn.max_steps or (
            turn.seconds_left is not None and turn.seconds_left < MIN_SECONDS
        )
        for proposal in _proposals(turn):
            if proposal.action.action == "fail" and not is_over and turn.allows("screenshot"):
                proposal = _picture_before(turn) or proposal
            name = proposal.action.action
            if name in _FINAL if is_over else turn.allows(name):
                action, why, intent = proposal
                return Decision((action,), thinking=why, intent=intent)
        raise AssertionError("unreachable: the last proposal is fail, which is always allowed")

    def close(self) -> None:
        """Holds nothing open."""


def _proposals(turn: Turn) -> Iterator[Proposal]:
    """What to do, the most pressing first."""
    waits = [s for s in turn.history if s.action == "wait" and s.url == turn.observation.url]
    if turn.observation.busy and len(waits) < MAX_WAITS:
        yield Proposal(Action(action="wait"), "The page is still loading.")
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
    if fresh := {k: v for k, v in reading.values.items() if k not in turn.collected}:
        if shot := picture(turn):
            yield shot
        title = turn.observation.title
        note = f"read on the page “{title}”" if title else f"read on {turn.observation.url}"
        action = Action(action="save_progress", extracted=fresh, note=note)
        yield Proposal(action, "What is certain is kept.")
    kept = {name: turn.collected.get(name) for name in reading.values}
    if taken_back := [n for n, v in kept.items() if v not in (None, reading.values[n])]:
        note = f"different values on different pages: {', '.join(taken_back)}"
        action = Action(action="save_progress", extracted=dict.fromkeys(taken_back), note=note)
        yield Proposal(action, "Two pages of the record contradict each other.")
    is_own, has_time = is_own_page(subject, turn.observation), turn.max_steps - turn.step > 2
    if is_own and has_time and (further := look_further(turn, reading)):
        yield further
    if reading.values and reading.open and not is_own and (match := open_match(turn, subject)):
        yield match  # its row in a list says only a part
    known = {**reading.values, **turn.collected}
    missing = [name for name in turn.task.required_fields if known.get(name) is None]
    if any(value is not None for value in known.values()) and not missing:
        if not _was_refused(turn):
            yield from last_pictures(turn)
            yield done(turn, known, reading.notes(known))
    elif not is_own and not known:
        yield find_subject(turn, subject)
    yield fail(_why_not(turn, reading, known))


def _picture_before(turn: Turn) -> Proposal | None:
    """A picture of what the sample failed on, unless one was tried."""
    here = turn.observation.url
    if any(s.action == "screenshot" and s.url == here for s in turn.history):
        return None
    return Proposal(Action(action="screenshot", label="no_answer"), "It shows why it failed.")


def _was_refused(turn: Turn) -> str:
    """Why the last ``done`` was refused, if nothing was done since: it would be refused again."""
    last = next((s for s in reversed(turn.history) if s.action != "save_progress"), None)
    return (last.error or "done was refused") if last and last.action == "done" else ""


def _why_not(turn: Turn, reading: Reading, known: dict[str, Any]) -> str:
    found = [name for name, value in known.items() if value is not None]
    parts = reading.notes(known) or [_was_refused(turn) or "nothing certain was found"]
    if found:
        parts.append(f"read: {', '.join(found)}")
    heading = turn.observation.title
    return "; ".join([*parts, f"the last page is “{heading}”"] if heading else parts)
