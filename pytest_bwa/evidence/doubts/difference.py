"""Whether a text says another thing than a value that has the same label. Pure."""

from __future__ import annotations

import re
from decimal import Decimal

from pytest_bwa.evidence.lookup.other_forms import is_same_in_other_form
from pytest_bwa.evidence.lookup.readings import dates_as_written, numbers_as_written
from pytest_bwa.evidence.lookup.text_match import TextMatch, clean, matches, same_text

MAX_CHARACTERS = 60
"""A longer text is no value that stands beside a label."""
MAX_PHRASE = 4
"""Words of a short text, of which a piece may mean something else: "Not approved"."""
ROUNDED = Decimal("0.05")
"""How far a number in short form, such as 1.2k, may be from the number that it stands for."""
_NOTHING = re.compile(r"[-–—−?]+|n/?a|none|unknown|not (?:known|available|set|given)", re.I)


def differs(value: str, text: str, locale: str | None) -> bool:
    """Whether both are of one kind, and do not mean the same; ``locale`` is the text's. A number
    differs if it does by every reading: a page's language may be that of a template."""
    if _NOTHING.fullmatch(text.strip()):
        return same_text(value) != same_text(text)
    if is_same_in_other_form(value, clean(text)):
        return False
    is_part = next(matches(value, clean(text)), None) or next(matches(text, clean(value)), None)
    if is_part is not None or len(text) > MAX_CHARACTERS:
        one, other = _whole_number(value), _whole_number(clean(text))
        return bool(one and other) and not one & other  # 1,250.00 of (1,250.00)
    if dates := {date.value for date in dates_as_written(value, None)}:
        written = {date.value for date in dates_as_written(text, locale)}
        return not dates & written if written else _is_other_code(value, text)
    own = [n.value for n in numbers_as_written(value, None) if n.end - n.start == len(value)]
    if not own:
        return any(character.isalpha() for character in text) or _is_other_code(value, text)
    numbers = [reading.value for reading in numbers_as_written(text, None)]
    numbers += [number / 100 for number in numbers] if "%" in text else []  # 0.12 for 12 %
    is_short = re.search(r"\d\s?[kKmM]\b", text) is not None
    return bool(numbers) and not any(_is_near(a, b, is_short) for a in own for b in numbers)


def has_nothing_of(value: str, text: str, locale: str | None) -> bool:
    """Whether a text says nothing of a value, of whatever kind both are."""
    text = clean(text)
    if is_same_in_other_form(value, text):
        return False
    if any(next(matches(a, b), None) for a, b in ((value, text), (text, clean(value)))):
        return False
    dates = {date.value for date in dates_as_written(value, None)}
    if dates & {date.value for date in dates_as_written(text, locale)}:
        return False
    own = {n.value for n in numbers_as_written(value, None)}
    numbers = {n.value for n in numbers_as_written(text, None)}
    return not own & (numbers | {n / 100 for n in numbers if "%" in text})


def is_piece(value: str, text: str) -> bool:
    """Whether a value is only a piece of a short text, which goes on with more words: "progress" of
    "In progress", and not 300.00 of USD 300.00."""
    text = clean(text)
    is_amount = _whole_number(value) & _whole_number(text)
    if is_amount or len(text.split()) > MAX_PHRASE or "@" in value:
        return False
    pieces = [_goes_on(text, match, value) for match in matches(value, text)]
    return bool(pieces) and all(pieces)


def _whole_number(text: str) -> set[Decimal]:
    """The numbers that the whole text may mean."""
    readings = numbers_as_written(text, None)
    return {n.value for n in readings if (n.start, n.end) == (0, len(text))}


def _is_other_code(value: str, text: str) -> bool:
    """Whether both are digits and marks, as a telephone number is, and one is no end of the other:
    a prefix may be missing."""
    one, other = (re.sub(r"\D", "", t).lstrip("0") for t in (value, text))
    is_code = not any(character.isalpha() for character in value + text) and one and other
    return bool(is_code) and not one.endswith(other) and not other.endswith(one)


def _goes_on(text: str, match: TextMatch, value: str) -> bool:
    """Whether a text goes on with a word right beside a match; beside a number, it may be a unit,
    unless it is joined to it, as in INV-20418."""
    before, after = text[: match.start], text[match.end :]
    if value.strip().isdecimal():  # "5550" of "+47 5550 1234", and not "30" of "30 days"
        return re.search(r"(?:\w[-_/.]|\d\s)$", before) is not None or (
            re.match(r"[-_/.]\w|\s\d", after) is not None
        )
    return re.search(r"\w[-_/.\s]$", before) is not None or (
        re.match(r"[-_/.\s]\w", after) is not None
    )


def _is_near(a: Decimal, b: Decimal, is_short: bool) -> bool:
    return a == b or (is_short and abs(a - b) <= ROUNDED * max(abs(a), abs(b)))
