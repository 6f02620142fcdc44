"""What the command line asks for; the same in the controller and in all workers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_bwa.evidence.record import ReviewMark


@dataclass(frozen=True, slots=True)
class Plan:
    """Paths are absolute, or relative to the directory in which pytest was started."""

    evidence: Path
    run_id: str
    policy: str
    model: str
    task: Path | None = None
    samples: Path | None = None
    url: str | None = None
    resume: str | None = None
    replay: str | None = None
    """The run that ``--policy replay`` performs again."""
    max_steps: int | None = None
    not_found: str | None = None
    """``fail`` or ``pass``; None if the spec decides."""
    fail_on: tuple[ReviewMark, ...] = ()
    """The reasons for a review that make a sample fail."""
    combined: tuple[str, ...] = ()
    """The forms of the tables besides CSV."""
    max_cost: float | None = None
    """US dollars that the model calls of this session may cost."""
    base_url: str | None = None
    command_line: tuple[str, ...] = ()
    discover: bool = False
    start_url: str | None = None
    """The listing that is walked to find the samples; None if the spec names it."""
    prompt: str | None = None
    """The task in plain language."""
    plan_only: bool = False
    dry_run: bool = False

    def portable(self) -> dict[str, Any]:
        """In a form that xdist can pass to a worker: paths as text."""
        return {k: str(v) if isinstance(v, Path) else v for k, v in asdict(self).items()}

    @classmethod
    def from_portable(cls, values: Mapping[str, Any]) -> Plan:
        paths = {key: Path(values[key]) for key in ("evidence", "task", "samples") if values[key]}
        lists = {key: tuple(values[key]) for key in ("command_line", "fail_on", "combined")}
        return cls(**{**values, **paths, **lists})


def new_run_id() -> str:
    return datetime.now().strftime("run_%Y-%m-%d_%H%M%S")
