"""The command line's options, and their ini settings.

Every run of pytest loads this module, also in projects without an audit: it needs nothing that
takes long to load.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pytest_bwa.errors import InputError
from pytest_bwa.policy.registry import POLICIES
from pytest_bwa.reports.upload.address import is_address

GROUP = (
    "pytest-bwa (browser workflow agent), for example "
    "pytest workflows/ --task spec.json --samples input.csv -n 8"
)
DEFAULT_EVIDENCE = "evidence"


@dataclass(frozen=True, slots=True)
class Option:
    """The ini setting, if there is one, is ``bwa_`` and the name; the command line wins over it."""

    flag: str
    help: str
    also: tuple[str, ...] = ()
    metavar: str | None = None
    default: str | None = None
    several: bool = False
    """Whether it takes several words, with commas between."""
    has_ini: bool = True
    """Not if it says what to do this time: in a file, it would be done every time."""
    extra: tuple[tuple[str, Any], ...] = ()

    @property
    def name(self) -> str:
        return self.flag.lstrip("-").replace("-", "_")

    @property
    def dest(self) -> str:
        return f"bwa_{self.name}"


_policies = "; ".join(f"{name} ({entry.summary})" for name, entry in POLICIES.items())
OPTIONS = (
    # What everyone needs comes first.
    Option("--task", "task spec, JSON or YAML", metavar="FILE"),
    Option("--samples", "samples list, .csv or .xlsx", also=("--input",), metavar="FILE"),
    Option(
        "--policy",
        f"who decides: {_policies}; auto takes claude if a key, a base URL or a model of a local "
        "server is set, else rules",
        default="auto",
        metavar="NAME",
    ),
    Option(
        "--evidence",
        "where run folders are made; the address of a store (s3://BUCKET/PREFIX, gs://, az://, "
        "file://) has each uploaded there as well",
        metavar="DIR",
        default=DEFAULT_EVIDENCE,
    ),
    Option(
        "--resume",
        "continue a run: finished samples are not run again (without RUN: the latest)",
        metavar="RUN",
        extra=(("nargs", "?"), ("const", "latest")),
        has_ini=False,
    ),
    Option(
        "--shard",
        "run every n-th sample of the list, beginning with the k-th; bwa merge joins the runs",
        metavar="K/N",
        has_ini=False,
    ),
    Option(
        "--pick",
        "draw so many rows of the list at random and run these; a larger number with the same seed "
        "adds rows to them (with --resume, to those of the run)",
        metavar="N",
        has_ini=False,
    ),
    Option(
        "--seed",
        "which rows --pick draws; one is made and recorded if none is given",
        metavar="S",
        has_ini=False,
    ),
    Option(
        "--by", "draw in proportion to the values of this column", metavar="COLUMN", has_ini=False
    ),
    Option(
        "--url",
        "audit this one page instead of a samples list; -k ID runs one row of a list",
        metavar="URL",
        has_ini=False,
    ),
    Option(
        "--prompt",
        "the task in plain language; a model turns it into a spec and samples before all tests",
        metavar="TEXT",
        has_ini=False,
    ),
    Option(
        "--plan-only",
        "show what would run (goal, fields, samples, decisions), and stop",
        extra=(("action", "store_const"), ("const", "true")),
        has_ini=False,
    ),
    Option(
        "--dry-run",
        "open the first sample, show what a model would be sent and what the list would cost, and "
        "stop; no model is called",
        extra=(("action", "store_const"), ("const", "true")),
        has_ini=False,
    ),
    Option(
        "--discover",
        "find the samples by walking a listing first, once and before all tests",
        extra=(("action", "store_const"), ("const", "true")),
    ),
    Option("--start-url", "the listing that --discover walks", metavar="URL"),
    Option(
        "--run-id",
        "name of the run folder, else run_YYYY-MM-DD_HHMMSS",
        metavar="NAME",
        has_ini=False,
    ),
    Option("--replay", "the run that --policy replay repeats", metavar="RUN", has_ini=False),
    Option(
        "--recipe",
        "learn: the first samples teach a recipe by which the others run without a model; FILE: a "
        "recipe that was kept; only: the one beside the spec, never a model; off",
        metavar="RECIPE",
    ),
    Option(
        "--check",
        "the share of samples to run again by the policy alone, at least 3; each difference is "
        "flagged, and what is alike bounds the rest. Without --recipe 0, with it 2, and then of "
        "those that the recipe read",
        metavar="PERCENT",
    ),
    Option("--check-model", "the model that runs them again", metavar="NAME"),
    Option("--model", "model of the claude policy", metavar="NAME"),
    Option("--max-steps", "maximum steps per sample; overrides the spec", metavar="N"),
    Option(
        "--max-cost",
        "US dollars that model calls may cost; once spent, no further sample begins",
        metavar="USD",
    ),
    Option(
        "--not-found",
        "whether a sample that does not exist counts as fail or pass; overrides the spec",
        metavar="RULE",
    ),
    Option(
        "--approve",
        "writes: before an action sends what may write, a person approves or rejects it, on the "
        "page of bwa review or, without -n, in the terminal; off; overrides the spec",
        metavar="RULE",
    ),
    Option(
        "--approve-timeout",
        "how long to wait for that person; nobody there is a rejection, and the sample is for "
        "review",
        metavar="SECONDS",
        default="600",
    ),
    Option(
        "--expected",
        "what a value is that differs from the list's expected.<field>: fail or report; overrides "
        "the spec",
        metavar="RULE",
    ),
    Option(
        "--min-known-right",
        "fail the run if fewer of its known samples are right",
        metavar="PERCENT",
    ),
    Option(
        "--fail-on",
        "fail samples that a person should look at: needs_review, flagged, inconclusive, or "
        "several separated by commas",
        metavar="MARKS",
        several=True,
    ),
    Option(
        "--combined",
        "the tables of the run: csv, which is always written, xlsx (combined.xlsx) and parquet",
        metavar="FORMATS",
        default="csv",
        several=True,
    ),
)

RENAMED = {"--recipe-check": "--check"}


class Renamed(argparse.Action):
    """Refuses an option by its old name. Raises UsageError."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option: Any = None) -> None:
        raise pytest.UsageError(f"{option} is called {RENAMED[option]} now")


def value(config: Any, name: str) -> str | None:
    """The option's value: command line, else ini, else its default. Raises UsageError."""
    option = _option(name)
    given = config.getoption(option.dest)
    if given is not None:
        return str(given)
    return (option.has_ini and _ini_text(config, option)) or option.default


def path(config: Any, name: str) -> Path | None:
    """The path that the option names: what stands in an ini file begins at that file, what is typed
    where pytest was started. Raises UsageError."""
    given = value(config, name)
    return Path(_begins_at(config, _option(name)), given) if given else None


def evidence_folder(config: Any) -> Path:
    """Where run folders are made: what ``--evidence`` names, unless that is a store; then what the
    ini file does, else the default. Raises UsageError."""
    option, typed = _option("evidence"), config.getoption("bwa_evidence")
    if typed and not is_address(str(typed)):
        return Path(config.invocation_params.dir, typed)
    configured = _ini_text(config, option)
    if configured and not is_address(configured):
        return Path(_ini_folder(config, option), configured)
    return Path(config.invocation_params.dir, DEFAULT_EVIDENCE)


def check_ini(config: Any) -> None:
    """Raises UsageError for what the ini file cannot set, so that it is said once and before
    anything starts."""
    for option in OPTIONS:
        if option.has_ini:
            _ini_text(config, option)
        elif _ini_value(config, option) is not None:
            raise pytest.UsageError(_no_ini(config, option.dest, f"pass {option.flag} to pytest"))


def _no_ini(config: Any, name: str, advice: str) -> str:
    return f"{config.inipath}: {name} is not an ini setting: {advice} instead"


def _option(name: str) -> Option:
    return next(option for option in OPTIONS if option.name == name)


def _begins_at(config: Any, option: Option) -> Path:
    is_typed = config.getoption(option.dest) is not None
    return Path(config.invocation_params.dir) if is_typed else _ini_folder(config, option)


def _ini_folder(config: Any, option: Option) -> Path:
    """``-o`` is typed, too."""
    found = _ini_value(config, option)
    if getattr(found, "origin", "") == "file" and config.inipath is not None:
        return Path(config.inipath).parent
    return Path(config.invocation_params.dir)


def _ini_value(config: Any, option: Option) -> Any:
    """As pytest keeps it: with its type, which ``getini`` refuses, and with its origin."""
    return getattr(config, "_inicfg", {}).get(option.dest)


def _ini_text(config: Any, option: Option) -> str | None:
    """What the ini file says, as it would be typed. TOML has types: in a list stands what the
    command line separates with commas. Raises UsageError."""
    found = _ini_value(config, option)
    if found is None:
        text: str | None = config.getini(option.dest)
        return text
    given = getattr(found, "value", found)
    if isinstance(given, list) and option.several and not any(map(_is_no_word, given)):
        return ",".join(map(str, given))
    if isinstance(given, list | dict) or _is_no_word(given):
        what = "a text or a list of texts" if option.several else "one text, number, true or false"
        raise pytest.UsageError(f"{config.inipath}: {option.dest} takes {what}, not {given!r}")
    return str(given).lower() if isinstance(given, bool) else str(given)


def _is_no_word(given: object) -> bool:
    return not isinstance(given, str | int | float)


def asks_for_audit(config: Any) -> bool:
    """Whether an option names what to audit; a marker may bind an audit without one."""
    return any(value(config, name) for name in ("task", "resume", "prompt", "replay"))


def wants_preview(config: Any) -> bool:
    """Whether the plan is to be shown, and nothing to be run."""
    return is_on(config, "plan_only") or is_on(config, "dry_run")


def is_typed(config: Any, name: str) -> bool:
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
