"""How many tokens a prompt may take, and how many a text takes (F-42)."""

from __future__ import annotations

import math

LEAST, MOST, SHARE = 8_000, 24_000, 0.08
HISTORY_SHARE = 0.3
BYTES_A_TOKEN = 3.0
"""English prose has about four characters a token; URLs, JSON and other scripts have fewer. Bytes
rather than characters, so that Chinese is not taken for cheap."""


def prompt_budget(context_window: int) -> int:
    """Tokens of one prompt, the system included, the tools not: 8 % of the model's context window,
    and between 8,000 and 24,000."""
    return min(MOST, max(LEAST, int(context_window * SHARE)))


def tokens(text: str) -> int:
    """An estimate that errs upwards; a line break counts as the character that it is."""
    return math.ceil(len(text.encode("utf-8", "replace")) / BYTES_A_TOKEN)


def fitting(lines: tuple[str, ...], budget: int, more: str) -> tuple[str, ...]:
    """As many lines from the top as the budget holds; then ``more``, which says how many are left
    out by its ``{n}``."""
    if sum(tokens(line + "\n") for line in lines) <= budget:
        return lines
    kept: list[str] = []
    left = budget - tokens(more)
    for line in lines:
        left -= tokens(line + "\n")
        if left < 0:
            break
        kept.append(line)
    return (*kept, more.format(n=len(lines) - len(kept)))
