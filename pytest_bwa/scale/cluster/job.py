"""What the workers of a cluster are sent: one audit, cut into chunks, each a shard of its list."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from pytest_bwa.scale.cluster.inputs import Inputs
from pytest_bwa.settings import Settings, variable
from pytest_bwa.spec.shard import Shard

EVIDENCE, OUTPUT = "evidence", "pytest.txt"
"""In the folder of a chunk: its run folder is in the first, what pytest wrote in the second."""
CONFIGURATION = "pytest.ini"
OWN_TO_A_MACHINE = frozenset({"home", "browser"})
"""Settings that say where something is on one machine."""
KEYS = "ANTHROPIC_"
"""What the variables begin with that name a key, or the server that takes it."""
MOST_SAMPLES = 25
"""Of a chunk by default: what is lost with a worker, and what one process of pytest runs."""
CHUNKS_OF_A_THREAD = 4
"""At least, so that a slow chunk does not keep all others waiting at the end."""


class ExitStatus(IntEnum):
    """Those of pytest, which only the plugin imports."""

    PASSED = 0
    FAILED = 1
    INTERRUPTED = 2
    INTERNAL_ERROR = 3
    USAGE_ERROR = 4
    NO_TESTS = 5


def shard_run_id(run_id: str, chunk: int, chunks: int) -> str:
    """The name of the run folder of a chunk."""
    return f"{run_id}_{Shard(chunk, chunks).name}"


@dataclass(frozen=True, slots=True)
class Job:
    """The audit, and how pytest is started for a chunk. Each worker gets it once."""

    job_id: str
    inputs: Inputs
    settings: Mapping[str, Any]
    """Those of the agent that are set where ``bwa run`` was started."""
    policy: str
    model: str
    run_id: str
    chunks: int
    max_cost: float | None
    """US dollars for all chunks, and so for each."""
    versions: Mapping[str, str]
    """Of what decides how a run goes: runs of others cannot be merged."""

    def command(self, sent: Path, folder: Path, chunk: int, *more: str) -> list[str]:
        """The command that runs a chunk, from 1, into a folder. ``sent`` has the files."""
        return [
            sys.executable,
            *("-m", "pytest", "-p", "no:cacheprovider", "-n0"),
            *("-c", str(sent / CONFIGURATION), f"--rootdir={sent}"),
            *(str(sent / test) for test in self.inputs.tests),
            f"--task={sent / self.inputs.task}",
            f"--samples={sent / self.inputs.samples}",
            f"--shard={chunk}/{self.chunks}",
            f"--evidence={folder / EVIDENCE}",
            f"--run-id={shard_run_id(self.run_id, chunk, self.chunks)}",
            f"--policy={self.policy}",
            *([f"--model={self.model}"] if self.model else []),
            *([f"--max-cost={self.max_cost}"] if self.max_cost else []),
            f"--output={folder / 'playwright'}",
            *([f"--recipe={sent / self.inputs.recipe}"] if self.inputs.recipe else []),
            *self.inputs.arguments,
            *more,
        ]

    def write_files(self, folder: Path) -> None:
        for name, content in {CONFIGURATION: b"[pytest]\n", **self.inputs.files}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def environment(self) -> dict[str, str]:
        """The settings as variables."""
        return {variable(name): _as_text(value) for name, value in self.settings.items()}


def _as_text(value: Any) -> str:
    if isinstance(value, bool | dict):
        return json.dumps(value)
    return str(value)


def settings_to_send(settings: Settings) -> dict[str, Any]:
    """Those that somebody set, without keys, their servers, and what is where on this machine."""
    given = sorted(settings.model_fields_set - OWN_TO_A_MACHINE)
    values = {n: getattr(settings, n) for n in given if not variable(n).startswith(KEYS)}
    return {name: value for name, value in values.items() if value is not None}


def number_of_chunks(samples: int, threads: int, most: int | None = None) -> int:
    """Into how many chunks a list is cut; ``most`` is how many samples one may have."""
    if most is None:
        most = min(MOST_SAMPLES, -(-samples // (CHUNKS_OF_A_THREAD * max(1, threads))))
    return max(1, -(-samples // max(1, most)))


@dataclass(frozen=True, slots=True)
class ChunkEnd:
    """What a worker says of a chunk that it has run. Its run folder is packed, and waits there to
    be fetched in pieces."""

    chunk: int
    attempt: str
    exit_status: int
    size: int
    """Bytes of the packed folder; 0 if there is no run folder."""
    sha256: str
    output: str
    """The end of what pytest wrote."""


@dataclass(frozen=True, slots=True)
class ChunkProgress:
    """How far an attempt to run a chunk is."""

    attempt: str
    finished: int
    cost_usd: float
