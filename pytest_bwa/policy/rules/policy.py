"""The policy without a model: reads what pages label, follows what promises more, never guesses.

It keeps nothing between turns: what it did is in the history, what it found in ``collected``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from pytest_bwa.policy.base import ModelHelpers, Turn
from pytest_bwa.policy.rules import forms, pagination
from pytest_bwa.policy.rules.error_pages import closed
from pytest_bwa.policy.rules.fields import Reading, read
from pytest_bwa.policy.rules.links import best_link, way_back
from pytest_bwa.policy.rules.proposal import Proposal
from pytest_bwa.policy.rules.screenshots import last_picture, open_labels, picture, sought_labels
from pytest_bwa.policy.rules.search import entry, search
from pytest_bwa.policy.rules.subject_matching import contradiction, own_part, unconfirmed
from pytest_bwa.steps import Action, Decision, Step

MAX_WAITS = 3
MIN_SECONDS = 5.0  # less than this left: finish with what is there
_TO_LOG_IN = re.compile(
    r"\b(?:please|must|need to|have to) (?:be )?(?:log(?:ged)?|sign(?:ed)?)[ -]?in\b", re.I
)
_NO_MORE = frozenset({"done", "fail"})


class RulesPolicy:
    """Deterministic: the same turn always gives the same decision."""

    name = "rules"
    model = ""
    reads_labelled_values = True
    helpers = ModelHelpers()

    def decide(self, turn: Turn) -> Decision:
        form = forms.wanted(turn.task)  # its answer need not name the sample
        seen = turn.observation if form else own_part(turn)
        reading = read(turn.task, turn.sample, seen)
        for move in self._moves(turn, reading, form=form):
            if move is None:
                continue
            name = move[0].action
            if name in _NO_MORE if _closing(turn) else turn.allows(name):
                intent = move[2] if len(move) == 3 else ""
                return Decision((move[0],), thinking=move[1], intent=intent)
        raise AssertionError("unreachable: the last move gives up, which is always allowed")

    def close(self) -> None:
        """Holds nothing open."""

    def _moves(self, turn: Turn, reading: Reading, *, form: bool) -> Iterator[Proposal]:
        """What to do, the most pressing first; each is asked only if those before have nothing."""
        yield _wait_for_content(turn)
        if form and forms.submitted(turn):
            yield forms.next_move(turn)  # whatever the answer is: never submit twice
        yield from closed(turn, reading)
        if walk := pagination.wanted(turn):
            yield pagination.next_move(turn, walk)
        if form:
            yield forms.next_move(turn)
        yield picture(turn, reading)
        if not form:
            if not _answers(turn, reading):
                yield search(turn)
            yield contradiction(turn)
        doubt = "" if form else unconfirmed(turn)
        if not doubt:
            yield from _finish(turn, reading, complete=True)
        onward = self._onward(turn, reading, form=form)
        if onward is not None:
            yield None if doubt else _keep(turn, reading)
            yield onward
        if doubt:
            yield Action(action="fail", note=doubt), "It may be anyone's page."
        yield from _finish(turn, reading, complete=False)
        yield _keep(turn, reading)
        yield _give_up(turn, reading)

    def _onward(self, turn: Turn, reading: Reading, *, form: bool) -> Proposal:
        """Two steps are kept for the picture and the ending."""
        if turn.max_steps - turn.step < 2:
            return None
        labels = sought_labels(turn)
        missing = bool(_missing(turn, reading) or labels)
        wanted = [*_open_fields(turn, reading), *labels]
        own = entry(turn) if wanted and not form else None
        onward = own or best_link(turn, wanted, pressing=missing)
        return onward or (way_back(turn) if missing and not form else None)


def _closing(turn: Turn) -> bool:
    """The last step, or as good as the last."""
    late = turn.seconds_left is not None and turn.seconds_left < MIN_SECONDS
    return late or turn.step >= turn.max_steps


def _in_a_row(turn: Turn, action: str) -> int:
    """How often ``action`` was just repeated on this page; what the loop did of its own between
    is passed over."""
    own = [step for step in turn.history if step.intent != "recovery"]
    return sum(1 for _ in takewhile(lambda step: step.action == action, reversed(own)))


def _wait_for_content(turn: Turn) -> Proposal:
    seen = turn.observation
    if seen.busy and seen.picture_text is None and _in_a_row(turn, "wait") < MAX_WAITS:
        return Action(action="wait"), "The page is still loading."
    return None


# -- what is known ---------------------------------------------------------------------------


def _values(turn: Turn, reading: Reading) -> dict[str, Any]:
    """What is known with this page; what an earlier page said stands, "none" included."""
    return {**reading.values, **turn.collected}


def _open_fields(turn: Turn, reading: Reading) -> list[str]:
    known = _values(turn, reading)
    return [name for name in turn.task.output_schema if name not in known]


def _missing(turn: Turn, reading: Reading) -> list[str]:
    known = _values(turn, reading)
    return [name for name in turn.task.required_fields if known.get(name) is None]


def _answers(turn: Turn, reading: Reading) -> bool:
    """Whether this page is the one that was looked for."""
    required = turn.task.required_fields or list(turn.task.output_schema)
    return any(name in reading.by_label for name in required)


def _keep(turn: Turn, reading: Reading) -> Proposal:
    fresh = {k: v for k, v in reading.values.items() if k not in turn.collected}
    if not fresh:
        return None
    note = f"read on {turn.observation.title or turn.observation.url}"
    action = Action(action="save_progress", extracted=fresh, note="; ".join([note, *reading.notes]))
    return action, "What this page tells is kept before leaving it."


# -- endings ---------------------------------------------------------------------------------


def _finish(turn: Turn, reading: Reading, *, complete: bool) -> Iterator[Proposal]:
    """``done`` when nothing is open, or, with ``complete=False``, when all that is required is
    there and no page promises the rest. On the last step it is asked for even so: what this page
    shows is kept then, for a person to look at."""
    known = _values(turn, reading)
    last_chance = turn.step >= turn.max_steps and any(v is not None for v in known.values())
    if _missing(turn, reading) and (complete or not last_chance):
        return
    if complete and _open_fields(turn, reading):
        return
    if _refused_done(turn) and turn.step < turn.max_steps:
        return
    yield last_picture(turn)
    if complete and open_labels(turn):
        return
    extracted = {name: known.get(name) for name in turn.task.output_schema}
    judgment = None
    if turn.task.judgment_required:
        judgment = {
            "answer": "inconclusive",
            "confidence": 0.0,
            "reasoning": "The rules policy reads pages; it does not judge them.",
            "evidence_refs": list(turn.screenshots),
        }
    unseen = [name for name in _open_fields(turn, reading) if name not in reading.left]
    notes = [*reading.notes, *([f"not seen on any page: {', '.join(unseen)}"] if unseen else [])]
    seen = "Not all" if _missing(turn, reading) else "All"
    note = "; ".join(notes) or None
    action = Action(action="done", extracted=extracted, judgment=judgment, note=note)
    yield action, f"{seen} that is required was seen."


def _refused_done(turn: Turn) -> Step | None:
    """The done that was refused, as long as nothing but saving was done since: it would be refused
    again."""
    last = next((s for s in reversed(turn.history) if s.action != "save_progress"), None)
    return last if last is not None and last.action == "done" else None


def _give_up(turn: Turn, reading: Reading) -> Proposal:
    known, missing = _values(turn, reading), _missing(turn, reading)
    absent = [name for name in missing if name not in known]
    none = [name for name in missing if name in known]
    refused = _refused_done(turn)
    parts = [f"not seen on any page: {', '.join(absent)}"] if absent else []
    parts += [f"the page says that there is none: {', '.join(none)}"] if none else []
    if not missing:
        parts.append((refused.error if refused else None) or "what done asks for was not seen")
    if any(s.startswith("password") for e in turn.observation.elements for s in e.states):
        parts.append("the page asks for a password")
    elif _TO_LOG_IN.search(turn.observation.text):
        parts.append("the page asks to log in")
    found = [k for k, v in known.items() if v is not None]
    parts += [f"seen: {', '.join(found)}"] if found else []
    note = "; ".join([*parts, *reading.notes])
    return Action(action="fail", note=note), "No page promises what is missing."
