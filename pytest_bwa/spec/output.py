"""output_schema and input_schema: short forms and JSON Schema, both become one validator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError, best_match

from pytest_bwa.errors import SpecError
from pytest_bwa.spec.messages import quoted

SHORT_FORMS = ("string", "number", "integer", "boolean", "array", "object", "date", "null")
_MEANT = {
    "str": "string", "text": "string", "url": "string", "int": "integer", "float": "number",
    "decimal": "number", "bool": "boolean", "list": "array", "dict": "object", "map": "object",
    "datetime": "date", "none": "null", "nil": "null",
}  # fmt: skip


def field_schema(form: Any) -> dict[str, Any]:
    """JSON Schema of one field: ``"string | null"`` or a schema already. Raises ValueError."""
    if isinstance(form, Mapping):
        return dict(form)
    if not isinstance(form, str):
        raise ValueError(
            f"{quoted(form)} is no type; write text such as {_as_short_form(form)}, "
            "or a JSON Schema object"
        )
    kinds = _short_kinds(form)
    types = list(dict.fromkeys("string" if kind == "date" else kind for kind in kinds))
    schema: dict[str, Any] = {"type": types[0] if len(types) == 1 else types}
    if "date" in kinds and "string" not in kinds:
        schema["format"] = "date"
    return schema


def check_schema(fields: Mapping[str, Any], path: Path | str, key: str) -> None:
    """Raise SpecError for the first field whose form cannot be used."""
    for name, form in fields.items():
        where = f'{path}: key "{key}.{name}"'
        if not name.strip():
            raise SpecError(f'{path}: key "{key}": a field has no name')
        try:
            schema = field_schema(form)
            for reference in _references(schema):
                raise ValueError(
                    f"{quoted(reference)} refers to another schema; write that schema out here"
                )
            Draft202012Validator.check_schema(schema)
        except ValueError as error:
            raise SpecError(f"{where}: {error}") from None
        except SchemaError as error:
            inner = "".join(f".{part}" for part in error.absolute_path)
            raise SpecError(
                f'{path}: key "{key}.{name}{inner}": is not valid JSON Schema: '
                f"should be {_expected(error)}, not {quoted(error.instance)}"
            ) from None


class OutputSchema:
    """The validator of one task's fields."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = {name: field_schema(form) for name, form in fields.items()}
        self._short = {
            name: _short_kinds(form) for name, form in fields.items() if isinstance(form, str)
        }

    @cached_property
    def json_schema(self) -> dict[str, Any]:
        """All fields as one JSON Schema of an object; no field is required by it."""
        return {"type": "object", "properties": self._fields}

    def problems(self, extracted: Mapping[str, Any]) -> list[str]:
        """One sentence for each field whose value does not fit; absent and null are no problem
        here, since a field that could not be seen is null and required_fields are checked apart."""
        found = []
        for name, validator in self._validators.items():
            value = extracted.get(name)
            if value is None:
                continue
            error = best_match(validator.iter_errors(value))
            if error is not None:
                found.append(self._sentence(name, value, error))
        return found

    def unknown(self, extracted: Mapping[str, Any]) -> list[str]:
        """Fields that the schema does not name; no problem, but worth a word."""
        return [name for name in extracted if name not in self._fields]

    def kinds(self, name: str) -> frozenset[str]:
        """The basic kinds a field may have, by the names of the short forms; empty where the
        schema names none."""
        if name in self._short:
            return frozenset(self._short[name])
        return frozenset(_kinds(self._fields.get(name, {})))

    def is_short(self, name: str) -> bool:
        """Whether the kinds say all there is to check."""
        return name in self._short

    @cached_property
    def _validators(self) -> dict[str, Draft202012Validator]:
        checker = Draft202012Validator.FORMAT_CHECKER
        return {
            name: Draft202012Validator(schema, format_checker=checker)
            for name, schema in self._fields.items()
        }

    def _sentence(self, name: str, value: Any, error: ValidationError) -> str:
        if name in self._short:
            return f"{name} should be {_either(self._short[name])}, not {quoted(value)}"
        where = name + "".join(
            f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path
        )
        return f"{where} should be {_expected(error)}, not {quoted(error.instance)}"


def _short_kinds(form: str) -> tuple[str, ...]:
    parts = [part.strip() for part in form.split("|")]
    if all(part in SHORT_FORMS for part in parts):
        return tuple(dict.fromkeys(parts))
    meant = _meant(form.strip(), parts)
    if meant:
        raise ValueError(f"{quoted(form)} is no type; did you mean {quoted(meant)}?")
    raise ValueError(
        f"{quoted(form)} is no type (known: {', '.join(SHORT_FORMS)}, joined by |; "
        'fixed choices are written {"enum": […]})'
    )


def _meant(form: str, parts: list[str]) -> str | None:
    """The nearest form that is valid; None where a part is like no type at all."""
    if form.endswith("?"):
        parts = [form[:-1].strip(), "null"]
    words = []
    for part in parts:
        if not part:
            continue
        close = get_close_matches(part.casefold(), SHORT_FORMS, n=1, cutoff=0.6)
        word = _MEANT.get(part.casefold()) or (close[0] if close else None)
        if word is None:
            return None
        words.append(word)
    return " | ".join(dict.fromkeys(words))


def _as_short_form(form: Any) -> str:
    """``["string", "null"]`` is how JSON Schema would say it; show the short form of that."""
    listed = isinstance(form, list) and form and all(kind in SHORT_FORMS for kind in form)
    return quoted(" | ".join(form) if listed else "string | null")


def _references(schema: Any) -> Iterator[str]:
    """References are refused: they could reach the network, or go round in a circle."""
    if isinstance(schema, dict):
        for keyword in ("$ref", "$dynamicRef"):
            if isinstance(schema.get(keyword), str):
                yield schema[keyword]
    if isinstance(schema, dict | list):
        for child in schema.values() if isinstance(schema, dict) else schema:
            yield from _references(child)


def _expected(error: Any) -> str:
    """What the keyword that failed asks for, in words."""
    rule = error.validator_value
    if error.validator == "type":
        return _either([rule] if isinstance(rule, str) else rule)
    if error.validator == "enum":
        return "one of " + ", ".join(quoted(choice) for choice in rule)
    if error.validator == "const":
        return quoted(rule)
    if error.validator == "format":
        return _either([rule])
    if error.validator == "required":
        return "an object with the keys " + ", ".join(quoted(name) for name in rule)
    return f"what {error.validator} {quoted(rule)} allows"


def _either(kinds: list[str] | tuple[str, ...]) -> str:
    return " or ".join("date (yyyy-mm-dd)" if kind == "date" else kind for kind in kinds)


def _kinds(schema: Any) -> set[str]:
    if not isinstance(schema, Mapping):
        return set()
    types = schema.get("type", [])
    found = {types} if isinstance(types, str) else set(types)
    if "string" in found and schema.get("format") == "date":
        found = (found - {"string"}) | {"date"}
    if found:
        return found
    choices = [*schema.get("enum", ()), *([schema["const"]] if "const" in schema else [])]
    found = {_kind(choice) for choice in choices}
    for keyword in ("anyOf", "oneOf", "allOf"):
        for part in schema.get(keyword, ()):
            found |= _kinds(part)
    return found


def _kind(value: Any) -> str:
    names = {
        type(None): "null", bool: "boolean", str: "string", int: "integer", float: "number",
        list: "array", dict: "object",
    }  # fmt: skip
    return names[type(value)]
