"""Whether the surroundings of a text name the field that its value is for. Pure.

A short text or a small number stands somewhere on almost every page, so it proves a value only
where the page itself connects it with the field.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_bwa.evidence.labels.field_words import FieldWords
from pytest_bwa.evidence.lookup.spots import Spot
from pytest_bwa.evidence.lookup.text_match import clean, phrases
from pytest_bwa.evidence.sightings import Look, Sightings
from pytest_bwa.steps import Box
from pytest_bwa.text import CELLS, cells_of, column_at

_LABELLED = frozenset({"definition", "table", "pair"})
_FILLED = frozenset({"textbox", "searchbox", "spinbutton", "combobox", "listbox"})
_LINKING = frozenset({"of", "out", "from", "to", "the", "a", "an", "total", "k", "m"})
_CLAUSE_END = re.compile(r"[;|•·()]|,\s|\.\s| and ")
_NUMBER = re.compile(r"\d[\d.,]*")
_ARE_BEHIND_LABELS = re.compile(r"(?:[^\W\d_]{3,}(?: [^\W\d_]{3,})? \d[\d.,]*(?: |$)){2,}")
"""Such as "Bedrooms 3 Bathrooms 2"."""
_NEIGHBOURS = 2
_LABEL_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around the spots of one sample."""

    sightings: Sightings

    def name_field(self, field: FieldWords, number: int, start: int, end: int) -> bool:
        """Whether the text from ``start`` to ``end`` of a spot is connected with the field: by its
        label, the words around it, its row, its heading, or what stands beside it."""
        spot = self.sightings.spots[number]
        if field.are_in(spot.label) or (spot.source != "text" and field.are_in(spot.hint)):
            return True
        if spot.source == "element" and self._label_names(field, number):
            return True
        clause = clause_of(spot.text, start, end)
        if _has_words(clause):
            return field.are_in(clause)
        looks = [self.sightings.looks[n] for n in self.sightings.looks_of[number]]
        if spot.role == "row" or CELLS in spot.text:
            return any(self._row_names(field, look, number, start) for look in looks[-1:])
        if field.are_in(_text_before(spot.text, start)):
            return True
        return any(self._neighbours_name(field, look, number) for look in looks[-1:])

    def _label_names(self, field: FieldWords, number: int) -> bool:
        """Whether an element stands inside a value that the page labels with the field's name, as
        an entry of a list does, or a picture that says it (five stars)."""
        spot = self.sightings.spots[number]
        page = self.sightings.pages.get(self.sightings.looks_of[number][-1])
        return page is not None and any(
            entry.kind in _LABELLED
            and entry.place.frame == spot.frame
            and is_inside(spot.box, entry.box)
            and (spot.role == "img" or spot.text in clean(entry.value))
            and field.are_in(entry.label)
            for entry in page.labelled
        )

    def label_of(self, number: int, start: int, end: int) -> str:
        """What the page calls a part of a spot: the label or the head of its column or row, the
        words before it, or those beside it; empty if it calls it nothing."""
        spot = self.sightings.spots[number]
        look = self.sightings.looks[self.sightings.looks_of[number][-1]]
        cells, column = cells_of(spot.text), column_at(spot.text, start)
        label = spot.label
        if not label and len(cells) > 2:
            head = self.head_of(look, number, len(cells))
            label = head[column] if head is not None else ""
        if not label and column:
            label = next((c for c in reversed(cells[:column]) if _has_words(c)), "")
        elif not label and start > 0:
            label = _text_before(spot.text, start)
        elif not label and end == len(spot.text):
            label = next((beside.text for beside in self._labels_beside(look, number)), "")
        label = label.strip(" :=(")
        return label if len(label) <= _LABEL_CHARACTERS else ""

    def _row_names(self, field: FieldWords, look: Look, number: int, start: int) -> bool:
        """A bare cell is named by the head of its column, else by the row's other cells."""
        text = self.sightings.spots[number].text
        cells, column = cells_of(text), column_at(text, start)
        if len(cells) == 2 and column == 1 and field.are_all_in(cells[0]):
            return True  # whatever the first row of such a table says
        head = self.head_of(look, number, len(cells))
        is_named = [field.are_in(cell) for cell in head or ()]
        before = [cell for cell in cells[:column] if _has_words(cell)]
        is_row_named = any(field.are_in(cell) for cell in (*before[-1:], *cells[:1]))
        if any(is_named[1:]) or (any(is_named) and not is_row_named):
            return is_named[column]
        return is_row_named or self._headings_name(field, look, number)

    def head_of(self, look: Look, number: int, width: int) -> list[str] | None:
        """The cells of the first row of the table that a row is in."""
        order = look.spots
        at, head = order.index(number), None
        while at > 0:
            at -= 1
            spot = self.sightings.spots[order[at]]
            if spot.role == "heading":
                break
            cells = cells_of(spot.text)
            if spot.role in ("row", "text") and len(cells) == width:
                head = cells
        return head

    def _neighbours_name(self, field: FieldWords, look: Look, number: int) -> bool:
        """A bare text is named by what stands beside it, or by the heading above it; what a field
        with a label of its own contains, by that heading alone."""
        spot = self.sightings.spots[number]
        is_labelled = spot.source == "value" and spot.label and spot.role in _FILLED
        if not is_labelled and any(
            field.are_in(label.text) for label in self._labels_beside(look, number)
        ):
            return True
        return self._headings_name(field, look, number)

    def _labels_beside(self, look: Look, number: int) -> list[Spot]:
        """The nearer one of the labels before and after a bare text."""
        order = list(look.spots)
        at, spot = order.index(number), self.sightings.spots[number]
        before = self._label(order[max(0, at - _NEIGHBOURS) : at][::-1], spot)
        after = self._label(order[at + 1 : at + 1 + _NEIGHBOURS], spot)
        if before is not None and after is not None:
            is_after_nearer = _gap(after.box, spot.box) < _gap(before.box, spot.box)
            if are_beside(before.box, spot.box) and not are_beside(after.box, spot.box):
                is_after_nearer = False  # such as what follows a list of definitions
            before, after = (None, after) if is_after_nearer else (before, None)
        return [label for label in (before, after) if label is not None]

    def _label(self, near: Sequence[int], spot: Spot) -> Spot | None:
        """The first of these spots that may be a label: words without a number."""
        for number in near:
            other = self.sightings.spots[number]
            if other.ref == spot.ref and spot.ref is not None:
                continue
            is_text = other.source in ("element", "text") and other.role != "row"
            if is_text and _has_words(other.text) and not _NUMBER.search(other.text):
                return other
            if is_text and other.frame == spot.frame:
                return None
        return None

    def _headings_name(self, field: FieldWords, look: Look, number: int) -> bool:
        spot = self.sightings.spots[number]
        if spot.headings:
            return any(field.are_in(heading) for heading in spot.headings[-1:])
        order = look.spots
        for before in reversed(order[: order.index(number)]):
            other = self.sightings.spots[before]
            if other.role == "heading" and other.source == "element":
                return field.are_in(other.text)
        return False


def clause_of(text: str, start: int, end: int) -> str:
    """The part of a text that speaks of the number or word at this place."""
    left = [m.end() for m in _CLAUSE_END.finditer(text, 0, start)]
    right = _CLAUSE_END.search(text, end)
    begin, stop = (left[-1] if left else 0), (right.start() if right else len(text))
    before, after = text[begin:start], text[end:stop]
    others_before = list(_NUMBER.finditer(before))
    other_after = _NUMBER.search(after)
    if not others_before and other_after is None:
        return f"{before} {after}"
    pre = before[others_before[-1].end() :] if others_before else before
    post = after[: other_after.start()] if other_after else after
    if _ARE_BEHIND_LABELS.fullmatch(text[begin:stop].strip()):
        return pre
    if pre.rstrip().endswith((":", "=", "(")):
        return pre
    if set(phrases(post)) - _LINKING:
        return post
    return after if set(phrases(after)) - _LINKING else pre


def _text_before(text: str, start: int) -> str:
    """The nearest part before a bare number that has words and no number, such as ``Approvals``
    in ``Approvals (3)``."""
    for part in reversed(_CLAUSE_END.split(text[:start])):
        if part and _has_words(part):
            return "" if _NUMBER.search(part) else part
    return ""


def _has_words(text: str) -> bool:
    """Whether a text has letters beyond a unit or a mark of one character."""
    return any(len(word) > 1 and not word[0].isdigit() for word in phrases(text))


def are_beside(a: Box | None, b: Box | None) -> bool:
    """Whether two boxes are on one line: they share more than half of the height of the lower."""
    if a is None or b is None:
        return False
    shared = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    return shared > min(a.height, b.height) / 2


def is_inside(a: Box | None, b: Box | None) -> bool:
    """Whether the first box stands in the second one, but for a pixel."""
    if a is None or b is None:
        return False
    is_within = a.x >= b.x - 1 and a.x + a.width <= b.x + b.width + 1
    return is_within and a.y >= b.y - 1 and a.y + a.height <= b.y + b.height + 1


def _gap(a: Box | None, b: Box | None) -> float:
    """Pixels between two boxes; 0 if one is unknown."""
    if a is None or b is None:
        return 0.0
    across = max(0.0, b.x - a.x - a.width, a.x - b.x - b.width)
    down = max(0.0, b.y - a.y - a.height, a.y - b.y - b.height)
    return across + down
