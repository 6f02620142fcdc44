"""The cells of one column, checked before any browser starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from pytest_bwa.errors import SamplesError
from pytest_bwa.spec.messages import printable_name


def check_cells(
    path: Path, column: str, cells: Iterable[tuple[int, str]], problem_of: Callable[[str], str]
) -> None:
    """Raise SamplesError for the first cell that has a problem; each comes with its row."""
    problems: dict[str, str] = {}  # many rows of a column often have the same text
    for row, text in cells:
        if text not in problems:
            problems[text] = problem_of(text)
        if problems[text]:
            raise SamplesError(problems[text], file=path, row=row, column=printable_name(column))
