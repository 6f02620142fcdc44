"""What a locale says of numbers and dates, from the Unicode locale data (CLDR) of Babel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from babel import Locale, UnknownLocaleError

from pytest_bwa.spec.notation.characters import plain

# Names of months and weekdays in these languages are understood on any page, but for those that
# mean two things (listopad is October in Croatian and November in Polish).
_COMMON_LANGUAGES = (
    "en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "pl", "cs", "fi", "hr", "ru",
)  # fmt: skip
# Their countries write numbers in opposite ways (Spain and Mexico, Morocco and Egypt).
_DIVIDED_LANGUAGES = frozenset({"es", "ar"})
_NO_LANGUAGE = frozenset({"und", "root", "mul", "zxx"})


@dataclass(frozen=True, slots=True)
class NumberMarks:
    """The characters of a number beside its digits."""

    group: str
    """A space stands for spaces of every width."""
    decimal: str
    indian: bool = False
    """12,34,567: groups of two digits before the last three."""


@lru_cache(maxsize=256)
def find_locale(name: str | None) -> Locale | None:
    """The locale of a name such as ``en-GB``; None if there is none."""
    if not name or name.casefold() in _NO_LANGUAGE:
        return None
    try:
        return Locale.parse(name.replace("_", "-"), sep="-")
    except (UnknownLocaleError, ValueError):
        return None


@lru_cache(maxsize=256)
def number_marks(name: str | None) -> NumberMarks | None:
    """How the locale writes numbers; None if that is not known."""
    locale = find_locale(name)
    if locale is None or (locale.territory is None and locale.language in _DIVIDED_LANGUAGES):
        return None
    symbols: Mapping[str, Any] = locale.number_symbols.get("latn", {})
    group, decimal = symbols.get("group"), symbols.get("decimal")
    if not group or not decimal:
        return None
    group = plain(group)[0]
    return NumberMarks(
        " " if group.isspace() else group,
        decimal,
        "#,##,##0" in locale.decimal_formats[None].pattern,
    )


@lru_cache(maxsize=256)
def day_comes_first(name: str | None) -> bool | None:
    """Whether 04/05/2026 is in May; None if the locale does not tell.

    English alone does not: it is written in London and in New York. Nor does a locale that puts
    the year first.
    """
    locale = find_locale(name)
    if locale is None or (locale.language == "en" and locale.territory is None):
        return None
    first = _first_of_date(locale)
    return None if first == "y" else first == "d"


def may_begin_with_year(name: str | None) -> bool:
    """Whether 26/05/03 may be in 2026: where the year comes first, or no locale is known."""
    locale = find_locale(name)
    return locale is None or _first_of_date(locale) == "y"


def _first_of_date(locale: Locale) -> str:
    pattern = locale.date_formats["short"].pattern.casefold()
    return min(("y", "m", "d"), key=pattern.find)


@lru_cache(maxsize=256)
def month_numbers(name: str | None) -> Mapping[str, int]:
    """The months by their names and abbreviations in lower case and without a point."""
    common = [_names_of(Locale(language).months) for language in _COMMON_LANGUAGES]
    locale = find_locale(name)
    own = _names_of(locale.months) if locale else {}
    return _without_contradictions(common) | own | {"sept": 9}


@lru_cache(maxsize=256)
def weekday_numbers(name: str | None) -> Mapping[str, int]:
    """The weekdays by their names and abbreviations, Monday 0.

    Of other languages only the whole names: "to" and "on" are weekdays in Swedish.
    """
    common = [_names_of(Locale(language).days, ("wide",)) for language in _COMMON_LANGUAGES]
    english = _names_of(Locale("en").days) | {"tues": 1, "thur": 3, "thurs": 3}
    locale = find_locale(name)
    return _without_contradictions(common) | english | (_names_of(locale.days) if locale else {})


def _without_contradictions(languages: list[dict[str, int]]) -> dict[str, int]:
    """The names of all languages, but for those that mean different things in two of them."""
    meanings: dict[str, set[int]] = {}
    for names in languages:
        for word, number in names.items():
            meanings.setdefault(word, set()).add(number)
    return {word: min(numbers) for word, numbers in meanings.items() if len(numbers) == 1}


def _names_of(tables: Any, widths: tuple[str, ...] = ("wide", "abbreviated")) -> dict[str, int]:
    return {
        word.casefold().rstrip("."): number
        for context in ("format", "stand-alone")
        for width in widths
        for number, word in tables[context].get(width, {}).items()
        if not any(character.isdecimal() for character in word)
    }
