"""What the pages that were left showed for the fields that have no value yet."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from pytest_bwa.agent.progress import Progress
from pytest_bwa.evidence.labels.field_words import FieldWords
from pytest_bwa.evidence.labels.surroundings import Surroundings
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.text_match import cells_of
from pytest_bwa.evidence.sightings import Look, Sightings, same_text
from pytest_bwa.spec.field_labels import labels_of
from pytest_bwa.spec.output import OutputSchema
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import INTERACTIVE_ROLES, Element, Observation
from pytest_bwa.text import CELLS, one_line

MAX_ENTRIES = 10
MAX_TEXT_CHARACTERS = 100
MAX_LABEL_CHARACTERS = 60
_READ = frozenset({"element", "value", "labelled", "text"})
_CHOSEN = ("selected=", "current=")
"""These say of a tab, a button or a link that it is the open one, and are no field's value."""
_OPEN = "expanded=true"  # of a button: what is below it is its section
_SENTENCE = re.compile(r"(\S+\s+){3,}\S+[.!?。]")
_PRESSED = frozenset({"button", "link", "tab", "menuitem", "option", "treeitem"})
_FIELDS = INTERACTIVE_ROLES - _PRESSED - {"clickable"}
_NUMBERS = frozenset({"number", "integer", "null"})
_DAYS = frozenset({"date", "null"})


class SeenFields:
    """Keeps texts beside labels that name a field. A label that a page gives to several texts says
    nothing certain, so it is left out."""

    def __init__(self, task: TaskSpec, sightings: Sightings, progress: Progress) -> None:
        self._sightings, self._progress = sightings, progress
        self._surroundings = Surroundings(sightings)
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
        looks = self._sightings.in_state(page.state)
        if not open_fields or not looks:
            return
        texts: defaultdict[str, list[str]] = defaultdict(list)
        everything = page.all_elements
        leads = (e for e in everything if "navigation" in e.place.regions or _is_open_head(e))
        menu = {same_text(e.name) for e in leads}
        for label, text in self._pairs(max(looks, key=lambda look: len(look.spots))):
            if text not in texts[label] and same_text(text) not in menu:
                texts[label].append(text)
        for label, found in texts.items():
            fields = [name for name in open_fields if self._is_named(name, label)]
            if len(found) == 1 and len(fields) == 1 and self._may_be(found[0], fields[0]):
                text = one_line(found[0], MAX_TEXT_CHARACTERS)
                self._seen[fields[0], f"“{label}: {text}”", page.url] = None

    def entries(self) -> list[str]:
        """What was seen for the fields that still have no value, a line for each page, the newest
        last."""
        collected = self._progress.collected
        open_ones = [seen for seen in self._seen if collected.get(seen[0]) is None]
        pages: defaultdict[str, list[str]] = defaultdict(list)
        for _, text, url in open_ones[-MAX_ENTRIES:]:
            pages[url].append(text)
        return [f"{', '.join(texts)} on {url}" for url, texts in pages.items()]

    def _is_named(self, name: str, label: str) -> bool:
        return any(words.are_all_in(label) for words in self._words[name])

    def _may_be(self, text: str, name: str) -> bool:
        """Whether a text has what a value of the field's type needs."""
        kinds = self._kinds[name]
        if kinds and kinds <= _DAYS:
            return re.search(r"\d", text) is not None and not text.isdecimal()
        return re.search(r"\d" if kinds and kinds <= _NUMBERS else r"\w", text) is not None

    def _names_in(self, look: Look) -> frozenset[str]:
        """What the fields and the rows of two cells of a page are called, and what is said about
        them: beside the label of one without a value stands the next one's."""
        spots = [self._sightings.spots[number] for number in look.spots]
        names = (s.name for s in spots if s.role in _FIELDS and s.name)
        notes = (s.text for s in spots if s.source == "note")
        rows = (s.text.split(CELLS) for s in spots if s.role == "row")
        heads = (cells[0] for cells in rows if len(cells) == 2)
        return frozenset(map(same_text, (*names, *notes, *heads)))

    def _pairs(self, look: Look) -> Iterator[tuple[str, str]]:
        """Each text of a page that has a label, with the label."""
        names = self._names_in(look)
        spots = [self._sightings.spots[number] for number in look.spots]
        entries = {same_text(spot.text) for spot in spots if spot.role in _PRESSED}
        for number, spot in zip(look.spots, spots, strict=True):
            if spot.source not in _READ or self._sightings.is_own(spot, spot.text):
                continue
            if spot.source == "value" and spot.text.startswith(_CHOSEN):
                continue
            label, text = self._label_and_text(number)
            is_label = any(self._is_named(name, text) for name in self._words)
            is_label = is_label or _is_one_of(same_text(text), names)
            if spot.role in _PRESSED and same_text(label) in entries:
                continue  # two entries of one menu
            is_row = CELLS in label or ": " in label or _is_beside_in_row(label, spot)
            may_be_label = len(label) <= MAX_LABEL_CHARACTERS and not _SENTENCE.fullmatch(label)
            if label and text and not is_label and not is_row and may_be_label:
                yield label, text

    def _label_and_text(self, number: int) -> tuple[str, str]:
        """``Label: text``, a row of two cells, a labelled value, or a text beside a label."""
        spot = self._sightings.spots[number]
        cells = spot.text.split(CELLS)
        if len(cells) > 1:
            return (cells[0].strip(" :"), cells[1]) if len(cells) == 2 else ("", "")
        label, colon, text = spot.text.partition(": ")
        if colon and not spot.label:
            return label, text
        return self._surroundings.label_of(number, 0, len(spot.text)), spot.text


def _is_open_head(element: Element) -> bool:
    """Whether a button is the head of a section that is open."""
    return element.role == "button" and _OPEN in element.states


def _is_beside_in_row(label: str, spot: Spot) -> bool:
    """Whether a label is a cell of the row of a list that a text stands in: the head of a column is
    what neither the one beside it is called, nor what a press on it would do."""
    cells = [same_text(cell) for cell in cells_of(spot.record)]
    return len(cells) > 2 and same_text(label) in cells


def _is_one_of(text: str, names: frozenset[str]) -> bool:
    """Whether a text is one of these, of which some are cut."""
    return text in names or any(n.endswith("…") and text.startswith(n[:-1]) for n in names)
