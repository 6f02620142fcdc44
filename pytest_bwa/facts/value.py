"""What the text of a fact means as a value. Pure."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any, Literal

from pytest_bwa.facts.fact import Fact
from pytest_bwa.spec.coercion import coerce

ReadAs = Literal["typed", "lower", "upper", "percent", "date", "address", "items", "commas"]
"""How a text becomes a value: by the type of the output schema; in lower or upper case;
as a part of one; as a date in a text field; as the address itself; as the items of a list;
as the parts between commas."""


def value_of(
    fact: Fact,
    read_as: ReadAs,
    kinds: frozenset[str],
    locale: str | None,
    allows: Callable[[Any], bool],
) -> Any:
    """``kinds`` are the types that the field may have, ``allows`` says whether it may have a
    value. Raises Uncertain."""
    match read_as:
        case "address":
            return fact.text
        case "items":
            return [coerce(item, frozenset({"string"})) for item in fact.items]
        case "commas":
            return parts_of(fact.text, read_as)
        case "lower":
            return fact.text.lower()
        case "upper":
            return fact.text.upper()
        case "percent":
            number = coerce(fact.as_written, frozenset({"number"}), locale=locale)
            return float(Decimal(str(number)) / 100)
    kinds = frozenset({"date"}) if read_as == "date" else kinds
    time = fact.datetime or None
    return coerce(fact.as_written, kinds, locale=locale, machine_time=time, allows=allows)


def parts_of(text: str, read_as: ReadAs) -> list[str]:
    """The texts of which each must look like those before it."""
    return [part.strip() for part in text.split(",")] if read_as == "commas" else [text]
