"""What the command line asks for; the same in the controller and in all workers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_bwa.spec.draw import Draw
from pytest_bwa.spec.shard import Shard

if TYPE_CHECKING:
    from pytest_bwa.evidence.record import ReviewMark


@dataclass(frozen=True, slots=True)
class Plan:
    """Paths are absolute, or relative to the directory in which pytest was started."""

    evidence: Path
    run_id: str
    policy: str
    model: str
    store: str | None = None
    """The address to which run folders are uploaded."""
    task: Path | None = None
    samples: Path | None = None
    url: str | None = None
    shard: Shard | None = None
    """The part of the samples that runs here; None for all."""
    draw: Draw | None = None
    """How many of the rows run, and how they are drawn; None for all."""
    is_seed_given: bool = False
    resume: str | None = None
    replay: str | None = None
    """The run that ``--policy replay`` performs again."""
    recipe: str | None = None
    """``learn``, ``only``, ``off``, or the path of a recipe; None for off."""
    check: float | None = None
    """The part of the samples that is run again by the policy alone; None if nothing is said."""
    check_model: str = ""
    """The model that runs them again; empty for the policy of the run."""
    max_steps: int | None = None
    not_found: str | None = None
    """``fail`` or ``pass``; None if the spec decides."""
    approve: str | None = None
    """``writes`` or ``off``; None if the spec decides."""
    approve_timeout: float = 600.0
    """Seconds to wait for a person to approve a write."""
    fail_on: tuple[ReviewMark, ...] = ()
    """The reasons for a review that make a sample fail."""
    expected: str | None = None
    """``fail`` or ``report``: what a difference from a known row is; None if the spec decides."""
    min_known_right: float | None = None
    """The part of the known samples that must be right, or the run fails."""
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
    dry_run: bool = False

    @property
    def of_task(self) -> dict[str, Any]:
        """What the command line gives instead of the spec."""
        given = {name: getattr(self, name) for name in ("max_steps", "not_found", "approve")}
        return {name: value for name, value in given.items() if value is not None}

    def portable(self) -> dict[str, Any]:
        """In a form that xdist can pass to a worker: paths as text."""
        return {k: str(v) if isinstance(v, Path) else v for k, v in asdict(self).items()}

    @classmethod
    def from_portable(cls, values: Mapping[str, Any]) -> Plan:
        paths = {key: Path(values[key]) for key in ("evidence", "task", "samples") if values[key]}
        lists = {key: tuple(values[key]) for key in ("command_line", "fail_on", "combined")}
        shard = Shard(**values["shard"]) if values["shard"] else None
        draw = Draw(**values["draw"]) if values["draw"] else None
        return cls(**{**values, **paths, **lists, "shard": shard, "draw": draw})
