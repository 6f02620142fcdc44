"""Runs many samples through pytest with -n 2: samples per second, and memory over time."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import nullcontext
from pathlib import Path
from statistics import median

import psutil
from audit_folder import RECORD, SPEC, AuditFolder
from local_site import Site

SECONDS_BETWEEN = 1.0


def many_samples(count: int, keep_in: Path | None) -> None:
    """Evidence and Allure results are deleted at the end, unless ``keep_in`` names a folder."""
    site = Site()
    with nullcontext(keep_in) if keep_in else tempfile.TemporaryDirectory() as folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        audit_folder = AuditFolder(Path(folder), site)
        audit_folder.spec(**SPEC)
        with (audit_folder.path / "samples.csv").open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["sample_id", "url"])
            for number in range(count):
                writer.writerow([f"s{number:04d}", f"{site.url}/s{number}"])
                page = RECORD.format(name=f"s{number}", department=f"Finance {number}")
                site.pages[f"/s{number}"] = page
        started = time.monotonic()
        memory = _measure_memory(audit_folder)
        seconds = time.monotonic() - started
        done = sum(row["status"] == "done" for row in audit_folder.combined())
    site.close()
    print(f"{done} of {count} done in {seconds:.0f} s: {count / seconds:.1f} samples a second")
    for worker, sizes in sorted(memory.items()):
        quarter = max(1, len(sizes) // 4)
        first, last = median(sizes[:quarter]), median(sizes[-quarter:])
        print(f"worker {worker}: {first:.0f} MB in the first quarter, {last:.0f} MB in the last")


def _measure_memory(audit_folder: AuditFolder) -> dict[int, list[float]]:
    """Return the resident megabytes of each worker process, measured every second."""
    command = audit_folder.command("--task=spec.json", "--samples=samples.csv", "-n", "2", "-q")
    command.append("--alluredir=allure-results")
    process = subprocess.Popen(
        command,
        cwd=audit_folder.path,
        env={**os.environ, "BWA_RATE_LIMITS": "{}"},
        stdout=sys.stderr,
    )
    sizes: dict[int, list[float]] = defaultdict(list)
    while process.poll() is None:
        for child in psutil.Process(process.pid).children():
            if "python" in child.name():
                sizes[child.pid].append(child.memory_info().rss / 1e6)
        time.sleep(SECONDS_BETWEEN)
    return sizes
