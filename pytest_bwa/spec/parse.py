"""From text to plain data: JSON, or the part of YAML that JSON could say too.

Nothing here trusts the text: depth, aliases and sizes are bounded before anything is built.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import yaml

from pytest_bwa.spec.messages import quoted, shown

MAX_NODES = 20_000  # YAML values once every alias is expanded; a bomb is far beyond
MAX_DEPTH = 50
_TAG = "tag:yaml.org,2002:"
_JSON_TAGS = ("null", "bool", "int", "float", "str", "seq", "map")
_HALF = re.compile("[\ud800-\udfff]")


class Unreadable(ValueError):
    """The text is no JSON or YAML that a spec may be made of; the message says why and where."""


def parse_json(text: str) -> Any:
    """Raises Unreadable, also for a key that an object has twice."""
    try:
        data = json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise Unreadable(
            f"is not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except RecursionError:
        raise Unreadable(f"is nested too deeply: {MAX_DEPTH} levels are the most") from None
    except Unreadable:
        raise
    except ValueError:  # int() refuses thousands of digits
        raise Unreadable("is not valid JSON: a number has too many digits") from None
    return _checked(data)


def parse_yaml(text: str) -> Any:
    """Raises Unreadable. Keys are text whatever they look like, and so are dates, times, ``yes``,
    ``no``, ``on``, ``off`` and numbers with a leading zero."""
    try:
        _check_events(text)
        with _SpecLoader(text) as loader:
            node = loader.get_single_node()
            if node is None:
                raise Unreadable("is empty")
            _keys_to_text(node)
            return _checked(loader.construct_document(node))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f" at {_place(mark)}" if mark else ""
        said = error.problem or error.context
        raise Unreadable(f"is not valid YAML{where}: {said}") from None
    except yaml.reader.ReaderError as error:
        before = text[: error.position]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise Unreadable(
            f"is not valid YAML at line {line}, column {column}: a control character"
        ) from None
    except RecursionError:
        raise Unreadable(f"is nested too deeply: {MAX_DEPTH} levels are the most") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise Unreadable(f"has the key {quoted(key)} twice in one object; delete one")
        found[key] = value
    return found


def _no_constant(name: str) -> Any:
    raise Unreadable(f"is not valid JSON: {name} is no JSON value")


class _SpecLoader(yaml.SafeLoader):
    """YAML 1.1 reads ``no`` as false, 2024-01-01 as a date, 12:30 as 750 and 010 as 8; a person
    who writes a spec means none of these."""

    yaml_constructors: ClassVar[dict[Any, Any]] = {
        tag: yaml.SafeLoader.yaml_constructors[tag]
        for tag in (None, *(_TAG + name for name in _JSON_TAGS))
    }

    def __enter__(self) -> _SpecLoader:
        return self

    def __exit__(self, *_: object) -> None:
        self.dispose()


_SpecLoader.yaml_implicit_resolvers = {}  # else the ones of SafeLoader would be added to
_RESOLVED = (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?(?:0|[1-9][0-9]{0,17})", list("-+0123456789")),
    ("float", r"[-+]?(?:0|[1-9][0-9]*)?\.[0-9]+(?:[eE][-+]?[0-9]+)?", list("-+.0123456789")),
    ("merge", r"<<", ["<"]),
)
for _name, _pattern, _first in _RESOLVED:
    _SpecLoader.add_implicit_resolver(_TAG + _name, re.compile(f"^(?:{_pattern})$"), _first)


def _check_events(text: str) -> None:
    """Refuse bombs, loops, depth and foreign tags from the stream of events, where nothing is
    expanded and nothing recurses."""
    census = _Census()
    for event in _events(text):
        line = event.start_mark.line + 1
        census.count(event, line)
        if census.documents > 1:
            raise Unreadable(f"has a second document at line {line}; a spec is one")
        if census.total > MAX_NODES:
            raise Unreadable(
                f"stands for more than {MAX_NODES:,} values at line {line}, aliases expanded"
            )
        if len(census.open) > MAX_DEPTH:
            raise Unreadable(
                f"is nested too deeply at line {line}: {MAX_DEPTH} levels are the most"
            )


@dataclass
class _Census:
    """How many values the events so far stand for, each alias counted as what it repeats."""

    total: int = 0
    documents: int = 0
    sizes: dict[str | None, int] = field(default_factory=dict)
    open: list[tuple[str | None, int]] = field(default_factory=list)
    """The anchor of each collection that has not ended, and the total when it began."""

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
    """Every tag but !!str is refused: what one builds could not be said in JSON."""
    if event.tag not in (None, "!", _TAG + "str"):
        shown = event.tag.replace(_TAG, "!!")
        raise Unreadable(f"has the tag {shown} at {_place(event.start_mark)}; write a plain value")


def _keys_to_text(root: yaml.Node) -> None:
    """Keys stay as they are written; a key that is there twice is refused."""
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
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
            raise Unreadable(f"has a key at {_place(key.start_mark)} that is no plain text")
        if key.value in lines:
            raise Unreadable(
                f"has the key {quoted(key.value)} twice: in line {lines[key.value]} and in line "
                f"{line}; delete one"
            )
        lines[key.value] = line
        if key.tag != _TAG + "merge":
            key.tag = _TAG + "str"


def _place(mark: Any) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}"


def _checked(data: Any) -> Any:
    """The data, if it can be written as JSON again: bounded, finite, without half characters."""
    waiting: list[tuple[str, Any, int]] = [("", data, 1)]
    while waiting:
        path, value, depth = waiting.pop()
        where = f" in {shown(path)}" if path else ""
        if depth > MAX_DEPTH:
            raise Unreadable(f"is nested too deeply{where}: {MAX_DEPTH} levels are the most")
        if isinstance(value, float) and not math.isfinite(value):
            raise Unreadable(f"has a number that is too large{where}")
        if isinstance(value, str) and _has_half_character(value):
            raise Unreadable(f"has half a character (a lone surrogate){where}")
        if isinstance(value, list):
            waiting += [(f"{path}[{n}]", item, depth + 1) for n, item in enumerate(value)]
        elif isinstance(value, dict):
            for key, item in value.items():
                if _has_half_character(key):
                    raise Unreadable(f"has half a character (a lone surrogate) in a key{where}")
                waiting.append((f"{path}.{key}" if path else key, item, depth + 1))
    return data


def _has_half_character(text: str) -> bool:
    return _HALF.search(text) is not None
