"""The command line's options, each with its ini setting.

Every run of pytest loads this module, also in projects without an audit: it needs nothing that
takes long to load.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pytest_bwa.errors import InputError
from pytest_bwa.plan import MAX_RECIPE_SAMPLES
from pytest_bwa.policy.registry import POLICIES
from pytest_bwa.storage.address import is_address

GROUP = "browser workflow agent"
DEFAULT_EVIDENCE = "evidence"


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
    Option(
        "--shard",
        "run every n-th sample of the list, beginning with the k-th; bwa merge joins the runs",
        metavar="K/N",
    ),
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
    Option(
        "--evidence",
        "where run folders are made; the address of a store (s3://BUCKET/PREFIX, gs://, az://, "
        "file://) lets each be uploaded to it besides",
        metavar="DIR",
        default=DEFAULT_EVIDENCE,
    ),
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
    Option(
        "--recipe",
        "learn: the first samples teach a recipe, by which the others run without a model; FILE: a "
        "recipe that was kept; only: the one beside the spec, and never a model; off",
        metavar="RECIPE",
    ),
    Option(
        "--recipe-check",
        "how much of the replayed samples is run again by the policy alone, at least 3 of them",
        metavar="PERCENT",
    ),
    Option(
        "--recipe-samples",
        "how many samples must teach the same before there is a recipe: "
        f"2 to {MAX_RECIPE_SAMPLES}, by default 3",
        metavar="N",
    ),
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
        "let samples that a person should look at fail: needs_review, flagged, inconclusive, or "
        "several with commas between",
        metavar="MARKS",
    ),
    Option(
        "--combined",
        "the tables of the run: csv, which is always written, xlsx (combined.xlsx) and parquet",
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


def evidence_folder(config: Any) -> str:
    """Where run folders are made: what ``--evidence`` names, unless that is a store; then what the
    ini file does, else the default."""
    texts = (value(config, "evidence"), config.getini("bwa_evidence"))
    return next((text for text in texts if text and not is_address(text)), DEFAULT_EVIDENCE)


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
