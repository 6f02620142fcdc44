"""Fills ``{column}`` placeholders in start_url, goal, system_prompt and required_artifacts.

Only ``{identifier}`` is a placeholder. Every other brace is plain text, since a goal may contain
JSON. ``{{`` means one brace, and so does the ``}}`` that closes it: ``{{name}}`` becomes the text
``{name}``. A ``}}`` without a matching ``{{`` is unchanged, as in ``{"a": {"b": 1}}``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from pytest_bwa.errors import SpecError
from pytest_bwa.spec.messages import printable_name, suggest_name
from pytest_bwa.spec.sample import COLUMNS_OF_PAGE, Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.text import one_line

_FILLED_FIELDS = ("start_url", "goal", "system_prompt", "required_artifacts")
_TOKEN = re.compile(r"\{\{|\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)\}|[{}]")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")

# Characters that are not percent-encoded in each part of a URL. "%XX" is encoded already.
_SAFE_IN_HOST = ":[]%"
_SAFE_IN_PATH = "/:@!$&'()*+,;=~%"
_SAFE_IN_QUERY = "/:@!$'()*,?~%"
_SAFE_IN_FRAGMENT = "/:@!$&'()*+,;=?~%"


def names(text: str) -> list[str]:
    """Return the names of the placeholders in ``text``, in order."""
    return [name for _, name in _tokens(text) if name]


def used(task: TaskSpec) -> list[str]:
    """Return the names of the placeholders of a task, each once."""
    return list(dict.fromkeys(name for text in texts(task) for name in names(text)))


def texts(task: TaskSpec) -> list[str]:
    """All that is filled from a sample's columns."""
    return [_text_of(task, key) for key in _FILLED_FIELDS]


def _text_of(task: TaskSpec, key: str) -> str:
    value: str | list[str] | None = getattr(task, key)
    return value if isinstance(value, str) else "\n".join(value or ())


def is_concrete(url: str | None) -> bool:
    """Return whether the URL has no placeholders, so that it can be opened without a sample."""
    return bool(url) and not names(url or "")


def check_needs_no_list(task: TaskSpec, path: Path | str) -> None:
    """Raise SpecError for a placeholder that is not a column of a sample without a list."""
    missing = [name for name in used(task) if name not in COLUMNS_OF_PAGE]
    if not missing:
        return
    columns = ", ".join(f"{{{name}}}" for name in missing)
    stands = "stands for a column" if len(missing) == 1 else "stand for columns"
    discovered = set(names(task.start_url or "")).issuperset(missing)
    raise SpecError(
        f"{path}: {columns} {stands} of a list: pass --samples FILE (one row is enough, and -k ID "
        f"runs one of many){', or --discover with --start-url URL' if discovered else ''}"
    )


def check(task: TaskSpec, columns: Sequence[str], path: Path | str) -> None:
    """Raise SpecError for a placeholder that is not a column of the samples."""
    for key in _FILLED_FIELDS:
        text = _text_of(task, key)
        for name in names(text):
            if name not in columns:
                hint = (
                    suggest_name(name, columns)
                    or f" (columns: {', '.join(map(printable_name, columns))})"
                )
                raise SpecError(
                    f'{path}: key "{key}": the placeholder {{{name}}} is not a column of '
                    f"the samples{hint}; write {{{{{name}}}}} if it is meant as text"
                )
        for column in columns:
            # "{Ticket ID}" would silently stay in the text, unfilled.
            if not _IDENTIFIER.fullmatch(column) and f"{{{column}}}" in text:
                better = re.sub(r"[^A-Za-z0-9_]+", "_", column).strip("_")
                raise SpecError(
                    f'{path}: key "{key}": the column "{printable_name(column)}" cannot be a '
                    f'placeholder; rename it, for example to "{better}", in both files'
                )


def fill(task: TaskSpec, sample: Sample) -> TaskSpec:
    """Return the task with its placeholders filled from this sample; missing columns are empty.

    In texts a column stays on one line, so that no list can write a heading of the prompt."""

    def column_text(name: str) -> str:
        return sample.columns.get(name, "")

    def line(name: str) -> str:
        return one_line(column_text(name))

    changes = {
        "goal": fill_text(task.goal, line),
        "system_prompt": fill_text(task.system_prompt, line),
        "start_url": fill_url(task.start_url, column_text),
        "required_artifacts": _filled_labels(task, line),
    }
    return task.model_copy(update=changes)


def _filled_labels(task: TaskSpec, value_of: Callable[[str], str]) -> list[str]:
    """A label of which this sample's columns leave nothing asks for nothing."""
    labels = [fill_text(label, value_of) for label in task.required_artifacts]
    return [label for label in dict.fromkeys(labels) if label.strip()]


def fill_text(text: str, value_of: Callable[[str], str]) -> str:
    """Fill the placeholders of a text; values are inserted unchanged, including any braces."""
    return "".join(value_of(name) if name else piece for piece, name in _tokens(text))


def fill_url(url: str | None, value_of: Callable[[str], str]) -> str | None:
    """Fill the placeholders of a URL, and percent-encode what would break it.

    A column that is the whole address, or all of it but the scheme, is inserted unchanged.
    """
    if url is None:
        return None
    result = ""
    pieces = list(_tokens(url))
    for place, (piece, name) in enumerate(pieces):
        is_last = place == len(pieces) - 1
        result += _encode(value_of(name), result, is_last=is_last) if name else piece
    return result


def _encode(value: str, before: str, *, is_last: bool) -> str:
    """Encode the value for the part of the URL that follows ``before``."""
    _, scheme_ends, rest = before.partition("://")
    in_host = bool(scheme_ends) and not re.search(r"[/?#]", rest)
    if not before or (in_host and not rest and is_last):
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
    """Yield (piece of text, placeholder name or empty), with double braces already replaced."""
    is_double: list[bool] = []  # one entry for every open brace
    position = 0
    while token := _TOKEN.search(text, position):
        yield text[position : token.start()], ""
        position = token.end()
        if token["name"]:
            yield token[0], token["name"]
        elif token[0] == "}":
            if is_double and (not is_double[-1] or text[position : position + 1] == "}"):
                position += is_double.pop()  # skips the second brace of a double one
            yield "}", ""
        else:
            is_double.append(token[0] == "{{")
            yield "{", ""
    if text[position:]:
        yield text[position:], ""
