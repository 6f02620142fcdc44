"""Parses JSON, and the part of YAML that JSON can express, into plain data.

The text is not trusted: depth, aliases and sizes are checked before anything is built.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import yaml

from pytest_bwa.spec.messages import printable_name, quote_value

MAX_NODES = 20_000  # YAML values with every alias expanded; an alias bomb has far more
MAX_DEPTH = 50
_TAG = "tag:yaml.org,2002:"
_JSON_TAGS = ("null", "bool", "int", "float", "str", "seq", "map")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Unreadable(ValueError):
    """The text is no JSON or YAML that can be used here; the message says why, and where."""


def parse_json(text: str) -> Any:
    """Parse JSON; raise Unreadable for invalid text and for duplicate keys."""
    try:
        data = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise Unreadable(
            f"is not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except RecursionError:
        raise Unreadable(f"is nested too deeply: at most {MAX_DEPTH} levels are allowed") from None
    except Unreadable:
        raise
    except ValueError:  # int() refuses thousands of digits
        raise Unreadable("is not valid JSON: a number has too many digits") from None
    return _check_data(data)


def parse_yaml(text: str, *, max_nodes: int = MAX_NODES) -> Any:
    """Parse YAML; raise Unreadable if a spec or a recipe cannot use it, or if it has more than
    ``max_nodes`` values.

    Every key is text. Dates, times, ``yes``, ``no``, ``on``, ``off`` and numbers with a leading
    zero are text too.
    """
    try:
        _check_events(text, max_nodes)
        with _SpecLoader(text) as loader:
            node = loader.get_single_node()
            if node is None:
                raise Unreadable("is empty")
            _keys_to_text(node)
            return _check_data(loader.construct_document(node))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        location = f" at {_position(mark)}" if mark else ""
        message = error.problem or error.context
        raise Unreadable(f"is not valid YAML{location}: {message}") from None
    except yaml.reader.ReaderError as error:
        before = text[: error.position]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise Unreadable(
            f"is not valid YAML at line {line}, column {column}: a control character"
        ) from None
    except RecursionError:
        raise Unreadable(f"is nested too deeply: at most {MAX_DEPTH} levels are allowed") from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise Unreadable(f"has the key {quote_value(key)} twice in one object; delete one")
        result[key] = value
    return result


def _refuse_constant(name: str) -> Any:
    raise Unreadable(f"is not valid JSON: {name} is not a JSON value")


class _SpecLoader(yaml.SafeLoader):
    """A YAML loader that reads only what JSON can express.

    YAML 1.1 reads ``no`` as false, 2024-01-01 as a date, 12:30 as 750 and 010 as 8; an author of a
    spec means none of these.
    """

    yaml_constructors: ClassVar[dict[Any, Any]] = {
        tag: yaml.SafeLoader.yaml_constructors[tag]
        for tag in (None, *(_TAG + name for name in _JSON_TAGS))
    }

    def __enter__(self) -> _SpecLoader:
        return self

    def __exit__(self, *_: object) -> None:
        self.dispose()


_SpecLoader.yaml_implicit_resolvers = {}  # without this, SafeLoader's own would be extended
_RESOLVERS = (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?(?:0|[1-9][0-9]{0,17})", list("-+0123456789")),
    ("float", r"[-+]?(?:0|[1-9][0-9]*)?\.[0-9]+(?:[eE][-+]?[0-9]+)?", list("-+.0123456789")),
    ("merge", r"<<", ["<"]),
)
for _name, _pattern, _first in _RESOLVERS:
    _SpecLoader.add_implicit_resolver(_TAG + _name, re.compile(f"^(?:{_pattern})$"), _first)


def _check_events(text: str, max_nodes: int) -> None:
    """Refuse alias bombs, loops, deep nesting and unknown tags.

    This reads the stream of parser events, where aliases are not expanded and nothing recurses.
    """
    counter = _ValueCounter()
    for event in _events(text):
        line = event.start_mark.line + 1
        counter.count(event, line)
        if counter.documents > 1:
            raise Unreadable(f"has a second document at line {line}; only one is allowed")
        if counter.total > max_nodes:
            raise Unreadable(
                f"has more than {max_nodes:,} values at line {line}, with aliases expanded"
            )
        if len(counter.open) > MAX_DEPTH:
            raise Unreadable(
                f"is nested too deeply at line {line}: at most {MAX_DEPTH} levels are allowed"
            )


@dataclass
class _ValueCounter:
    """Counts the values in the events so far; an alias counts as all the values that it repeats."""

    total: int = 0
    documents: int = 0
    sizes: dict[str | None, int] = field(default_factory=dict)
    open: list[tuple[str | None, int]] = field(default_factory=list)
    """The anchor of each open collection, and the total when it began."""

    def count(self, event: yaml.Event, line: int) -> None:
        match event:
            case yaml.DocumentStartEvent():
                self.documents += 1
            case yaml.AliasEvent():
                if any(anchor == event.anchor for anchor, _ in self.open):
                    raise Unreadable(f"has an alias at line {line} that refers to itself")
                self.total += self.sizes.get(event.anchor, 1)
            case yaml.ScalarEvent():
                _check_tag(event)
                self.sizes[event.anchor] = 1
                self.total += 1
            case yaml.CollectionStartEvent():
                _check_tag(event)
                self.open.append((event.anchor, self.total))
                self.total += 1
            case yaml.CollectionEndEvent():
                anchor, before = self.open.pop()
                self.sizes[anchor] = self.total - before


def _events(text: str) -> Iterator[Any]:
    with _SpecLoader(text) as loader:
        while loader.check_event():
            yield loader.get_event()  # type: ignore[no-untyped-call]


def _check_tag(event: Any) -> None:
    """Refuse every tag except !!str: JSON cannot express what the others build."""
    if event.tag not in (None, "!", _TAG + "str"):
        tag = event.tag.replace(_TAG, "!!")
        raise Unreadable(f"has the tag {tag} at {_position(event.start_mark)}; write a plain value")


def _keys_to_text(root: yaml.Node) -> None:
    """Keep every key as the text that is written; refuse duplicate keys."""
    visited: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if id(node) in visited:
            continue
        visited.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting += node.value
        elif isinstance(node, yaml.MappingNode):
            _check_keys([key for key, _ in node.value])
            waiting += [value for _, value in node.value]


def _check_keys(keys: list[yaml.Node]) -> None:
    lines: dict[str, int] = {}
    for key in keys:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            raise Unreadable(f"has a key at {_position(key.start_mark)} that is not plain text")
        if key.value in lines:
            raise Unreadable(
                f"has the key {quote_value(key.value)} twice: in line {lines[key.value]} "
                f"and in line {line}; delete one"
            )
        lines[key.value] = line
        if key.tag != _TAG + "merge":
            key.tag = _TAG + "str"


def _position(mark: Any) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}"


def _check_data(data: Any) -> Any:
    """Return the data if it can be written as JSON again; otherwise raise Unreadable."""
    waiting: list[tuple[str, Any, int]] = [("", data, 1)]
    while waiting:
        path, value, depth = waiting.pop()
        location = f" in {printable_name(path)}" if path else ""
        if depth > MAX_DEPTH:
            raise Unreadable(
                f"is nested too deeply{location}: at most {MAX_DEPTH} levels are allowed"
            )
        if isinstance(value, float) and not math.isfinite(value):
            raise Unreadable(f"has a number that is too large{location}")
        if isinstance(value, str) and _has_surrogate(value):
            raise Unreadable(f"has half a character (a lone surrogate){location}")
        if isinstance(value, list):
            waiting += [(f"{path}[{n}]", item, depth + 1) for n, item in enumerate(value)]
        elif isinstance(value, dict):
            for key, item in value.items():
                if _has_surrogate(key):
                    raise Unreadable(f"has half a character (a lone surrogate) in a key{location}")
                waiting.append((f"{path}.{key}" if path else key, item, depth + 1))
    return data


def _has_surrogate(text: str) -> bool:
    return _SURROGATE.search(text) is not None
