"""The command line's options, each with its ini setting."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, get_args

import pytest

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.record import REVIEW_MARKS
from pytest_bwa.plan import Plan, is_safe, new_run_id
from pytest_bwa.policy.claude.prices import PRICES, has_price
from pytest_bwa.policy.registry import AUTO, POLICIES, REPLAY, choose
from pytest_bwa.settings import Settings, read_settings
from pytest_bwa.spec.secrets import has_secrets
from pytest_bwa.spec.task import NotFoundRule, TaskSpec

GROUP = "browser workflow agent"
Word = TypeVar("Word", bound=str)

RECORDINGS = ("tracing", "video", "screenshot")
"""pytest-playwright's options for what it keeps of a page, which shows what was typed."""


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
    Option(
        "--prompt",
        "the task in plain language, of which a model makes a spec and samples before all tests",
        metavar="TEXT",
    ),
    Option(
        "--plan-only",
        "show what would run (goal, fields, samples, decisions), and stop",
        extra=(("action", "store_const"), ("const", "true")),
    ),
    Option(
        "--dry-run",
        "open the first sample, show what a model would be sent and what the list would cost, and "
        "stop; no model is asked",
        extra=(("action", "store_const"), ("const", "true")),
    ),
    Option(
        "--discover",
        "find the samples by walking a listing first, once and before all tests",
        extra=(("action", "store_const"), ("const", "true")),
    ),
    Option("--start-url", "the listing that --discover walks", metavar="URL"),
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
        f"who decides: {_policies}; auto takes claude if a key, a base URL or a model of a local "
        "server is set, else rules",
        default="auto",
        metavar="NAME",
    ),
    Option("--replay", "the run that --policy replay performs again", metavar="RUN"),
    Option("--model", "model of the claude policy", metavar="NAME"),
    Option("--max-steps", "maximum steps per sample; overrides the spec", metavar="N"),
    Option(
        "--max-cost",
        "US dollars that the model calls may cost; then no further sample begins",
        metavar="USD",
    ),
    Option(
        "--not-found",
        "what a sample is that does not exist: fail or pass; overrides the spec",
        metavar="RULE",
    ),
    Option(
        "--fail-on",
        f"let samples that a person should look at fail: {', '.join(REVIEW_MARKS)}, or several "
        "with commas between",
        metavar="MARKS",
    ),
    Option(
        "--combined",
        "the tables of the run: csv, which is always written, and xlsx (combined.xlsx)",
        metavar="FORMATS",
        default="csv",
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
    if run_id is not None and not is_safe(run_id):
        raise InputError(f'--run-id "{run_id}": use letters, digits, ".", "_" and "-"')
    _check_combinations(config)
    return Plan(
        evidence=path("evidence") or Path("evidence"),
        run_id=run_id or new_run_id(),
        policy=value(config, "policy") or AUTO,
        replay=value(config, "replay") or None,
        model=value(config, "model") or "",
        task=path("task"),
        samples=path("samples"),
        url=value(config, "url"),
        resume=value(config, "resume"),
        max_steps=int(steps) if steps else None,
        not_found=not_found or None,
        fail_on=parts(config, "fail_on", REVIEW_MARKS),
        combined=parts(config, "combined", ("csv", "xlsx")),
        max_cost=_dollars(value(config, "max_cost")),
        base_url=config.getoption("base_url", None) or None,
        discover=is_on(config, "discover"),
        start_url=value(config, "start_url") or None,
        prompt=value(config, "prompt") or None,
        plan_only=is_on(config, "plan_only"),
        dry_run=is_on(config, "dry_run"),
        command_line=tuple(map(str, config.invocation_params.args)),
    )


def parts(config: Any, name: str, known: Sequence[Word]) -> tuple[Word, ...]:
    """The words between the commas of an option's value. Raises InputError for unknown ones."""
    given = [word.strip() for word in (value(config, name) or "").split(",") if word.strip()]
    if unknown := [word for word in given if word not in known]:
        flag = next(option.flag for option in OPTIONS if option.name == name)
        raise InputError(f'{flag} takes {", ".join(known)}, not "{unknown[0]}"')
    return tuple(word for word in known if word in given)


def _dollars(text: str | None) -> float | None:
    if not text:
        return None
    try:
        amount = float(text.removeprefix("$"))
    except ValueError:
        amount = 0.0
    if not 0 < amount < math.inf:
        raise InputError(f'--max-cost takes US dollars above 0, such as 2.50, not "{text}"')
    return amount


def asks_for_audit(config: Any) -> bool:
    """Whether an option names what to audit; a marker may bind an audit without one."""
    return any(value(config, name) for name in ("task", "resume", "prompt", "replay"))


def wants_preview(config: Any) -> bool:
    """Whether the plan is to be shown, and nothing to be run."""
    return is_on(config, "plan_only") or is_on(config, "dry_run")


def _check_combinations(config: Any) -> None:
    """Raises InputError for options that contradict each other, or say only half."""
    given = {option.name for option in OPTIONS if value(config, option.name)}
    checks = (_prompt_problems, _sample_problems, _replay_problems)
    for is_so, problem in (found for check in checks for found in check(config, given)):
        if is_so:
            raise InputError(problem)


def _replay_problems(config: Any, given: set[str]) -> Iterator[tuple[bool, str]]:
    problem = (
        "--replay RUN and --policy replay need each other: the run names what to perform again"
    )
    yield ("replay" in given) != (value(config, "policy") == REPLAY), problem


def _prompt_problems(config: Any, given: set[str]) -> Iterator[tuple[bool, str]]:
    prompt = config.getoption("bwa_prompt")
    yield prompt is not None and not prompt.strip(), "--prompt is empty: say what to do"
    if "prompt" in given:
        problem = "--prompt and --task both say what to do: leave one of them out"
        yield "task" in given, problem
        problem = "--dry-run asks no model, and --prompt needs one: use --plan-only"
        yield is_on(config, "dry_run"), problem
        yield "resume" in given, "a planned run is resumed with --resume alone"
        yield config.option.collectonly, "--collect-only plans nothing: use --plan-only"
    elif "task" not in given:
        yield _is_typed(config, "plan_only"), "--plan-only needs --prompt or --task"
        yield _is_typed(config, "dry_run"), "--dry-run needs --task"


def _sample_problems(config: Any, given: set[str]) -> Iterator[tuple[bool, str]]:
    problem = "--url is one page, and --discover finds many: leave one of them out"
    yield is_on(config, "discover") and "url" in given, problem
    if given & {"task", "prompt"}:
        return
    problem = "--discover needs --task: it says what to read of each page that is found"
    yield _is_typed(config, "discover"), problem
    problem = "--start-url says where a listing begins: pass --task and --discover too"
    yield _is_typed(config, "start_url"), problem
    problem = "--samples needs --task: the list says where to look, the task says what for"
    yield "samples" in given and "resume" not in given, problem


def _is_typed(config: Any, name: str) -> bool:
    """Whether an option stands on the command line: in an ini file it only waits for a task."""
    return config.getoption(f"bwa_{name}") is not None


def is_on(config: Any, name: str) -> bool:
    """Whether a switch is on, which an ini file sets to true or false."""
    text = value(config, name)
    if text in (None, "", "false", "False", "0", "no"):
        return False
    if text in ("true", "True", "1", "yes"):
        return True
    raise InputError(f'bwa_{name} takes true or false, not "{text}"')


def settings_for(asked: Plan) -> Settings:
    """The agent's settings, with the model that the command line names. Raises InputError."""
    settings = read_settings()
    return settings.model_copy(update={"model": asked.model or settings.model})


def with_policy(asked: Plan, settings: Settings) -> Plan:
    """The plan with the policy and the model that decide, and what they may cost. Raises InputError
    if the policy is unknown, or needs a model and none is set."""
    policy = choose(asked.policy, settings)
    has_model = POLICIES[policy].needs_model
    limit = asked.max_cost or settings.max_cost
    if limit is not None and has_model:
        _check_prices(settings)
    model = (asked.model or settings.model) if has_model else ""
    return replace(asked, policy=policy, model=model, max_cost=limit)


def _check_prices(settings: Settings) -> None:
    """Raises InputError if a model may be asked whose calls cost nobody knows what."""
    models = [settings.model, settings.fast_model, settings.vision_model or settings.model]
    if settings.enable_fallback_llm:
        models.append(settings.fallback_llm_model)
    unknown = [name for name in dict.fromkeys(models) if not has_price(name)]
    if unknown:
        raise InputError(
            f"--max-cost cannot be kept: nobody has entered the price of {', '.join(unknown)} "
            f"(known are {', '.join(PRICES)}). Limit the steps instead, with --max-steps"
        )


def stop_recordings(config: pytest.Config, task: TaskSpec | None, settings: Settings) -> list[str]:
    """Switch off what would show the task's secrets; returns the lines that say so."""
    wanted = [name for name in RECORDINGS if getattr(config.option, name, "off") != "off"]
    if not wanted or task is None or not has_secrets(task) or settings.record_secrets:
        return []
    for name in wanted:
        setattr(config.option, name, "off")
    flags = ", ".join(f"--{name}" for name in wanted)
    return [f"the task has secrets, so {flags} is off: BWA_RECORD_SECRETS=true records them, too"]
