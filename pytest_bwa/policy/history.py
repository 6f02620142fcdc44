"""The steps taken so far, as lines of the prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from pytest_bwa.steps import Step

SHOWN = 25  # F-42's upper bound; fitting to a token budget takes this place later
RESULT_CHARACTERS = 4100  # what extract returns at the most, and its preamble
DATA_CHARACTERS = 300
_BREAKS = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")


def one_line(text: str, limit: int | None = None) -> str:
    """Text without line breaks (so that it cannot start a line with a heading of ours), cut to
    ``limit`` characters, which it then says."""
    line = _BREAKS.sub(" ", text)
    if limit is None or len(line) <= limit:
        return line
    return f"{line[:limit]}… ({len(line) - limit} more characters)"


def history_lines(history: Sequence[Step], limit: int = SHOWN) -> list[str]:
    """``Step 3: click [7] → …``, the most recent ``limit`` steps, oldest first."""
    lines = [_line(step) for step in history[-limit:]]
    left_out = len(history) - len(lines)
    return [f"({left_out} earlier steps are not shown)", *lines] if left_out else lines


def _line(step: Step) -> str:
    outcome = step.result if step.success else f"failed: {step.error or step.result}"
    return f"Step {step.step}: {_call(step)} → {one_line(outcome, RESULT_CHARACTERS)}"


def _call(step: Step) -> str:
    """The action with its parameters, in a fixed order, on one line."""
    params = step.params
    words = [step.action]
    if "selector" in params:
        words.append(_element(str(params["selector"])))
    if "target" in params:
        words += ["onto", _element(str(params["target"]))]
    plain = ("url", "direction", "key", "tab")
    words += [one_line(str(params[key])) for key in plain if key in params]
    told = ("text", "value", "label", "note", "file")
    words += [_quoted(params[key]) for key in told if key in params]
    if "extracted" in params:
        words.append(_quoted(params["extracted"], DATA_CHARACTERS))
    return " ".join(words)


def _element(selector: str) -> str:
    return f"[{selector}]" if selector.isdigit() else _quoted(selector)


def _quoted(value: Any, limit: int | None = None) -> str:
    return one_line(json.dumps(value, ensure_ascii=False, default=str), limit)
