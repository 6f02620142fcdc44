"""``{column}`` in start_url, goal and system_prompt, filled from the sample.

Only ``{identifier}`` is a placeholder; every other brace is text, since goals quote JSON.
``{{`` stands for one brace: ``{{name}}`` is the text ``{name}``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import quote

from pytest_bwa.errors import SpecError
from pytest_bwa.spec.load import nearest
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec

FILLED = ("start_url", "goal", "system_prompt")
_TOKEN = re.compile(r"\{\{(?P<escaped>[A-Za-z_]\w*)\}\}|\{\{|\{(?P<name>[A-Za-z_]\w*)\}", re.ASCII)


def names(text: str) -> list[str]:
    """The placeholders in ``text``, in order."""
    return [match["name"] for match in _TOKEN.finditer(text) if match["name"]]


def is_concrete(url: str | None) -> bool:
    return bool(url) and not names(url or "")


def check(task: TaskSpec, columns: Sequence[str], path: Path | str) -> None:
    """Raise SpecError for a placeholder that no column of the samples fills."""
    for key in FILLED:
        for name in names(getattr(task, key) or ""):
            if name not in columns:
                hint = nearest(name, columns) or f" (columns: {', '.join(columns)})"
                raise SpecError(
                    f'{path}: key "{key}": the placeholder {{{name}}} is no column of the '
                    f"samples{hint}; write {{{{{name}}}}} if it is meant as text"
                )


def fill(task: TaskSpec, sample: Sample) -> TaskSpec:
    """The task as this one sample sees it."""

    def text(name: str) -> str:
        return sample.columns.get(name, "")

    changes = {
        "goal": _filled(task.goal, text),
        "system_prompt": _filled(task.system_prompt, text),
        "start_url": _filled_url(task.start_url, text),
    }
    return task.model_copy(update=changes)


def _filled_url(url: str | None, value: Callable[[str], str]) -> str | None:
    if url is None:
        return None
    if re.match(r"\{[A-Za-z_]\w*\}", url):  # the column itself is the address, or begins it
        return _filled(url, value)
    return _filled(url, lambda name: quote(value(name), safe="/:@!$&'()*+,;=~-._"))


def _filled(text: str, value: Callable[[str], str]) -> str:
    def one(match: re.Match[str]) -> str:
        if match["escaped"]:
            return "{" + match["escaped"] + "}"
        return value(match["name"]) if match["name"] else "{"

    return _TOKEN.sub(one, text)
