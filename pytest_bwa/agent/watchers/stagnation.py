"""Notices when steps bring nothing new: the same page, and no new data from it."""

from __future__ import annotations

import hashlib
import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from pytest_bwa.agent.transition import Transition
from pytest_bwa.steps.step import Observation

# Steps in a row without anything new: a notice, a warning, then only done and fail are left.
NOTICE_AT, WARNING_AT, EXHAUSTED_AT = 3, 5, 8
TEXT_CHARACTERS = 2000

Fact = tuple[str, ...]
"""Something a step brought, comparable with what earlier steps brought."""


def page_signature(observation: Observation) -> str:
    """A hash that tells pages apart by their normalized URL and the beginning of their text."""
    text = re.sub(r"\s+", " ", observation.text[:TEXT_CHARACTERS]).strip()
    return hashlib.sha256(f"{normalized_url(observation.url)}\n{text}".encode()).hexdigest()


def normalized_url(url: str) -> str:
    """The URL without fragment and trailing slash, and with its query parameters sorted."""
    parts = urlsplit(url)
    query = urlencode(sorted(parse_qsl(parts.query, keep_blank_values=True)))
    return urlunsplit((parts.scheme, parts.netloc.lower(), parts.path.rstrip("/"), query, ""))


class StagnationWatcher:
    """Counts steps in a row on the same page signature that brought nothing new.

    New is: data saved or read for the first time, the first screenshot of a page, any element,
    value or state that the page has not shown before, a place that it was not scrolled to before,
    and the first change by an action on its target. So filling a form field by field, ticking ten
    boxes or reading a long page screen by screen is no stagnation, although the signature stays
    the same.
    """

    def __init__(self) -> None:
        self.count = 0
        self._signature = ""
        self._known_facts: set[Fact] = set()

    def notices_after(self, transition: Transition) -> list[str]:
        signature = page_signature(transition.after)
        has_new_facts = self._add_facts(_facts(transition, signature))
        has_progress = has_new_facts or transition.saved or signature != self._signature
        self.count = 0 if has_progress else self.count + 1
        self._signature = signature
        return self._notices()

    @property
    def is_exhausted(self) -> bool:
        """Whether only done and fail are left."""
        return self.count >= EXHAUSTED_AT

    @property
    def needs_checkpoint(self) -> bool:
        """Whether the last step reached the warning, at which a checkpoint is written."""
        return self.count == WARNING_AT

    def _add_facts(self, facts: set[Fact]) -> bool:
        """Remember the facts; True if any of them is new."""
        new = facts - self._known_facts
        self._known_facts |= new
        return bool(new)

    def _notices(self) -> list[str]:
        if self.count == NOTICE_AT:
            return [f"The last {NOTICE_AT} steps brought nothing new from this page."]
        if self.count == WARNING_AT:
            return [
                f"The last {WARNING_AT} steps brought nothing new. After {EXHAUSTED_AT} such steps "
                "in a row the sample has to end."
            ]
        if self.count >= EXHAUSTED_AT:
            return [
                f"The last {self.count} steps brought nothing new: only done and fail are left. "
                "In done, null stands for what was not seen."
            ]
        return []


def _facts(transition: Transition, signature: str) -> set[Fact]:
    """What the page shows after the step, and what the step itself read, changed or captured."""
    action, result = transition.action, transition.result
    url = normalized_url(transition.after.url)
    elements = transition.after.elements
    facts: set[Fact] = {("shown", url, e.role, e.name) for e in elements}
    facts |= {("state", url, str(e.ref), e.value or "", *e.states) for e in elements}
    if not result.success:
        return facts
    if result.artifact is not None:
        facts.add(("picture", signature))
    if action.action in ("extract", "find") and result.found != ():
        facts.add(("read", result.description))
    if transition.page_changed and transition.before.url == transition.after.url:
        facts.add(("changed", url, action.action, str(sorted(action.params().items()))))
    if transition.has_scrolled:
        facts.add(("scrolled", url, action.selector or "", result.description))
    return facts
