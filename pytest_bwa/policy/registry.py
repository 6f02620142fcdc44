"""The policies that ``--policy`` can name. CONTRIBUTING.md lists what a new one needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pytest_bwa.errors import InputError
from pytest_bwa.policy.model_servers import refuse_unusable_proxies, served_model

if TYPE_CHECKING:  # the names and summaries are read in every run of pytest, also without an audit
    from pytest_bwa.policy.base import Planner, Policy
    from pytest_bwa.policy.recorded import RecordedRun
    from pytest_bwa.settings import Settings
    from pytest_bwa.spec.task import TaskSpec
    from pytest_bwa.steps.step import Tool

AUTO = "auto"
"""Takes claude if a key or a base URL is set, else rules."""
CLAUDE = "claude"
REPLAY = "replay"


class CreatePolicy(Protocol):
    """``recorded`` is the run that a replay performs again; other policies need none."""

    def __call__(
        self,
        settings: Settings,
        task: TaskSpec,
        tools: Sequence[Tool],
        recorded: RecordedRun | None = None,
    ) -> Policy: ...


@dataclass(frozen=True, slots=True)
class PolicyEntry:
    """``create`` makes the policy that decides for every sample of a task."""

    summary: str
    create: CreatePolicy
    needs_model: bool = False


def _claude(
    settings: Settings, task: TaskSpec, tools: Sequence[Tool], recorded: RecordedRun | None = None
) -> Policy:
    # Imported here: the SDK takes seconds to load, and other policies never need it.
    from pytest_bwa.policy.claude.policy import ClaudePolicy

    return ClaudePolicy(settings, task, tools)


def _rules(
    settings: Settings, task: TaskSpec, tools: Sequence[Tool], recorded: RecordedRun | None = None
) -> Policy:
    from pytest_bwa.policy.rules.policy import RulesPolicy

    return RulesPolicy()


def _replay(
    settings: Settings, task: TaskSpec, tools: Sequence[Tool], recorded: RecordedRun | None = None
) -> Policy:
    from pytest_bwa.policy.replay.policy import ReplayPolicy

    if recorded is None:
        raise InputError("--policy replay needs --replay RUN, the run to repeat")
    return ReplayPolicy(recorded)


POLICIES = {
    CLAUDE: PolicyEntry("a model decides", _claude, needs_model=True),
    "rules": PolicyEntry("a deterministic reader, no model", _rules),
    REPLAY: PolicyEntry("the actions of the run that --replay names, no model", _replay),
}


def has_model(settings: Settings) -> bool:
    """Whether a key, a token or a server is set, so that ``--policy auto`` takes claude."""
    servers = settings.model_servers
    given = (settings.anthropic_api_key, settings.anthropic_auth_token, settings.anthropic_base_url)
    return any(given) or served_model(settings.model, servers).url != ""


def planner_for(settings: Settings) -> Planner | None:
    """What plans a task in plain language; None if no model is set. Raises InputError if none can
    be asked."""
    if not has_model(settings):
        return None
    from pytest_bwa.policy.claude.planner import ClaudePlanner

    return ClaudePlanner(settings)


def choose(name: str, settings: Settings) -> str:
    """The name of the policy to use. Raises InputError if it needs a model, and there is none."""
    if name == AUTO:
        name = CLAUDE if has_model(settings) else "rules"
    if name not in POLICIES:
        raise InputError(f'there is no policy "{name}": take {AUTO}, {", ".join(POLICIES)}')
    if POLICIES[name].needs_model:
        require_model(settings, f"--policy {name}", otherwise=", or pass --policy rules")
    return name


def require_model(
    settings: Settings, option: str, names_it: str = "--model", otherwise: str = ""
) -> None:
    """Raises InputError if no key or base URL is set, or none can be asked. ``option`` wants a
    model, which ``names_it`` names."""
    if not has_model(settings):
        raise InputError(
            f"{option} needs a model: set ANTHROPIC_API_KEY (or ANTHROPIC_BASE_URL, or name a "
            f"local one, as in {names_it} ollama/qwen3){otherwise}"
        )
    refuse_unusable_proxies()
