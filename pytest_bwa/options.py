"""The command line's options, each with its ini setting (DESIGN 4.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

GROUP = "browser workflow agent"
POLICIES = ("auto", "claude", "rules", "replay")


@dataclass(frozen=True, slots=True)
class Option:
    """``ini`` is ``bwa_`` and the name; the command line goes before it."""

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


OPTIONS = (
    Option("--task", "task spec, JSON or YAML", metavar="FILE"),
    Option("--samples", "samples list, .csv or .xlsx", also=("--input",), metavar="FILE"),
    Option("--url", "audit this one page instead of a samples list", metavar="URL"),
    Option("--evidence", "where run folders are made", metavar="DIR", default="evidence"),
    Option("--run-id", "name of the run folder", metavar="NAME"),
    Option(
        "--resume",
        "go on with a run: finished samples are not run again (without RUN: the latest)",
        metavar="RUN",
        extra=(("nargs", "?"), ("const", "latest")),
    ),
    Option(
        "--policy",
        "who decides: claude, rules (no model), or auto",
        default="auto",
        extra=(("choices", POLICIES),),
    ),
    Option("--model", "model of the claude policy", metavar="NAME"),
    Option("--max-steps", "steps a sample may take, instead of the spec's", metavar="N"),
)


def value(config: Any, name: str) -> str | None:
    """The option's value: command line, else ini, else its default."""
    option = next(o for o in OPTIONS if o.name == name)
    given = config.getoption(option.dest)
    if given is not None:
        return str(given)
    return config.getini(option.dest) or option.default
