"""The steps taken so far as lines of the prompt: within a token budget, older steps shortened."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from pytest_bwa.policy.claude.cost import tokens
from pytest_bwa.steps.step import Step
from pytest_bwa.steps.text import one_line

MIN_STEPS, MAX_STEPS = 5, 25
FULL_STEPS = 5  # newest steps, whose results are shown in full; the results of others are cut
MAX_NOTICES = 3
RESULT_CHARACTERS = 5900  # the longest text that extract returns, its numbers and words before it
OLD_RESULT_CHARACTERS = 120
_SHORTER = (2000, 1000, 500, 250, OLD_RESULT_CHARACTERS)
_RESULT_LIMITS = (
    (RESULT_CHARACTERS, RESULT_CHARACTERS),
    *((limit, RESULT_CHARACTERS) for limit in _SHORTER),
    *((OLD_RESULT_CHARACTERS, limit) for limit in _SHORTER),
)
"""Maximum lengths of the latest results, those before the newest and the newest, as they are tried
until the history fits."""
DATA_CHARACTERS = 300
IMPORTANCE = {"save_progress": 3, "done": 3, "extract": 2, "scroll": 0, "wait": 0}  # others 1
RECENCY_WEIGHT = 3.0  # points that the newest step has more than the oldest
TOKENS_PER_POINT = 200  # a step loses one point for this many tokens
_UNQUOTED = ("url", "direction", "key", "tab")
_QUOTED = ("text", "value", "label", "note", "file", "question", "extracted")
NOT_SHOWN = "earlier steps are not shown)"
"""The end of the first line if the history does not fit."""
_READ = {"extract": "Extracted", "find": "Found"}
_NUMBER = re.compile(r"\[\d+\] ")
Hide = Callable[[str], str]


def history_lines(
    history: Sequence[Step],
    budget: int = 100_000,
    *,
    full_reflection: bool = False,
    hide: Hide = str,
) -> list[str]:
    """One line per step such as ``Step 3: click [7] → …``, oldest first.

    The last five steps are always shown, their results as far as they fit, the newest first; of
    the earlier ones, the most useful that fit into the token budget and the maximum number of
    steps. ``full_reflection`` adds the model's complete reflection. ``hide`` masks secrets before
    anything is cut, because half of a secret would not be recognized.
    """
    notices = _last_notices(history)

    def entry(step: Step, limit: int) -> str:
        return "\n".join(_entry(step, limit, notices, full_reflection, hide))

    earlier, latest = history[:-MIN_STEPS], history[-MIN_STEPS:]
    newest_number = history[-1].step if history else 0
    entries = [entry(step, _result_limit(step, newest_number)) for step in earlier]
    entries += _fitting(latest, budget, entry)
    selected = _select(history, entries, budget)
    left_out = len(history) - len(selected)
    lines = [line for n in sorted(selected) for line in entries[n].split("\n")]
    return [f"({left_out} {NOT_SHOWN}", *lines] if left_out else lines


def extract_lines(
    extracts: Sequence[Step], history: Sequence[str], room: int, hide: Hide = str
) -> list[str]:
    """What was extracted or found and the history does not show whole, oldest first: whole, with
    its numbers, as far as the tokens allow, the newest before the others."""
    lines, seen, left_out = [], set(), 0
    for step in reversed(extracts):
        result = one_line(hide(step.result))
        text = _NUMBER.sub("", result)
        is_shown = any(result in line for line in history)
        if (step.url, text) in seen or is_shown or not _NUMBER.search(result):
            continue
        seen.add((step.url, text))
        line = f"{_READ[step.action]} in step {step.step} on {one_line(hide(step.url))}: {result}"
        if tokens(line) > room:
            left_out += 1
            continue
        room -= tokens(line)
        lines.append(line)
    texts = "text does" if left_out == 1 else "texts do"
    more = [f"({left_out} more extracted {texts} not fit)"] if left_out else []
    return more + lines[::-1]


def _result_limit(step: Step, newest: int) -> int:
    is_old = newest - step.step >= FULL_STEPS
    return OLD_RESULT_CHARACTERS if is_old else RESULT_CHARACTERS


def _fitting(latest: Sequence[Step], budget: int, entry: Callable[[Step, int], str]) -> list[str]:
    """The entries of the latest steps. If they do not fit, their results are cut: that of the
    newest last, because the next decision needs it most."""
    entries: list[str] = []
    for others, newest in _RESULT_LIMITS:
        entries = [entry(step, others) for step in latest[:-1]]
        entries += [entry(step, newest) for step in latest[-1:]]
        if sum(map(tokens, entries)) <= budget:
            break
    return entries


def _select(history: Sequence[Step], entries: Sequence[str], budget: int) -> set[int]:
    """The indexes of the steps to show."""
    count = len(history)
    selected = set(range(max(0, count - MIN_STEPS), count))
    left = budget - sum(tokens(entries[n]) for n in selected)

    def usefulness(n: int) -> float:
        importance = IMPORTANCE.get(history[n].action, 1)
        return importance + RECENCY_WEIGHT * n / count - tokens(entries[n]) / TOKENS_PER_POINT

    for n in sorted(set(range(count)) - selected, key=usefulness, reverse=True):
        cost = tokens(entries[n])
        if len(selected) < MAX_STEPS and cost <= left:
            selected.add(n)
            left -= cost
    return selected


def _last_notices(history: Sequence[Step]) -> set[tuple[int, str]]:
    """The notices that are shown again with their steps, which are the last few, each with its
    step's id. A notice has served its purpose once the next decision is made."""
    notices = [(id(step), notice) for step in history for notice in step.notices]
    return set(notices[-MAX_NOTICES:])


def _entry(
    step: Step, limit: int, notices: set[tuple[int, str]], full_reflection: bool, hide: Hide
) -> list[str]:
    outcome = step.result if step.success else f"failed: {step.error or step.result}"
    lines = [
        f"(notice: {one_line(hide(notice), DATA_CHARACTERS)})"
        for notice in step.notices
        if (id(step), notice) in notices
    ]
    lines.append(f"Step {step.step}: {_call(step, hide)} → {one_line(hide(outcome), limit)}")
    reflection = {"memory": step.memory_update}
    if full_reflection:
        judged = step.evaluation_previous_step
        reflection = {"judged": judged, **reflection, "next": step.next_goal}
    lines += [f"  ({label}: {one_line(hide(text))})" for label, text in reflection.items() if text]
    return lines


def _call(step: Step, hide: Hide) -> str:
    """The action and its parameters, in a fixed order, on one line."""
    params = step.params
    words = [step.action]
    if "selector" in params:
        words.append(_element(str(params["selector"]), hide))
    if "target" in params:
        words += ["onto", _element(str(params["target"]), hide)]
    words += [one_line(hide(str(params[key]))) for key in _UNQUOTED if key in params]
    words += [_quote(params[key], hide, DATA_CHARACTERS) for key in _QUOTED if key in params]
    others = params.keys() - {"selector", "target", "judgment", *_UNQUOTED, *_QUOTED}
    words += [f"{key}={_quote(params[key], hide, DATA_CHARACTERS)}" for key in sorted(others)]
    return " ".join(words)


def _element(selector: str, hide: Hide) -> str:
    return f"[{selector}]" if selector.isdigit() else _quote(selector, hide)


def _quote(value: Any, hide: Hide, limit: int | None = None) -> str:
    return one_line(hide(json.dumps(value, ensure_ascii=False, default=str)), limit)
