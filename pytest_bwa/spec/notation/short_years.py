"""The years that a year of two digits may be, and those that a calendar of its own counts."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_bwa.spec.notation.locales import find_locale

ERAS = {
    "明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018,
    "民國": 1911, "民国": 1911,
}  # fmt: skip
"""The year before the first one of each era."""
_CENTURIES = (1900, 2000)
# Beside our years: the Buddhist ones (2568 is 2025), and those of Japan's eras and of Taiwan.
_OTHER_BASES: Mapping[tuple[str, str], tuple[int, ...]] = {
    ("th", ""): (1957,),
    ("ja", ""): (1925, 1988, 2018),
    ("zh", "TW"): (1911,),
}
# Here a year may begin in the middle of ours, or with the moon, so that a day has to be computed.
_OTHER_CALENDARS = {("fa", ""), ("ps", ""), ("ne", ""), ("am", ""), ("ar", "SA")}


def years_of(parts: Mapping[str, str | None], locale: str | None) -> list[int]:
    """The years that the year of a written date may be."""
    year, era = int(parts["year"] or 0), parts.get("era")
    if era:
        return [ERAS[era] + year]
    if not is_short(parts["year"] or ""):
        return [year]
    return [base + year for base in (*_CENTURIES, *_of_language(_OTHER_BASES, locale))]


def is_short(year: str) -> bool:
    return len(year) == len("68")


def may_be_of_other_calendar(locale: str | None) -> bool:
    """Whether people who read this language also count years in a way that is not known here."""
    return bool(_of_language(dict.fromkeys(_OTHER_CALENDARS, (0,)), locale))


def _of_language(
    known: Mapping[tuple[str, str], tuple[int, ...]], locale: str | None
) -> tuple[int, ...]:
    found = find_locale(locale)
    if found is None:
        return ()
    own = known.get((found.language, found.territory or ""), ())
    return (*known.get((found.language, ""), ()), *own) if found.territory else own
