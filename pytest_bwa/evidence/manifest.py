"""Whether evidence on disk still is what was written."""

from __future__ import annotations

from pathlib import Path

from pytest_bwa.evidence.files import sha256_of
from pytest_bwa.evidence.record import SampleResult


def altered_files(folder: Path, result: SampleResult) -> list[str]:
    """The result's artifacts that are missing, or whose SHA-256 is not the recorded one."""
    return [
        artifact.filename
        for artifact in result.artifacts
        if not _intact(folder, artifact.filename, artifact.sha256)
    ]


def _intact(folder: Path, filename: str, digest: str) -> bool:
    path = folder / filename
    # A record that names a file outside its own folder proves nothing.
    inside = path.resolve().is_relative_to(folder.resolve())
    return inside and path.is_file() and sha256_of(path) == digest
