"""Options that contradict each other, or say only half, are refused."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_bwa.errors import InputError
from pytest_bwa.plugin import activation, command_line


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
        ({"prompt": "Read it", "resume": "latest"}, "resumed with --resume alone"),
        ({"prompt": "Read it", "collect_only": True}, "use --plan-only"),
        ({"start_url": "/list"}, "--start-url says where a listing begins"),
        ({"discover": "true"}, "--discover needs --task"),
        ({"discover": "true", "task": "a.yaml", "url": "/x"}, "leave one of them out"),
        ({"discover": "maybe", "task": "a.yaml"}, "bwa_discover takes true or false"),
        ({"plan_only": "true"}, "--plan-only needs --prompt or --task"),
        ({"samples": "a.csv"}, "--samples needs --task"),
    ],
)
def test_options_that_make_no_sense_together_are_refused(given, problem):
    with pytest.raises(InputError, match=problem):
        command_line.plan(config(**given))


def test_what_an_ini_file_sets_waits_for_a_task():
    ini = {"discover": "true", "start_url": "/list", "plan_only": "true"}
    assert command_line.plan(config(ini=ini)).task is None
    assert activation.show_plan(config(ini=ini)) is None
    assert command_line.plan(config(ini=ini, task="a.yaml")).discover


def test_a_listing_belongs_to_a_task():
    plan = command_line.plan(config(task="a.yaml", discover="true", start_url="/list"))
    assert (plan.discover, plan.start_url, plan.task) == (True, "/list", Path("/here/a.yaml"))
    assert not command_line.plan(config(task="a.yaml", discover="false")).discover
