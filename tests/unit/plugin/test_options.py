"""Options that contradict each other, or say only half, are refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.record import NOT_AS_EXPECTED, REVIEW_MARKS
from pytest_bwa.plugin import activation, command_line, options
from pytest_bwa.settings import Settings


def config(*, collect_only: bool = False, ini: dict[str, str] | None = None, **given: str) -> Any:
    """What pytest knows of the command line and of its ini file."""
    return SimpleNamespace(
        getoption=lambda name, default=None: given.get(name.removeprefix("bwa_"), default),
        getini=lambda name: (ini or {}).get(name.removeprefix("bwa_")),
        option=SimpleNamespace(collectonly=collect_only),
        invocation_params=SimpleNamespace(dir=Path("/here"), args=()),
    )


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"prompt": "Read it", "task": "a.yaml"}, "--prompt and --task both say what to do"),
        ({"prompt": " "}, "--prompt is empty"),
        (
            {"prompt": "Read it", "resume": "latest", "plan_only": "true"},
            "--plan-only shows a plan and --resume continues one",
        ),
        ({"prompt": "Read it", "collect_only": True}, "use --plan-only"),
        ({"start_url": "/list"}, "--start-url says where a listing begins"),
        ({"discover": "true"}, "--discover needs --task"),
        ({"discover": "true", "task": "a.yaml", "url": "/x"}, "leave one of them out"),
        ({"discover": "maybe", "task": "a.yaml"}, "bwa_discover takes true or false"),
        ({"plan_only": "true"}, "--plan-only needs --prompt or --task"),
        ({"samples": "a.csv"}, "--samples needs --task"),
        ({"dry_run": "true"}, "--dry-run needs --task"),
        ({"dry_run": "true", "prompt": "Read it"}, "--dry-run asks no model"),
        *(
            ({"shard": wrong}, "--shard takes k/n")
            for wrong in ("0/4", "5/4", "x", "1/0", "2", "-1/4")
        ),
        *(
            ({"max_steps": wrong}, "--max-steps takes a whole number above 0")
            for wrong in ("0", "²", "1²", "-1", "2.5", "", "9" * 5000)
        ),
        ({"max_cost": "much"}, "--max-cost takes US dollars above 0"),
        ({"max_cost": "0"}, "--max-cost takes US dollars above 0"),
        ({"max_cost": "nan"}, "--max-cost takes US dollars above 0"),
    ],
)
def test_options_that_make_no_sense_together_are_refused(given, problem):
    with pytest.raises(InputError, match=problem):
        command_line.plan(config(**given))


def test_what_an_ini_file_sets_waits_for_a_task():
    ini = {"model": "qwen3", "max_steps": "7"}
    assert command_line.plan(config(ini=ini)).task is None
    assert activation.show_preview(config(ini=ini)) is None
    assert command_line.plan(config(ini=ini, task="a.yaml")).max_steps == 7


def test_a_listing_belongs_to_a_task():
    plan = command_line.plan(config(task="a.yaml", discover="true", start_url="/list"))
    assert (plan.discover, plan.start_url, plan.task) == (True, "/list", Path("/here/a.yaml"))
    assert not command_line.plan(config(task="a.yaml", discover="false")).discover


def test_what_a_run_may_cost_is_kept_only_where_prices_are_known():
    asked = replace(command_line.plan(config(task="a.yaml", max_cost="2.50")), policy="claude")
    known = Settings(anthropic_api_key="sk-test", model="claude-sonnet-5-5")
    assert command_line.with_policy(asked, known).max_cost == 2.5
    unknown = known.model_copy(update={"vision_model": "my-own"})
    with pytest.raises(InputError, match="the price of my-own"):
        command_line.with_policy(asked, unknown)
    free = command_line.with_policy(replace(asked, policy="rules"), unknown)
    assert free.max_cost == 2.5, "what no model decides costs nothing"


def test_the_help_names_every_reason_for_a_review():
    (text,) = [option.help for option in options.OPTIONS if option.flag == "--fail-on"]
    assert all(mark in text for mark in REVIEW_MARKS if mark != NOT_AS_EXPECTED)


def test_the_help_begins_with_what_everyone_needs_and_an_example():
    flags = [option.flag for option in options.OPTIONS[:5]]
    assert flags == ["--task", "--samples", "--policy", "--evidence", "--resume"]
    assert "pytest-bwa" in options.GROUP
    assert "pytest workflows/ --task spec.json --samples input.csv" in options.GROUP


def test_a_shard_stands_in_the_name_of_its_run():
    asked = command_line.plan(config(shard="2/4"))
    assert asked.run_id.endswith("_2-of-4")
    assert command_line.plan(config(shard="2/4", run_id="mine")).run_id == "mine"
