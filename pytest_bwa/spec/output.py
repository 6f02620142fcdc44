"""output_schema: short forms and JSON Schema, both become one validator."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import SchemaError, best_match

from pytest_bwa.errors import SpecError

SHORT_FORMS: dict[str, dict[str, Any]] = {
    "string": {"type": "string"},
    "number": {"type": "number"},
    "integer": {"type": "integer"},
    "boolean": {"type": "boolean"},
    "array": {"type": "array"},
    "object": {"type": "object"},
    "date": {"type": "string", "format": "date"},
    "null": {"type": "null"},
}


def field_schema(form: Any) -> dict[str, Any]:
    """JSON Schema of one field: ``"string | null"`` or a schema already. Raises ValueError."""
    if isinstance(form, Mapping):
        return dict(form)
    if not isinstance(form, str):
        raise ValueError(f"is neither a short form nor a JSON Schema: {form!r}")
    parts = [part.strip() for part in form.split("|")]
    for part in parts:
        if part not in SHORT_FORMS:
            close = difflib.get_close_matches(part, SHORT_FORMS, n=1, cutoff=0.5)
            hint = f'; did you mean "{close[0]}"?' if close else ""
            raise ValueError(
                f'"{part}" is no type{hint or " (known: " + ", ".join(SHORT_FORMS) + ")"}'
            )
    schemas = [SHORT_FORMS[part] for part in parts]
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


def check_schema(fields: Mapping[str, Any], path: Path | str, key: str) -> None:
    """Raise SpecError for the first field whose form cannot be used."""
    for name, form in fields.items():
        try:
            Draft202012Validator.check_schema(field_schema(form))
        except ValueError as error:
            raise SpecError(f'{path}: key "{key}.{name}": {error}') from None
        except SchemaError as error:
            raise SpecError(f'{path}: key "{key}.{name}": {error.message}') from None


class OutputSchema:
    """The validator of one task's fields."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = {name: field_schema(form) for name, form in fields.items()}
        self._forms = dict(fields)

    @cached_property
    def json_schema(self) -> dict[str, Any]:
        """All fields as one JSON Schema of an object; no field is required by it."""
        return {"type": "object", "properties": self._fields}

    def problems(self, extracted: Mapping[str, Any]) -> list[str]:
        """One phrase for each field whose value does not fit; absent and null are no problem
        here, since a field that could not be seen is null and required_fields are checked apart."""
        found = []
        for name, schema in self._fields.items():
            value = extracted.get(name)
            if value is None:
                continue
            validator = Draft202012Validator(schema, format_checker=FormatChecker(["date"]))
            error = best_match(validator.iter_errors(value))
            if error is not None:
                expected = self._forms[name]
                wanted = expected if isinstance(expected, str) else error.message
                found.append(f"{name} should be {wanted}, not {str(value)[:60]!r}")
        return found

    def kinds(self, name: str) -> frozenset[str]:
        """The basic kinds a field may have, by the names of the short forms."""
        return frozenset(_kinds(self._fields.get(name, {})))


def _kinds(schema: Mapping[str, Any]) -> set[str]:
    parts = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    found = {kind for part in parts for kind in _kinds(part)}
    types = schema.get("type", [])
    for kind in [types] if isinstance(types, str) else types:
        found.add("date" if kind == "string" and schema.get("format") == "date" else kind)
    return found
