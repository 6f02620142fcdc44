"""Steps that lead nowhere: the same page, and nothing new from it (F-54)."""

from __future__ import annotations

import hashlib
import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from pytest_bwa.agent.transition import Transition
from pytest_bwa.steps import Observation

NUDGE, DEMAND, LAST = 3, 5, 8  # stagnant steps in a row, F-54
TEXT_CHARACTERS = 2000
_ENTERING = frozenset({"type", "select_option", "upload"})


def page_signature(observation: Observation) -> str:
    """The page as F-54 tells pages apart: its normalised URL and the beginning of its text."""
    text = re.sub(r"\s+", " ", observation.text[:TEXT_CHARACTERS]).strip()
    return hashlib.sha256(f"{normalised(observation.url)}\n{text}".encode()).hexdigest()


def normalised(url: str) -> str:
    """Without fragment, trailing slash and order of the query's parts."""
    parts = urlsplit(url)
    query = urlencode(sorted(parse_qsl(parts.query, keep_blank_values=True)))
    return urlunsplit((parts.scheme, parts.netloc.lower(), parts.path.rstrip("/"), query, ""))


class Stagnation:
    """Counts steps on one signature that brought nothing new.

    New is what was saved, read or entered for the first time, the first picture of a page, and
    whatever the page shows that it has not shown before: a form that is filled field by field and
    a long page that is read screen by screen keep one signature, and lead somewhere.
    """

    def __init__(self) -> None:
        self.count = 0
        self._signature = ""
        self._known: set[tuple[str, ...]] = set()

    def after(self, transition: Transition) -> list[str]:
        signature = page_signature(transition.after)
        fresh = self._fresh(transition, signature)
        stands = signature == self._signature and not fresh and not transition.saved
        self.count = self.count + 1 if stands else 0
        self._signature = signature
        return self._notices()

    @property
    def spent(self) -> bool:
        """Whether only done and fail are left."""
        return self.count >= LAST

    @property
    def demanding(self) -> bool:
        """Whether this step reached the demand, at which a checkpoint is due."""
        return self.count == DEMAND

    def _fresh(self, transition: Transition, signature: str) -> bool:
        new = self._told(transition, signature) - self._known
        self._known |= new
        return bool(new)

    def _told(self, transition: Transition, signature: str) -> set[tuple[str, ...]]:
        page, action, result = (
            normalised(transition.after.url),
            transition.action,
            transition.result,
        )
        told: set[tuple[str, ...]] = {
            ("shown", page, e.role, e.name) for e in transition.after.elements
        }
        if not result.success:
            return told
        if result.artifact is not None:
            told.add(("picture", signature))
        if action.action in ("extract", "find"):
            told.add(("read", result.description))
        if action.action in _ENTERING and transition.moved:
            entered = action.text or action.value or action.file or ""
            told.add(("entered", page, action.selector or "", entered))
        return told

    def _notices(self) -> list[str]:
        if self.count == NUDGE:
            return [
                f"The last {NUDGE} steps brought nothing new from this page: try a different "
                "approach (another element, find, back), or save what you have."
            ]
        if self.count == DEMAND:
            return [
                f"{DEMAND} steps without anything new: change your strategy now, or call done "
                "with what was found."
            ]
        if self.count >= LAST:
            return [
                f"{self.count} steps without anything new: only done and fail are left; call done "
                "with null for what was not seen, or fail with the reason."
            ]
        return []
