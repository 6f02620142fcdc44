"""Pages that show nothing: gone, refused, behind a sign-in, or asking for patience."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.fields import Reading
from pytest_bwa.policy.rules.links import way_back
from pytest_bwa.policy.rules.proposal import Proposal
from pytest_bwa.policy.rules.screenshots import headline
from pytest_bwa.policy.rules.subject_matching import led_up
from pytest_bwa.steps import Action

MAX_TRIES = 3  # of a page that is refused for now
_NOT_FOUND = re.compile(
    r"\b404\b|not found|no such|does not exist|doesn.t exist|was (?:deleted|removed)|no longer",
    re.I,
)
_SIGN_IN = re.compile(
    r"^(?:please )?(?:sign|log) ?in\b|sign in to (?:see|view|continue)|log in to", re.I
)
_TOO_MANY = re.compile(r"too many requests|rate limit|\b429\b|slow down", re.I)
_PASSING = frozenset({429, 502, 503, 504})


def closed(turn: Turn, reading: Reading) -> Iterator[Proposal]:
    """A page that answers a field is open, whatever its heading says: tickets are called "404 on
    login". After something was read elsewhere, a dead end is only one link less to follow."""
    status, elsewhere = turn.observation.http_status or 200, led_up(turn)
    if status < 400 and reading.by_label and not elsewhere:
        return
    yield _wait_out_a_refusal(turn, status)
    note = _door(turn, status) or elsewhere
    if not note or turn.collected:
        return
    if not any(s.action == "type" for s in turn.history):
        yield way_back(turn)
    if not any(s.action == "screenshot" and s.url == turn.observation.url for s in turn.history):
        yield Action(action="screenshot", label="not_available"), f"A picture of why: {note}."
    why = "The page itself says that there is nothing to read."
    yield Action(action="fail", note=note), why


def _wait_out_a_refusal(turn: Turn, status: int) -> Proposal:
    if status not in _PASSING and not _TOO_MANY.search(headline(turn)):
        return None
    tries = sum(s.action == "goto" and s.url == turn.observation.url for s in turn.history)
    if tries >= MAX_TRIES:
        return None
    return Action(action="goto", url=turn.observation.url), "The site asks for patience: once more."


def _door(turn: Turn, status: int) -> str:
    """What the page says instead of an answer, or empty."""
    said = headline(turn)
    first = next((e.name for e in turn.observation.elements if e.role == "heading"), "") or said
    if _TOO_MANY.search(said) or status == 429:
        return "the site kept answering 429, too many requests"
    if _SIGN_IN.search(first) or status == 401:
        return f"the page wants a sign-in: {first}"
    if status == 403:
        return f"the site refuses this page, perhaps for want of a sign-in: HTTP 403 says “{first}”"
    if status in (404, 410):
        return f"not found: HTTP {status} says “{first}”"
    if status >= 400:
        return f"the site failed to show the page: HTTP {status} says “{first}”"
    return f"not found: the page says “{first}”" if _NOT_FOUND.search(said) else ""
