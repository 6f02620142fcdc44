"""The policies that ``--policy`` can name. CONTRIBUTING.md lists what a new one needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pytest_bwa.errors import InputError
from pytest_bwa.policy.base import Planner, Policy
from pytest_bwa.settings import Settings
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Tool

AUTO = "auto"
"""Takes claude if a key or a base URL is set, else rules."""


@dataclass(frozen=True, slots=True)
class PolicyEntry:
    """``create`` makes the policy that decides for every sample of a task."""

    summary: str
    create: Callable[[Settings, TaskSpec, Sequence[Tool]], Policy]
    needs_model: bool = False


def _claude(settings: Settings, task: TaskSpec, tools: Sequence[Tool]) -> Policy:
    # Imported here: the SDK takes seconds to load, and other policies never need it.
    from pytest_bwa.policy.claude.policy import ClaudePolicy

    return ClaudePolicy(settings, task, tools)


def _rules(settings: Settings, task: TaskSpec, tools: Sequence[Tool]) -> Policy:
    from pytest_bwa.policy.rules.policy import RulesPolicy

    return RulesPolicy()


POLICIES = {
    "claude": PolicyEntry("a model decides", _claude, needs_model=True),
    "rules": PolicyEntry("a deterministic reader, no model", _rules),
}


def planner_for(settings: Settings) -> Planner | None:
    """What plans a task in plain language; None if no key or base URL is set."""
    if not settings.has_model:
        return None
    from pytest_bwa.policy.claude.planning.planner import ClaudePlanner

    return ClaudePlanner(settings)


def choose(name: str, settings: Settings) -> str:
    """The name of the policy to use. InputError if it needs a model, but no key or base URL is
    set."""
    if name == AUTO:
        return "claude" if settings.has_model else "rules"
    if name not in POLICIES:
        raise InputError(f'there is no policy "{name}": take {AUTO}, {", ".join(POLICIES)}')
    if POLICIES[name].needs_model and not settings.has_model:
        raise InputError(
            f"--policy {name} needs a model: set ANTHROPIC_API_KEY (or ANTHROPIC_BASE_URL for a "
            "local server), or pass --policy rules"
        )
    return name
