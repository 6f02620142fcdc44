"""What was found of a sample so far, with where it stands and what speaks against it.

The history has it: what ``save_progress`` was given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.rules.fields import Answer, Reading
from pytest_bwa.steps.doubts import Doubt
from pytest_bwa.steps.step import Action

_OTHER = frozenset({Doubt.OTHER_VALUE, Doubt.OTHER_PAGE})


def kept_of(turn: Turn, reading: Reading) -> dict[str, Answer]:
    """What is kept of each field; the label is known where it is that of this page."""
    kept = {name: Answer(value) for name, value in turn.collected.items()}
    for step in turn.history:
        if step.action != "save_progress" or not step.success:
            continue
        for name in step.params.get("extracted") or {}:
            if name in kept:
                answer = kept[name]
                answer.source = (step.params.get("sources") or {}).get(name)
                doubts = (step.params.get("doubts") or {}).get(name) or {}
                earlier = {} if step.params.get("replace") else answer.doubts
                answer.doubts = {**earlier, **{Doubt(code): text for code, text in doubts.items()}}
    for name, answer in reading.answers.items():
        if name in kept and kept[name].source == answer.source:
            kept[name].labelled = answer.labelled
    return kept


def to_save(turn: Turn, reading: Reading, label: str | None) -> Action | None:
    """What this page adds: a value of its own, one that nothing speaks against in place of one that
    is doubted, or that it says something else than an earlier page; with a picture under the
    ``label``."""
    kept, here = kept_of(turn, reading), turn.observation
    page = here.title or here.url
    new: dict[str, Answer] = {}
    for name, answer in reading.answers.items():
        old = kept.get(name)
        is_sure = answer.value is not None and not answer.doubts
        is_better = is_sure and old and old.doubts and _OTHER.isdisjoint(old.doubts)
        if old is None or is_better:
            new[name] = answer
        elif _differ(old.value, answer.value) and _OTHER.isdisjoint(old.doubts):
            text = f"{page}: {answer.label} | {answer.value}"
            new[name] = replace(old, doubts={**old.doubts, Doubt.OTHER_PAGE: text})
    if not new:
        return None
    return Action(
        action="save_progress",
        extracted={name: answer.value for name, answer in new.items()},
        replace=True if new.keys() & kept.keys() else None,
        note=f"read on the page “{page}”" if here.title else f"read on {page}",
        screenshot_label=label,
        **given(new),
    )


def _differ(value: Any, other: Any) -> bool:
    return None not in (value, other) and value != other


def given(answers: Mapping[str, Answer]) -> dict[str, Any]:
    """The sources and the doubts of these answers, as an action has them."""
    sources = {name: answer.source for name, answer in answers.items() if answer.source is not None}
    doubts = {name: dict(answer.doubts) for name, answer in answers.items() if answer.doubts}
    return {"sources": sources or None, "doubts": doubts or None}
