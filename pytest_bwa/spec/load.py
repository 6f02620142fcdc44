"""Reading a task spec: JSON or YAML, refused with one line that says what to mend."""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from pytest_bwa.errors import SpecError
from pytest_bwa.spec.output import check_schema
from pytest_bwa.spec.task import TaskSpec

MOST_BYTES = 1024 * 1024
MOST_NODES = 20_000  # once every alias is expanded; a bomb is far beyond
MOST_DEPTH = 50


class _TextKeys(yaml.SafeLoader):
    """Safe YAML in which only JSON's own words are special: dates, ``yes``, ``no`` and ``on``
    stay text, as a reader of the spec would expect."""


_TextKeys.yaml_implicit_resolvers = {
    first: [
        (tag, pattern)
        for tag, pattern in resolvers
        if tag not in ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:bool")
    ]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_TextKeys.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile("^(?:true|True|false|False)$"), list("tTfF")
)


def nearest(word: str, known: Any) -> str:
    """``; did you mean "x"?`` for the known word that is most like it, or empty."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f'; did you mean "{close[0]}"?' if close else ""


def load_task(path: Path) -> TaskSpec:
    """The spec in ``path``. Every fault is a SpecError of one line with the file and the key."""
    content = _parse(path, _read(path))
    if not isinstance(content, dict):
        raise SpecError(f"{path}: a task spec is a mapping of keys, not a {_kind(content)}")
    return build_task(content, path)


def build_task(content: dict[str, Any], path: Path | str) -> TaskSpec:
    for key in content:
        if key not in TaskSpec.model_fields:
            raise SpecError(
                f'{path}: unknown key "{key}"{nearest(str(key), TaskSpec.model_fields)}'
            )
    try:
        task = TaskSpec.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        if first["type"] == "missing":
            raise SpecError(f'{path}: the key "{where}" is missing') from None
        raise SpecError(f'{path}: key "{where}": {_plain(first)}') from None
    _check(task, path)
    return task


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise SpecError(f"{path}: is over 1 MiB; a task spec is a page of text")
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise SpecError(f"{path}: there is no such task spec file") from None
    except UnicodeDecodeError as error:
        raise SpecError(f"{path}: is not UTF-8 (byte {error.start}); save it as UTF-8") from None
    except OSError as error:
        raise SpecError(f"{path}: cannot be read: {error.strerror or error}") from None


def _parse(path: Path, text: str) -> Any:
    """JSON is YAML but for a few corners, so one reader serves both and knows lines and columns."""
    loader = _TextKeys(text.replace("\t", "    ") if path.suffix == ".json" else text)
    try:
        node = loader.get_single_node()
        if node is None:
            raise SpecError(f"{path}: the file is empty")
        _expanded(node, path, {}, ())
        return loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        kind = "JSON" if path.suffix == ".json" else "YAML"
        raise SpecError(f"{path}: is not valid {kind}{where}: {error.problem}") from None
    except yaml.YAMLError as error:
        raise SpecError(f"{path}: is not valid YAML: {str(error).splitlines()[0]}") from None
    except RecursionError:
        raise SpecError(f"{path}: is nested too deeply") from None
    finally:
        loader.dispose()


def _expanded(node: yaml.Node, path: Path, known: dict[int, int], above: tuple[int, ...]) -> int:
    """How many nodes ``node`` stands for with its aliases expanded; refuses bombs and loops
    without expanding anything. Duplicate keys are refused on the way."""
    if id(node) in above:
        raise SpecError(f"{path}: line {node.start_mark.line + 1}: an alias refers to itself")
    if id(node) in known:
        return known[id(node)]
    if len(above) > MOST_DEPTH:
        raise SpecError(f"{path}: line {node.start_mark.line + 1}: is nested too deeply")
    inside = (*above, id(node))
    total = 1
    if isinstance(node, yaml.MappingNode):
        _refuse_duplicates(node, path)
        for key, value in node.value:
            total += _expanded(key, path, known, inside) + _expanded(value, path, known, inside)
    elif isinstance(node, yaml.SequenceNode):
        total += sum(_expanded(item, path, known, inside) for item in node.value)
    if total > MOST_NODES:
        raise SpecError(f"{path}: its aliases expand to more than {MOST_NODES} values")
    known[id(node)] = total
    return total


def _refuse_duplicates(node: yaml.MappingNode, path: Path) -> None:
    seen: set[str] = set()
    for key, _ in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            raise SpecError(f"{path}: line {line}: a key has to be plain text")
        if key.value in seen:
            raise SpecError(f'{path}: line {line}: the key "{key.value}" is there twice')
        seen.add(key.value)
        key.tag = "tag:yaml.org,2002:str"


def _check(task: TaskSpec, path: Path | str) -> None:
    """What holds between keys."""
    check_schema(task.output_schema, path, "output_schema")
    check_schema(task.input_schema, path, "input_schema")
    for key, names in (("required_fields", task.required_fields), ("aliases", task.aliases)):
        for name in names:
            if name not in task.output_schema:
                hint = nearest(name, task.output_schema)
                raise SpecError(f'{path}: key "{key}": "{name}" is not in output_schema{hint}')
    if task.judgment_required and not task.judgment_question:
        raise SpecError(f'{path}: judgment_required is true, but "judgment_question" is missing')
    if task.phase == "execution" and not task.output_schema and not task.required_artifacts:
        raise SpecError(
            f"{path}: output_schema and required_artifacts are both empty: nothing would be checked"
        )


def _plain(error: Any) -> str:
    """pydantic's message with what was given."""
    given = repr(error["input"])
    return f"{error['msg'][0].lower()}{error['msg'][1:]}, not {given[:60]}"


def _kind(content: Any) -> str:
    return {list: "list", str: "text", int: "number", float: "number"}.get(type(content), "value")
