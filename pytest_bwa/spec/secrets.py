"""Masks secret values, which no prompt, log or report may show."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable

from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec

MASK = "***"
"""Replaces every secret value."""
MIN_CHARACTERS_INSIDE_WORDS = 4
"""Shorter secrets are masked only as whole words: a one-letter secret would mask half of a page."""


def hide_secrets(task: TaskSpec, sample: Sample) -> Callable[[str], str]:
    """Return a function that masks the values of the sample's secret columns in any text.

    They may appear in a filled placeholder, in typed text of the history or on a page.
    """
    return hide_values(sample.columns.get(name, "") for name in task.secrets)


def hide_values(secrets: Iterable[str]) -> Callable[[str], str]:
    """Return a function that masks these values in any text."""
    values = {value.strip() for value in secrets} - {""}
    if not values:
        return str
    escaped = {json.dumps(value, ensure_ascii=False)[1:-1] for value in values}
    longest_first = sorted(values | escaped, key=len, reverse=True)
    pattern = re.compile("|".join(map(_secret_pattern, longest_first)))
    return lambda text: pattern.sub(MASK, text)


def _secret_pattern(value: str) -> str:
    escaped = re.escape(value)
    return escaped if len(value) >= MIN_CHARACTERS_INSIDE_WORDS else rf"(?<!\w){escaped}(?!\w)"
