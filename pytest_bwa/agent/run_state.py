"""The Run state of the prompt: where a sample has been, what did not work, and what it has seen."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict

from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.step_log import Transition
from pytest_bwa.facts.page import AROUND_CONTENT
from pytest_bwa.spec.field_labels import labels_of
from pytest_bwa.spec.network.responses import is_error
from pytest_bwa.spec.network.urls import NO_PAGE_URLS
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.artifacts import is_picture
from pytest_bwa.steps.step import RECORD_KINDS, LabelledValue, Observation
from pytest_bwa.steps.text import one_line

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
        self._seen.current = observation
        is_page = observation.url != "" and not observation.url.startswith(NO_PAGE_URLS)
        if is_page and not is_error(observation.http_status):
            self._add("pages_visited", observation.url)

    def leave(self, page: Observation) -> None:
        """Note what a page shows that the next prompt does not."""
        self._seen.add_page(page)

    def update(self, transition: Transition) -> None:
        action, result, url = transition.action, transition.result, transition.before.url
        self.add_visit(transition.after)
        if result.page is not None:
            self.add_visit(result.page)
        if transition.after.url != url or transition.page_changed:
            self.leave(transition.before)
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


MAX_SEEN = 10
MAX_TEXT_CHARACTERS = 800
"""Of one value: on another page nothing else tells the policy what it was."""


class SeenFields:
    """Keeps what pages label with the name of a field, with the number to cite. A label that a page
    gives to several values says nothing certain, so it is left out."""

    def __init__(self, task: TaskSpec, progress: Progress) -> None:
        self._progress = progress
        self._labels = {name: labels_of(task, name) for name in task.output_schema}
        self._seen: dict[tuple[str, str, str], int | None] = {}
        """The number of the line that shows it, by field, text with its label, and address, in the
        order in which they were seen."""
        self.current: Observation | None = None
        """The page that is shown now: what it says is not said twice."""

    def add_page(self, page: Observation) -> None:
        """Keep what a page shows that is being left, or changed."""
        self._seen |= self._shown_on(page)

    def _shown_on(self, page: Observation) -> dict[tuple[str, str, str], int | None]:
        certain = [entry for entry in page.labelled if _is_certain(entry)]
        values: dict[tuple[str, str, str], int | None] = {}
        for name in filter(self._progress.is_open, self._labels):
            entries = [entry for entry in certain if self._is_named(name, entry)]
            if len({_text_of(entry) for entry in entries}) == 1:
                first = entries[0]
                text = f"“{first.label}: {one_line(_text_of(first), MAX_TEXT_CHARACTERS)}”"
                values[name, text, page.url] = _number_of(first, page)
        return values

    def entries(self) -> list[str]:
        """What was seen for the fields that still have no value, a line for each page, the newest
        last."""
        now = self._shown_on(self.current) if self._seen and self.current else {}
        open_ones = [(seen, number) for seen, number in self._seen.items()
                     if self._progress.is_open(seen[0]) and seen not in now]  # fmt: skip
        pages: defaultdict[str, list[str]] = defaultdict(list)
        for (_, text, url), number in open_ones[-MAX_SEEN:]:
            pages[url].append(text if number is None else f"{text} [{number}]")
        return [f"{', '.join(texts)} on {url}" for url, texts in pages.items()]

    def _is_named(self, name: str, entry: LabelledValue) -> bool:
        labels = self._labels[name]
        return any(not label.section and label.fits(entry.label) for label in labels)


def _is_certain(entry: LabelledValue) -> bool:
    is_read = entry.kind in RECORD_KINDS and not entry.doubt
    has_text = any(character.isalnum() for character in entry.value)
    return is_read and has_text and AROUND_CONTENT.isdisjoint(entry.place.regions)


def _text_of(entry: LabelledValue) -> str:
    """The value as the list of elements shows it."""
    if len(entry.items) > 1:
        return ", ".join(map(_folded, entry.items))
    return " ⏎ ".join(filter(None, map(_folded, entry.value.splitlines())))


def _number_of(entry: LabelledValue, page: Observation) -> int | None:
    """That of the element which the value was read from, or else of the first line, such as a
    row's, that says it with its label."""
    for element in page.elements:
        if element.ref == entry.ref:
            return element.index
    parts = _folded(entry.label), _folded(entry.value)
    lines = ((element.index, _folded(element.line())) for element in page.elements)
    return next((index for index, line in lines if all(part in line for part in parts)), None)


def _folded(text: str) -> str:
    return " ".join(text.split())
