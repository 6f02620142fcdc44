"""Runs many samples while workers are killed at random, and counts what every record says of each:
``python tests/bench --faults [N]``."""

from __future__ import annotations

import csv
import json
import os
import random
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from contextlib import suppress
from pathlib import Path
from subprocess import Popen

import psutil
from audit_folder import RECORD, SPEC, AuditFolder
from local_site import Site

from pytest_bwa.reports.verify.verify import verify

SHARE_KILLED = 0.05
MAX_DELAY = 5.0
"""Seconds from the start of a sample to the kill of its worker, which by then may be anywhere in
that sample or a later one, or between two."""
PIDS = """
import os
from pathlib import Path

def pytest_configure(config):
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker:
        Path(f"{worker}.pid").write_text(str(os.getpid()))
"""


def soak(folder: Path, count: int, workers: int, seed: int = 1) -> list[str]:
    """Run ``count`` samples and kill the worker of every twentieth; return what was found, a line
    each. A line that begins with FAULT is a promise that was broken."""
    site = Site()
    audit = AuditFolder(folder, site)
    audit.spec(**SPEC)
    (folder / "conftest.py").write_text(PIDS)
    names = [f"s{number:04d}" for number in range(count)]
    with (folder / "samples.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows(
            [["sample_id", "url"], *([n, f"{site.url}/{n}"] for n in names)]
        )
    site.pages |= {f"/{n}": RECORD.format(name=n, department=f"Finance {n}") for n in names}
    chosen = set(random.Random(seed).sample(names, round(count * SHARE_KILLED)))
    started = time.monotonic()
    with (folder / "output.txt").open("w") as output:
        process = Popen(
            audit.command(
                "--task=spec.json", "--samples=samples.csv", "-n", str(workers), "-q",
                "--alluredir=allure", "--junitxml=junit.xml",
            ),
            cwd=folder, stdout=output, stderr=output,
            env={**os.environ, "BWA_RATE_LIMITS": "{}"},
        )  # fmt: skip
        killed = _kill_workers(process, audit, chosen, random.Random(seed))
    seconds = time.monotonic() - started
    site.close()
    head = f"{count} samples at -n {workers} in {seconds:.0f} s; {killed} workers were killed"
    return [head, f"exit status {process.returncode}", *_findings(audit, names)]


def _kill_workers(
    process: Popen[bytes], audit: AuditFolder, chosen: set[str], delays: random.Random
) -> int:
    """Kill the worker of each chosen sample once, a random time after it began; return how many."""
    due: dict[str, tuple[float, str]] = {}
    killed = 0
    while process.poll() is None:
        for path in audit.path.glob("evidence/run_*/.live/gw*.json"):
            with suppress(OSError, ValueError):
                live = json.loads(path.read_bytes())
                if live["sample_id"] in chosen:
                    chosen.remove(live["sample_id"])
                    moment = time.monotonic() + delays.uniform(0, MAX_DELAY)
                    due[live["sample_id"]] = (moment, live["worker"])
        for name in [name for name, (moment, _) in due.items() if moment < time.monotonic()]:
            with suppress(OSError, ValueError, psutil.Error):
                pid = int((audit.path / f"{due.pop(name)[1]}.pid").read_text())
                psutil.Process(pid).kill()
                killed += 1
        time.sleep(0.01)
    return killed


def _findings(audit: AuditFolder, names: list[str]) -> list[str]:
    """What the records say of the samples; with FAULT what they do not say alike."""
    results = {
        p.parent.name: json.loads(p.read_bytes()) for p in audit.folder.glob("*/result.json")
    }
    statuses = {name: result["status"] for name, result in results.items()}
    tests = [json.loads(p.read_bytes()) for p in audit.path.glob("allure/*-result.json")]
    cases = ElementTree.parse(audit.path / "junit.xml").iter("testcase")
    junit = [case.attrib["name"].split("[")[1].rstrip("]") for case in cases]
    manifest = (audit.folder / "manifest-sha256.txt").read_text()
    sealed = [name for name in names if f"  {name}/result.json\n" in manifest]
    rows = audit.combined()
    passed = {name for name, status in statuses.items() if status == "done"}
    checks = {
        "result.json": sorted(results) == names,
        "combined.csv": [row["sample_id"] for row in rows] == names,
        "the statuses of combined.csv": {r["sample_id"]: r["status"] for r in rows} == statuses,
        "Allure": sorted(test["name"] for test in tests) == names,
        "the statuses of Allure": {t["name"] for t in tests if t["status"] == "passed"} == passed,
        "JUnit": sorted(junit) == names,
        "the manifest": sealed == names,
        "bwa verify": verify(audit.folder).ok,
    }
    counts = ", ".join(f"{n} {status}" for status, n in sorted(Counter(statuses.values()).items()))
    reasons = Counter(
        r["reason"].split(" was killed ")[-1] for r in results.values() if r["broken"]
    )
    lines = [counts, *(f"{n} killed {reason}" for reason, n in reasons.most_common())]
    return lines + [f"{'ok   ' if ok else 'FAULT'} {name}" for name, ok in checks.items()]


def print_soak(folder: Path, count: int, workers: int) -> None:
    """Print what ``soak`` finds; exit with 1 if it found a fault."""
    lines = soak(folder, count, workers)
    print("\n".join(lines))
    if any(line.startswith("FAULT") for line in lines):
        sys.exit(1)
