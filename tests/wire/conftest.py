"""A claude policy, and the local server that answers it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pytest_bwa.actions.catalog import ACTIONS, EVALUATE, tools_for
from pytest_bwa.policy.base import Turn
from pytest_bwa.policy.claude import client
from pytest_bwa.policy.claude.policy import ClaudePolicy
from pytest_bwa.settings import PREFIX, Settings
from pytest_bwa.spec import placeholders
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Element, Observation
from wire.messages_server import MessagesServer, tool_use

OFFERED = tuple(name for name in ACTIONS if name != EVALUATE)
"""The tools that a model is offered by default."""
KEY = "sk-ant-test-0123456789"
TASK = TaskSpec(
    task_id="github_profile",
    goal="Report the profile of {name}.",
    system_prompt="Profiles have the name as their first heading.",
    output_schema={"name": "string | null", "followers": "number"},
    required_fields=["name"],
)
SAMPLE = Sample("torvalds", {"sample_id": "torvalds", "name": "Linus Torvalds"})
PAGE = Observation(
    url="https://github.com/torvalds",
    title="Linus Torvalds (torvalds)",
    elements=(
        Element(0, (0, 0), "heading", "Linus Torvalds"),
        Element(1, (0, 1), "link", "linux", url="https://github.com/torvalds/linux"),
    ),
)


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the machine's own keys, and any proxy between the tests and the local server."""
    for name in ("API_KEY", "AUTH_TOKEN", "BASE_URL", "CUSTOM_HEADERS", "PROFILE"):
        monkeypatch.delenv(f"ANTHROPIC_{name}", raising=False)
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture(autouse=True)
def _forget_what_was_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    """A later server may get the port of an earlier one."""
    monkeypatch.setattr(client, "_capabilities_by_model", {})
    monkeypatch.setattr(client, "_windows_by_model", {})
    monkeypatch.setattr(client, "_helper_refusals", {})


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "FIRST_PAUSE", 0.01)


@pytest.fixture
def server() -> Iterator[MessagesServer]:
    with MessagesServer([tool_use("click", selector="1")]) as started:
        yield started


@pytest.fixture
def policy(server: MessagesServer) -> Iterator[Callable[..., ClaudePolicy]]:
    """Makes policies that call the local server, and closes them."""
    policies: list[ClaudePolicy] = []

    def make(task: TaskSpec = TASK, **settings: Any) -> ClaudePolicy:
        values = {
            "anthropic_api_key": KEY,
            "anthropic_base_url": server.url,
            "model_deadline": 300.0,
            **{name.removeprefix(PREFIX).lower(): value for name, value in settings.items()},
        }
        tools = tools_for(task)
        policies.append(ClaudePolicy(Settings(_env_file=None, **values), task, tools))
        return policies[-1]

    yield make
    for each in policies:
        each.close()


@pytest.fixture
def turn() -> Callable[..., Turn]:
    """Makes turns of TASK on PAGE; placeholders are filled from the sample, as in a run."""

    def make(task: TaskSpec = TASK, sample: Sample = SAMPLE, **changes: Any) -> Turn:
        values = {"observation": PAGE, "step": 1, "max_steps": 25, **changes}
        return Turn(task=placeholders.fill(task, sample), sample=sample, **values)

    return make
