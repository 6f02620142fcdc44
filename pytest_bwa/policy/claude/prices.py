"""The prices of models, with their date, and the cost of a call."""

from __future__ import annotations

import re
from typing import NamedTuple

PRICED_ON = "2026-11"
"""The month in which these prices were valid."""


class Price(NamedTuple):
    """US dollars per million tokens."""

    input: float
    output: float


PRICES = {
    "claude-fable-5-1": Price(10.0, 50.0),
    "claude-opus-5-5": Price(4.0, 20.0),
    "claude-sonnet-5-5": Price(2.0, 10.0),
    "claude-haiku-5-5": Price(0.10, 0.50),
}
# From Anthropic's documentation of prompt caching: writing to the five-minute cache costs 1.25
# times the input price, reading from it a tenth.
CACHE_WRITE_FACTOR = 1.25
CACHE_READ_FACTOR = 0.1
_MILLION = 1_000_000
_DATE_SUFFIX = re.compile(r"-\d{8}$")


def undated(model: str) -> str:
    """The model's name without a date: ``claude-sonnet-5-5-20261001`` becomes
    ``claude-sonnet-5-5``."""
    return _DATE_SUFFIX.sub("", model)


def has_price(model: str) -> bool:
    """Whether it is known what a call of the model costs."""
    return undated(model) in PRICES


def cost(
    model: str, *, input_tokens: int, output_tokens: int, cache_read: int = 0, cache_write: int = 0
) -> float | None:
    """US dollars for one call, or None (never 0) if the model's price is unknown.

    ``input_tokens`` counts only tokens that were neither read from the cache nor written to it.
    """
    price = PRICES.get(undated(model))
    if price is None:
        return None
    weighted_input = (
        input_tokens + CACHE_WRITE_FACTOR * cache_write + CACHE_READ_FACTOR * cache_read
    )
    return (weighted_input * price.input + output_tokens * price.output) / _MILLION
