"""What the pages that were left showed for the fields that have no value yet."""

from __future__ import annotations

from collections import defaultdict

from pytest_bwa.agent.progress import Progress
from pytest_bwa.place_identity import AROUND_CONTENT
from pytest_bwa.spec.field_labels import labels_of
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import RECORD_KINDS, Observation
from pytest_bwa.text import label_key, one_line

MAX_ENTRIES = 10
MAX_TEXT_CHARACTERS = 800
"""Of one value: on another page nothing else tells the policy what it was."""


class SeenFields:
    """Keeps what pages label with the name of a field."""

    def __init__(self, task: TaskSpec, progress: Progress) -> None:
        self._progress = progress
        self._field_of = {label.key: n for n in task.output_schema for label in labels_of(task, n)}
        self._seen: dict[tuple[str, str, str], None] = {}
        """Field, text with its label, and address, in the order in which they were seen."""

    def add_page(self, page: Observation) -> None:
        """Keep what a page shows that is being left."""
        numbers = {element.ref: element.index for element in page.elements}
        for entry in page.labelled:
            name = self._field_of.get(label_key(entry.label))
            is_content = AROUND_CONTENT.isdisjoint(entry.place.regions)
            if name and entry.kind in RECORD_KINDS and is_content and entry.value.strip():
                text = one_line(entry.value, MAX_TEXT_CHARACTERS)
                number = f" [{numbers[entry.ref]}]" if entry.ref in numbers else ""
                self._seen[name, f"“{entry.label}: {text}”{number}", page.url] = None

    def entries(self) -> list[str]:
        """What was seen for the fields that still have no value, a line for each page, the newest
        last."""
        collected = self._progress.collected
        open_ones = [seen for seen in self._seen if collected.get(seen[0]) is None]
        pages: defaultdict[str, list[str]] = defaultdict(list)
        for _, text, url in open_ones[-MAX_ENTRIES:]:
            pages[url].append(text)
        return [f"{', '.join(texts)} on {url}" for url, texts in pages.items()]
