"""How a sample ends under the rules policy: pages that show nothing, pictures, ``done`` and
``fail``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pytest_bwa.policy.base import FAIL_KINDS, Turn, no_judgment
from pytest_bwa.policy.rules.addresses import is_same, is_unreached
from pytest_bwa.policy.rules.proposal import Proposal
from pytest_bwa.policy.rules.subject import GONE, RECORD_KINDS, Subject, is_in_own_region, title_of
from pytest_bwa.steps import Action, FailKind
from pytest_bwa.text import has_words, label_key

MAX_TRIES = 3  # of a page that is refused for now
_FOR_NOW = frozenset({429, 502, 503, 504})


def end_of_closed_page(turn: Turn, subject: Subject) -> Iterator[Proposal]:
    """What follows from a page that the server refuses to show, or that does not exist."""
    page, status = turn.observation, turn.observation.http_status or 200
    heading = title_of(page) or page.title
    if is_unreached(page.url):
        yield fail("the page could not be reached")
    yield from try_again(turn)
    if turn.collected or not subject.address or not is_same(page.url, subject.address):
        return  # that a link or a search leads nowhere says nothing about the sample
    if status >= 400:
        yield fail(f"HTTP {status}: the page says “{heading}”", FAIL_KINDS.get(status, "other"))
    if any(v.kind in RECORD_KINDS and is_in_own_region(v.place) for v in page.labelled):
        return
    if GONE.search(f"{heading} {page.text[:300]}"):
        yield fail(f"not found: the page says “{heading}”", "not_found")
    if any("password" in state for e in page.elements for state in e.states):
        yield fail(f"the page wants a sign-in: it says “{heading}”", "access_denied")


def try_again(turn: Turn) -> Iterator[Proposal]:
    """Open a page once more that is refused for now, a few times."""
    page = turn.observation
    tries = sum(s.action == "goto" and s.url == page.url for s in turn.history)
    if page.http_status in _FOR_NOW and tries < MAX_TRIES:
        yield Proposal(Action(action="goto", url=page.url), "The site asks for patience.")


def fail(note: str, kind: FailKind = "other") -> Proposal:
    return Proposal(Action(action="fail", note=note, kind=kind), "There is no certain answer.")


# -- pictures ------------------------------------------------------------------------------------


def is_pictured(turn: Turn) -> bool:
    """Whether the page has a picture since it last changed."""
    for step in reversed(turn.history):
        if step.url != turn.observation.url or step.changed:
            return False
        if step.action == "screenshot" and step.success:
            return True
    return False


def picture(turn: Turn) -> Proposal | None:
    """A picture of a page that something was read from, with the required label that fits it."""
    if is_pictured(turn):
        return None
    label = next(iter(_fitting(turn)), "") or _name_of_page(turn)
    return Proposal(Action(action="screenshot", label=label), "What was read is kept as a picture.")


def last_pictures(turn: Turn) -> Iterator[Proposal]:
    """The required labels that no page was called: this page shows what was asked for."""
    for label in open_labels(turn):
        yield Proposal(Action(action="screenshot", label=label), "It shows what was asked for.")


def open_labels(turn: Turn) -> list[str]:
    """Required labels that no saved picture has."""
    names = [name.removesuffix(".png") for name in turn.screenshots]
    return [
        label for label in turn.task.required_artifacts
        if not any(has_words(name, label) for name in names)
        and not (label_key(label) == "screenshot" and names)
    ]  # fmt: skip


def _fitting(turn: Turn) -> list[str]:
    page = turn.observation
    words = set(label_key(f"{page.title} {title_of(page)} {page.url}").split("_"))
    return [label for label in open_labels(turn) if set(label_key(label).split("_")) <= words]


def _name_of_page(turn: Turn) -> str:
    key = label_key(turn.observation.title or title_of(turn.observation))
    return "_".join(key.split("_")[:6]) or "page"


# -- done ----------------------------------------------------------------------------------------


def done(turn: Turn, known: dict[str, Any], notes: list[str]) -> Proposal:
    """``done`` with a null for every field that was not certain, and the reason of each."""
    judgment = no_judgment(turn, "The rules policy reads pages; it does not judge them.")
    extracted = {name: known.get(name) for name in turn.task.output_schema}
    note = "; ".join(notes) or None
    action = Action(action="done", extracted=extracted, judgment=judgment, note=note)
    return Proposal(action, "What is certain was read.")
