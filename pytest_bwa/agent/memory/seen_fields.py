"""What the pages that were left showed for the fields that have no value yet."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from pytest_bwa.agent.progress import Progress
from pytest_bwa.evidence.doubts.own_record import is_certain, is_of_others
from pytest_bwa.evidence.labels.field_words import FieldWords
from pytest_bwa.evidence.labels.labelled_at import ANSWERED_KINDS, entries_of
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.text_match import clean
from pytest_bwa.evidence.sightings import Sightings
from pytest_bwa.spec.field_labels import labels_of
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import LabelledValue, Observation
from pytest_bwa.text import one_line

MAX_ENTRIES = 10
MAX_TEXT_CHARACTERS = 800
"""Of one value: on another page nothing else tells the policy what it was."""
_NUMBERS = frozenset({"number", "integer", "null"})
_DAYS = frozenset({"date", "null"})


class SeenFields:
    """Keeps what pages label with the name of a field. A label that a page gives to several values
    says nothing certain, so it is left out, and so is what only stands near a label."""

    def __init__(self, task: TaskSpec, sightings: Sightings, progress: Progress) -> None:
        self._sightings, self._progress = sightings, progress
        schema = OutputSchema(task.output_schema)
        self._kinds = {name: schema.kinds(name) for name in task.output_schema}
        self._words = {
            name: [FieldWords([label.text]) for label in labels_of(task, name)]
            for name in task.output_schema
        }
        self._seen: dict[tuple[str, str, str], None] = {}
        """Field, text with its label, and address, in the order in which they were seen."""

    def add_page(self, page: Observation) -> None:
        """Keep what a page shows that is being left."""
        open_fields = [name for name in self._words if self._progress.collected.get(name) is None]
        texts: defaultdict[str, set[str]] = defaultdict(set)
        for entry in self._certain(page) if open_fields else ():
            texts[entry.label].add(_text_of(entry))
        for label, found in texts.items():
            fields = [name for name in open_fields if self._is_named(name, label)]
            text = next(iter(found))
            if len(found) == 1 and len(fields) == 1 and self._may_be(text, fields[0]):
                line = f"“{label}: {one_line(text, MAX_TEXT_CHARACTERS)}”"
                self._seen[fields[0], line, page.url] = None

    def entries(self) -> list[str]:
        """What was seen for the fields that still have no value, a line for each page, the newest
        last."""
        collected = self._progress.collected
        open_ones = [seen for seen in self._seen if collected.get(seen[0]) is None]
        pages: defaultdict[str, list[str]] = defaultdict(list)
        for _, text, url in open_ones[-MAX_ENTRIES:]:
            pages[url].append(text)
        return [f"{', '.join(texts)} on {url}" for url, texts in pages.items()]

    def _certain(self, page: Observation) -> Iterator[LabelledValue]:
        """What a page labels itself, without what the agent entered."""
        for entry in entries_of(page):
            is_read = entry.kind in ANSWERED_KINDS and is_certain(entry)
            if is_read and not is_of_others(entry.place) and not self._is_entered(entry):
                yield entry

    def _is_entered(self, entry: LabelledValue) -> bool:
        spot = Spot(clean(entry.value), "value", "textbox")
        return entry.kind == "input" and self._sightings.is_own(spot, spot.text)

    def _is_named(self, name: str, label: str) -> bool:
        return any(words.are_all_in(label) for words in self._words[name])

    def _may_be(self, text: str, name: str) -> bool:
        """Whether a text has what a value of the field's type needs."""
        kinds = self._kinds[name]
        if kinds and kinds <= _DAYS:
            return re.search(r"\d", text) is not None and not text.isdecimal()
        return re.search(r"\d" if kinds and kinds <= _NUMBERS else r"\w", text) is not None


def _text_of(entry: LabelledValue) -> str:
    """The value as the list of elements shows it."""
    if len(entry.items) > 1:
        return ", ".join(map(clean, entry.items))
    return " ⏎ ".join(filter(None, map(clean, entry.value.splitlines())))
