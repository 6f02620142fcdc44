"""What a model that reads a prompt would cite: the numbers of the lines that show its values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_LINE = re.compile(r"^(?:\W*)\[(\d+)\] (.*)$", re.MULTILINE)


def sources_in(prompt: str, shown: Mapping[str, tuple[str, str]]) -> dict[str, int]:
    """For each field its label on the page and the text that stands there: the number of the line
    that has both, or else of the first one behind the label that has the text."""
    lines = [(int(number), text) for number, text in _LINE.findall(prompt)]
    found = {}
    for name, (label, value) in shown.items():
        begin = next((n for n, (_, text) in enumerate(lines) if label in text), len(lines))
        cited = (number for number, text in lines[begin:] if value in text)
        if (number := next(cited, None)) is not None:
            found[name] = number
    return found


def unnumbered(lines: Iterable[str]) -> list[str]:
    """Lines without their numbers, which go on from page to page."""
    return [re.sub(r"\[\d+\] ", "", line) for line in lines]
