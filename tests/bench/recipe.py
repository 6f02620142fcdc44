"""Runs a list of tickets with a recipe and without: ``python tests/bench --recipe [N]``."""

from __future__ import annotations

import csv
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from typing import Any

import psutil
from audit_folder import AuditFolder
from local_site import Site
from odd_tickets import SPEC, Ticket, model_of, publish, tickets, wrong_values
from wire.messages_server import MessagesServer

WITHOUT = 40
"""Samples that are run without a recipe; their figures are scaled to the whole list."""
WORKERS = 2
MAX_CALLS = 50
MIN_RATE = 3.0
SECONDS_BETWEEN = 1.0


@dataclass(frozen=True)
class Run:
    """What one run took, and what it said."""

    samples: int
    calls: int
    cost_usd: float
    seconds: float
    cpu_seconds: float
    """Of pytest, its workers and their browsers; not of the site and the model."""
    wrong: list[str]
    recipe: dict[str, Any]
    calls_of: dict[str, int]
    """The model calls of each sample, without those of its check."""
    calls_by_use: Counter[str]
    """The same by what became of the recipe in a sample; ``taught`` if there was none yet."""

    def lines(self, name: str, whole: int) -> str:
        scale = whole / self.samples
        rate = self.samples / self.seconds
        idle = WORKERS * self.samples / self.cpu_seconds
        return (
            f"{name:16} {self.calls * scale:6.0f} calls  {self.cost_usd * scale:8.2f} $  "
            f"{self.seconds * scale:7.0f} s  {rate:5.2f} samples a second  "
            f"{self.cpu_seconds / self.samples:5.2f} CPU s a sample (on {WORKERS} idle cores "
            f"{idle:.1f} samples a second)"
        )


def run(folder: Path, all_tickets: Sequence[Ticket], *arguments: str) -> Run:
    """Run the tickets with -n 2 and a scripted model that is always right."""
    folder.mkdir(parents=True, exist_ok=True)
    site = Site()
    audit = AuditFolder(folder, site)
    audit.spec(**SPEC)
    publish(site, all_tickets)
    with (folder / "samples.csv").open("w", newline="") as stream:
        rows = [[ticket.name, f"{site.url}/tickets/{ticket.name}"] for ticket in all_tickets]
        csv.writer(stream).writerows([["sample_id", "url"], *rows])
    command = audit.command(
        "--task=spec.json", "--samples=samples.csv", "--policy=claude", "-n", str(WORKERS), "-q",
        *arguments,
    )  # fmt: skip
    with MessagesServer(model_of(all_tickets)) as server:
        environment = {
            "ANTHROPIC_BASE_URL": server.url,
            "ANTHROPIC_API_KEY": "sk-test",
            "BWA_RATE_LIMITS": "{}",
        }
        started = time.monotonic()
        process = Popen(command, cwd=folder, env={**os.environ, **environment}, stdout=sys.stderr)
        cpu_seconds = _cpu_seconds(process)
        seconds = time.monotonic() - started
        calls = len(server.requests)
    site.close()
    whole = audit.record()
    record = {**(whole["recipe"] or {}), "checks": (whole["check"] or {"checks": []})["checks"]}
    results = [audit.result(ticket.name) for ticket in all_tickets]
    usages = [result["usage"] for result in results]
    calls_of = {t.name: usage["calls"] for t, usage in zip(all_tickets, usages, strict=True)}
    usages += [check["usage"] for check in record["checks"]]
    cost_usd = sum(usage["cost_usd"] for usage in usages)
    wrong = list(wrong_values(all_tickets, audit.result))
    return Run(
        len(all_tickets), calls, cost_usd, seconds, cpu_seconds, wrong, record, calls_of,
        _calls_by_use(results),
    )  # fmt: skip


def _calls_by_use(results: Sequence[Mapping[str, Any]]) -> Counter[str]:
    calls: Counter[str] = Counter()
    for result in results:
        calls[(result["recipe"] or {"kind": "taught"})["kind"]] += result["usage"]["calls"]
    return calls


def compare(folder: Path, number: int) -> list[str]:
    """Run the list with a recipe, and the beginning of it without. A line with MISSED is a mark
    that was not reached."""
    all_tickets = tickets(number)
    taught = run(folder / "with", all_tickets, "--recipe=learn")
    alone = run(folder / "without", all_tickets[:WITHOUT], "--recipe=off")
    scaled = f" ({alone.samples} samples, scaled)" if alone.samples < number else ""
    marks = {
        f"{len(taught.wrong)} wrong values": not taught.wrong,
        f"{taught.calls} model calls, {MAX_CALLS} at most": taught.calls <= MAX_CALLS,
        f"{taught.samples / taught.seconds:.2f} samples a second, {MIN_RATE:g} at least": (
            taught.samples / taught.seconds >= MIN_RATE
        ),
    }
    return [
        taught.lines("with a recipe", number),
        alone.lines("without", number) + scaled,
        *_became(taught, all_tickets),
        *taught.wrong,
        *(f"{'ok    ' if ok else 'MISSED'} {mark}" for mark, ok in marks.items()),
    ]


def _became(taught: Run, all_tickets: Sequence[Ticket]) -> list[str]:
    """What the recipe did, and which kinds of tickets it handed over."""
    recipe, kinds = taught.recipe, {ticket.name: ticket.kind for ticket in all_tickets}
    handed_over = recipe["handed_over"]
    counts = Counter(kinds[name] or "nothing odd" for name in handed_over)
    reasons = {kinds[name] or "nothing odd": why for name, why in handed_over.items()}
    calls: Counter[str] = Counter()
    for name in handed_over:
        calls[kinds[name] or "nothing odd"] += taught.calls_of[name]
    checks = sum(check["usage"]["calls"] for check in recipe["checks"])
    by_use = taught.calls_by_use
    equal = sum(not check["differences"] and not check["problem"] for check in recipe["checks"])
    return [
        f"{recipe['replayed']} replayed, {recipe['healed']} healed, {len(handed_over)} handed "
        f"over, {len(recipe['checks'])} checked, {equal} equal",
        f"  {by_use['taught']} calls for what it learnt from, {by_use['gathered']} for fields that "
        f"it leaves to the model, {checks} for checks, {calls.total()} for what was handed over",
        *(
            f"  {n} handed over of {kind}, {calls[kind]} calls: {reasons[kind]}"
            for kind, n in counts.most_common()
        ),
    ]


def _cpu_seconds(process: Popen[bytes]) -> float:
    """Wait for the process, and return what it and all below it have used. What a browser used is
    lost if nobody waits for it, so the tree is asked while it lives."""
    before, known = _used_by_children(), 0.0
    while process.poll() is None:
        with suppress(psutil.Error):
            root = psutil.Process(process.pid)
            tree = [root, *root.children(recursive=True)]
            known = max(known, sum(sum(one.cpu_times()[:4]) for one in tree))
        time.sleep(SECONDS_BETWEEN)
    return max(known, _used_by_children() - before)


def _used_by_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def print_comparison(folder: Path, number: int) -> None:
    """Print what ``compare`` finds; exit with 1 if values are wrong."""
    lines = compare(folder, number)
    print("\n".join(lines))
    if any(line.startswith("MISSED") and "wrong" in line for line in lines):
        sys.exit(1)
