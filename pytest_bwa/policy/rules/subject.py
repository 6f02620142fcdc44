"""What a sample is called, and where it is at home.

A sample with an address of its own is at home there and nowhere else. Any other must be named,
whole and letter for letter, by the page's heading or by the record itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.addresses import segments
from pytest_bwa.spec.field_labels import keys_of
from pytest_bwa.spec.notation.record_names import is_called
from pytest_bwa.steps import RECORD_KINDS as RECORD_KINDS
from pytest_bwa.steps import LabelledValue
from pytest_bwa.text import label_key, whole_words


@dataclass(frozen=True, slots=True)
class Subject:
    """What a page must be to be the sample's."""

    names: tuple[str, ...]
    address: str
    """The address of its own; empty if it has none."""
    name_labels: frozenset[str] = frozenset()
    """Keys of the labels under which a record says its name."""

    def is_named(self, text: str) -> bool:
        """Whether a heading, a link or a row is called what the sample is called."""
        return any(is_called(text, name) for name in self.names)

    def says_name(self, value: LabelledValue) -> bool:
        """Whether a record says its name here."""
        is_of_record = value.kind in RECORD_KINDS and not value.doubt
        return is_of_record and label_key(value.label) in self.name_labels


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
    return Subject(names, opened if is_own else "", keys_of(task, ("sample_id", "name", by)))


def has_name(text: str, name: str) -> bool:
    """Whether a text has the name in it, as whole words."""
    return whole_words([name]).search(text) is not None
