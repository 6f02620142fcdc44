"""The ``## Run state`` of the prompt: where a sample has been, and what did not work."""

from __future__ import annotations

from collections import Counter, OrderedDict

from pytest_bwa.agent.memory.seen_fields import SeenFields
from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.transition import Transition
from pytest_bwa.spec.network.responses import is_error
from pytest_bwa.spec.network.urls import NO_PAGE_URLS
from pytest_bwa.steps.artifacts import is_picture
from pytest_bwa.steps.step import Observation

MAX_ENTRIES = 10  # of each list
MAX_CHARACTERS = 300  # of each entry
BLOCKED_AFTER = 2  # failures of a selector on one URL
DEAD_END_AFTER = 3  # executions of an action without effect on one URL


class RunState:
    """Lists that are updated after every step and shown in every prompt."""

    def __init__(self, progress: Progress, seen: SeenFields) -> None:
        self._progress, self._seen = progress, seen
        self._lists: OrderedDict[str, list[str]] = OrderedDict(
            (name, [])
            for name in (
                "pages_visited", "artifacts", "failed_urls", "exhausted_pages",
                "blocked_selectors", "dead_ends",
            )
        )  # fmt: skip
        self._failures: Counter[tuple[str, str]] = Counter()
        self._no_effects: Counter[tuple[str, str]] = Counter()

    def add_visit(self, observation: Observation) -> None:
        """A page that came; what the browser or the server says in its place is none."""
        is_page = observation.url != "" and not observation.url.startswith(NO_PAGE_URLS)
        if is_page and not is_error(observation.http_status):
            self._add("pages_visited", observation.url)

    def update(self, transition: Transition) -> None:
        action, result, url = transition.action, transition.result, transition.before.url
        self.add_visit(transition.after)
        if transition.after.url != url:
            self._seen.add_page(transition.before)
        text = transition.action_text()
        file = result.artifact
        if file is not None and not file.fault and not is_picture(file.filename):
            self._add("artifacts", file.filename)
        is_refused = is_error(transition.after.http_status)
        if action.action == "goto" and (is_refused or not result.success):
            self._add("failed_urls", action.url or "")
        if transition.saved and url:
            self._add("exhausted_pages", url)
        if action.selector and not result.success:
            self._failures[url, action.selector] += 1
            if self._failures[url, action.selector] == BLOCKED_AFTER:
                self._add("blocked_selectors", f"{text} on {url}")
        if transition.verdict is not None and not transition.had_effect:
            self._no_effects[url, text] += 1
            if self._no_effects[url, text] == DEAD_END_AFTER:
                self._add("dead_ends", f"{text} on {url}")

    def _add(self, name: str, entry: str) -> None:
        """Put the entry at the end of the list; an entry that is already there moves."""
        entries, entry = self._lists[name], entry[:MAX_CHARACTERS]
        if entry in entries:
            entries.remove(entry)
        entries.append(entry)

    def lists(self) -> dict[str, list[str]]:
        """The latest entries of the lists that are not empty, by name."""
        return {name: entries[-MAX_ENTRIES:] for name, entries in self._all().items() if entries}

    def totals(self) -> dict[str, int]:
        """How many entries each list has that is cut."""
        every = self._all().items()
        return {name: len(entries) for name, entries in every if len(entries) > MAX_ENTRIES}

    def _all(self) -> dict[str, list[str]]:
        return {
            "fields_found": self._fields_found(),
            **self._lists,
            "Seen so far": self._seen.entries(),
        }

    def _fields_found(self) -> list[str]:
        """What was saved: the fields with a value, and those that no page shows."""
        found = [name for name, value in self._progress.collected.items() if value is not None]
        return [*found, *(f"{name}: null, confirmed" for name in self._progress.absent)]
