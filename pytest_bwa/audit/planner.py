"""From plain language to a spec and its samples: what a model is asked for, and one correction."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from textwrap import dedent
from typing import Any

from pydantic import BaseModel

from pytest_bwa.errors import DecisionUnusable, InputError, ModelFailed
from pytest_bwa.policy.base import PlannedTask, Planner
from pytest_bwa.spec.network.allowed_requests import AllowedRequest
from pytest_bwa.spec.network.urls import host_of
from pytest_bwa.spec.sample_ids import unique_id
from pytest_bwa.spec.task import Discover, TaskSpec
from pytest_bwa.spec.typed_secrets import SecretSource
from pytest_bwa.steps.step import Usage
from pytest_bwa.steps.text import one_line


def attribute_docs(model: type[BaseModel]) -> dict[str, str]:
    """The docstring under each attribute of a class that has one."""
    (own,) = ast.parse(dedent(inspect.getsource(model))).body
    assert isinstance(own, ast.ClassDef)
    return {
        attribute.target.id: inspect.cleandoc(text.value.value)
        for attribute, text in pairwise(own.body)
        if isinstance(attribute, ast.AnnAssign) and isinstance(attribute.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
        if isinstance(text.value.value, str)
    }


def documented_schema(
    model: type[BaseModel], parts: Iterable[type[BaseModel]] = ()
) -> dict[str, Any]:
    """The JSON Schema of a model and of its parts, with these docstrings as descriptions."""
    schema = model.model_json_schema()
    for own in (model, *parts):
        properties = (schema if own is model else schema["$defs"][own.__name__])["properties"]
        for name, text in attribute_docs(own).items():
            described = {"description": text, **properties[name]}
            properties[name] = dict(sorted(described.items()))
    return schema


PLANNED_KEYS = (
    "task_id", "start_url", "system_prompt", "goal", "keywords", "output_schema", "input_schema",
    "aliases", "required_fields", "required_artifacts", "max_steps", "judgment_required",
    "judgment_question", "read_only", "submit", "confirmation", "allowed_domains",
    "needs_discovery", "discover",
)  # fmt: skip
ASKED_FOR = ("task_id", "goal", "output_schema", "aliases", "read_only", "allowed_domains")
TRIES = 2
MAX_SAMPLES = 200
"""Samples that a plan may list; more are found by a discovery."""
REASON_CHARACTERS = 500
LONG_STEPS = 40
"""Steps that a sample over many pages may take at least."""
SAVE_PROGRESS = "Call save_progress after each page with what it gave."
TEMPLATE = """\
task_id: my_task
start_url: https://example.org/records/{sample_id}
goal: Read the record {sample_id}.
output_schema:
  owner: string | null
  status: string
required_fields: [status]"""

Check = Callable[[dict[str, Any], list[dict[str, str]]], object]
"""Raises InputError for a spec and samples that cannot be run."""


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """A spec and samples that were checked, and what it cost to plan them."""

    spec: dict[str, Any]
    samples: list[dict[str, str]]
    usage: Usage
    model: str


def schema() -> dict[str, Any]:
    """The JSON Schema of a plan: the keys of a spec that a model can know, and the samples."""
    whole = documented_schema(TaskSpec, (AllowedRequest, Discover, SecretSource))
    properties = {key: _inlined(whole["properties"][key], whole) for key in PLANNED_KEYS}
    return {
        "type": "object",
        "properties": {
            "spec": {"type": "object", "properties": properties, "required": list(ASKED_FOR)},
            "samples": {
                "type": "array",
                "items": {"type": "object", "properties": {"sample_id": {"type": "string"}}},
                "description": "one object for each sample that the request names, with sample_id, "
                "the columns of the placeholders, and url if it is known; else empty",
            },
        },
        "required": ["spec"],
    }


def _inlined(part: Any, whole: Mapping[str, Any]) -> Any:
    """Without references and titles, which only lengthen the prompt."""
    if isinstance(part, list):
        return [_inlined(entry, whole) for entry in part]
    if not isinstance(part, Mapping):
        return part
    if name := str(part.get("$ref", "")).removeprefix("#/$defs/"):
        part = {**whole["$defs"][name], **{k: v for k, v in part.items() if k != "$ref"}}
    return {
        key: {name: _inlined(inner, whole) for name, inner in value.items()}
        if key == "properties"
        else _inlined(value, whole)
        for key, value in part.items()
        if key not in ("title", "default")
    }


def make_plan(planner: Planner, request: str, check: Check) -> TaskPlan:
    """The plan of a request. One that cannot be used is asked for once more, with the reason.
    Raises InputError if the second one cannot be used either, and what a model call raises."""
    problem, usage = "", Usage()
    previous: PlannedTask | None = None
    for _ in range(TRIES):
        try:
            planned = planner.plan(request, schema(), previous, problem)
        except DecisionUnusable as error:
            usage += error.usage or Usage()
            problem = str(error)
            continue
        except ModelFailed as error:
            raise InputError(f"the task could not be planned: {error}") from error
        usage, previous = usage + planned.usage, planned
        try:
            samples = _samples(planned.samples)
            spec = _with_own_hosts(_spec(planned.spec), samples)
            check(spec, samples)
        except InputError as error:
            problem = str(error)
            continue
        return TaskPlan(spec, samples, usage, planned.model)
    raise InputError(
        f"no usable plan was made in {TRIES} tries: {one_line(problem, REASON_CHARACTERS)}; reword "
        "it, or write the spec yourself and pass it with --task"
    )


def _spec(planned: Mapping[str, Any]) -> dict[str, Any]:
    """Nothing may be written unless the request asks for it, and the plan says so."""
    spec = {key: value for key, value in planned.items() if value is not None}
    return _with_room({**spec, "read_only": spec.get("read_only", True)})


def _with_room(spec: dict[str, Any]) -> dict[str, Any]:
    """A task over many pages, as its steps or its goal say, has room for them and loses nothing on
    the way."""
    goal, steps = spec.get("goal"), spec.get("max_steps")
    given = steps if isinstance(steps, int) else 0
    if not isinstance(goal, str) or (given < LONG_STEPS and "save_progress" not in goal):
        return spec
    saves = goal if "save_progress" in goal else f"{goal.rstrip()} {SAVE_PROGRESS}"
    return {**spec, "goal": saves, "max_steps": max(given, LONG_STEPS)}


def _with_own_hosts(spec: dict[str, Any], samples: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """A list of hosts that leaves out where the task begins would end it there."""
    domains, discover = spec.get("allowed_domains"), spec.get("discover")
    if not isinstance(domains, list) or not domains:
        return spec
    listing = discover.get("start_url") if isinstance(discover, dict) else None
    urls = [spec.get("start_url"), listing, *(row.get("url") for row in samples)]
    own = [host_of(url) for url in urls if isinstance(url, str)]
    hosts = [host for host in own if host and "{" not in host]
    return {**spec, "allowed_domains": list(dict.fromkeys([*domains, *hosts]))}


def _samples(planned: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The rows as text, with an id for each."""
    if len(planned) > MAX_SAMPLES:
        raise InputError(
            f"the plan lists {len(planned)} samples, at most {MAX_SAMPLES} are allowed: set "
            "needs_discovery and name the page that lists them"
        )
    rows: list[dict[str, str]] = []
    taken: set[str] = set()
    columns = list(dict.fromkeys(name for row in planned for name in row))
    for number, row in enumerate(planned, start=1):
        cells = {name: _cell(row.get(name)) for name in columns}
        sample_id = unique_id(cells.get("sample_id") or f"sample_{number}", taken)
        taken.add(sample_id.casefold())
        rows.append({**cells, "sample_id": sample_id})
    return rows


def _cell(value: Any) -> str:
    return "" if value is None else one_line(str(value)).replace("\0", "").strip()
