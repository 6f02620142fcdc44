"""Units by their names and signs, from the Unicode locale data (CLDR) of Babel."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

from babel import Locale
from babel.units import format_unit

from pytest_bwa.spec.notation.locales import find_locale

_SAMPLES = (1, 2, 5)
"""Numbers beside which a unit has its forms in most languages: 1 hour, 2 hours."""
_NUMBER = re.compile(r"[\d\s.,\u200e\u200f]+")
_NAME = r"(?:[^\W\d_]+\.?|[°\"′″'%])"
_BEHIND = re.compile(rf"[\s\u202f]?(?=({_NAME}[ ]?{_NAME})|)(?=({_NAME})|)")


def is_other_unit(name: str, after: str, locale: str | None = None) -> bool:
    """Whether the unit at the end of a field's name, and that right behind a number, measure the
    same in other steps: weight_g and 2.5 kg, duration_hours and 150 min."""
    own = _units_called(name.casefold().rpartition("_")[2], None) if "_" in name else frozenset()
    match = _BEHIND.match(after) if own else None
    for called in match.groups() if match else ():
        if called and (there := _units_called(called, locale)):
            return not own & there and bool(_kinds(own) & _kinds(there))
    return False


def _kinds(units: frozenset[str]) -> set[str]:
    """What units measure: the duration of duration-hour."""
    return {unit.partition("-")[0] for unit in units}


def _units_called(name: str, locale: str | None) -> frozenset[str]:
    """The units that may be called so, in English or in the language of a locale."""
    known, key = find_locale(locale), _key(name)
    own = _units_of(known.language).get(key, frozenset()) if known else frozenset()
    return own | _units_of("en").get(key, frozenset())


@lru_cache(maxsize=16)
def _units_of(language: str) -> Mapping[str, frozenset[str]]:
    locale = Locale(language)
    units: defaultdict[str, set[str]] = defaultdict(set)
    for unit in map(str, locale.unit_display_names):
        for length in ("long", "short", "narrow"):
            for number in _SAMPLES:
                written = format_unit(number, unit, length, locale=locale)
                units[_key(_NUMBER.sub(" ", written))].add(unit)
    return {key: frozenset(of_key) for key, of_key in units.items()}


def _key(name: str) -> str:
    return name.casefold().strip().rstrip(".")
