"""The history of a report: what each sample was in the reports that it replaces.

Allure 2 keeps it in the folder ``history`` of a report, or within the page if that is the only
file, and Allure 3 in one file with a line for each report. A report that is made again of the same
runs, after a review for example, takes its own place in the history: so what it began with is kept
beside it.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

KEPT = ".bwa-history"
_RUNS, _BEFORE, _AFTER = "runs.json", "before", "after"
HISTORY_3 = "history.jsonl"
_HISTORY_2 = "history"
_EMBEDDED = re.compile(rb"d\('history/([a-z-]+\.json)','([A-Za-z0-9+/=]+)'\)")
"""A file of the history in the page of a single file."""


def earlier_history(output: Path, runs: Sequence[str], target: Path) -> None:
    """Copy to ``target`` the history that a report of these runs begins with, if there is one."""
    kept = output / KEPT
    if _runs_of(kept) == list(runs):
        source = kept / _BEFORE
    elif (kept / _AFTER).is_dir():
        source = kept / _AFTER
    else:  # a report that Allure made by itself
        source = output
    for name in (HISTORY_3, _HISTORY_2):
        if (source / name).is_dir():
            shutil.copytree(source / name, target / name)
        elif (source / name).is_file():
            target.mkdir(exist_ok=True)
            shutil.copyfile(source / name, target / name)
    if target.is_dir():
        shutil.copytree(target, target.with_name(_BEFORE))


def keep_history(output: Path, runs: Sequence[str], target: Path) -> None:
    """Keep in the new report what it began with, and its own history."""
    kept = output / KEPT
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir()
    (kept / _RUNS).write_text(json.dumps(list(runs)), "utf-8")
    before = target.with_name(_BEFORE)
    if before.is_dir():
        shutil.copytree(before, kept / _BEFORE)
    after = kept / _AFTER
    after.mkdir()
    if (output / _HISTORY_2).is_dir():
        shutil.copytree(output / _HISTORY_2, after / _HISTORY_2)
    else:
        _unpack_history(output / "index.html", after / _HISTORY_2)
    if (target / HISTORY_3).is_file():
        shutil.copyfile(target / HISTORY_3, after / HISTORY_3)


def _unpack_history(page: Path, target: Path) -> None:
    """Write the files of the history that a page contains, if it contains any."""
    for name, content in _EMBEDDED.findall(page.read_bytes() if page.is_file() else b""):
        target.mkdir(exist_ok=True)
        (target / name.decode()).write_bytes(base64.b64decode(content))


def _runs_of(kept: Path) -> list[str]:
    try:
        return [str(name) for name in json.loads((kept / _RUNS).read_bytes())]
    except (OSError, ValueError):
        return []
