"""The command line's options, each with its ini setting."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

from pytest_bwa import audits
from pytest_bwa.audits import Plan
from pytest_bwa.errors import InputError
from pytest_bwa.policy.registry import AUTO, POLICIES, choose
from pytest_bwa.settings import Settings
from pytest_bwa.spec.task import NotFoundRule

GROUP = "browser workflow agent"


@dataclass(frozen=True, slots=True)
class Option:
    """The ini setting is ``bwa_`` and the name; the command line wins over it."""

    flag: str
    help: str
    also: tuple[str, ...] = ()
    metavar: str | None = None
    default: str | None = None
    extra: tuple[tuple[str, Any], ...] = ()

    @property
    def name(self) -> str:
        return self.flag.lstrip("-").replace("-", "_")

    @property
    def dest(self) -> str:
        return f"bwa_{self.name}"


_policies = "; ".join(f"{name} ({entry.summary})" for name, entry in POLICIES.items())
OPTIONS = (
    Option("--task", "task spec, JSON or YAML", metavar="FILE"),
    Option("--samples", "samples list, .csv or .xlsx", also=("--input",), metavar="FILE"),
    Option("--url", "audit this one page instead of a samples list", metavar="URL"),
    Option("--evidence", "where run folders are made", metavar="DIR", default="evidence"),
    Option("--run-id", "name of the run folder, else run_YYYY-MM-DD_HHMMSS", metavar="NAME"),
    Option(
        "--resume",
        "continue a run: finished samples are not run again (without RUN: the latest)",
        metavar="RUN",
        extra=(("nargs", "?"), ("const", "latest")),
    ),
    Option(
        "--policy",
        f"who decides: {_policies}; auto takes claude if a key or a base URL is set, else rules",
        default="auto",
        metavar="NAME",
    ),
    Option("--model", "model of the claude policy", metavar="NAME"),
    Option("--max-steps", "maximum steps per sample; overrides the spec", metavar="N"),
    Option(
        "--not-found",
        "what a sample is that does not exist: fail or pass; overrides the spec",
        metavar="RULE",
    ),
)


def value(config: Any, name: str) -> str | None:
    """The option's value: command line, else ini, else its default."""
    option = next(o for o in OPTIONS if o.name == name)
    given = config.getoption(option.dest)
    if given is not None:
        return str(given)
    return config.getini(option.dest) or option.default


def plan(config: Any) -> Plan:
    """What the options ask for; if there is an audit, ``with_policy`` completes it. Raises
    InputError for options that make no sense."""

    def path(name: str) -> Path | None:
        given = value(config, name)
        return Path(config.invocation_params.dir, given) if given else None

    steps = value(config, "max_steps")
    if steps is not None and not (steps.isdigit() and int(steps) > 0):
        raise InputError(f'--max-steps takes a whole number above 0, not "{steps}"')
    not_found = value(config, "not_found")
    if not_found not in (None, "", *get_args(NotFoundRule)):
        raise InputError(f'--not-found takes fail or pass, not "{not_found}"')
    run_id = value(config, "run_id")
    if run_id is not None and not audits.is_safe(run_id):
        raise InputError(f'--run-id "{run_id}": use letters, digits, ".", "_" and "-"')
    if path("samples") and not (path("task") or value(config, "resume")):
        raise InputError(
            "--samples needs --task: the list says where to look, the task says what for"
        )
    return Plan(
        evidence=path("evidence") or Path("evidence"),
        run_id=run_id or audits.new_run_id(),
        policy=value(config, "policy") or AUTO,
        model=value(config, "model") or "",
        task=path("task"),
        samples=path("samples"),
        url=value(config, "url"),
        resume=value(config, "resume"),
        max_steps=int(steps) if steps else None,
        not_found=not_found or None,
        base_url=config.getoption("base_url", None) or None,
        command_line=tuple(map(str, config.invocation_params.args)),
    )


def with_policy(asked: Plan, settings: Settings) -> Plan:
    """The plan with the policy and the model that decide. Raises InputError if the policy is
    unknown, or needs a model and none is set."""
    policy = choose(asked.policy, settings)
    model = asked.model or settings.model
    return replace(asked, policy=policy, model=model if POLICIES[policy].needs_model else "")
