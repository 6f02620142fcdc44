"""Digits with marks between them, such as 1.250,00: what they may mean, and whether that is
certain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from pytest_bwa.spec.notation.locales import NumberMarks

_ALL_MARKS = tuple(
    NumberMarks(group, decimal)
    for group, decimal in (
        (",", "."), (".", ","), (" ", "."), (" ", ","), ("'", "."), ("'", ","), ("٬", "٫"),
    )
)  # fmt: skip
_INDIAN = NumberMarks(",", ".", indian=True)
_FOREIGN = "may not be one number: its marks are not known to be those of the page's country"
_SPACES = "[ \u202f]"


def read_digits(digits: str, marks: NumberMarks | None) -> tuple[tuple[Decimal, ...], str]:
    """Every value that the digits may have, and why it is not certain; "" if it is.

    ``marks`` are those of the locale, or None. No value at all have identifiers (007), versions
    (1.2.3) and addresses (10.0.0.1).
    """
    if _is_address(digits):
        return (), ""
    if marks is not None and (value := _value(digits, marks)) is not None:
        return (value,), ""
    candidates = [*_ALL_MARKS, *([_INDIAN] if marks is None else [])]
    values = tuple(dict.fromkeys(_values(digits, candidates)))
    if len(values) > 1:
        either = " or ".join(f"{value:f}" for value in sorted(values, reverse=True))
        return values, f"may be {either}: how the page writes numbers is not known"
    return values, "" if _is_clear(digits) else _FOREIGN


def _values(digits: str, candidates: list[NumberMarks]) -> Iterator[Decimal]:
    for marks in candidates:
        value = _value(digits, marks)
        if value is not None:
            yield value


def _value(digits: str, marks: NumberMarks) -> Decimal | None:
    """The value of the digits if they are written with just these marks."""
    match = _form(marks).fullmatch(digits)
    if match:
        whole = re.sub(r"\D", "", match[1])
        return Decimal(f"{whole}.{match[2]}" if match[2] else whole)
    if marks.decimal == "." and re.fullmatch(r"\.\d+", digits):
        return Decimal(f"0{digits}")
    return None


@lru_cache(maxsize=64)
def _form(marks: NumberMarks) -> re.Pattern[str]:
    group = _SPACES if marks.group == " " else re.escape(marks.group)
    whole = rf"[1-9]\d{{0,2}}(?:{group}\d{{3}})+|0|[1-9]\d*"
    if marks.indian:
        whole = rf"[1-9]\d?(?:{group}\d\d)+{group}\d{{3}}|{whole}"
    return re.compile(rf"({whole})(?:{re.escape(marks.decimal)}(\d+))?")


def _is_clear(digits: str) -> bool:
    """Whether the digits have the same value in every country.

    1,234.50 and 1,234,567 have; 1,5 may be two numbers, 1.234.567 a version and 12 345 a row of
    two; 12,34,567 is Indian or a slip.
    """
    found = re.findall(r"\D", digits)
    kinds = set(found)
    if " " in kinds:
        return False
    if kinds == {"."} or not kinds:
        return len(found) < 2
    if kinds == {","}:
        return len(found) > 1 and re.fullmatch(r"\d{1,3}(,\d{3})+", digits) is not None
    return True


def _is_address(digits: str) -> bool:
    """192.168.100.200 would be a number in Germany too."""
    parts = digits.split(".")
    return len(parts) == 4 and all(part.isdigit() and int(part) < 256 for part in parts)
