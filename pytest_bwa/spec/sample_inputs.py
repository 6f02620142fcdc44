"""What a sample brings to its run: its first page and its files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from pytest_bwa.spec import placeholders
from pytest_bwa.spec.messages import quote_value
from pytest_bwa.spec.network.urls import url_problem
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


NOT_ASKED = "pass --base-url: what runs before the tests asks no fixture for the site"


def relative_url(task: TaskSpec, sample: Sample, base_url: str | None) -> str:
    """The address of the sample, if nothing completes it; else empty. ``task`` has its placeholders
    still."""
    filled = task if sample.url else placeholders.fill(task, sample)
    url = first_url(filled, sample, base_url) or ""
    return url if url and not urlsplit(url).scheme else ""


def relative_url_problem(
    task: TaskSpec, samples: Iterable[Sample], base_url: str | None, advice: str
) -> str:
    """The first sample whose address stays relative, in words; empty if there is none."""
    for sample in () if base_url else samples:
        if url := relative_url(task, sample, base_url):
            return f"the address of {sample.sample_id}, {quote_value(url)}, is relative: {advice}"
    return ""


def base_url_problem(base_url: str | None) -> str:
    """Why this cannot complete relative addresses; empty if it can, or if there is none."""
    if not base_url:
        return ""
    problem = url_problem(base_url)
    if not problem and not urlsplit(base_url).scheme:
        problem = "has no scheme and no host; write it as https://example.com"
    return f"the base URL {quote_value(base_url)} {problem}" if problem else ""
