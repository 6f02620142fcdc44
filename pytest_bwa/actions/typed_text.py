"""Whether a field kept what was typed into it, although it may format it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any

from pytest_bwa.spec.coercion import Uncertain, read_number

NUMBER = "number"
"""A field of numbers, as ``typingTarget`` calls it."""
SET = "set"
"""One whose value can only be set: of days, times, colours, or a slider."""


def is_same_value(typed: str, kept: str, kind: str) -> bool:
    """Whether what a field of this kind contains is the value that was typed."""
    readers: list[Callable[[str], Any]] = [_moment]
    if kind == SET:
        readers += [time.fromisoformat, _colour]
    if kind in (NUMBER, SET):
        readers += [_number]
    return any(_is_same(typed.strip(), kept, read) for read in readers)


def _is_same(typed: str, kept: str, read: Callable[[str], Any]) -> bool:
    try:
        return bool(read(typed) == read(kept))
    except (ValueError, InvalidOperation, Uncertain):
        return False


def _moment(text: str) -> datetime:
    """2026-11-15 14:30 and 2026-11-15T14:30:00; a day alone is none. Raises ValueError."""
    if not any(mark in text for mark in " T"):
        raise ValueError(text)
    return datetime.fromisoformat(text)


def _number(text: str) -> Decimal:
    """Of 1,480 nobody knows whether it is a fraction. Raises Uncertain."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal(read_number(text))


def _colour(text: str) -> tuple[int, ...]:
    """Raises ValueError."""
    from PIL import ImageColor  # takes long to load: few samples set a colour

    return ImageColor.getrgb(text)


_BLANK = re.compile(r"\s+")
_DASH = re.compile(r"(?<=[^\W_)])[-‐‑–]+(?=[^\W_(])|(?<=\))[-‐‑–]+|(?<=[^\W_])[-‐‑–]+(?=\()")
"""A dash between letters, digits or parentheses. Before a number it is a sign."""
_PARENTHESES = re.compile(r"\((\d{2,})\)")
"""Around a group of digits, as in an area code."""
_ONLY_NEGATIVE = re.compile(r"\(\d+\)")
"""An amount in parentheses is negative in accounting."""
_RANGE = re.compile(r"\d+[-‐‑–]\d+")
"""Two numbers; without the dash they would be one other number."""
_WORD_BESIDE = re.compile(r"(?<!\S)[^\W\d_]+(?!\S)")
"""A unit or a currency: beside it, dashes and parentheses of a number are signs."""
_GROUPED = re.compile(r"\d{1,3}(?:([.,])\d{3}(?:\1\d{3})+|(?:['’]\d{3})+)")
"""Digits in groups of three. One comma or point alone could be a decimal one."""
_AMOUNT = re.compile(r"[$€£¥]?\s?(?P<number>\d{1,3}(?:,\d{3})*\.\d+|\d+\.\d+)\s?[$€£¥]?")
_DATE_OR_TIME = re.compile(r"\d{2,4}(?:(?:[/:]\d{2,4}){1,2}|(?:\.\d{2,4}){2})")
"""One point alone could be a decimal one."""


def is_kept(typed: str, kept: str, kind: str = "") -> bool:
    """Whether the field's text means what was typed: only formatting may differ, such as the
    blanks, dashes and parentheses of a phone number or an IBAN. What changes a number or the
    letters is no formatting: decimal points and commas count, and so does a sign.

    ``kind`` is what ``typingTarget`` calls the field: one that has its own form of a value, such as
    a day or a colour, may have it in another form than was typed.
    """
    if kept == typed:
        return True
    if not typed:
        return False
    if is_same_value(typed, kept, kind):
        return True
    wanted, found = _without_formatting(typed), _without_formatting(kept)
    is_masked = wanted.isdigit() and wanted == _digits_of_mask(found)
    return wanted == found or is_masked or _is_same_amount(typed, kept)


def is_other_number(typed: str, kept: str, kind: str = "") -> bool:
    """Whether a field's text has the digits of what was typed, and may be another number."""
    return digits_of(typed) == digits_of(kept) != "" and not is_kept(typed, kept, kind)


def digits_of(text: str) -> str:
    return "".join(filter(str.isdecimal, text))


def _is_same_amount(typed: str, kept: str) -> bool:
    """Whether a field wrote a number as an amount: 1480.50 as £ 1,480.50."""
    amount = _AMOUNT.fullmatch(kept.strip())
    if amount is None or not re.fullmatch(r"\d+\.\d+", typed):
        return False
    return Decimal(amount["number"].replace(",", "")) == Decimal(typed)


def _without_formatting(text: str) -> str:
    is_amount = any(map(str.isdigit, text)) and _WORD_BESIDE.search(text)
    text = _BLANK.sub("", text)
    if is_amount:
        return text.casefold()
    if _ONLY_NEGATIVE.fullmatch(text) or _RANGE.fullmatch(text):
        return text
    return _PARENTHESES.sub(r"\1", _DASH.sub("", text)).casefold()


def _digits_of_mask(text: str) -> str:
    """The digits that were typed if a mask made a date, a time, a phone number with + or groups of
    three digits of them; else the text as it is."""
    if any(mask.fullmatch(text) for mask in (_GROUPED, _DATE_OR_TIME, _RANGE)):
        return re.sub(r"\D", "", text)
    return text[1:] if re.fullmatch(r"\+\d{4,}", text) else text
