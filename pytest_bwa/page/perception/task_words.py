"""What the task and its sample speak of: elements that they name survive a cut. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.text import label_key

MIN_WORD = 3  # characters; shorter texts stand on every page
MAX_NAME = 80  # characters of a name that a goal may mention
_NO_WORDS = re.compile(r"\u00ad|\s*[(\[]\d+[)\]]$")
"""What is no part of a name: where it may be broken, and how many there are: "Payments (3)"."""


class TaskWords:
    """``keywords`` are the spec's own; ``goal`` is what the task says in sentences, and ``values``
    are the sample's columns and the names of the fields."""

    def __init__(
        self, keywords: Iterable[str] = (), goal: str = "", values: Iterable[str] = ()
    ) -> None:
        self._keywords = tuple(keywords)
        self._values = tuple(value for value in values if len(value.strip()) >= MIN_WORD)
        self.goal = f"_{label_key(' '.join((goal, *self._values)))}_"
        """What the task says and the sample's values, as ``label_key`` has them."""

    def name(self, name: str) -> bool:
        """Whether the task mentions an element by its whole name."""
        key = label_key(_NO_WORDS.sub("", name)) if len(name) <= MAX_NAME else ""
        return len(key) >= MIN_WORD and f"_{key}_" in self.goal

    def are_keywords_of(self, name: str, value: str | None) -> bool:
        """Whether a keyword stands in a name or value, at least at the beginning of a word."""
        return _is_in(self._keyword_pattern, name, value)

    def are_in(self, name: str, value: str | None) -> bool:
        """Whether a keyword, a value of the sample or a field's name stands there."""
        return _is_in(self._pattern, name, value)

    @cached_property
    def _keyword_pattern(self) -> re.Pattern[str] | None:
        return _beginning_with(self._keywords)

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        return _beginning_with((*self._keywords, *self._values))


def words_of(task: TaskSpec, sample: Sample) -> TaskWords:
    """``task`` with its placeholders filled. Secrets of the sample are left out."""
    goal = " ".join(filter(None, (task.goal, task.judgment_question, task.stop_condition)))
    fields = map(_words_of_name, task.output_schema)
    return TaskWords(task.keywords, goal, (*sample.names.values(), *fields))


def _words_of_name(name: str) -> str:
    """A field's name in the words that a page may show: ``due_date`` is "due date"."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return re.sub(r"[\W_]+", " ", apart).strip()


def _is_in(pattern: re.Pattern[str] | None, *texts: str | None) -> bool:
    return pattern is not None and any(pattern.search(text) for text in texts if text)


def _beginning_with(texts: Iterable[str]) -> re.Pattern[str] | None:
    words = [re.escape(text.strip()) for text in texts if text.strip()]
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})", re.I) if words else None
