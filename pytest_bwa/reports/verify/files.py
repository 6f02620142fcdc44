"""The files of a folder against its manifest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pytest_bwa.evidence.files import is_system_file
from pytest_bwa.evidence.folder import LIVE
from pytest_bwa.evidence.integrity.manifest import (
    MANIFEST,
    is_in_order,
    manifest_entries,
    manifest_text,
    sorted_entries,
)
from pytest_bwa.reports.verify.fault import Fault

NO_MANIFEST = "is missing: the run has not ended, or it is from a version without manifests"


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """A line of a manifest."""

    name: str
    number: int
    """Of the line, from 1."""
    digest: str


class ManifestCheck:
    """Compares the files of a folder, which come in the order of their names, with its manifest.
    A manifest in that order is read line by line, so that it may have millions."""

    def __init__(self, folder: Path) -> None:
        self.faults: list[Fault] = []
        """What is wrong so far."""
        self.system_files: list[str] = []
        """Files that are there and not listed, and that no person has added."""
        self.files = 0
        """How many were seen."""
        path = folder / MANIFEST
        try:
            is_sorted = is_in_order(path)
        except OSError:
            self.faults.append(Fault(MANIFEST, NO_MANIFEST))
            self._entries: Iterator[Entry] | None = None
            return
        entries = self._read(path)
        self._entries = entries if is_sorted else iter(sorted(entries))
        self._next = next(self._entries, None)

    def faults_of(self, files: Iterable[tuple[str, str]]) -> list[Fault]:
        """What is wrong with these files, which come in the order of their names, and no others."""
        for name, digest in files:
            self.see(name, digest)
        return self.end()

    def see(self, name: str, digest: str) -> None:
        """A file that is there."""
        self.files += 1
        if self._entries is None:
            return
        while self._next is not None and self._next.name < name:
            self._missing(self._next)
        if self._next is None or self._next.name != name:
            if is_system_file(name):
                self.system_files.append(name)
                return
            self.faults.append(Fault(name, "is not in the manifest: it was added later"))
            return
        if self._next.digest != digest:
            self.faults.append(Fault(name, "was changed after the manifest was written"))
        self._advance()

    def end(self) -> list[Fault]:
        """There are no more files; all faults, those of lines first."""
        while self._entries is not None and self._next is not None:
            self._missing(self._next)
        lines = [fault for fault in self.faults if fault.file == MANIFEST]
        return [*lines, *(fault for fault in self.faults if fault.file != MANIFEST)]

    def _missing(self, entry: Entry) -> None:
        self.faults.append(Fault(entry.name, "is in the manifest and is missing"))
        self._advance()

    def _advance(self) -> None:
        """Go to the next name; of several lines with one name, the first counts."""
        assert self._entries is not None
        assert self._next is not None
        last, self._next = self._next, next(self._entries, None)
        while self._next is not None and self._next.name == last.name:
            problem = f"line {self._next.number} names {last.name} again"
            self.faults.append(Fault(MANIFEST, problem))
            self._next = next(self._entries, None)

    def _read(self, path: Path) -> Iterator[Entry]:
        with path.open("rb") as stream:
            for number, entry in enumerate(manifest_entries(stream), 1):
                if entry is not None:
                    yield Entry(entry[0], number, entry[1])
                else:
                    problem = f"line {number} does not have the form of sha256sum"
                    self.faults.append(Fault(MANIFEST, problem))


def check_own_manifest(folder: Path, digests: Mapping[str, str]) -> list[Fault]:
    """The same of a sample's few files, which it is quicker to write again than to read."""
    try:
        if (folder / MANIFEST).read_bytes() == manifest_text(digests):
            return []
    except OSError:
        pass  # what is wrong with it is found there
    return ManifestCheck(folder).faults_of(sorted(digests.items()))


def check_kinds(folder: Path) -> Iterator[Fault]:
    """What no manifest can cover: links, special files, and what only a running audit has."""
    yield from _other_kinds(folder, "")
    if (folder / LIVE).is_dir() and not (folder / LIVE).is_symlink():
        yield Fault(LIVE, "exists only while a run is going on: it still is, or was cut short")


def _other_kinds(folder: Path, within: str) -> Iterator[Fault]:
    """What is no folder and no file, below a folder whose name in the whole is ``within``."""
    for entry in sorted_entries(folder):
        name = within + entry.name
        if entry.is_symlink():
            yield Fault(name, "is a link: what it leads to is not part of the folder")
        elif entry.is_dir():
            yield from _other_kinds(Path(entry.path), f"{name}/")
        elif not entry.is_file():
            yield Fault(name, "is not a regular file")
