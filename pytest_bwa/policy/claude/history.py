"""The steps taken so far, as lines of the prompt: fitted to a budget, old ones as stubs (F-42,
F-43)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from pytest_bwa.policy.claude.token_budget import tokens
from pytest_bwa.steps import Step
from pytest_bwa.text import one_line

FEWEST, MOST = 5, 25  # items, F-42
WHOLE = 5  # steps that are told whole; older ones become stubs, F-43
NOTICES_KEPT = 3
RESULT_CHARACTERS = 4100  # what extract returns at the most, and its preamble
STUB_CHARACTERS = 120
DATA_CHARACTERS = 300
IMPORTANCE = {"save_progress": 3, "done": 3, "extract": 2, "scroll": 0, "wait": 0}
RECENCY = 3.0  # what the newest step gains over the oldest
TOKENS_A_POINT = 200  # what a step may cost for one point of importance
Hide = Callable[[str], str]


def history_lines(
    history: Sequence[Step],
    budget: int = 100_000,
    *,
    full: bool = False,
    hide: Hide = str,
) -> list[str]:
    """``Step 3: click [7] → …``, oldest first: the last five steps, and of those before as many as
    the budget of tokens and the limit of items hold, the most telling first. ``full`` adds what
    the model said of itself at every step. ``hide`` masks secrets, before anything is cut: half of
    one would not be known for one."""
    newest = history[-1].step if history else 0
    notices = _last_notices(history)
    entries = ["\n".join(_entry(step, newest, notices, full, hide)) for step in history]
    kept = _chosen(history, entries, budget)
    left_out = len(history) - len(kept)
    lines = [line for n in sorted(kept) for line in entries[n].split("\n")]
    return [f"({left_out} earlier steps are not shown)", *lines] if left_out else lines


def _chosen(history: Sequence[Step], entries: Sequence[str], budget: int) -> set[int]:
    count = len(history)
    kept = set(range(max(0, count - FEWEST), count))
    left = budget - sum(tokens(entries[n]) for n in kept)

    def worth(n: int) -> float:
        importance = IMPORTANCE.get(history[n].action, 1)
        return importance + RECENCY * n / count - tokens(entries[n]) / TOKENS_A_POINT

    for n in sorted(set(range(count)) - kept, key=worth, reverse=True):
        cost = tokens(entries[n])
        if len(kept) < MOST and cost <= left:
            kept.add(n)
            left -= cost
    return kept


def _last_notices(history: Sequence[Step]) -> set[tuple[int, str]]:
    """Notices served their purpose at the next decision; the last few stay in their place."""
    told = [(n, notice) for n, step in enumerate(history) for notice in step.notices]
    return {(id(history[n]), notice) for n, notice in told[-NOTICES_KEPT:]}


def _entry(
    step: Step, newest: int, notices: set[tuple[int, str]], full: bool, hide: Hide
) -> list[str]:
    old = newest - step.step >= WHOLE
    outcome = step.result if step.success else f"failed: {step.error or step.result}"
    lines = [
        f"(notice: {one_line(hide(notice), DATA_CHARACTERS)})"
        for notice in step.notices
        if (id(step), notice) in notices
    ]
    limit = STUB_CHARACTERS if old else RESULT_CHARACTERS
    lines.append(f"Step {step.step}: {_call(step, hide)} → {one_line(hide(outcome), limit)}")
    said = {"memory": step.memory_update}
    if full:
        said = {"judged": step.evaluation_previous_step, **said, "next": step.next_goal}
    lines += [f"  ({word}: {one_line(hide(text))})" for word, text in said.items() if text]
    return lines


def _call(step: Step, hide: Hide) -> str:
    """The action with its parameters, in a fixed order, on one line."""
    params = step.params
    words = [step.action]
    if "selector" in params:
        words.append(_element(str(params["selector"]), hide))
    if "target" in params:
        words += ["onto", _element(str(params["target"]), hide)]
    plain = ("url", "direction", "key", "tab")
    words += [one_line(hide(str(params[key]))) for key in plain if key in params]
    told = ("text", "value", "label", "note", "file")
    words += [_quoted(params[key], hide, DATA_CHARACTERS) for key in told if key in params]
    if "extracted" in params:
        words.append(_quoted(params["extracted"], hide, DATA_CHARACTERS))
    return " ".join(words)


def _element(selector: str, hide: Hide) -> str:
    return f"[{selector}]" if selector.isdigit() else _quoted(selector, hide)


def _quoted(value: Any, hide: Hide, limit: int | None = None) -> str:
    return one_line(hide(json.dumps(value, ensure_ascii=False, default=str)), limit)
