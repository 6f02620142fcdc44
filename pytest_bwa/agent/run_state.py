"""Where a sample has been and what did not work, ten of each at the most (F-45)."""

from __future__ import annotations

from collections import Counter, OrderedDict

from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.transition import Transition
from pytest_bwa.steps import Observation

MOST = 10
BLOCKED_AT = 2  # failures of a selector on one URL
DEAD_AT = 3  # repeats without effect


class RunState:
    """One sample's; fed with every turn, shown with every prompt."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._lists: OrderedDict[str, list[str]] = OrderedDict(
            (name, [])
            for name in (
                "pages_visited", "artifacts", "failed_urls", "exhausted_pages",
                "blocked_selectors", "dead_ends",
            )
        )  # fmt: skip
        self._failures: Counter[tuple[str, str]] = Counter()
        self._idle: Counter[tuple[str, str]] = Counter()

    def visited(self, observation: Observation) -> None:
        if observation.url:
            self._add("pages_visited", observation.url)

    def after(self, transition: Transition) -> None:
        action, result, url = transition.action, transition.result, transition.before.url
        if result.artifact is not None and not result.artifact.filename.endswith(".png"):
            self._add("artifacts", result.artifact.filename)
        if action.action == "goto" and not result.success:
            self._add("failed_urls", action.url or "")
        if action.action == "scroll" and not result.success:
            self._add("exhausted_pages", url)  # there is no more to scroll to
        if action.selector and not result.success:
            self._failures[url, action.selector] += 1
            if self._failures[url, action.selector] == BLOCKED_AT:
                self._add("blocked_selectors", f"{transition.spoken()} on {url}")
        if transition.verdict is not None and not transition.verdict.changed:
            self._idle[url, transition.spoken()] += 1
            if self._idle[url, transition.spoken()] == DEAD_AT:
                self._add("dead_ends", f"{transition.spoken()} on {url}")

    def _add(self, name: str, entry: str) -> None:
        """The latest last; what comes again moves to the end."""
        entries = self._lists[name]
        if entry in entries:
            entries.remove(entry)
        entries.append(entry[:300])
        del entries[:-MOST]

    def lines(self) -> list[str]:
        found = [name for name, value in self._progress.collected.items() if value is not None]
        told = {"fields_found": found[-MOST:], **self._lists}
        return [f"{name}: {', '.join(entries)}" for name, entries in told.items() if entries]
