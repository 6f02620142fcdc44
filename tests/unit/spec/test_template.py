"""The template of a task spec documents every field of TaskSpec, and so does the class itself."""

from __future__ import annotations

import ast
import inspect
import itertools
from pathlib import Path

import pytest
import yaml

from pytest_bwa.spec.load import load_task
from pytest_bwa.spec.task import TaskSpec

TEMPLATE = Path(__file__).parents[3] / "tasks" / "_template.yaml"
FIELDS = list(TaskSpec.model_fields)


def test_the_template_loads() -> None:
    assert load_task(TEMPLATE).task_id == "template"


def test_the_template_has_exactly_the_fields_of_a_task_in_their_order() -> None:
    assert list(yaml.safe_load(TEMPLATE.read_text())) == FIELDS


@pytest.mark.parametrize("name", FIELDS)
def test_a_comment_above_each_field_of_the_template_explains_it(name: str) -> None:
    line_before = TEMPLATE.read_text().split(f"\n{name}:")[0].splitlines()[-1]
    assert line_before.startswith("# ")


def test_every_field_of_the_class_has_a_docstring() -> None:
    (body,) = (node.body for node in ast.parse(inspect.getsource(TaskSpec)).body)  # type: ignore[attr-defined]
    documented = [
        node.target.id
        for node, following in itertools.pairwise(body)
        if isinstance(node, ast.AnnAssign) and isinstance(following, ast.Expr)
    ]
    assert documented == FIELDS
