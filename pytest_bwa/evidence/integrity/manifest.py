"""The manifests of a run: the SHA-256 of every file, in the form of ``sha256sum -c``.

Each sample's folder has one of its own files, so that it can be handed over alone; the run's covers
these and everything else.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from pytest_bwa.evidence.files import sha256, sha256_of, write_atomically
from pytest_bwa.evidence.folder import LIVE
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.reviews import REVIEWS
from pytest_bwa.evidence.writer import CHECKPOINT, LOG, RESULT

MANIFEST = "manifest-sha256.txt"
SIGNATURE, TIMESTAMP = "manifest-sha256.dsse.json", "manifest-sha256.tsr"
"""What is said of the manifest once it is written; neither can be in it."""
SEALS = (MANIFEST, SIGNATURE, TIMESTAMP)
OUTSIDE = (*SEALS, REVIEWS)
"""What no manifest of a run names: people review a run that is sealed."""
_LINE = re.compile(r"(\\?)([0-9a-f]{64}) [ *](.+)")
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}
_UNESCAPED = {escape: character for character, escape in _ESCAPES.items()}


def write_manifests(run: Path) -> str:
    """Write the manifest of each sample's folder, then the run's; return the SHA-256 of the latter.

    A signature and a timestamp of an earlier manifest are removed. Raises EvidenceError or OSError;
    the run then has no manifest.
    """
    for name in SEALS:
        (run / name).unlink(missing_ok=True)
    digests = file_digests(run)
    for folder in sample_folders(run):
        own = below(folder.name, digests)
        own.pop(MANIFEST, None)
        content = manifest_text(own)
        write_atomically(folder / MANIFEST, content, durable=False)
        digests[f"{folder.name}/{MANIFEST}"] = sha256(content)
    content = manifest_text(digests)
    write_atomically(run / MANIFEST, content)
    return sha256(content)


def manifest_digest(folder: Path) -> str:
    """The SHA-256 of the folder's manifest; empty if it has none."""
    path = folder / MANIFEST
    return sha256_of(path) if path.is_file() else ""


def sample_folders(run: Path) -> list[Path]:
    """The folders of the samples that have any record, in the order of their names."""
    records = (RESULT, LOG, CHECKPOINT)
    return sorted(p for p in run.iterdir() if any((p / name).is_file() for name in records))


def file_digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file in a folder but its own manifest, the seals of that and reviews, by
    its name with forward slashes. What only exists while the run lasts, and links, do not count."""
    digests = {}
    for name, path in files_in(folder):
        # A worker that was not killed in time may still rename its temporary file.
        with suppress(FileNotFoundError):
            digests[name] = sha256_of(path)
    return digests


def files_in(folder: Path) -> Iterator[tuple[str, Path]]:
    for place, folders, names in os.walk(folder):
        if Path(place) == folder and LIVE in folders:
            folders.remove(LIVE)
        for name in names:
            path = Path(place) / name
            relative = path.relative_to(folder).as_posix()
            if relative not in OUTSIDE and path.is_file() and not path.is_symlink():
                yield relative, path


def below(name: str, digests: Mapping[str, str]) -> dict[str, str]:
    """The digests of the files in the subfolder ``name``, by their names in it."""
    prefix = f"{name}/"
    return {key.removeprefix(prefix): d for key, d in digests.items() if key.startswith(prefix)}


def manifest_text(digests: Mapping[str, str]) -> bytes:
    """One line for each file, sorted by name; names with a line break are escaped as sha256sum
    does it."""
    lines = []
    for name in sorted(digests):
        escaped = re.sub(r"[\\\n\r]", lambda found: _ESCAPES[found[0]], name)
        mark = "\\" if escaped != name else ""
        lines.append(f"{mark}{digests[name]}  {escaped}\n")
    return os.fsencode("".join(lines))


def manifest_entries(content: bytes) -> Iterator[tuple[str, str] | None]:
    """The name and digest of each line; None for a line that has another form."""
    for line in os.fsdecode(content).split("\n"):
        if not line:
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            yield None
            continue
        mark, digest, name = match.groups()
        if mark:
            name = re.sub(r"\\[\\nr]", lambda found: _UNESCAPED[found[0]], name)
        yield name, digest


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
