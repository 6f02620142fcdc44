"""Secrets that may be typed by name: where from, where to, and what hides their values."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_bwa.errors import SpecError
from pytest_bwa.policy.claude.system_prompt import system_blocks
from pytest_bwa.spec.load import load_task
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.secrets import hide_secrets
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.spec.typed_secrets import (
    SecretRefused,
    SecretSource,
    TypedSecrets,
    check_are_set,
)
from pytest_bwa.steps import Step

VALUE = 'p"ss & wörd/1'
SOURCES = {
    "password": SecretSource(env="BWA_TEST_PASSWORD"),
    "pin": SecretSource(env="BWA_TEST_PIN", hosts=["Login.example.com"]),
}
HOME = "https://app.example.com/x"


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch) -> TypedSecrets:
    monkeypatch.setenv("BWA_TEST_PASSWORD", VALUE)
    monkeypatch.setenv("BWA_TEST_PIN", "4711")
    return TypedSecrets(SOURCES, [HOME, None, "no url"])


def task(**keys: object) -> TaskSpec:
    return TaskSpec.model_validate(
        {"task_id": "t", "goal": "Log in.", "output_schema": {"name": "string"}, **keys}
    )


def test_names_become_values_on_the_hosts_that_they_are_bound_to(secrets):
    assert secrets.fill("<secret:password>!", [HOME]) == f"{VALUE}!"
    assert secrets.fill("<secret:pin>", ["https://login.example.com/"]) == "4711"
    assert secrets.fill("a <b> text", ["https://evil.example"]) == "a <b> text"


@pytest.mark.parametrize(
    ("text", "urls", "reason"),
    [
        ("<secret:password>", ["https://evil.example/"], "may not be typed on evil.example"),
        ("<secret:password>", [HOME, "https://evil.example/"], "may not be typed on evil.example"),
        ("<secret:password>", [HOME, "about:blank"], "a page without a host"),
        ("<secret:password>", ["https://app.example.com@evil.example/"], "typed on evil.example"),
        ("<secret:pin>", [HOME], "it is bound to login.example.com"),
        ("<secret:token>", [HOME], "the task has no secret <secret:token>"),
    ],
)
def test_other_names_and_other_hosts_are_refused(secrets, text, urls, reason):
    with pytest.raises(SecretRefused, match=reason) as refused:
        secrets.fill(text, urls)
    assert VALUE not in str(refused.value)


def test_a_value_is_masked_in_each_encoding_and_in_a_whole_model(secrets):
    forms = [VALUE, json.dumps(VALUE), "p%22ss%20%26%20w%C3%B6rd%2F1", "p&quot;ss &amp; wörd/1"]
    hidden = secrets.hide(" ".join(forms))
    assert hidden == '*** "***" *** ***'
    step = Step(
        step=1,
        action="type",
        params={"text": VALUE, "more": [VALUE]},
        result=f"shows {VALUE}",
        success=True,
        url=HOME,
        started_at="",
        timestamp="",
    )
    assert "wörd" not in str(secrets.hide_in(step))
    assert secrets.hide_in(step).params == {"text": "***", "more": ["***"]}


def test_a_spec_names_variables_and_hosts(secrets, tmp_path: Path):
    spec = task(secrets={"password": "BWA_TEST_PASSWORD", "pin": {"env": "P", "hosts": ["h"]}})
    assert spec.typed_secrets["password"] == SOURCES["password"]
    assert spec.typed_secrets["pin"].hosts == ["h"]
    assert hide_secrets(spec, Sample("s", {}))(f"it is {VALUE}") == "it is ***"
    assert task(secrets=["pin"]).typed_secrets == {}
    path = tmp_path / "spec.json"
    for wrong in ({"pin": {"hosts": []}}, {"pin": 3}, "pin"):
        content = {"task_id": "t", "goal": "g", "output_schema": {"a": "string"}, "secrets": wrong}
        path.write_text(json.dumps(content))
        with pytest.raises(SpecError, match=r'"secrets".*a list of columns, or'):
            load_task(path)


def test_a_variable_that_is_not_set_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BWA_TEST_PASSWORD", "")
    with pytest.raises(SpecError, match="variable BWA_TEST_PASSWORD, which is not set"):
        check_are_set(SOURCES, "spec.yaml")


def test_the_prompt_says_how_to_type_a_secret_only_if_there_is_one(secrets):
    sample = Sample("s", {})
    for spec, count in ((task(), 0), (task(secrets={"password": "BWA_TEST_PASSWORD"}), 1)):
        shared = system_blocks(spec, spec, sample)[0]["text"]
        assert shared.count("with type: <secret:password>") == count
