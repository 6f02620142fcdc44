"""Runs registers of different make with a recipe: ``python tests/bench --registers``."""

from __future__ import annotations

import csv
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit_folder import AuditFolder
from bench.registers import REGISTERS, Register
from local_site import Site
from wire.messages_server import MessagesServer

SAMPLES = 40
WITHOUT = 8
"""Samples that are run without a recipe; their seconds are scaled to the whole list."""
LEARNT = 12
"""Samples after which at most one in ``ONE_IN`` may ask a model."""
ONE_IN = 20
DECISION_SECONDS = 3.0
LEARN_SECONDS = 0.2
"""Of CPU for each sample at most, with what a recipe is made of."""
_TIMED = """
import time
from pathlib import Path

from pytest_bwa.policy.recipe.store import RecipeStore

learn = RecipeStore.learn


def timed(*arguments):
    started = time.process_time()
    learn(*arguments)
    with Path("learnt.txt").open("a") as stream:
        stream.write(f"{time.process_time() - started}\\n")


RecipeStore.learn = timed
"""


@dataclass(frozen=True)
class RegisterRun:
    samples: int
    calls: list[int]
    """Of each sample."""
    seconds: float
    """With one worker, of which each decision of the model took ``DECISION_SECONDS``."""
    learning: float
    """CPU seconds of all samples."""
    wrong: list[str]
    why: list[str]
    """Why samples were handed over."""


def run(folder: Path, register: Register, number: int, *arguments: str) -> RegisterRun:
    """Run the records with one worker and a scripted model that is always right."""
    folder.mkdir(parents=True, exist_ok=True)
    site = Site()
    audit = AuditFolder(folder, site)
    audit.spec(**register.spec)
    (folder / "conftest.py").write_text(_TIMED)
    paths = register.publish(site, number)
    with (folder / "samples.csv").open("w", newline="") as stream:
        rows = [[name, f"{site.url}{path}"] for name, path in paths.items()]
        csv.writer(stream).writerows([["sample_id", "url"], *rows])
    with MessagesServer(register.model()) as server:
        started = time.monotonic()
        audit.run_anew(
            "--task=spec.json", "--samples=samples.csv", "--policy=claude", "-n1", "-q",
            "-p", "no:cacheprovider", "--check=0", *arguments,
            ANTHROPIC_BASE_URL=server.url, ANTHROPIC_API_KEY="sk-test", BWA_RATE_LIMITS="{}",
        )  # fmt: skip
        seconds = time.monotonic() - started
    site.close()
    results = [audit.result(name) for name in paths]
    calls = [result["usage"]["calls"] for result in results]
    used = [result["recipe"] or {} for result in results]
    learnt = folder / "learnt.txt"
    return RegisterRun(
        number,
        calls,
        seconds + DECISION_SECONDS * sum(calls),
        sum(map(float, learnt.read_text().split())) if learnt.exists() else 0.0,
        [line for result in results if (line := _wrong(register, result))],
        [one["why"] for one in used if one.get("kind") == "handed_over"],
    )


def _wrong(register: Register, result: dict[str, Any]) -> str:
    """What a result says and what is not so."""
    if result["status"] != "done":
        return f"{result['sample_id']}: {result['status']}: {result['reason']}"
    truth, given = register.truth(result["sample_id"]), result["extracted"]
    different = {n: (given.get(n), truth[n]) for n in truth if given.get(n) != truth[n]}
    return f"{result['sample_id']}: {different}" if different else ""


def compare(folder: Path, register: Register) -> list[str]:
    """Run a register with a recipe, and the beginning of it without. A line with MISSED is a mark
    that was not reached."""
    taught = run(folder / "with", register, SAMPLES, "--recipe=learn")
    alone = run(folder / "without", register, WITHOUT, "--recipe=off")
    later = taught.calls[LEARNT:]
    asked = sum(calls > 0 for calls in later)
    whole = alone.seconds * SAMPLES / alone.samples
    marks = {
        f"{len(taught.wrong)} wrong": not taught.wrong,
        f"{asked} of the last {len(later)} asked a model": asked * ONE_IN <= len(later),
        f"{taught.seconds:.0f} s, {whole:.0f} s without (scaled)": taught.seconds * 2 <= whole,
        f"{taught.learning / SAMPLES:.3f} s of CPU a sample to learn": (
            taught.learning / SAMPLES <= LEARN_SECONDS
        ),
    }
    return [
        f"{register.name}: {sum(taught.calls)} calls",
        *(f"  {'ok    ' if ok else 'MISSED'} {mark}" for mark, ok in marks.items()),
        *(f"    wrong: {line}" for line in taught.wrong),
        *(f"    handed over: {why}" for why in taught.why),
    ]


def print_registers(folder: Path, name: str) -> None:
    """Print what ``compare`` finds for the registers with this in their name; exit with 1 if a mark
    was not reached."""
    is_missed = False
    for register in REGISTERS:
        if name in register.name:
            lines = compare(folder / register.name, register)
            is_missed = is_missed or any("MISSED" in line for line in lines)
            print("\n".join(lines), flush=True)
    if is_missed:
        sys.exit(1)
