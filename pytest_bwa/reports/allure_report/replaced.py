"""The report that a new one replaces: a former report and nothing else, whose history is kept.

Allure 2 keeps the history of what each sample was in the folder ``history`` of a report, or within
the page if that is the only file, and Allure 3 in one file with a line for each report. A report
that is made again of the same runs, after a review for example, takes its own place in the history:
so what it began with is kept beside it."""

from __future__ import annotations

import base64
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from pytest_bwa.errors import InputError

MARKER = ".bwa-report"
"""The file by which a folder is known as a report that may be replaced: it lists its files."""
_FIRST_LINE = "Made by `bwa report`, which may replace these files:"
_RESULT_FOLDERS = ("data/test-cases", "data/test-results")  # of Allure 2, of Allure 3
_OF_A_PAGE = re.compile(r".+\.(?:html|js|css|jsonl?|ico|svg|png|map|woff2?|ttf)")
_MAX_NAMED = 3


KEPT = ".bwa-history"
_RUNS, _BEFORE, _AFTER = "runs.json", "before", "after"
HISTORY_3 = "history.jsonl"
_HISTORY_2 = "history"
_EMBEDDED = re.compile(rb"d\('history/([a-z-]+\.json)','([A-Za-z0-9+/=]+)'\)")
"""A file of the history in the page of a single file."""


def check_replaceable(output: Path) -> None:
    """Raises InputError unless ``output`` is missing, empty, or an Allure report and nothing
    else."""
    if not output.exists() or (output.is_dir() and not any(output.iterdir())):
        return
    others = list(_others_in(output)) if _is_report(output) else []
    if others:
        named = ", ".join(sorted(others)[:_MAX_NAMED])
        what = f"{output} has files that no report made ({named})"
    elif _is_report(output):
        return
    else:
        what = f"{output} exists and is not an Allure report"
    raise InputError(
        f"{what}, so it is left as it is: pass --output with a new folder, or with an empty one"
    )


def mark_as_report(output: Path) -> None:
    """List what a report consists of, so that it can be replaced later."""
    listed = sorted(name for name in _files_in(output) if name != MARKER)
    (output / MARKER).write_text("\n".join([_FIRST_LINE, *listed, ""]), "utf-8", "surrogateescape")


def _is_report(output: Path) -> bool:
    page = output / "index.html"
    has_results = any((output / name).is_dir() for name in _RESULT_FOLDERS)
    is_allures = has_results and page.is_file() and b"allure" in page.read_bytes().lower()
    return is_allures or (output / MARKER).is_file()


def _others_in(output: Path) -> Iterator[str]:
    """The files that no report has. Of one that Allure made by itself, only what stands beside its
    folders is known."""
    marker = output / MARKER
    lines = marker.read_text("utf-8", "surrogateescape").split("\n") if marker.is_file() else []
    listed = {MARKER, *lines} if lines[:1] == [_FIRST_LINE] else None
    for name in _files_in(output):
        is_on_top = "/" not in name and name != MARKER
        if (name not in listed) if listed else (is_on_top and not _OF_A_PAGE.fullmatch(name)):
            yield name


def _files_in(output: Path) -> Iterator[str]:
    for path in output.rglob("*"):
        if not path.is_dir():
            yield path.relative_to(output).as_posix()


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
