"""What the pages that were left showed for the fields that have no value yet."""

from __future__ import annotations

from collections import defaultdict

from pytest_bwa.agent.progress import Progress
from pytest_bwa.spec.field_labels import labels_of
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.place_identity import AROUND_CONTENT
from pytest_bwa.steps.step import RECORD_KINDS, LabelledValue, Observation
from pytest_bwa.steps.text import one_line

MAX_ENTRIES = 10
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

    def add_page(self, page: Observation) -> None:
        """Keep what a page shows that is being left."""
        certain = [entry for entry in page.labelled if _is_certain(entry)]
        for name in filter(self._progress.is_open, self._labels):
            entries = [entry for entry in certain if self._is_named(name, entry)]
            if len({_text_of(entry) for entry in entries}) == 1:
                first = entries[0]
                text = f"“{first.label}: {one_line(_text_of(first), MAX_TEXT_CHARACTERS)}”"
                self._seen[name, text, page.url] = _number_of(first, page)

    def entries(self) -> list[str]:
        """What was seen for the fields that still have no value, a line for each page, the newest
        last."""
        open_ones = [seen for seen in self._seen.items() if self._progress.is_open(seen[0][0])]
        pages: defaultdict[str, list[str]] = defaultdict(list)
        for (_, text, url), number in open_ones[-MAX_ENTRIES:]:
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
