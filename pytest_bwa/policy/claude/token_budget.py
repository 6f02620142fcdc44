"""How many tokens a prompt may have, and how many a text has."""

from __future__ import annotations

import json
import math
import struct
from typing import Any

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
