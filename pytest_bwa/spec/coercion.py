"""Text of a page to the types of output_schema. What is not certain is refused, never guessed."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from pytest_bwa.spec.notation.characters import Uncertain, check_readable, visible
from pytest_bwa.spec.notation.dates import DateReading, dates_in, read_date
from pytest_bwa.spec.notation.numbers import NumberReading, numbers_in, read_number

__all__ = [
    "DateReading", "NumberReading", "Uncertain", "coerce", "dates_in", "is_null", "numbers_in",
    "read_boolean", "read_date", "read_number", "read_string",
]  # fmt: skip

_DASHES = re.compile(r"[-‐‑‒–—―−]+")
_NOTHING = frozenset({"n/a", "null", "none"})
_YES = frozenset({"true", "yes", "on", "checked", "✓", "✔", "✅", "☑", "🗸"}) | frozenset(
    {"ja", "oui", "sí", "sì", "sim"}
)
_NO = frozenset({"false", "no", "off", "unchecked", "✗", "✘", "❌", "☐"}) | frozenset(
    {"nein", "non", "não", "nee", "nej", "nei"}
)
_VARIANTS = re.compile("[\ufe0e\ufe0f]")  # a sign as text or as a picture
_LONGEST_ITEM = 60
# "Ann and Bob", "a, b": one item or two is not certain.
_MAY_BE_SEVERAL = re.compile(r"[,;|•·]|\s[/&+]\s|\s(?:and|or|und|et|y|e|en|och|og)\s", re.I)
_MORE = re.compile(r"(?:and )?[(+]?\s?\d+ (?:more|others?)\b.*|\+\s?\d+|\(\+\d+\)", re.I)
_NEGATED = re.compile(r"(?:no|none|not|nothing|empty)\b", re.I)  # "None yet", "No labels"
_BULLET = re.compile(r"^[•‣∙*–-] ")


def coerce(
    text: str,
    kinds: frozenset[str],
    *,
    locale: str | None = None,
    machine_time: str | None = None,
    allows: Callable[[Any], bool] | None = None,
) -> Any:
    """The one value of the text, of the first kind that it fits: date, boolean, integer, number,
    array, string.

    ``kinds`` are those of ``OutputSchema.kinds``; none at all is any text. None is returned for a
    text that says that there is no value, if null is allowed: a dash, and where no text is wanted
    also "none", "null" and "n/a". A text field keeps these words, as they may be its value.
    Items that the page itself separates are coerced one by one, not as an array.
    ``allows``: whether the field may have a day, which decides between several. Raises Uncertain.
    """
    folded = read_string(text)
    if "null" in kinds and _says_nothing(folded, kinds):
        return None
    first_refusal: Uncertain | None = None
    for kind in ("date", "boolean", "integer", "number", "array"):
        if kind in kinds:
            try:
                if kind == "date":
                    return read_date(text, locale, machine_time, allows)
                return _read(kind, text, kinds, locale)
            except Uncertain as refusal:
                first_refusal = first_refusal or refusal
    if "string" not in kinds and kinds:
        raise first_refusal or Uncertain(text, f"is no {' or '.join(sorted(kinds))}")
    if _DASHES.fullmatch(folded):
        raise Uncertain(text, "says that there is nothing, which the schema does not allow")
    return folded


def is_null(text: str, kinds: frozenset[str]) -> bool:
    """Whether a text certainly says that there is no value, so that null is an answer."""
    try:
        return coerce(text, kinds) is None
    except Uncertain:
        return False


def read_string(text: str) -> str:
    """The text as a person sees it: white space folded, line breaks kept."""
    check_readable(text)
    lines = (" ".join(line.split()) for line in visible(text).splitlines())
    folded = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
    if not folded:
        raise Uncertain(text, "is empty")
    return folded


def read_boolean(text: str) -> bool:
    """Yes or no, in words or as a mark. Not 1, x or "enabled", which may mean something else."""
    word = _VARIANTS.sub("", read_string(text)).casefold().removesuffix(".")
    if word in _YES or word in _NO:
        return word in _YES
    raise Uncertain(text, "is neither yes nor no")


def _says_nothing(folded: str, kinds: frozenset[str]) -> bool:
    is_word = folded.casefold() in _NOTHING and "string" not in kinds
    return is_word or _DASHES.fullmatch(folded) is not None


def _read(kind: str, text: str, kinds: frozenset[str], locale: str | None) -> Any:
    if kind == "boolean":
        return read_boolean(text)
    if kind == "array":
        return _read_items(text, one_is_a_list="string" not in kinds)
    value = read_number(text, locale)
    if isinstance(value, int):
        return value
    if kind == "integer":
        raise Uncertain(text, "is not a whole number")
    return _as_float(value, text)


def _as_float(value: Decimal, text: str) -> float:
    """JSON's number if it is exactly the same, digit for digit."""
    nearest = float(value)
    if Decimal(repr(nearest)) != value:
        raise Uncertain(text, "has more digits than a number can hold; a text field keeps them")
    return nearest


def _read_items(text: str, *, one_is_a_list: bool) -> list[str]:
    """The items of a text that clearly lists: short parts between semicolons or in lines."""
    folded = read_string(text)
    if _says_nothing(folded, frozenset()):
        if folded.casefold() == "none" or _DASHES.fullmatch(folded):
            return []
        raise Uncertain(text, "is not a list")
    if _NEGATED.match(folded):
        raise Uncertain(text, "may say that there are no items")
    mark = "\n" if "\n" in folded else ";"
    parts = [part.strip() for part in folded.removesuffix(";").split(mark)]
    parts = [part for part in parts if part or mark == ";"]
    if all(_BULLET.match(part) for part in parts):
        parts = [_BULLET.sub("", part) for part in parts]
    if any(_MORE.fullmatch(part) for part in parts):
        raise Uncertain(text, "lists only some of its items")
    if len(parts) == 1:
        if not one_is_a_list or _MAY_BE_SEVERAL.search(folded):
            raise Uncertain(text, "may be one item or several")
        return parts
    if any(not part or len(part) > _LONGEST_ITEM or ";" in part for part in parts):
        raise Uncertain(text, "is not clearly a list of short items")
    return parts
