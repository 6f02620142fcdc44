"""The policy without a model: reads what pages label, follows what promises more, never guesses.

It keeps nothing between turns: what it did is in the history, what it found in ``collected``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pytest_bwa.policy import form_filling
from pytest_bwa.policy.following import best_link, search
from pytest_bwa.policy.policy import Turn
from pytest_bwa.policy.reading import Reading, read, words
from pytest_bwa.steps import Action, Decision

MOST_WAITS = 3
_NOT_FOUND = re.compile(
    r"\b404\b|not found|no such|does not exist|doesn.t exist|was (?:deleted|removed)|no longer",
    re.I,
)
_SIGN_IN = re.compile(
    r"^(?:please )?(?:sign|log) ?in\b|sign in to (?:see|view|continue)|log in to", re.I
)
_TOO_MANY = re.compile(r"too many requests|rate limit|\b429\b|slow down", re.I)

Move = tuple[Action, str] | None


class RulesPolicy:
    """Deterministic: the same turn always gives the same decision."""

    name = "rules"
    model = ""
    reads_labelled_values = True

    def decide(self, turn: Turn) -> Decision:
        reading = read(turn.task, turn.sample, turn.observation)
        for move in self._moves(turn, reading):
            if move is not None:
                action, why = move
                return Decision((action,), thinking=why)
        raise AssertionError("unreachable: the last move always gives up or finishes")

    def close(self) -> None:
        """Holds nothing open."""

    def _moves(self, turn: Turn, reading: Reading) -> Iterator[Move]:
        """What to do, the most pressing first; each is asked only if those before have nothing."""
        yield _wait_for_content(turn)
        yield _wait_out_a_refusal(turn)
        yield _stop_at_a_closed_door(turn)
        if form_filling.wanted(turn.task):
            yield form_filling.next_move(turn)
        yield _picture(turn)
        if not form_filling.wanted(turn.task):
            yield search(turn)
        yield _finish(turn, reading, complete=True)
        yield _keep(turn, reading)
        if turn.max_steps - turn.step > 1:
            yield best_link(turn, _open_fields(turn, reading))
        yield _finish(turn, reading, complete=False)
        yield _give_up(turn, reading)


def _headline(turn: Turn) -> str:
    headings = [e.name for e in turn.observation.elements if e.role == "heading"]
    return " | ".join([turn.observation.title, *headings[:2]])


def _in_a_row(turn: Turn, action: str) -> int:
    """How often ``action`` was just repeated on this page."""
    count = 0
    for step in reversed(turn.history):
        if step.action != action:
            break
        count += 1
    return count


def _wait_for_content(turn: Turn) -> Move:
    if turn.observation.busy and _in_a_row(turn, "wait") < MOST_WAITS:
        return Action(action="wait"), "The page is still loading."
    return None


def _wait_out_a_refusal(turn: Turn) -> Move:
    refused = turn.observation.http_status == 429 or _TOO_MANY.search(_headline(turn))
    if not refused:
        return None
    tries = sum(s.action == "goto" and s.url == turn.observation.url for s in turn.history)
    if tries >= MOST_WAITS:
        return Action(action="fail", note="the site kept answering 429, too many requests"), ""
    return Action(action="goto", url=turn.observation.url), "The site asks for patience: once more."


def _stop_at_a_closed_door(turn: Turn) -> Move:
    """Only while nothing was read yet: a dead end later is one link less to follow."""
    if turn.collected:
        return None
    headline, status = _headline(turn), turn.observation.http_status or 200
    first = next((e.name for e in turn.observation.elements if e.role == "heading"), "")
    if _SIGN_IN.search(first) or status in (401, 403):
        return _fail(turn, f"the page wants a sign-in: {first or headline}")
    if status >= 400 or _NOT_FOUND.search(headline):
        said = f"HTTP {status}" if status >= 400 else "the page"
        return _fail(turn, f"not found: {said} says “{first or headline}”")
    return None


def _fail(turn: Turn, note: str) -> Move:
    """Not without a picture of the door."""
    if not turn.screenshots:
        return Action(action="screenshot", label="not_available"), f"A picture of why: {note}."
    return Action(action="fail", note=note), "The page itself says that there is nothing to read."


def _picture(turn: Turn) -> Move:
    """One picture of every page read; a required label goes to the page whose words it shares,
    the first of them else to the first page."""
    if any(s.action == "screenshot" and s.url == turn.observation.url for s in turn.history):
        return None
    here = set(words(f"{_headline(turn)} {turn.observation.url}"))
    taken = {name.split("_", 1)[1].removesuffix(".png") for name in turn.screenshots}
    open_labels = [label for label in turn.task.required_artifacts if label not in taken]
    fitting = [label for label in open_labels if set(words(label)) & here]
    if not turn.screenshots and open_labels:
        fitting = fitting or open_labels[:1]
    label = fitting[0] if fitting else "_".join(words(_headline(turn))[:5]) or "page"
    return Action(action="screenshot", label=label), "Every page that is read is kept as a picture."


def _values(turn: Turn, reading: Reading) -> dict[str, Any]:
    """What is known with this page; what an earlier page said stands."""
    known = {k: v for k, v in turn.collected.items() if v is not None}
    return {**reading.values, **known}


def _open_fields(turn: Turn, reading: Reading) -> list[str]:
    known = _values(turn, reading)
    return [name for name in turn.task.output_schema if name not in known]


def _missing(turn: Turn, reading: Reading) -> list[str]:
    known = _values(turn, reading)
    return [name for name in turn.task.required_fields if known.get(name) is None]


def _keep(turn: Turn, reading: Reading) -> Move:
    fresh = {
        k: v for k, v in reading.values.items() if turn.collected.get(k) is None and v is not None
    }
    if not fresh:
        return None
    note = f"read on {turn.observation.title or turn.observation.url}"
    action = Action(action="save_progress", extracted=fresh, note=note)
    return action, "What this page tells is kept before leaving it."


def _finish(turn: Turn, reading: Reading, *, complete: bool) -> Move:
    """``done`` when nothing is open, or, with ``complete=False``, when all that is required is
    there and no page promises the rest."""
    if _missing(turn, reading) or (complete and _open_fields(turn, reading)):
        return None
    if turn.history and turn.history[-1].action == "done" and turn.step < turn.max_steps:
        return None
    known = _values(turn, reading)
    extracted = {name: known.get(name) for name in turn.task.output_schema}
    judgment = None
    if turn.task.judgment_required:
        judgment = {
            "answer": "inconclusive",
            "confidence": 0.0,
            "reasoning": "The rules policy reads pages; it does not judge them.",
            "evidence_refs": list(turn.screenshots),
        }
    action = Action(action="done", extracted=extracted, judgment=judgment)
    return action, "All that is required was seen."


def _give_up(turn: Turn, reading: Reading) -> Move:
    missing = _missing(turn, reading)
    found = [k for k, v in _values(turn, reading).items() if v is not None]
    note = "not seen on any page: " + ", ".join(missing or ["what done asks for"])
    if found:
        note += f"; seen: {', '.join(found)}"
    if reading.notes:
        note += "; " + "; ".join(reading.notes)
    return Action(action="fail", note=note), "No page promises what is missing."
