"""Which policy a name stands for."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pytest_bwa.actions.catalog import tools_for
from pytest_bwa.errors import InputError
from pytest_bwa.policy.registry import AUTO, POLICIES, choose
from pytest_bwa.policy.replay.recorded import RecordedRun
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
