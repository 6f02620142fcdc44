"""Values that no prompt, log or report may show."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec

MASK = "***"
"""Stands in the place of every secret."""
SHORT_SECRET = 4
"""Secrets with fewer characters are masked only as whole words: a one-letter secret would hide half
of a page."""


def hide_secrets(task: TaskSpec, sample: Sample) -> Callable[[str], str]:
    """A function that masks the values of the sample's secret columns in a text, wherever they
    appear: in a filled placeholder, in a typed text of the history, on a page."""
    values = {sample.columns.get(name, "").strip() for name in task.secrets} - {""}
    if not values:
        return str
    escaped = {json.dumps(value, ensure_ascii=False)[1:-1] for value in values}
    longest_first = sorted(values | escaped, key=len, reverse=True)
    pattern = re.compile("|".join(map(_pattern, longest_first)))
    return lambda text: pattern.sub(MASK, text)


def _pattern(value: str) -> str:
    escaped = re.escape(value)
    return escaped if len(value) >= SHORT_SECRET else rf"(?<!\w){escaped}(?!\w)"
