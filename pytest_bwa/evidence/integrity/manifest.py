"""The manifests of a run: the SHA-256 of every file, in the form of ``sha256sum -c``.

Each sample's folder has one of its own files, so that it can be handed over alone; the run's covers
these and everything else.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, groupby, islice
from pathlib import Path

from pytest_bwa.evidence.files import (
    is_system_file,
    replacing,
    sha256,
    sha256_of,
    write_atomically,
)
from pytest_bwa.evidence.folder import LIVE
from pytest_bwa.evidence.item_report import ITEM_REPORT
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.reviews import REVIEWS
from pytest_bwa.evidence.writer import ATTEMPTS, CHECKPOINT, LOG, RESULT
from pytest_bwa.spec.sample import FAN_OUT

MANIFEST = "manifest-sha256.txt"
SIGNATURE, TIMESTAMP = "manifest-sha256.dsse.json", "manifest-sha256.tsr"
"""What is said of the manifest once it is written; neither can be in it."""
SEALS = (MANIFEST, SIGNATURE, TIMESTAMP)
OUTSIDE = (*SEALS, REVIEWS)
"""What no manifest of a run names: people review a run that is sealed."""
_LINE = re.compile(r"(\\?)([0-9a-f]{64}) [ *](.+)")
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}
_UNESCAPED = {escape: character for character, escape in _ESCAPES.items()}


def write_manifests(run: Path, foreign: Mapping[str, str] | None = None) -> str:
    """Write the manifest of each sample's folder, then the run's; return the SHA-256 of the latter.
    They leave out the files of the system, and ``foreign`` ones, given with their digests.

    A signature and a timestamp of an earlier manifest are removed. Raises EvidenceError or OSError;
    the run then has no manifest.
    """
    for name in SEALS:
        (run / name).unlink(missing_ok=True)
    digest, parts = hashlib.sha256(), _own_parts(run, foreign or {})
    first = list(islice(parts, 1))  # the run's own folder is listed before it has another file
    with replacing(run / MANIFEST) as stream:
        for part in chain(first, parts):
            if part.place:
                part.write_manifest(run)
            lines = manifest_text(part.digests)
            digest.update(lines)
            stream.write(lines)
    return digest.hexdigest()


def _own_parts(run: Path, foreign: Mapping[str, str]) -> Iterator[Part]:
    """The parts of a run that are to be named; one of which nothing is left is not the run's."""
    for part in parts_of(run):
        own = {n: d for n, d in part.digests.items() if not _is_added(n, d, foreign)}
        if own:
            yield Part(part.place, own)


def _is_added(name: str, digest: str, foreign: Mapping[str, str]) -> bool:
    """Whether no run wrote the file. A foreign one is moved with an attempt that it lay beside."""
    before = re.sub(rf"(^|/){ATTEMPTS}/\d+/", r"\1", name, count=1)
    return is_system_file(name) or digest in (foreign.get(name), foreign.get(before))


def manifest_digest(folder: Path) -> str:
    """The SHA-256 of the folder's manifest; empty if it has none."""
    path = folder / MANIFEST
    return sha256_of(path) if path.is_file() else ""


@dataclass(frozen=True, slots=True)
class Part:
    """A sample's folder, or a file beside the samples' folders."""

    place: str
    """The folder, relative to that of the run; empty for a file."""
    digests: dict[str, str]
    """The SHA-256 of each file, by its name relative to the folder of the run."""

    @property
    def own_digests(self) -> dict[str, str]:
        """The same by their names in the sample's folder, without its manifest."""
        prefix = f"{self.place}/"
        own = {name.removeprefix(prefix): digest for name, digest in self.digests.items()}
        own.pop(MANIFEST, None)
        return own

    def write_manifest(self, run: Path) -> None:
        """Write the one of the sample's folder, and count it among its files. One that is there and
        right stays, as in a merged run."""
        name, content = f"{self.place}/{MANIFEST}", manifest_text(self.own_digests)
        digest = sha256(content)
        if self.digests.get(name) != digest:
            write_atomically(run / name, content, durable=False)
        self.digests[name] = digest


def parts_of(run: Path) -> Iterator[Part]:
    """The files of a run in the order of their names, one sample after the other, so that a run of
    any size takes no memory. A folder that has any record is a sample's."""
    find = _SamplePlace(run)
    for place, files in groupby(files_in(run), key=lambda file: find.of(file[0])):
        if place:
            yield Part(place, _digests(files))
        else:
            yield from (Part("", found) for file in files if (found := _digests([file])))


class _SamplePlace:
    """Finds the sample's folder that a file lies in."""

    def __init__(self, run: Path) -> None:
        self._run = run
        self._known: dict[str, bool] = {}

    def of(self, name: str) -> str:
        """Relative to the folder of the run; empty for a file of no sample."""
        parts = name.split("/")
        depths = (1, 3) if parts[0] == FAN_OUT else (1,)
        places = ("/".join(parts[:depth]) for depth in depths if len(parts) > depth)
        return next((place for place in places if self._is_sample(place)), "")

    def _is_sample(self, place: str) -> bool:
        if place not in self._known:
            if len(self._known) > 1:  # files come in order: an earlier folder does not come again
                self._known.clear()
            self._known[place] = is_sample_folder(self._run / place)
        return self._known[place]


def is_sample_folder(folder: Path) -> bool:
    """Whether it has any record of a sample."""
    return any((folder / name).is_file() for name in (RESULT, LOG, CHECKPOINT))


def file_digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file in a folder but its own manifest, the seals of that and reviews, by
    its name with forward slashes. What only exists while the run lasts, and links, do not count."""
    return _digests(files_in(folder))


def _digests(files: Iterable[tuple[str, Path]]) -> dict[str, str]:
    digests = {}
    for name, path in files:
        # A worker that was not killed in time may still rename its temporary file.
        with suppress(FileNotFoundError):
            digests[name] = sha256_of(path)
    return digests


def files_in(folder: Path, within: str = "") -> Iterator[tuple[str, Path]]:
    """Every such file with its name, in the order of the names."""
    for entry in sorted_entries(folder):
        name = within + entry.name
        if entry.is_symlink():
            continue
        if entry.is_dir():
            if within or entry.name != LIVE:
                yield from files_in(folder / entry.name, f"{name}/")
        elif entry.is_file() and name not in OUTSIDE:
            yield name, folder / entry.name


def sorted_entries(folder: Path) -> list[os.DirEntry[str]]:
    """What is in a folder, as the names of files in it are sorted: those in a folder ``a`` begin
    with ``a/``, and so come after ``a.txt``. A folder that cannot be read has nothing."""
    try:
        with os.scandir(folder) as entries:
            found = list(entries)
    except OSError:
        return []
    is_folder = {e.name: e.is_dir(follow_symlinks=False) for e in found}
    return sorted(found, key=lambda e: f"{e.name}/" if is_folder[e.name] else e.name)


def manifest_text(digests: Mapping[str, str]) -> bytes:
    """One line for each file, sorted by name; names with a line break are escaped as sha256sum
    does it."""
    lines = []
    for name in sorted(digests):
        escaped = re.sub(r"[\\\n\r]", lambda found: _ESCAPES[found[0]], name)
        mark = "\\" if escaped != name else ""
        lines.append(f"{mark}{digests[name]}  {escaped}\n")
    return os.fsencode("".join(lines))


def manifest_entries(lines: Iterable[bytes]) -> Iterator[tuple[str, str] | None]:
    """The name and digest of each line; None for a line that has another form."""
    for content in lines:
        line = os.fsdecode(content.removesuffix(b"\n"))
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


def listed_digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file, by the folder's manifest; empty without one. Raises OSError."""
    path = folder / MANIFEST
    if not path.is_file():
        return {}
    with path.open("rb") as lines:
        return dict(filter(None, manifest_entries(lines)))


def is_in_order(path: Path) -> bool:
    """Whether each name of a manifest comes after the one before it. Raises OSError."""
    last = ""
    with path.open("rb") as stream:
        for name, _ in filter(None, manifest_entries(stream)):
            if name <= last:
                return False
            last = name
    return True


def altered_files(folder: Path, result: SampleResult) -> list[str]:
    """File names of the result's artifacts that are missing or do not have the recorded SHA-256."""
    return [
        artifact.filename
        for artifact in result.artifacts
        if not _is_intact(folder, artifact.filename, artifact.sha256)
    ]


def altered_since_sealed(folder: Path) -> list[str]:
    """The files of a sample that are not as its manifest says, if it has one. What pytest says of
    the test may change with each session."""
    listed = listed_digests(folder).items()
    return [n for n, d in listed if n != ITEM_REPORT and not _is_intact(folder, n, d)]


def _is_intact(folder: Path, filename: str, digest: str) -> bool:
    path = folder / filename
    # A record may be forged: a file outside the sample's folder proves nothing.
    is_inside = path.resolve().is_relative_to(folder.resolve())
    return is_inside and path.is_file() and sha256_of(path) == digest
