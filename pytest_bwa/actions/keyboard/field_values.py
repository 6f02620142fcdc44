"""Values of fields that have one form for machines, whatever a person or a model writes: moments,
times, numbers and colours."""

from __future__ import annotations

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
