"""Validates values against output_schema and input_schema: short forms and JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_bwa.errors import SpecError
from pytest_bwa.spec.messages import quote_value
from pytest_bwa.spec.notation.dates import iso_date

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError


def parts(schema: Any, inner: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a schema and those within it, each with its place as it is written after a key."""
    if not isinstance(schema, dict):
        return
    yield inner, schema
    yield from parts(schema.get("items"), f"{inner}.items")
    for keyword in ("properties", "anyOf", "oneOf", "allOf"):
        own = schema.get(keyword)
        listed = enumerate(own) if isinstance(own, list) else ()
        for name, part in own.items() if isinstance(own, dict) else listed:
            yield from parts(part, f"{inner}.{keyword}.{name}")


def part_at(schema: Mapping[str, Any], path: Sequence[str | int]) -> dict[str, Any]:
    """The schema of what stands at a place within a value, with or without the numbers of items;
    an empty one, which allows anything, if none is known."""
    for part in (*path, None):
        while isinstance(schema.get("items"), Mapping) and not isinstance(part, int):
            schema = schema["items"]
        inner = schema.get("items" if isinstance(part, int) else "properties", {})
        if part is not None:
            schema = inner if isinstance(part, int) else inner.get(part, {})
        if not isinstance(schema, Mapping):
            return {}
    return dict(schema)


def references(schema: Any) -> Iterator[str]:
    """Yield the references in a schema; they are refused, as they could use the network or loop."""
    if isinstance(schema, dict):
        for keyword in ("$ref", "$dynamicRef"):
            if isinstance(schema.get(keyword), str):
                yield schema[keyword]
    if isinstance(schema, dict | list):
        for child in schema.values() if isinstance(schema, dict) else schema:
            yield from references(child)


EARLIEST, LATEST = "formatMinimum", "formatMaximum"
"""What other validators of JSON Schema call them."""
Keyword = Callable[[object, str, Any, object], "Iterator[ValidationError]"]
_WRITTEN = {"minimum": EARLIEST, "maximum": LATEST}


def bound_dates(schema: dict[str, Any]) -> None:
    """Give the bounds of a schema of dates the keywords that validators have for them. Raises
    ValueError for what is no date."""
    for keyword, own in _WRITTEN.items():
        if schema.get("format") == "date" and keyword in schema:
            schema[own] = schema.pop(keyword)
        if own in schema and (not isinstance(schema[own], str) or iso_date(schema[own]) is None):
            raise ValueError(
                f"{keyword}: {quote_value(schema[own])} is not a date such as 2026-12-04"
            )


def _check(is_outside: Callable[[str, str], bool]) -> Keyword:
    def errors(_: object, bound: str, value: Any, __: object) -> Iterator[ValidationError]:
        from jsonschema.exceptions import ValidationError

        if isinstance(value, str) and is_outside(value, bound):
            yield ValidationError(f"{value} is beyond the bound {bound}")

    return errors


DATE_KEYWORDS: Mapping[str, Keyword] = {
    EARLIEST: _check(lambda day, bound: day < bound),
    LATEST: _check(lambda day, bound: day > bound),
}
"""What validates the keywords, for jsonschema."""


SHORT_FORMS = ("string", "number", "integer", "boolean", "array", "object", "date", "null")
_BOUNDS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})
_SYNONYMS = {
    "str": "string", "text": "string", "url": "string", "int": "integer", "float": "number",
    "decimal": "number", "bool": "boolean", "list": "array", "dict": "object", "map": "object",
    "datetime": "date", "none": "null", "nil": "null",
}  # fmt: skip


def field_schema(form: Any) -> dict[str, Any]:
    """Return the JSON Schema of one field.

    The form is a short form such as ``"string | null"`` or a schema, each ``type`` of which may be
    a short form too; else raise ValueError.
    """
    if isinstance(form, Mapping):
        schema = deepcopy(dict(form))
        for _, part in parts(schema):
            if "type" in part:
                own = {keyword: part[keyword] for keyword in part if keyword != "type"}
                part.update({**_schema_of_type(part["type"]), **own})  # a format of its own wins
            bound_dates(part)
        return schema
    if not isinstance(form, str):
        raise ValueError(
            f"{quote_value(form)} is not a type; write text such as {_as_short_form(form)}, "
            "or a JSON Schema object"
        )
    return _schema_of_type(form)


def _schema_of_type(form: Any) -> dict[str, Any]:
    """The JSON Schema of a short form, or of the list of types that JSON Schema has for it."""
    if isinstance(form, list) and all(isinstance(kind, str) for kind in form):
        form = " | ".join(form)
    if not isinstance(form, str):
        raise ValueError(f'{quote_value(form)} is not a type; write text such as "string | null"')
    kinds = _short_kinds(form)
    types = list(dict.fromkeys("string" if kind == "date" else kind for kind in kinds))
    schema: dict[str, Any] = {"type": types[0] if len(types) == 1 else types}
    if "date" in kinds and "string" not in kinds:
        schema["format"] = "date"
    return schema


def check_schema(fields: Mapping[str, Any], path: Path | str, key: str) -> None:
    """Raise SpecError for the first field whose schema is invalid."""
    for name, form in fields.items():
        location = f'{path}: key "{key}.{name}"'
        if not name.strip():
            raise SpecError(f'{path}: key "{key}": a field has no name')
        _check_types(form, path, f"{key}.{name}")
        try:
            schema = field_schema(form)
            for reference in references(schema):
                raise ValueError(
                    f"{quote_value(reference)} refers to another schema; "
                    "write that schema here in full"
                )
            if isinstance(form, Mapping):  # the schema of a short form is ours
                _check_json_schema(schema, path, f"{key}.{name}")
        except ValueError as error:
            raise SpecError(f"{location}: {error}") from None


def _check_types(form: Any, path: Path | str, key: str) -> None:
    for inner, part in parts(form):
        try:
            if "type" in part:
                _schema_of_type(part["type"])
        except ValueError as error:
            raise SpecError(f'{path}: key "{key}{inner}.type": {error}') from None


def _check_json_schema(schema: Mapping[str, Any], path: Path | str, key: str) -> None:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        inner = "".join(f".{part}" for part in error.absolute_path)
        raise SpecError(
            f'{path}: key "{key}{inner}": is not valid JSON Schema: '
            f"should be {_expected(error)}, not {quote_value(error.instance)}"
        ) from None


class OutputSchema:
    """Validates the values of one task's fields."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = {name: field_schema(form) for name, form in fields.items()}
        self._short = {
            name: _short_kinds(form) for name, form in fields.items() if isinstance(form, str)
        }

    @cached_property
    def json_schema(self) -> dict[str, Any]:
        """All fields as one JSON Schema of an object, in which no field is required."""
        return {"type": "object", "properties": self._fields}

    def problems(self, extracted: Mapping[str, Any]) -> list[str]:
        """Return one sentence for each field whose value is invalid."""
        return list(self.problems_by_field(extracted).values())

    def problems_by_field(self, extracted: Mapping[str, Any]) -> dict[str, str]:
        """Return one sentence for each field whose value is invalid, by the field's name.

        A missing or null value is valid here: a field that the page does not show is null, and
        required_fields are checked separately.
        """
        from jsonschema.exceptions import best_match

        problems = {}
        for name, validator in self._validators.items():
            value = extracted.get(name)
            if value is None:
                continue
            error = best_match(validator.iter_errors(value))
            if error is not None:
                problems[name] = self._sentence(name, value, error)
        return problems

    def unknown(self, extracted: Mapping[str, Any]) -> list[str]:
        """Return the fields that are not in the schema; they are allowed, but worth a note."""
        return [name for name in extracted if name not in self._fields]

    def kinds(self, name: str) -> frozenset[str]:
        """Return the basic types of a field, as short forms; empty if the schema has none."""
        if name in self._short:
            return frozenset(self._short[name])
        return frozenset(_kinds(self._fields.get(name, {})))

    def is_short(self, name: str) -> bool:
        """Return whether the field is a short form, so that its kinds are all there is to check."""
        return name in self._short

    def at(self, path: Sequence[str | int]) -> Mapping[str, Any]:
        """The schema at a place of the answer; an empty one if none is known."""
        return part_at(self._fields.get(str(path[0]), {}), path[1:])

    def kinds_at(self, path: Sequence[str | int]) -> frozenset[str]:
        """The basic types at a place of the answer; text, if none is known within a field."""
        if len(path) == 1:
            return self.kinds(str(path[0]))
        return frozenset(_kinds(part)) if (part := self.at(path)) else frozenset({"string"})

    def allows(self, path: Sequence[str | int], value: str | float) -> bool:
        """Whether a text, such as a day, is valid at a place of the answer such as (checks, due),
        or a number within its bounds: that the field is of whole numbers says nothing of a page."""
        if (validator := self._validators.get(str(path[0]))) is None:
            return True
        errors = list(validator.evolve(schema=self.at(path)).iter_errors(value))
        return not [e for e in errors if isinstance(value, str) or e.validator in _BOUNDS]

    @cached_property
    def _validators(self) -> dict[str, Any]:
        from jsonschema import Draft202012Validator, validators

        checker = Draft202012Validator.FORMAT_CHECKER
        extend: Callable[..., Any] = validators.extend
        kind = extend(Draft202012Validator, DATE_KEYWORDS)
        return {name: kind(schema, format_checker=checker) for name, schema in self._fields.items()}

    def _sentence(self, name: str, value: Any, error: ValidationError) -> str:
        if name in self._short:
            return f"{name} should be {_either(self._short[name])}, not {quote_value(value)}"
        location = name + "".join(
            f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path
        )
        return f"{location} should be {_expected(error)}, not {quote_value(error.instance)}"


def _short_kinds(form: str) -> tuple[str, ...]:
    parts = [part.strip() for part in form.split("|")]
    if all(part in SHORT_FORMS for part in parts):
        return tuple(dict.fromkeys(parts))
    suggestion = _suggest_form(form.strip(), parts)
    if suggestion:
        raise ValueError(
            f"{quote_value(form)} is not a type; did you mean {quote_value(suggestion)}?"
        )
    raise ValueError(
        f"{quote_value(form)} is not a type (types: {', '.join(SHORT_FORMS)}, joined by |; "
        'write fixed choices as {"enum": […]})'
    )


def _suggest_form(form: str, parts: list[str]) -> str | None:
    """Return the most similar valid form, or None if a part is similar to no type."""
    if form.endswith("?"):
        parts = [form[:-1].strip(), "null"]
    words = []
    for part in parts:
        if not part:
            continue
        close = get_close_matches(part.casefold(), SHORT_FORMS, n=1, cutoff=0.6)
        word = _SYNONYMS.get(part.casefold()) or (close[0] if close else None)
        if word is None:
            return None
        words.append(word)
    return " | ".join(dict.fromkeys(words))


def _as_short_form(form: Any) -> str:
    """Return an example short form; ``["string", "null"]`` of JSON Schema is converted to one, and
    ``["string"]`` is meant for a list of texts."""
    if isinstance(form, list) and len(form) == 1:
        return quote_value("array")
    is_type_list = isinstance(form, list) and form and all(kind in SHORT_FORMS for kind in form)
    return quote_value(" | ".join(form) if is_type_list else "string | null")


def _expected(error: Any) -> str:
    """Return in words what the violated keyword of the schema requires."""
    rule = error.validator_value
    if error.validator == "type":
        return _either([rule] if isinstance(rule, str) else rule)
    if error.validator == "enum":
        return "one of " + ", ".join(quote_value(choice) for choice in rule)
    if error.validator in (EARLIEST, LATEST):
        return f"{rule} or {'later' if error.validator == EARLIEST else 'earlier'}"
    if error.validator == "const":
        return quote_value(rule)
    if error.validator == "format":
        return _either([rule])
    if error.validator == "required":
        return "an object with the keys " + ", ".join(quote_value(name) for name in rule)
    return f"a value that satisfies {error.validator} {quote_value(rule)}"


def _either(kinds: list[str] | tuple[str, ...]) -> str:
    return " or ".join("date (yyyy-mm-dd)" if kind == "date" else kind for kind in kinds)


def _kinds(schema: Any) -> set[str]:
    """Return the basic types that a JSON Schema allows."""
    if not isinstance(schema, Mapping):
        return set()
    types = schema.get("type", [])
    kinds = {types} if isinstance(types, str) else set(types)
    if "string" in kinds and schema.get("format") == "date":
        kinds = (kinds - {"string"}) | {"date"}
    if kinds:
        return kinds
    choices = [*schema.get("enum", ()), *([schema["const"]] if "const" in schema else [])]
    kinds = {_kind_of_value(choice) for choice in choices}
    for keyword in ("anyOf", "oneOf", "allOf"):
        for part in schema.get(keyword, ()):
            kinds |= _kinds(part)
    return kinds


def _kind_of_value(value: Any) -> str:
    names = {
        type(None): "null", bool: "boolean", str: "string", int: "integer", float: "number",
        list: "array", dict: "object",
    }  # fmt: skip
    return names[type(value)]
