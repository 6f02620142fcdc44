"""What a sample is called, and where it is at home.

A sample with an address of its own is at home there and nowhere else. Any other must be named,
whole and letter for letter, by the page's heading or by the record itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from pytest_bwa.facts.address import is_same_but_locale, segments
from pytest_bwa.policy.base import Turn
from pytest_bwa.spec.field_labels import keys_of
from pytest_bwa.spec.notation.record_names import goes_on, is_called
from pytest_bwa.steps.step import RECORD_KINDS, LabelledValue
from pytest_bwa.steps.text import label_key, whole_words

# Headings of a record's own parts. A word that is missing here costs a look at a right value.
_NEUTRAL_WORDS = """
details detail overview summary general information info basic basics properties attributes fields
specification specifications meta metadata key facts about data of the
additional further technical
zusätzliche weitere technische daten
complémentaires techniques adicional adicionales técnicos
übersicht allgemein stammdaten eigenschaften angaben informationen details
détails données aperçu résumé général informations propriétés du de la
detalles resumen información datos propiedades dettagli riepilogo informazioni dati
詳細 概要 基本情報
"""
_NEUTRAL = frozenset(_NEUTRAL_WORDS.split())
MIN_KIND = 3
"""Letters of a word that says what a record is."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a page must be to be the sample's."""

    names: tuple[str, ...]
    address: str
    """The address of its own; empty if it has none."""
    name_labels: frozenset[str] = frozenset()
    """Keys of the labels under which a record says its name."""
    kinds: frozenset[str] = frozenset()
    """Words that say what the sample is: of the addresses, of its columns, and of the goal."""
    is_redirected: bool = False
    """Whether its own address has led to another one, which nobody has opened."""

    @property
    def collection(self) -> str:
        """What stands before its number or name in its address: "orders" of
        /customers/7/orders/9."""
        parts = ["", *segments(self.address)]
        is_own = [any(c.isdigit() for c in part) or part in self.names for part in parts]
        places = [n for n, is_of_sample in enumerate(is_own) if is_of_sample]
        return label_key(parts[places[-1] - 1]) if places else ""

    def is_named(self, text: str) -> bool:
        """Whether a heading or a row is called what the sample is called."""
        return any(is_called(text, name, self.is_kind) for name in self.names)

    def names_link(self, text: str, url: str) -> bool:
        """The same for a link, of which the address may say what it leads to, too."""
        return replace(self, kinds=self.kinds | _words(segments(url))).is_named(text)

    def is_kind(self, word: str) -> bool:
        """Whether a word says what the sample is, as "Ticket" does at /tickets."""
        key = label_key(word)
        return len(key) >= MIN_KIND and any(kind.startswith(key) for kind in self.kinds)

    def says_name(self, value: LabelledValue) -> bool:
        """Whether a record says its name here."""
        is_of_record = value.kind in RECORD_KINDS and not value.doubt
        return is_of_record and label_key(value.label) in self.name_labels

    def other_sections(self, value: LabelledValue, title: str) -> list[str]:
        """The headings above a value that name something else: not the page or the sample, and
        not with such words as "Details", or "Order details" at /orders/7, a part of it."""
        kind = set(label_key(re.sub(r"\d", " ", title)).split("_")) - _NEUTRAL

        def is_neutral(heading: str) -> bool:
            rest = set(label_key(heading).split("_")) - _NEUTRAL
            is_of_address = len(rest) == 1 and self.collection.startswith(min(rest))
            return not rest or rest == kind or is_of_address

        def is_own(heading: str) -> bool:
            # Below "Ada Quist", "Ada Quist – Emergency contact" is a section.
            is_section = goes_on(heading) and self.is_named(title)
            return heading == title or (self.is_named(heading) and not is_section)

        return [h for h in value.place.headings if not is_own(h) and not is_neutral(h)]


def subject_of(turn: Turn) -> Subject:
    """The sample is called what ``name`` says, else the first column of input_schema, else what
    the goal mentions, else the sample_id; a sample_id with digits always counts too."""
    task, sample = turn.task, turn.sample
    given = {c: v.strip() for c, v in (*sample.names.items(), ("sample_id", sample.sample_id))}
    mentioned = [column for column, text in given.items() if has_name(task.goal, text)]
    by = next(c for c in ("name", *task.input_schema, *mentioned, "sample_id") if c in given)
    ids = [text for text in (given["sample_id"],) if any(c.isdigit() for c in text)]
    names = tuple(dict.fromkeys(name for name in (given[by], *ids) if len(name) > 1))
    opened = str(turn.history[0].params.get("url", "")) if turn.history else ""
    is_own = bool(sample.url) or any(name in segments(opened) for name in names)
    address, name_labels = opened if is_own else "", keys_of(task, ("sample_id", "name", by))
    places = [segments(url) for url in (address, turn.observation.url)]
    before = [word for name in names for word in re.findall(rf"(\w+) {re.escape(name)}", task.goal)]
    kinds = _words([*before, *name_labels, *(part for path in places for part in path)])
    return Subject(names, address, name_labels, kinds, bool(address) and _is_redirected(turn))


def _is_redirected(turn: Turn) -> bool:
    """Whether the page has another address than the one that was opened last, and nothing was
    pressed since, which may have changed it."""
    moves = [step for step in turn.history if step.action in ("goto", "click")]
    opened = str(moves[-1].params.get("url", "")) if moves and moves[-1].action == "goto" else ""
    return bool(opened) and not is_same_but_locale(turn.observation.url, opened)


def _words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in label_key(text).split("_"))


def has_name(text: str, name: str) -> bool:
    """Whether a text has the name in it, as whole words."""
    return whole_words([name]).search(text) is not None
