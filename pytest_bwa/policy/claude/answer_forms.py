"""Reads done, save_progress and fail in whatever form a model writes them.

No form costs a value. What has one meaning is put into the form that the tools ask for; of a call
whose values cannot be read, ``unread`` says so, and the check of the answer sends it back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

from pytest_bwa.spec.messages import quote_value
from pytest_bwa.spec.task import JUDGMENT_KEYS
from pytest_bwa.steps.step import FailKind, Tool
from pytest_bwa.steps.text import label_key

_WRAPPERS = ("extracted", "fields", "values", "data", "output", "result", "results", "answers")
"""What models call the object of all values, in place of ``extracted`` or inside of it."""
_NAMES, _VALUES = ("field", "name", "key", "label"), ("value", "values", "text", "answer")
_SOURCES = ("sources", "source", "line", "lines", "number", "ref", "index")
"""What an entry calls its field, its value and the lines that show it."""
_OWN = ("extracted", "sources", "source", "judgment", "kind", "note", "replace", "screenshot_label")
_BOOLEANS = {"true": True, "false": False}


def read_answer(tool: Tool, given: Any) -> dict[str, Any]:
    """The parameters of an answer, in the forms that ``Action`` has."""
    is_fail, fields = tool.name == "fail", _fields(tool)
    params = _merged(given)
    if not params and given:
        params = {"note" if is_fail else "extracted": given}
    params = {key: value for key, value in params.items() if value is not None}
    params = renamed(params, (*_OWN, *tool.parameters.get("properties", ()), *fields))
    read = _read_fail(params) if is_fail else _read_values(tool, params, fields)
    if not is_fail:
        read |= _take_judgment(params, fields, read["extracted"])
    if _boolean(params.pop("replace", None)) and tool.name == "save_progress":
        read["replace"] = True
    if (label := params.pop("screenshot_label", None)) is not None:
        read["screenshot_label"] = label if isinstance(label, str) else json.dumps(label)
    if notes := list(_notes(params, is_reason=is_fail)):
        read["note"] = "; ".join(notes)
    return read


def parsed(value: Any) -> Any:
    """A JSON text of an object or an array, read; with or without a code fence around it."""
    if not isinstance(value, str):
        return value
    text = value.strip().removeprefix("```json").removeprefix("```").removesuffix("```").strip()
    if not text.startswith(("{", "[")):
        return value
    try:
        return json.loads(text, strict=False)
    except ValueError:
        return value


def renamed(given: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """With each key that is one of the names but for case and punctuation under that name."""
    known = list(names)
    by_key = {label_key(name): name for name in reversed(known) if label_key(name)}
    result: dict[str, Any] = {}
    for key, value in given.items():
        name = key if key in known else by_key.get(label_key(key), key)
        is_taken = name in result or (name != key and name in given)
        result[key if is_taken else name] = value
    return result


def _fields(tool: Tool) -> Mapping[str, Any]:
    """The task's fields, each with its schema."""
    extracted = tool.parameters.get("properties", {}).get("extracted", {})
    fields: Mapping[str, Any] = extracted.get("properties", {})
    return fields


def _merged(value: Any) -> dict[str, Any]:
    """An object, also one that came as a text or in a list; empty if it is none."""
    value = parsed(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, list) and value and all(isinstance(part, Mapping) for part in value):
        return {key: inner for part in value for key, inner in part.items()}
    return {}


# -- values and their sources --------------------------------------------------------------------


def _read_values(tool: Tool, params: dict[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """``extracted`` and ``sources``; ``unread`` if there is something that is neither."""
    given = _take_extracted(tool, params, fields)
    sources = [params.pop(name) for name in ("sources", "source") if name in params]
    values, found = _values_and_sources(given, fields)
    if values is None:
        expected = f"an object with the fields {', '.join(fields)}" if fields else "an object"
        unread = f"extracted should be {expected}, not {quote_value(given)}"
        return {"extracted": {}, "unread": unread}
    sources = [values.pop(n) for n in ("sources",) if n in values and n not in fields] + sources
    for source in sources:
        found = {**found, **_sources_by_field(source, values, fields)}
    return {"extracted": values, **({"sources": found} if found else {})}


def _take_extracted(tool: Tool, params: dict[str, Any], fields: Mapping[str, Any]) -> Any:
    """What stands under ``extracted``, with the fields that were written beside it; else what
    stands under another word for it."""
    own = tool.parameters["properties"]
    beside = {name: params.pop(name) for name in fields if name in params and name not in own}
    if "extracted" not in params:
        for name in _WRAPPERS:
            if name in params and name not in fields and _has_fields(params[name], fields):
                params["extracted"] = params.pop(name)
                break
    given = params.pop("extracted", {})
    if not beside:
        return given
    values, _ = _values_and_sources(given, fields)
    if values is None:  # it becomes a note
        params["values"] = given
    return {**beside, **(values or {})}


def _has_fields(value: Any, fields: Mapping[str, Any]) -> bool:
    value = parsed(value)
    if isinstance(value, list):
        return bool(value) and all(isinstance(part, Mapping) for part in value)
    return isinstance(value, Mapping) and bool(renamed(value, fields).keys() & fields.keys())


def _values_and_sources(
    given: Any, fields: Mapping[str, Any]
) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """The values by field, and the sources that stand beside them; None if it is no object."""
    given = parsed(given)
    if isinstance(given, list):
        given = _from_list(given, fields)
    elif not isinstance(given, Mapping) and given is not None and len(fields) == 1:
        given = {next(iter(fields)): given}
    if given is None or given == "":
        return {}, {}
    if not isinstance(given, Mapping):
        return None, {}
    values = renamed(given, fields)
    if len(values) == 1 and not values.keys() & fields.keys():
        ((name, inner),) = values.items()
        if name in _WRAPPERS and _has_fields(inner, fields):
            return _values_and_sources(inner, fields)
    sources = {}
    for name, value in values.items():
        if name in fields and not _takes_objects(fields[name]) and _is_entry(value):
            values[name] = _first(value, _VALUES)
            if (source := _first(value, _SOURCES)) is not None:
                sources[name] = source
    return values, sources


def _from_list(given: list[Any], fields: Mapping[str, Any]) -> Any:
    """A list in place of the object: entries of a field and its value, objects of some fields
    each, or the items of the only field that is one."""
    is_objects = all(isinstance(part, Mapping) for part in given)
    if is_objects and _has_fields(_merged(given), fields):
        return _merged(given)
    if is_objects and all(_first(p, _NAMES) is not None and _is_entry(p) for p in given):
        return {str(_first(part, _NAMES)): dict(part) for part in given}
    if len(fields) == 1:
        return {next(iter(fields)): given}
    return _merged(given) if is_objects else given


def _is_entry(value: Any) -> bool:
    """Whether it is a value with its source or its field's name: ``{"value": …, "source": 3}``."""
    names = (*_NAMES, *_VALUES, *_SOURCES)
    return (
        isinstance(value, Mapping)
        and any(name in value for name in _VALUES)
        and all(name in names for name in value)
    )


def _first(entry: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((entry[name] for name in names if name in entry), None)


def _types(schema: Any) -> list[str]:
    types = schema.get("type", []) if isinstance(schema, Mapping) else []
    return [types] if isinstance(types, str) else list(types)


def _takes_objects(schema: Any) -> bool:
    types = _types(schema)
    return not types or "object" in types or "array" in types


def _sources_by_field(
    source: Any, values: Mapping[str, Any], fields: Mapping[str, Any]
) -> dict[str, Any]:
    """Sources by the values' names; of one value, also a number alone. Others are left out: then
    the values are looked up."""
    source = parsed(source)
    if isinstance(source, list) and source and all(isinstance(part, Mapping) for part in source):
        named = [part for part in source if _first(part, _NAMES) is not None]
        source = {str(_first(part, _NAMES)): _first(part, _SOURCES) for part in named}
    if isinstance(source, Mapping):
        return renamed(source, (*fields, *values))
    is_number = isinstance(source, int | str | list) and not isinstance(source, bool)
    return {next(iter(values)): source} if is_number and source and len(values) == 1 else {}


# -- the judgment, fail and notes ----------------------------------------------------------------


def _take_judgment(
    params: dict[str, Any], fields: Mapping[str, Any], extracted: dict[str, Any]
) -> dict[str, Any]:
    """The judgment, also if its parts are written beside or among the values."""
    judgment = parsed(params.pop("judgment", None))
    judgment = _merged(judgment) or judgment
    for place in (params, extracted):
        if judgment is None and "answer" not in fields and len(_parts(place)) > 1:
            judgment = {name: place.pop(name) for name in _parts(place)}
    if isinstance(judgment, str | bool) and judgment != "":
        judgment = {"answer": judgment}
    if isinstance(judgment, Mapping):
        judgment = renamed(judgment, JUDGMENT_KEYS)
    return {} if judgment is None else {"judgment": judgment}


def _parts(place: Mapping[str, Any]) -> list[str]:
    return [name for name in JUDGMENT_KEYS if name in place] if "answer" in place else []


def _read_fail(params: dict[str, Any]) -> dict[str, Any]:
    """``kind``, ``source``, and values that were found before it. A kind that there is not is said
    in the note."""
    given = params.pop("kind", None)
    kind = label_key(given) if isinstance(given, str) else ""
    read: dict[str, Any] = {"kind": kind if kind in get_args(FailKind) else "other"}
    values, sources = _merged(params.pop("extracted", None)), params.pop("sources", None)
    if values:
        read |= {"extracted": values, "sources": _sources_by_field(sources, values, {})}
        sources = None
    if (source := params.pop("source", sources)) is not None:
        read["source"] = source
    if given and read["kind"] != kind:
        params["kind"] = given
    return read


def _boolean(value: Any) -> bool:
    known = _BOOLEANS.get(value.strip().casefold(), False) if isinstance(value, str) else value
    return known is True or known == 1


def _notes(params: Mapping[str, Any], *, is_reason: bool) -> Iterator[str]:
    """The note, and what else was sent: nothing of it is lost. The only text of a fail is its
    reason."""
    rest = {name: value for name, value in params.items() if name != "note"}
    if note := params.get("note"):
        yield note if isinstance(note, str) else json.dumps(note, ensure_ascii=False)
    for name, value in rest.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        is_only = is_reason and not params.get("note") and name in ("reason", "why", "message")
        yield text if is_only else f"{name}: {text}"
