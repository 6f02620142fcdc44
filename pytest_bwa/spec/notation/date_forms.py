"""The forms in which people write dates, and what they write beside them. Their texts are plain."""

from __future__ import annotations

import re

from pytest_bwa.spec.notation.short_years import ERAS

_WORD = r"[^\W\d_][^\s\d_.,;:()/–-]{0,30}"
_YEAR = r"(?P<year>\d{4})(?!\d)"
_DAY = r"(?P<day>\d{1,2})"
_HOURS = r"(?:[01]?\d|2[0-4])"
_TIME = (
    rf"{_HOURS}(?:(?::[0-5]\d){{1,2}}(?:[.,]\d+)?(?: ?[AaPp]\.?[Mm]\b\.?| Uhr\b)?|h[0-5]\d"
    r"| ?[AaPp]\.?[Mm]\b\.?)(?!\d)"
)
_ZONE = r"(?: ?\(?(?:Z|UTC|GMT|[A-Z]{1,4}T)\b\)?)?(?: ?[+-]\d\d?(?::?\d\d)?(?!\d))?"
_AFTER_YEAR = rf"[年년] ?(?P<month>\d{{1,2}}) ?[月월] ?{_DAY} ?[日일]"
# Neither the rest of a longer number nor the hour of a time.
_SHORT_YEAR = r"'?(?P<year>\d\d)(?![\w/:-]|[.,]\d|h\d| (?:[AaPp]\.?[Mm]|Uhr)\b)"


def _numeric_form(year: str) -> str:
    """04/05/2026 in any order"""
    return (
        rf"(?<![\w./-])(?P<first>\d{{1,2}})(?P<mark>[-/.]) ?(?P<second>\d{{1,2}})(?P=mark) ?{year}"
        r"(?![-/.]\d)"
    )


def _named_forms(year: str) -> tuple[str, ...]:
    return (
        # 3 May 2026, 3rd of May, 2026, 3. Mai 2026, 3 de mayo de 2026, 03-May-2026, 03.may.2026
        rf"(?<![\w.,/-]){_DAY}(?:st|nd|rd|th|er|º|ª|°|\.)?(?:[ /-]|(?<=\.))(?:of |de |d')?"
        rf"(?P<name>{_WORD})\.?,?(?:[ /-]|(?<=\.))(?:del? )?{year}(?: г\.?| р\.?)?",
        # May 3, 2026
        rf"(?<![\w-])(?P<name>{_WORD})\.?[ -]{_DAY}(?:st|nd|rd|th)?(?:, ?|[ -]){year}",
        # May 3 12:00:00 2026, May 3 12:00:00 UTC 2026, as clocks of computers print it
        rf"(?<![\w-])(?P<name>{_WORD}) {{1,2}}{_DAY} {_TIME}{_ZONE} {year}",
    )


FORMS = tuple(
    re.compile(form)
    for form in (
        # 2026-05-03, 2026/5/3, 2026. 05. 03.
        rf"(?<![\w./-]){_YEAR}(?P<mark>[-/.]) ?(?P<month>\d{{1,2}})(?P=mark) ?{_DAY}(?!\d)\.?"
        r"(?![-/.]\d)",
        _numeric_form(_YEAR),
        *_named_forms(_YEAR),
        # 2026 May 3, 2026. május 3.
        rf"(?<![\w.,/-]){_YEAR}\.?[ -](?P<name>{_WORD})\.?[ -]{_DAY}(?!\d)\.?",
        # 2026年5月3日
        rf"(?<!\d){_YEAR} ?{_AFTER_YEAR}",
        # 令和8年5月3日
        rf"(?P<era>{'|'.join(ERAS)}) ?(?P<year>\d{{1,3}}) ?{_AFTER_YEAR}",
    )
)
SHORT_FORMS = tuple(
    re.compile(form)
    for form in (
        _numeric_form(_SHORT_YEAR),
        *_named_forms(_SHORT_YEAR),
        # 26年5月3日
        rf"(?<![\d{''.join(ERAS)}])(?P<year>\d\d) ?{_AFTER_YEAR}",
    )
)
DIGITS = re.compile(
    r"(?<![\w.,/-])(?P<year>20\d\d)(?P<month>[01]\d)(?P<day>[0-3]\d)(?![\w/-]|[.,]\d)"
)
FIRST_OF_TWO = re.compile(
    rf"(?<![\w.,/-])(?P<first>\d{{1,2}})\.?(?: (?P<name>{_WORD})\.?)? ?[-–—] ?"
    rf"\d{{1,2}}\.? (?P<last>{_WORD})\.?,? {_YEAR}"
)
CLOCK_BEFORE = re.compile(rf"(?<![\w:.]){_TIME}{_ZONE}(?:,| ·| on| -)? $")
CLOCK_AFTER = re.compile(rf"(?:T|,? (?:(?:at|um|kl\.?|à|@|·|-) )?){_TIME}{_ZONE}")
WEEKDAY_BEFORE = re.compile(rf"(?<!\w)(?P<name>{_WORD})\.?,? (?:the |den |le |el )?$")
WEEKDAY_AFTER = re.compile(rf",? ?\(?(?P<name>{_WORD})\.?\)?")
