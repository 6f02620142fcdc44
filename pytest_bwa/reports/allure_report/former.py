"""Whether a folder is a former report and nothing else: only such a one is ever replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from pytest_bwa.errors import InputError

MARKER = ".bwa-report"
"""The file by which a folder is known as a report that may be replaced: it lists its files."""
_FIRST_LINE = "Made by `bwa report`, which may replace these files:"
_RESULT_FOLDERS = ("data/test-cases", "data/test-results")  # of Allure 2, of Allure 3
_OF_A_PAGE = re.compile(r".+\.(?:html|js|css|jsonl?|ico|svg|png|map|woff2?|ttf)")
_MAX_NAMED = 3


def check_replaceable(output: Path) -> None:
    """Raises InputError unless ``output`` is missing, empty, or an Allure report and nothing
    else."""
    if not output.exists() or (output.is_dir() and not any(output.iterdir())):
        return
    others = list(_others_in(output)) if _is_report(output) else []
    if others:
        named = ", ".join(sorted(others)[:_MAX_NAMED])
        what = f"{output} has files that are of no report ({named})"
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
