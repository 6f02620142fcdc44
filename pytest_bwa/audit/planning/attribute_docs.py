"""What stands under the attributes of a model. Pydantic can read it, too, but then it reads the
source whenever a model is loaded, in each worker, which never needs it."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable
from itertools import pairwise
from textwrap import dedent
from typing import Any

from pydantic import BaseModel


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
