"""The docstrings of attributes, which a planning model and the tables of the documents get."""

from __future__ import annotations

import pytest

from pytest_bwa.audit.planner import PLANNED_KEYS, attribute_docs, schema
from pytest_bwa.settings import Settings
from pytest_bwa.spec.network.allowed_requests import AllowedRequest
from pytest_bwa.spec.task import Discover, TaskSpec
from pytest_bwa.spec.typed_secrets import SecretSource


def test_what_stands_under_an_attribute():
    docs = attribute_docs(Discover)
    assert list(docs) == list(Discover.model_fields)
    assert docs["goal"] == "What to collect, in words for a model; None: every entry of the list."
    assert "\n  " not in docs["links"]


def test_a_planning_model_has_the_meaning_of_each_key():
    keys = schema()["properties"]["spec"]["properties"]
    docs = attribute_docs(TaskSpec)
    assert {key: part["description"] for key, part in keys.items()} == {
        key: docs[key] for key in PLANNED_KEYS
    }


@pytest.mark.parametrize("model", [TaskSpec, Discover, AllowedRequest, SecretSource, Settings])
def test_no_source_is_read_when_a_model_is_loaded(model):
    assert not model.model_config.get("use_attribute_docstrings")
