"""The line that says what became of an upload."""

from __future__ import annotations

from shlex import quote

from pytest_bwa.reports.terminal import display_path
from pytest_bwa.reports.upload.upload import UploadResult


def result_line(result: UploadResult) -> str:
    """What became of an upload, and the command that completes it."""
    if not result.reason:
        return f"uploaded  {result.address} has all {result.files} files, each verified"
    run = display_path(result.run)
    missing = f"{result.missing} of {result.files} files are missing in {result.address}"
    what = missing if result.missing else f"{result.address} is not complete"
    return f"bwa: {what}: {result.reason}; again: bwa upload {quote(run)} {quote(result.root)}"
