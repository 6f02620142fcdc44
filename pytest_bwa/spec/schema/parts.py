"""Walks a JSON Schema and what is within it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


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
