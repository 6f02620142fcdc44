"""Text of a page to the types of output_schema. What is not certain stays unread."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any

_NUMBER = re.compile(
    r"^[^\d\-+]{0,3}([-+]?\d[\d,\s']*(?:\.\d+)?|[-+]?\.\d+)\s*([kKmMbB])?\b\s*%?[^\d]*$"
)
_SCALES = {"k": 1_000, "m": 1_000_000, "b": 1_000_000_000}
_YES = frozenset({"yes", "true", "checked", "on", "enabled", "✓", "✔"})
_NO = frozenset({"no", "false", "unchecked", "off", "disabled", "✗", "✘"})
_NOTHING = re.compile(
    r"^(?:[-–—]+|n/?a|none|null|nil|not set|unset|unknown|empty|no [a-z ]{1,20}|tbd)$", re.I
)
_DATES = (
    "%b %d, %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y", "%b %d %Y", "%B %d %Y",
    "%d-%b-%Y", "%a, %d %b %Y", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y",
)  # fmt: skip
_SLASHED = re.compile(r"^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$")


class Uncertain(ValueError):
    """The text has no one reading of the wanted type."""


def says_nothing(text: str) -> bool:
    """The page says that there is no value: "—", "N/A", "No due date"."""
    return bool(_NOTHING.match(text.strip()))


def coerce(text: str, kinds: frozenset[str], *, stamp: str | None = None) -> Any:
    """``text`` as the first of the kinds it fits; ``stamp`` is the machine-readable time beside
    it. None only where the page says that there is nothing and null is allowed. Raises Uncertain.
    """
    folded = " ".join(text.split())
    if "null" in kinds and says_nothing(folded):
        return None
    for kind, read in (
        ("date", lambda t: read_date(stamp or t)),
        ("boolean", read_boolean),
        ("integer", read_integer),
        ("number", read_number),
    ):
        if kind in kinds:
            try:
                return read(folded)
            except Uncertain:
                continue
    if "array" in kinds:
        return read_list(folded)
    if "string" in kinds or not kinds:
        return folded
    raise Uncertain(f'"{folded[:60]}" is no {" or ".join(sorted(kinds - {"null"}))}')


def read_number(text: str) -> float | int:
    match = _NUMBER.match(text)
    if not match:
        raise Uncertain(f'"{text[:60]}" is no single number')
    value = float(re.sub(r"[,\s']", "", match[1])) * _SCALES.get((match[2] or "").lower(), 1)
    return int(value) if value.is_integer() else round(value, 6)


def read_integer(text: str) -> int:
    value = read_number(text)
    if not isinstance(value, int):
        raise Uncertain(f'"{text[:60]}" is no whole number')
    return value


def read_boolean(text: str) -> bool:
    word = text.casefold().strip(" .")
    if word in _YES or word in _NO:
        return word in _YES
    raise Uncertain(f'"{text[:60]}" is neither yes nor no')


def read_date(text: str) -> str:
    """ISO 8601. 03/04/2026 could be two days and is refused; 25/12/2026 is one."""
    if re.match(r"^\d{4}-\d{2}-\d{2}(?:$|[T ]\d)", text):
        return _valid(lambda: date.fromisoformat(text[:10]), text)
    if slashed := _SLASHED.match(text):
        first, second, year = (int(part) for part in slashed.groups())
        if first > 12 or first == second:
            return _valid(lambda: date(year, second, first), text)
        if second > 12:
            return _valid(lambda: date(year, first, second), text)
        raise Uncertain(
            f'"{text}" may be the {first}th or the {second}th: day and month are unclear'
        )
    plain = re.sub(r"(\d)(?:st|nd|rd|th)\b", r"\1", text.replace("Sept ", "Sep "))
    for form in _DATES:
        try:
            return datetime.strptime(plain, form).date().isoformat()
        except ValueError:
            continue
    raise Uncertain(f'"{text[:60]}" is no date')


def _valid(read: Any, text: str) -> str:
    try:
        found: date = read()
    except ValueError:
        raise Uncertain(f'"{text[:60]}" is no day of the calendar') from None
    return found.isoformat()


def read_list(text: str) -> list[str]:
    """Comma-separated where it is clearly a list of short items, else the one item."""
    parts = [part.strip() for part in re.split(r"[,;•]", text)]
    if len(parts) > 1 and all(0 < len(part) <= 40 for part in parts):
        return parts
    return [text] if text else []
