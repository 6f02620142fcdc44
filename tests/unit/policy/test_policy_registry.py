"""Which policy a name stands for."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pytest_bwa.actions.catalog import tools_for
from pytest_bwa.errors import InputError
from pytest_bwa.policy import model_servers
from pytest_bwa.policy.recorded import RecordedRun
from pytest_bwa.policy.registry import AUTO, POLICIES, choose, planner_for
from pytest_bwa.settings import Settings
from pytest_bwa.spec.task import TaskSpec

TASK = TaskSpec(task_id="t", goal="g")
WITHOUT = Settings(_env_file=None)
WITH = Settings(_env_file=None, anthropic_api_key="sk-test")


def test_auto_takes_claude_only_if_a_model_is_set():
    assert (choose(AUTO, WITHOUT), choose(AUTO, WITH)) == ("rules", "claude")


def test_a_policy_that_needs_a_model_says_so():
    with pytest.raises(InputError, match="ANTHROPIC_API_KEY"):
        choose("claude", WITHOUT)
    assert choose("rules", WITHOUT) == "rules"


def test_an_unknown_name_in_an_ini_file_is_refused_with_those_there_are():
    with pytest.raises(InputError, match="auto, claude, rules"):
        choose("ruels", WITHOUT)


@pytest.mark.parametrize("name", POLICIES)
def test_every_entry_creates_the_policy_of_its_name(name):
    policy = POLICIES[name].create(WITH, TASK, tools_for(TASK), RecordedRun("run_1"))
    assert policy.name == name
    assert bool(policy.model) == POLICIES[name].needs_model
    policy.close()


def test_a_replay_needs_a_recorded_run():
    with pytest.raises(InputError, match="--replay RUN"):
        POLICIES["replay"].create(WITH, TASK, tools_for(TASK))


def test_the_registry_itself_does_not_load_the_sdk():
    code = "import sys, pytest_bwa.policy.registry; sys.exit('anthropic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize(
    ("variable", "address", "advice"),
    [
        ("ALL_PROXY", "socks5://me:pw@127.0.0.1:9", "pip install socksio, or unset ALL_PROXY"),
        ("https_proxy", "socks5h://127.0.0.1:9", "pip install socksio, or unset https_proxy"),
        ("ALL_PROXY", "socks4://127.0.0.1:9", "set it to http://HOST:PORT, or unset it"),
        ("HTTP_PROXY", "http://me:pw@127.0.0.1:none", "set it to http://HOST:PORT, or unset it"),
    ],
)
def test_a_proxy_through_which_no_model_can_be_asked_is_named(
    monkeypatch, variable, address, advice
):
    for kind in ("http", "https", "all"):
        for name in (f"{kind}_proxy", f"{kind}_proxy".upper()):
            monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, address)
    monkeypatch.setattr(model_servers, "find_spec", lambda name: None)
    for ask in (
        lambda: choose("claude", WITH),
        lambda: choose(AUTO, WITH),
        lambda: planner_for(WITH),
    ):
        with pytest.raises(InputError) as refused:
            ask()
        message = str(refused.value)
        assert message.startswith(f"{variable} ")
        assert message.endswith(advice)
        assert "pw" not in message
    assert choose("rules", WITH) == "rules"
    assert choose(AUTO, WITHOUT) == "rules"


def test_other_proxies_are_left_to_the_sdk(monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:9")
    monkeypatch.setenv("HTTPS_PROXY", "proxy.example:3128")
    monkeypatch.setattr(model_servers, "find_spec", lambda name: name)
    assert choose("claude", WITH) == "claude"
