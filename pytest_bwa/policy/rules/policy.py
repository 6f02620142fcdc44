"""The policy without a model: it reads what a label names, and says what speaks against it.

It keeps nothing between turns: what it did and found is in the history and in ``collected``.
"""

from __future__ import annotations

from collections.abc import Iterator

from pytest_bwa.policy.base import ModelHelpers, Turn
from pytest_bwa.policy.rules import forms, listing
from pytest_bwa.policy.rules.discovery import collect
from pytest_bwa.policy.rules.endings import done, end_of_closed_page, label_of_page, only_label
from pytest_bwa.policy.rules.explore import look_further
from pytest_bwa.policy.rules.fields import Reading, against, read
from pytest_bwa.policy.rules.identity import contradiction, is_own_page
from pytest_bwa.policy.rules.kept import kept_of, to_save
from pytest_bwa.policy.rules.proposal import Proposal, fail, screenshot, wait
from pytest_bwa.policy.rules.search import find_subject, open_match
from pytest_bwa.policy.rules.subject import Subject, subject_of
from pytest_bwa.steps.step import Decision

MAX_WAITS = 3


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
    if other := contradiction(turn, subject):
        yield fail(other)
    yield from _read_and_go_on(turn, subject)


def _read_and_go_on(turn: Turn, subject: Subject) -> Iterator[Proposal]:
    reading = read(turn.task, subject, turn.observation)
    is_own = is_own_page(subject, turn.observation)
    further = look_further(turn, reading) if is_own else None
    label = label_of_page(turn) if is_own else None
    if is_own and further is None:
        label = label or only_label(turn, reading)
    if action := to_save(turn, reading, label):
        yield Proposal(action, "Keep what was read.")
    if label:
        yield screenshot(label, "It shows what was asked for.")
    if further:
        yield _remembering(further, reading)
    is_part = reading.answers and not (is_own or reading.is_whole)  # its row in a list
    if is_part and (match := open_match(turn, subject)):
        yield match
    yield from _end(turn, subject, reading, is_own)


def _end(turn: Turn, subject: Subject, reading: Reading, is_own: bool) -> Iterator[Proposal]:
    kept = kept_of(turn, reading)
    missing = [n for n in turn.task.required_fields if n not in kept or kept[n].value is None]
    seen = [name for name, answer in kept.items() if answer.value is not None]
    notes = _notes(turn, reading)
    if seen and not missing:
        reviews = against(kept)
        vague = reading.vague - _earlier_reasons(turn).keys()
        reviews += [note for name, note in notes.items() if name not in vague]
        yield done(turn, kept, list(notes.values()), reviews)
    elif not is_own and not kept:
        yield find_subject(turn, subject)
    parts = list(notes.values()) or ["nothing was found"]
    if seen:
        parts.append(f"read: {', '.join(seen)}")
    if heading := turn.observation.title:
        parts.append(f"the last page is “{heading}”")
    if (unread := turn.observation.unread_pictures) and is_own:
        yield done(turn, kept, [], [*parts, f"{unread}: look at them, or let a model read them"])
    yield fail("; ".join(parts))


def _remembering(proposal: Proposal, reading: Reading) -> Proposal:
    """A step to another page or tab, with what this one says of open fields."""
    located = [f"{name}: {why}" for name, why in reading.open.items() if name not in reading.vague]
    action = proposal.action.model_copy(update={"memory_update": "\n".join(located) or None})
    return proposal._replace(action=action)


def _notes(turn: Turn, reading: Reading) -> dict[str, str]:
    """Why fields have no value: what this page says of them, else what an earlier one said."""
    earlier, known = _earlier_reasons(turn), turn.collected
    return {
        name: f"{name}: {earlier.get(name, why) if name in reading.vague else why}"
        for name, why in reading.open.items()
        if name not in known
    }


def _earlier_reasons(turn: Turn) -> dict[str, str]:
    """What earlier pages said of fields without a value, where it was more than that."""
    lines = "\n".join(step.memory_update or "" for step in turn.history).splitlines()
    return {name: why for name, _, why in (line.partition(": ") for line in lines)}
