"""The files of a folder against its manifest."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from pytest_bwa.evidence.folder import LIVE
from pytest_bwa.evidence.integrity.manifest import MANIFEST, manifest_entries
from pytest_bwa.verify.fault import Fault

NO_MANIFEST = "is missing: the run has not ended, or it is from a version without manifests"


def check_files(folder: Path, digests: Mapping[str, str]) -> Iterator[Fault]:
    """What a manifest and the files that were found, with their digests, do not have in common."""
    try:
        content = (folder / MANIFEST).read_bytes()
    except OSError:
        yield Fault(MANIFEST, NO_MANIFEST)
        return
    listed: dict[str, str] = {}
    for number, entry in enumerate(manifest_entries(content), 1):
        if entry is None:
            yield Fault(MANIFEST, f"line {number} does not have the form of sha256sum")
        elif entry[0] in listed:
            yield Fault(MANIFEST, f"line {number} names {entry[0]} again")
        else:
            listed[entry[0]] = entry[1]
    for name in sorted(listed.keys() | digests.keys()):
        if name not in digests:
            yield Fault(name, "is in the manifest and is missing")
        elif name not in listed:
            yield Fault(name, "is not in the manifest: it was added later")
        elif listed[name] != digests[name]:
            yield Fault(name, "was changed after the manifest was written")


def check_kinds(folder: Path) -> Iterator[Fault]:
    """What no manifest can cover: links, special files, and what only a running audit has."""
    for place, folders, names in os.walk(folder):
        for name in sorted([*folders, *names]):
            path = Path(place) / name
            relative = path.relative_to(folder).as_posix()
            if path.is_symlink():
                yield Fault(relative, "is a link: what it leads to is no part of the folder")
            elif not path.is_dir() and not path.is_file():
                yield Fault(relative, "is no plain file")
    if (folder / LIVE).is_dir() and not (folder / LIVE).is_symlink():
        yield Fault(LIVE, "is only there while a run lasts: it is running, or did not end")
