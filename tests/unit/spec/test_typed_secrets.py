"""Secrets that may be typed by name: where from, where to, and what hides their values."""

from __future__ import annotations

import json
from pathlib import Path

import pyotp
import pytest

from pytest_bwa.errors import SpecError
from pytest_bwa.policy.claude.system_prompt import system_blocks
from pytest_bwa.spec.load import load_task
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.secrets import check_secrets, redactor_of
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.spec.typed_secrets import (
    SecretRefused,
    SecretSource,
    TypedSecrets,
    check_are_set,
)

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


def test_a_spec_names_variables_and_hosts(secrets, tmp_path: Path):
    spec = task(secrets={"password": "BWA_TEST_PASSWORD", "pin": {"env": "P", "hosts": ["h"]}})
    assert spec.secrets["password"] == SOURCES["password"]
    assert spec.secrets["pin"].hosts == ["h"]
    assert redactor_of(spec, Sample("s", {}))(f"it is {VALUE}") == "it is <secret:password>"
    assert task(secrets=["pin"]).secrets == {"pin": SecretSource(column="pin")}
    path = tmp_path / "spec.json"
    both = {"env": "P", "column": "pin"}
    for wrong in ({"pin": {"hosts": []}}, {"pin": 3}, {"pin": both}, "pin"):
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


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({"secrets": ["sample_id"]}, 'the column "sample_id" cannot be secret'),
        ({"secrets": ["pin"], "start_url": "https://a.example/{pin}"}, "can only be typed"),
        ({"secrets": {"code": "A"}, "totp": {"code": "B"}}, "is the name of a secret, too"),
        ({"totp": {"code": {"column": "code"}}}, "totp"),
        ({"secrets": {"a>b": "A"}}, "cannot be the name of a secret"),
        ({"redact": ["("]}, "is not a regular expression"),
        ({"redact": ["x*"]}, "finds the empty text"),
    ],
)
def test_a_spec_that_cannot_keep_its_secrets_is_refused_in_one_line(tmp_path: Path, keys, reason):
    path = tmp_path / "spec.json"
    content = {"task_id": "t", "goal": "g", "output_schema": {"a": "string"}, **keys}
    path.write_text(json.dumps(content))
    with pytest.raises(SpecError, match=reason) as refused:
        load_task(path)
    assert "\n" not in str(refused.value)


def test_a_code_is_made_when_it_is_typed_and_hidden_from_then_on(monkeypatch: pytest.MonkeyPatch):
    key = "JBSWY3DPEHPK3PXP"
    monkeypatch.setenv("BWA_TEST_TOTP", key)
    secrets = TypedSecrets(urls=[HOME], totp={"code": SecretSource(env="BWA_TEST_TOTP")})
    before = pyotp.TOTP(key).now()
    code = secrets.fill("<secret:code>", [HOME])
    assert code in (before, pyotp.TOTP(key).now())
    assert secrets.redactor(f"{code} of {key}") == "<secret:code> of <secret:code>"
    monkeypatch.setenv("BWA_TEST_TOTP", "no key!")
    with pytest.raises(SecretRefused, match="has no TOTP key") as refused:
        secrets.fill("<secret:code>", [HOME])
    assert "no key!" not in str(refused.value)


def test_codes_without_pyotp_are_one_clear_line(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BWA_TEST_TOTP", "JBSWY3DPEHPK3PXP")
    monkeypatch.setattr("pytest_bwa.spec.secrets.find_spec", lambda name: None)
    with pytest.raises(SpecError, match=r'key "totp" needs pyotp: pip install pytest-bwa\[totp\]'):
        check_secrets(task(totp={"code": "BWA_TEST_TOTP"}), "spec.yaml")
