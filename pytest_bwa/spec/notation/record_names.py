"""Names that tell records of one kind apart, such as NET-204 and NET-197."""

from __future__ import annotations

import re

LONG_NUMBER = 5
"""Digits of a number that is hardly a year or a count."""


def tells_its_kind(name: str) -> bool:
    """Whether other names are recognised by this one: letters and a number, or a long number."""
    is_lettered = any(c.isalpha() for c in name) and any(c.isdigit() for c in name)
    return is_lettered or (name.isdecimal() and len(name) >= LONG_NUMBER)


def names_alike(name: str) -> re.Pattern[str]:
    """Finds names with other numbers in the same places."""
    digits = rf"\\d{{{len(name)}}}" if name.isdecimal() else r"\\d+"
    pattern = re.sub(r"\d+", digits, re.escape(name))
    return re.compile(rf"(?<![\w-]){pattern}(?![\w-])", re.I)
