"""``{column}`` in start_url, goal and system_prompt, filled from the sample.

Only ``{identifier}`` is a placeholder; every other brace is text, since goals quote JSON.
``{{`` stands for one brace, and so does the ``}}`` that closes it: ``{{name}}`` is the text
``{name}``. A ``}}`` that closes no ``{{`` stays: ``{"a": {"b": 1}}`` is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from pytest_bwa.errors import SpecError
from pytest_bwa.spec.messages import nearest, shown
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec

FILLED = ("start_url", "goal", "system_prompt")
_TOKEN = re.compile(r"\{\{|\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)\}|[{}]")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")

# What a value keeps in each part of a URL; "%XX" is kept everywhere, it is encoded already.
_SAFE_IN_HOST = ":[]%"
_SAFE_IN_PATH = "/:@!$&'()*+,;=~%"
_SAFE_IN_QUERY = "/:@!$'()*,?~%"
_SAFE_IN_FRAGMENT = "/:@!$&'()*+,;=?~%"


def names(text: str) -> list[str]:
    """The placeholders in ``text``, in order."""
    return [name for _, name in _tokens(text) if name]


def is_concrete(url: str | None) -> bool:
    """Whether the URL can be opened without a sample."""
    return bool(url) and not names(url or "")


def check(task: TaskSpec, columns: Sequence[str], path: Path | str) -> None:
    """Raise SpecError for a placeholder that no column of the samples fills."""
    for key in FILLED:
        text = getattr(task, key) or ""
        for name in names(text):
            if name not in columns:
                hint = nearest(name, columns) or f" (columns: {', '.join(map(shown, columns))})"
                raise SpecError(
                    f'{path}: key "{key}": the placeholder {{{name}}} is no column of the '
                    f"samples{hint}; write {{{{{name}}}}} if it is meant as text"
                )
        for column in columns:
            # {Ticket ID} would stay text for ever, and nobody would know why.
            if not _IDENTIFIER.fullmatch(column) and f"{{{column}}}" in text:
                better = re.sub(r"[^A-Za-z0-9_]+", "_", column).strip("_")
                raise SpecError(
                    f'{path}: key "{key}": the column "{shown(column)}" cannot be a placeholder; '
                    f'rename it, for example to "{better}", in both files'
                )


def fill(task: TaskSpec, sample: Sample) -> TaskSpec:
    """The task as this one sample sees it; a column that it lacks is empty."""

    def text(name: str) -> str:
        return sample.columns.get(name, "")

    changes = {
        "goal": filled(task.goal, text),
        "system_prompt": filled(task.system_prompt, text),
        "start_url": filled_url(task.start_url, text),
    }
    return task.model_copy(update=changes)


def filled(text: str, value: Callable[[str], str]) -> str:
    """Values are put in as they are; braces inside them are text."""
    return "".join(value(name) if name else piece for piece, name in _tokens(text))


def filled_url(url: str | None, value: Callable[[str], str]) -> str | None:
    """Values are percent-encoded where they would break the URL; a column that is the whole
    address (or all of it but the scheme) stays as it is."""
    if url is None:
        return None
    result = ""
    pieces = list(_tokens(url))
    for place, (piece, name) in enumerate(pieces):
        last = place == len(pieces) - 1
        result += _url_part(value(name), result, last=last) if name else piece
    return result


def _url_part(value: str, before: str, *, last: bool) -> str:
    """The value as it may stand after ``before``."""
    _, scheme_ends, rest = before.partition("://")
    in_host = bool(scheme_ends) and not re.search(r"[/?#]", rest)
    if not before or (in_host and not rest and last):
        return value
    if in_host:
        safe = _SAFE_IN_HOST
    elif "#" in before:
        safe = _SAFE_IN_FRAGMENT
    elif "?" in before:
        safe = _SAFE_IN_QUERY
    else:
        safe = _SAFE_IN_PATH
    return quote(_STRAY_PERCENT.sub("%25", value), safe=safe)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Pieces of the text as they read when filled, each with the placeholder's name or empty."""
    escaped: list[bool] = []  # one entry for every brace that is open
    at = 0
    while token := _TOKEN.search(text, at):
        yield text[at : token.start()], ""
        at = token.end()
        if token["name"]:
            yield token[0], token["name"]
        elif token[0] == "}":
            if escaped and (not escaped[-1] or text[at : at + 1] == "}"):
                at += escaped.pop()  # the second brace of an escaped pair
            yield "}", ""
        else:
            escaped.append(token[0] == "{{")
            yield "{", ""
    if text[at:]:
        yield text[at:], ""
