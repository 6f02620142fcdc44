"""What a call of a model takes: the tokens of texts and pictures, and US dollars."""

from __future__ import annotations

import json
import math
import re
import struct
from typing import Any, NamedTuple

MIN_PROMPT, MAX_PROMPT, PROMPT_SHARE = 8_000, 24_000, 0.08
HISTORY_SHARE = 0.3
BYTES_PER_TOKEN = 3.0
"""English prose has about four characters per token; URLs, JSON and other scripts have fewer. Bytes
are counted and not characters, because otherwise Chinese would be underestimated."""

PIXELS_PER_TOKEN = 750


def prompt_budget(context_window: int) -> int:
    """The limit in tokens of everything that is sent for one decision, system, tools and pictures
    included: 8 % of the model's context window, but at least 8,000 and at most 24,000."""
    return min(MAX_PROMPT, max(MIN_PROMPT, int(context_window * PROMPT_SHARE)))


def tokens(text: str) -> int:
    """The tokens of a text, estimated too high rather than too low; line breaks count too."""
    return math.ceil(len(text.encode("utf-8", "replace")) / BYTES_PER_TOKEN)


def json_tokens(value: Any) -> int:
    """The tokens of a value in the form in which the SDK sends it."""
    return tokens(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def picture_tokens(png: bytes) -> int:
    """The tokens of a picture that a model does not make smaller."""
    if len(png) < 24:
        return 0
    width, height = struct.unpack(">II", png[16:24])
    return math.ceil(int(width) * int(height) / PIXELS_PER_TOKEN)


def fit_lines(lines: tuple[str, ...], budget: int, cut_note: str) -> tuple[str, ...]:
    """As many lines from the top as fit into the budget. If some do not, the last line is
    ``cut_note``, with their number in place of ``{n}``."""
    if sum(tokens(line + "\n") for line in lines) <= budget:
        return lines
    kept: list[str] = []
    left = budget - tokens(cut_note)
    for line in lines:
        left -= tokens(line + "\n")
        if left < 0:
            break
        kept.append(line)
    note = cut_note.format(n=len(lines) - len(kept))
    rest = lines[len(kept) :]
    return lines if tokens("\n".join(rest)) <= tokens(note) else (*kept, note)


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
