"""From the command line to a plan: what an audit is asked to do, checked."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar, get_args

import pytest

from pytest_bwa.audit.plan import Plan
from pytest_bwa.errors import InputError
from pytest_bwa.evidence.files import checked_run_id
from pytest_bwa.evidence.record import NOT_AS_EXPECTED, REVIEW_MARKS
from pytest_bwa.plugin.checks.base_url import of_options
from pytest_bwa.plugin.options import (
    OPTIONS,
    evidence_folder,
    is_on,
    is_typed,
    path,
    value,
)
from pytest_bwa.policy.claude.cost import PRICES, has_price
from pytest_bwa.policy.registry import AUTO, POLICIES, REPLAY, choose, require_model
from pytest_bwa.reports.base import ReportContext
from pytest_bwa.reports.combined import NO_PARQUET
from pytest_bwa.reports.resume_line import program
from pytest_bwa.reports.upload.address import is_address, store_address
from pytest_bwa.settings import Settings, read_settings
from pytest_bwa.spec.draw import Draw, new_seed
from pytest_bwa.spec.secrets import has_secrets
from pytest_bwa.spec.shard import Shard, new_run_id
from pytest_bwa.spec.task import ApproveRule, ExpectedRule, NotFoundRule, RecipeMode, TaskSpec

Word = TypeVar("Word", bound=str)

MAX_DIGITS = 10
"""Python reads no number of more than some thousand digits."""
RECORDINGS = ("tracing", "video", "screenshot")
"""pytest-playwright's options for what it keeps of a page, which shows what was typed."""


def plan(config: Any) -> Plan:
    """What the options ask for; if there is an audit, ``with_policy`` completes it. Raises
    InputError for options that make no sense."""
    run_id = _run_id(value(config, "run_id"))
    _check_combinations(config)
    shard = _shard(value(config, "shard"))
    return Plan(
        evidence=evidence_folder(config),
        store=_store(config),
        run_id=run_id or new_run_id(shard),
        policy=value(config, "policy") or AUTO,
        replay=value(config, "replay") or None,
        recipe=_recipe(config),
        check=_part("--check", value(config, "check")),
        check_model=value(config, "check_model") or "",
        model=value(config, "model") or "",
        task=path(config, "task"),
        samples=path(config, "samples"),
        url=value(config, "url"),
        shard=shard,
        draw=_draw(config),
        is_seed_given=value(config, "seed") is not None,
        resume=value(config, "resume"),
        max_steps=_steps(value(config, "max_steps")),
        not_found=_rule("--not-found", value(config, "not_found"), get_args(NotFoundRule)),
        approve=_rule("--approve", value(config, "approve"), get_args(ApproveRule)),
        approve_timeout=_seconds("--approve-timeout", value(config, "approve_timeout")),
        fail_on=_words(config, "fail_on", [m for m in REVIEW_MARKS if m != NOT_AS_EXPECTED]),
        expected=_rule("--expected", value(config, "expected"), get_args(ExpectedRule)),
        min_known_right=_part("--min-known-right", value(config, "min_known_right")),
        combined=_combined(config),
        max_cost=_dollars(value(config, "max_cost")),
        base_url=of_options(config),
        discover=is_on(config, "discover"),
        start_url=value(config, "start_url") or None,
        prompt=value(config, "prompt") or None,
        dry_run=is_on(config, "dry_run"),
        command_line=tuple(map(str, config.invocation_params.args)),
    )


def _rule(flag: str, word: str | None, words: Sequence[str]) -> str | None:
    if word not in (None, "", *words):
        raise InputError(f'{flag} takes {" or ".join(words)}, not "{word}"')
    return word or None


def _store(config: Any) -> str | None:
    """The address that ``--evidence`` names, if it is that of a store. Raises InputError."""
    given = value(config, "evidence")
    return store_address(given) if given and is_address(given) else None


def _words(config: Any, name: str, known: Sequence[Word]) -> tuple[Word, ...]:
    """The words between the commas of an option's value. Raises InputError for unknown ones."""
    given = [word.strip() for word in (value(config, name) or "").split(",") if word.strip()]
    if unknown := [word for word in given if word not in known]:
        flag = next(option.flag for option in OPTIONS if option.name == name)
        raise InputError(f'{flag} takes {", ".join(known)}, not "{unknown[0]}"')
    return tuple(word for word in known if word in given)


def _combined(config: Any) -> tuple[str, ...]:
    """Raises InputError for a form that this installation cannot write."""
    forms = _words(config, "combined", ("csv", "xlsx", "parquet"))
    if "parquet" in forms and find_spec("pyarrow") is None:
        raise InputError(f"--combined parquet: {NO_PARQUET}")
    return forms


def _recipe(config: Any) -> str | None:
    """A word, or the absolute path of a file."""
    given = value(config, "recipe")
    if not given or given in get_args(RecipeMode):
        return given or None
    return str(path(config, "recipe"))


def _part(flag: str, text: str | None) -> float | None:
    """A part of 1. Raises InputError."""
    if not text:
        return None
    try:
        percent = float(text.removesuffix("%"))
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:
        raise InputError(f'{flag} takes a percentage from 0 to 100, not "{text}"')
    return percent / 100


def _seconds(flag: str, text: str | None) -> float:
    """Raises InputError."""
    every = range(1, 10**MAX_DIGITS)
    return _whole_number(flag, text or "", every, "a whole number of seconds above 0")


def _steps(text: str | None) -> int | None:
    if text is None:
        return None
    return _whole_number("--max-steps", text, range(1, sys.maxsize), "a whole number above 0")


def _whole_number(flag: str, text: str, allowed: range, in_words: str) -> int:
    """Raises InputError."""
    is_short = text.isdecimal() and len(text) < MAX_DIGITS
    if not is_short or int(text) not in allowed:
        raise InputError(f'{flag} takes {in_words}, not "{text}"')
    return int(text)


def _run_id(name: str | None) -> str | None:
    return None if name is None else checked_run_id(name)


def _shard(text: str | None) -> Shard | None:
    return Shard.parse(text) if text else None


def _draw(config: Any) -> Draw | None:
    """The sample that is drawn. Raises InputError."""
    picked, seed = value(config, "pick"), value(config, "seed")
    if picked is None:
        return None
    count = _whole_number("--pick", picked, range(1, sys.maxsize), "a whole number above 0")
    every = range(10 ** (MAX_DIGITS - 1))
    number = new_seed() if seed is None else _whole_number("--seed", seed, every, "a whole number")
    return Draw(count, number, value(config, "by") or "")


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


def _check_combinations(config: Any) -> None:
    """Raises InputError for options that contradict each other, or say only half."""
    given = {option.name for option in OPTIONS if value(config, option.name)}
    checks = (
        _prompt_problems, _sample_problems, _draw_problems, _replay_problems, _check_problems,
    )  # fmt: skip
    for is_so, problem in (found for check in checks for found in check(config, given)):
        if is_so:
            raise InputError(problem)


def _replay_problems(config: Any, given: set[str]) -> Iterator[tuple[bool, str]]:
    problem = (
        "--replay RUN and --policy replay need each other: the run names what to perform again"
    )
    is_replay = value(config, "policy") == REPLAY
    yield ("replay" in given) != is_replay, problem
    problem = (
        "--policy replay repeats another run, and --recipe asks a policy: leave one of them out"
    )
    yield is_replay and is_typed(config, "recipe"), problem
    is_empty = is_typed(config, "recipe") and not value(config, "recipe")
    yield (
        is_empty,
        f"--recipe is empty: it takes {', '.join(get_args(RecipeMode))} or a recipe file",
    )


def _check_problems(config: Any, given: set[str]) -> Iterator[tuple[bool, str]]:
    problem = "--check-model says who checks: pass --check PERCENT too"
    yield "check_model" in given and not given & {"check", "recipe", "resume"}, problem
    is_asked = is_typed(config, "check") and bool(_part("--check", value(config, "check")))
    problem = "--policy replay asks no policy, and --check does: leave one of them out"
    yield is_asked and value(config, "policy") == REPLAY, problem
    problem = "--recipe only asks no policy, and --check does: leave one of them out"
    yield is_asked and value(config, "recipe") == "only", problem


def _prompt_problems(config: Any, given: set[str]) -> Iterator[tuple[bool, str]]:
    prompt = config.getoption("bwa_prompt")
    yield prompt is not None and not prompt.strip(), "--prompt is empty: say what to do"
    if "prompt" in given:
        problem = "--prompt and --task both say what to do: leave one of them out"
        yield "task" in given, problem
        problem = "--dry-run asks no model, and --prompt needs one: use --plan-only"
        yield is_on(config, "dry_run"), problem
        problem = "--plan-only shows a plan and --resume continues one: leave one of them out"
        yield "resume" in given and is_on(config, "plan_only"), problem
        yield config.option.collectonly, "--collect-only plans nothing: use --plan-only"
    elif "task" not in given:
        yield is_typed(config, "plan_only"), "--plan-only needs --prompt or --task"
        yield is_typed(config, "dry_run"), "--dry-run needs --task"


def _sample_problems(config: Any, given: set[str]) -> Iterator[tuple[bool, str]]:
    problem = "--url is one page, and --discover finds many: leave one of them out"
    yield is_on(config, "discover") and "url" in given, problem
    if given & {"task", "prompt"}:
        return
    problem = "--discover needs --task: it says what to read of each page that is found"
    yield is_typed(config, "discover"), problem
    problem = "--start-url says where a listing begins: pass --task and --discover too"
    yield is_typed(config, "start_url"), problem
    problem = "--samples needs --task: the list says where to look, the task says what for"
    yield "samples" in given and "resume" not in given, problem


def _draw_problems(config: Any, given: set[str]) -> Iterator[tuple[bool, str]]:
    yield (
        "pick" not in given and bool(given & {"seed", "by"}),
        ("--seed and --by say how --pick draws: pass --pick N too"),
    )
    if "pick" not in given:
        return
    yield (
        "shard" in given and "seed" not in given,
        ("--pick with --shard needs --seed: without it, each shard would draw another sample"),
    )
    yield "url" in given, "--url is one page, and --pick draws from many: leave one of them out"
    yield "replay" in given, "--replay performs a run again, with its own samples: leave --pick out"


def check_paths(config: Any) -> None:
    """Raises InputError for tests that are not there. pytest says it, too, but only when the run
    folder is made, the task planned and the listing walked."""
    for given in () if config.option.pyargs else config.args:
        path = given.split("::")[0]
        if not Path(config.invocation_params.dir, path).exists():
            raise InputError(f"file or directory not found: {given}")


def settings_for(asked: Plan) -> Settings:
    """The agent's settings, with the model that the command line names. Raises InputError."""
    settings = read_settings()
    return settings.model_copy(update={"model": asked.model or settings.model})


def with_policy(asked: Plan, settings: Settings) -> Plan:
    """The plan with the policy and the model that decide, and what they may cost. Raises InputError
    if the policy is unknown, or needs a model and none is set."""
    policy = choose(asked.policy, settings)
    has_model = POLICIES[policy].needs_model
    asking = [settings] if has_model else []
    if asked.check_model:
        checking = settings.model_copy(update={"model": asked.check_model})
        require_model(checking, f"--check-model {asked.check_model}", "--check-model")
        asking.append(checking)
    for own in asking if asked.max_cost is not None else ():
        _check_prices(own)
    model = (asked.model or settings.model) if has_model else ""
    return replace(asked, policy=policy, model=model)


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


def stop_recordings(config: pytest.Config, task: TaskSpec | None) -> list[str]:
    """Switch off what would show the task's secrets; returns the lines that say so."""
    wanted = [name for name in RECORDINGS if getattr(config.option, name, "off") != "off"]
    if not wanted or task is None or not has_secrets(task):
        return []
    for name in wanted:
        setattr(config.option, name, "off")
    flags = ", ".join(f"--{name}" for name in wanted)
    return [f"the task has secrets, so {flags} is off: recordings would show them"]


def report_context(config: pytest.Config, asked: Plan) -> ReportContext:
    """What the plan and the options of other plugins ask of the reports."""
    allure_folder = config.getoption("allure_report_dir", None)
    junit_file = config.getoption("xmlpath", None)
    html_file = config.getoption("htmlpath", None)
    is_worker = hasattr(config, "workerinput")
    return ReportContext(
        allure_folder=Path(allure_folder) if allure_folder else None,
        allure_listener=config.pluginmanager.getplugin("allure_listener"),
        junit_file=Path(os.path.expandvars(junit_file)).expanduser().resolve()
        if junit_file
        else None,
        combined=asked.combined,
        html_file=Path(html_file).absolute() if html_file else None,
        command=(*program(sys.argv), *map(str, config.invocation_params.args)),
        store=None if is_worker or config.option.collectonly else asked.store,
    )
