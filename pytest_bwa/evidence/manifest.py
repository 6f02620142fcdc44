"""Check whether evidence on disk is unchanged since it was written."""

from __future__ import annotations

from pathlib import Path

from pytest_bwa.evidence.files import sha256_of
from pytest_bwa.evidence.record import SampleResult


def altered_files(folder: Path, result: SampleResult) -> list[str]:
    """File names of the result's artifacts that are missing or do not have the recorded SHA-256."""
    return [
        artifact.filename
        for artifact in result.artifacts
        if not _is_intact(folder, artifact.filename, artifact.sha256)
    ]


def _is_intact(folder: Path, filename: str, digest: str) -> bool:
    path = folder / filename
    # A record may be forged: a file outside the sample's folder proves nothing.
    is_inside = path.resolve().is_relative_to(folder.resolve())
    return is_inside and path.is_file() and sha256_of(path) == digest
