"""What a sample brings to its run: its first page and its files."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urljoin

from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec


def files_of(sample: Sample, folder: Path) -> dict[str, Path]:
    """The files that the sample may upload: those that a column names, if they are in the folder
    of the samples file. Files elsewhere are never offered: the list may have been collected from
    pages."""
    paths = {value: folder / value for value in sample.columns.values() if value}
    return {name: path for name, path in paths.items() if _is_file_in(folder, path)}


def _is_file_in(folder: Path, path: Path) -> bool:
    try:
        return path.is_file() and path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):  # a long text is no file name
        return False


def first_url(task: TaskSpec, sample: Sample, base_url: str | None) -> str | None:
    """The sample's own URL, else the spec's start_url; a relative one is resolved against the base
    URL."""
    url = (sample.url or "").strip() or task.start_url
    return urljoin(base_url or "", url) if url else None
