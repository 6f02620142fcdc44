"""The first and the last day that a date field may have: ``minimum`` and ``maximum``, which JSON
Schema knows of numbers only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pytest_bwa.spec.messages import quote_value
from pytest_bwa.spec.notation.dates import iso_date

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

EARLIEST, LATEST = "formatMinimum", "formatMaximum"
"""What other validators of JSON Schema call them."""
Keyword = Callable[[object, str, Any, object], "Iterator[ValidationError]"]
_WRITTEN = {"minimum": EARLIEST, "maximum": LATEST}


def bound_dates(schema: dict[str, Any]) -> None:
    """Give the bounds of a schema of dates the keywords that validators have for them. Raises
    ValueError for what is no date."""
    for keyword, own in _WRITTEN.items():
        if schema.get("format") == "date" and keyword in schema:
            schema[own] = schema.pop(keyword)
        if own in schema and (not isinstance(schema[own], str) or iso_date(schema[own]) is None):
            raise ValueError(
                f"{keyword}: {quote_value(schema[own])} is not a date such as 2026-12-04"
            )


def _check(is_outside: Callable[[str, str], bool]) -> Keyword:
    def errors(_: object, bound: str, value: Any, __: object) -> Iterator[ValidationError]:
        from jsonschema.exceptions import ValidationError

        if isinstance(value, str) and is_outside(value, bound):
            yield ValidationError(f"{value} is outside of the bound {bound}")

    return errors


DATE_KEYWORDS: Mapping[str, Keyword] = {
    EARLIEST: _check(lambda day, bound: day < bound),
    LATEST: _check(lambda day, bound: day > bound),
}
"""What validates the keywords, for jsonschema."""
