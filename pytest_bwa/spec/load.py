"""Loads a task spec from JSON or YAML; an error is one line that says what to correct."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pytest_bwa.errors import SpecError
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.messages import quote_value, suggest_name
from pytest_bwa.spec.network.urls import url_problem
from pytest_bwa.spec.output import OutputSchema, check_schema
from pytest_bwa.spec.parse import Unreadable, parse_json, parse_yaml
from pytest_bwa.spec.task import TaskSpec

MAX_BYTES = 1024 * 1024
_FORMER = {"recipe": "pass --recipe, or set bwa_recipe in pytest.ini"}
"""Keys that a spec had once. The specs of older runs have them, too, with null."""
_EXPECTED = {
    "string_type": "text (put it in quotes)",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a text, or a list of texts",
    "dict_type": "a mapping of keys to values",
    "literal_error": "{expected}",
    "greater_than": "a number above {gt:g}",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "extra_forbidden": "no such key",
}


def load_task(path: Path) -> TaskSpec:
    """Load the spec in ``path``; every fault is a one-line SpecError with the file and the key."""
    text = _read(path)
    suffix = path.suffix.lower()
    is_json = suffix == ".json" or (suffix not in (".yaml", ".yml") and text.lstrip()[:1] == "{")
    try:
        if not text.strip():
            raise Unreadable("is empty")
        content = parse_json(text) if is_json else parse_yaml(text)
    except Unreadable as error:
        raise SpecError(f"{path}: {_one_line(str(error))}") from None
    if not isinstance(content, dict):
        raise SpecError(
            f"{path}: a task spec is a mapping of keys to values (task_id, goal, …), "
            f"not {_describe_type(content)}"
        )
    return build_task(content, path)


def build_task(content: Mapping[str, Any], path: Path | str) -> TaskSpec:
    """Build the spec from parsed data; error messages name it by ``path``."""
    known_keys = TaskSpec.model_fields
    content = {k: v for k, v in content.items() if k not in _FORMER or v is not None}
    for key in content:
        if advice := _FORMER.get(key):
            raise SpecError(f"{path}: {quote_value(key)} is no key any more: {advice}")
        if key not in known_keys:
            hint = suggest_name(key, known_keys) or f" (known keys: {', '.join(known_keys)})"
            raise SpecError(f"{path}: unknown key {quote_value(key)}{hint}")
    try:
        # Strict: in lax mode, pydantic would accept "25" as a number and true as 1.
        task = TaskSpec.model_validate(content, strict=True)
    except ValidationError as error:
        raise SpecError(f"{path}: {_explain(error.errors()[0])}") from None
    _check(task, path)
    return task


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise SpecError(f"{path}: there is no such task spec file") from None
    except IsADirectoryError:
        raise SpecError(f"{path}: is a directory; name the .json or .yaml file in it") from None
    except OSError as error:
        raise SpecError(f"{path}: cannot be read: {error.strerror or error}") from None
    if len(data) > MAX_BYTES:
        raise SpecError(f"{path}: is larger than 1 MiB; a task spec is about a page of text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SpecError(f"{path}: line {line}: is not UTF-8; save the file as UTF-8") from None


def _check(task: TaskSpec, path: Path | str) -> None:
    """Check what types alone do not: rules between keys, empty and repeated entries."""
    check_schema(task.output_schema, path, "output_schema")
    check_schema(task.input_schema, path, "input_schema")
    problems = (*_empty_entries(task), *_unknown_fields(task), *_repeated_entries(task))
    if task.login is not None:
        problems = (*problems, *task.login.problems({**task.secrets, **task.totp}))
    for problem in (*problems, *_item_count_problems(task)):
        raise SpecError(f"{path}: {problem}")
    if task.judgment_required and not (task.judgment_question or "").strip():
        raise SpecError(f'{path}: judgment_required is true, but "judgment_question" is missing')
    if task.judgment_required and task.phase == "discovery":
        raise SpecError(
            f"{path}: judgment_required is true, but the discovery phase lists pages and makes no "
            'judgments; remove the key, or write "phase": "execution"'
        )
    if task.phase == "execution" and not task.output_schema and not task.required_artifacts:
        raise SpecError(
            f"{path}: output_schema and required_artifacts are both empty: nothing would be checked"
        )
    if task.start_url is not None and (problem := _start_url_problem(task.start_url)):
        raise SpecError(f'{path}: key "start_url": {quote_value(task.start_url)} {problem}')


def _start_url_problem(template: str) -> str:
    """Check the address with 1 for every placeholder.

    An address that begins with a placeholder can only be checked with a sample.
    """
    if not placeholders.is_concrete(template) and re.match(r"\{[A-Za-z_]", template):
        return ""
    return url_problem(placeholders.fill_text(template, lambda _: "1"))


def _empty_entries(task: TaskSpec) -> list[str]:
    problems = [] if task.goal.strip() else ['key "goal": is empty; say what to collect']
    for key, reason in task.xfail.items():
        if not reason.strip():
            problems.append(f'key "xfail.{key}": is empty; give the reason')
    for name, others in task.aliases.items():
        if any(not other.strip() for other in others):
            problems.append(f'key "aliases.{name}": an alias is empty')
    for key in ("required_fields", "required_artifacts", "controls"):
        if any(not name.strip() for name in getattr(task, key)):
            problems.append(f'key "{key}": an entry is empty')
    return problems


def _unknown_fields(task: TaskSpec) -> list[str]:
    fields = task.output_schema
    inner = {name: form for outer in fields.values() for name, form in _properties(outer).items()}
    with_outer = {f"{outer}.{name}": "" for outer in fields for name in _properties(fields[outer])}
    columns = dict.fromkeys(("sample_id", "name"), "") | task.input_schema
    return [
        f'key "{key}": {quote_value(name)} is not in output_schema{suggest_name(name, names)}'
        for key, used, names in (
            ("required_fields", task.required_fields, fields),
            ("derived", _not_inner(task), {**fields, **with_outer}),
            ("aliases", task.aliases, {**fields, **inner, **columns}),
        )
        for name in used
        if name not in names
    ]


def _not_inner(task: TaskSpec) -> list[str]:
    """The entries of derived but for those that name a part of a field, as ``checks.note`` does."""
    walked = f"{task.listing_field}.sample_id"  # added by a walk, which also makes ids of addresses
    return [n for n in task.derived if n != walked and not _is_inner(n, task.output_schema)]


def _is_inner(name: str, fields: Mapping[str, Any]) -> bool:
    """Whether it names a part of one of the fields. What parts an object has is only known if its
    form lists them."""
    outer, _, rest = name.partition(".")
    if not rest or outer not in fields:
        return False
    if parts := _properties(fields[outer]):
        return rest in parts or _is_inner(rest, parts)
    kinds = OutputSchema({outer: fields[outer]}).kinds(outer)
    return not kinds or bool(kinds & {"array", "object"})


def _properties(form: Any) -> Mapping[str, Any]:
    """The parts of an object that its form lists, or those of each object of an array."""
    form = form.get("items", form) if isinstance(form, Mapping) else {}
    parts = form.get("properties", {}) if isinstance(form, Mapping) else {}
    # A part may be true, which is a JSON Schema for whatever, as {} is.
    return {name: part if isinstance(part, Mapping) else {} for name, part in parts.items()}


def _item_count_problems(task: TaskSpec) -> list[str]:
    """Why it cannot be known which arrays expected_items is about."""
    key, expected, arrays = 'key "expected_items"', task.expected_items, task.array_fields
    if isinstance(expected, dict):
        return [
            f"{key}: {quote_value(name)} is not an array field of output_schema"
            f"{suggest_name(name, arrays)}"
            for name in expected
            if name not in arrays
        ]
    if expected is None or len(arrays) == 1:
        return []
    if not arrays:
        return [f"{key}: output_schema has no array field; add one, or delete the key"]
    return [
        f"{key}: output_schema has {len(arrays)} array fields ({', '.join(arrays)}); "
        f"write {{{arrays[0]}: {expected}}}"
    ]


def _repeated_entries(task: TaskSpec) -> list[str]:
    return [
        f'key "{key}": {quote_value(name)} is listed twice; delete one'
        for key, names in (
            ("required_fields", task.required_fields),
            ("required_artifacts", task.required_artifacts),
        )
        for place, name in enumerate(names)
        if name in names[:place]
    ]


def _explain(error: ErrorDetails) -> str:
    """Return a pydantic error as one line: the key, what is expected, and what was given."""
    location = ""
    for part in error["loc"]:
        location += f"[{part}]" if isinstance(part, int) else f".{part}" if location else part
    if error["type"] == "missing":
        return f'the key "{location}" is missing'
    value = quote_value(error["input"])
    if error["type"] == "string_pattern_mismatch":
        expected = (
            "a letter or digit followed by letters, digits, dots, hyphens or underscores, "
            "100 characters at most"
        )
    else:
        expected = _EXPECTED.get(error["type"], error["msg"]).format(**error.get("ctx", {}))
    return _one_line(f'key "{location}": expected {expected}, got {value}')


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _describe_type(content: Any) -> str:
    names = {list: "a list", str: "text", int: "a number", float: "a number", bool: "true or false"}
    return names.get(type(content), "nothing")
