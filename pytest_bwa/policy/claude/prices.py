"""What models cost, as data with their date."""

from __future__ import annotations

import re
from typing import NamedTuple

PRICED_ON = "2026-11"


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
# Anthropic's documentation on prompt caching: a five-minute cache write costs 1.25 times the
# input price, a cache read a tenth of it.
CACHE_WRITE = 1.25
CACHE_READ = 0.1
_MILLION = 1_000_000
_DATED = re.compile(r"-\d{8}$")


def undated(model: str) -> str:
    """``claude-sonnet-5-5`` for ``claude-sonnet-5-5-20261001``."""
    return _DATED.sub("", model)


def cost(
    model: str, *, input_tokens: int, output_tokens: int, cache_read: int = 0, cache_write: int = 0
) -> float | None:
    """US dollars for one call, or None while the model's price is unknown (never 0).

    ``input_tokens`` counts what neither came from the cache nor went into it.
    """
    price = PRICES.get(undated(model))
    if price is None:
        return None
    read = input_tokens + CACHE_WRITE * cache_write + CACHE_READ * cache_read
    return (read * price.input + output_tokens * price.output) / _MILLION
