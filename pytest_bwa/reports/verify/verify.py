"""``bwa verify``: everything that can be checked in the folder of a run, or of one sample of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.folder import RUN, SPEC, RunFolder, find_run
from pytest_bwa.evidence.integrity.manifest import MANIFEST, file_digests, manifest_digest
from pytest_bwa.evidence.reviews import REVIEWS
from pytest_bwa.evidence.writer import CHECKPOINT, LOG, RESULT
from pytest_bwa.reports.verify.fault import Fault
from pytest_bwa.reports.verify.files import ManifestCheck, check_kinds
from pytest_bwa.reports.verify.reviews import check_reviews
from pytest_bwa.reports.verify.run import RunCheck
from pytest_bwa.reports.verify.sample import check_sample, read_sample
from pytest_bwa.reports.verify.seals import check_signature, check_timestamp
from pytest_bwa.reports.verify.shards import files_of_shard, merged_run_of
from pytest_bwa.steps.text import first_of

Kind = Literal["run", "sample"]
MAX_SYSTEM_FILES = 5
"""Files that a line names."""


@dataclass(frozen=True, slots=True)
class _Files:
    """What was found of the files of a folder."""

    faults: list[Fault]
    files: int
    samples: int
    system_files: list[str]


@dataclass(frozen=True, slots=True)
class Verification:
    """What was checked, and what is wrong with it."""

    folder: Path
    kind: Kind
    files: int
    samples: int
    manifest_sha256: str
    faults: tuple[Fault, ...]
    seals: tuple[str, ...] = ()
    """What signature and timestamp prove, or that they were not checked."""
    reviews: tuple[str, ...] = ()
    """How many reviews there are, where their chain ends, and which writes were broken off."""
    system_files: tuple[str, ...] = ()
    """What file managers and the like have left, which is no part of the run."""
    address: str = ""
    """Of the run in a store, if the folder is a copy of it."""

    @property
    def ok(self) -> bool:
        return not self.faults

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        values = asdict(self)
        del values["address"]
        return {**values, "folder": self._place, "ok": self.ok}

    @property
    def _place(self) -> str:
        return self.address or str(self.folder)

    def lines(self) -> list[str]:
        """One line for each fault, or one that says that there is none, and the digest."""
        what = f"{self.files} files" + (f", {self.samples} samples" if self.kind == "run" else "")
        digest = f"{MANIFEST} has the SHA-256 {self.manifest_sha256}"
        if self.ok:
            return [
                *self.seals,
                *self.reviews,
                *self._left(),
                f"{self._place}: {what}: as they were written",
                digest,
            ]
        count = f"{len(self.faults)} fault{'s' if len(self.faults) != 1 else ''}"
        return [*map(str, self.faults), *self._left(), f"{self._place}: {count} in {what}"]

    def _left(self) -> list[str]:
        """Of a file of the system, that nobody need be afraid of it."""
        if not (names := self.system_files):
            return []
        some = first_of(names, MAX_SYSTEM_FILES)
        return [f"{some}: left there by another program; not part of the run, may be deleted"]


def verify(
    folder: Path, key: Path | None = None, tsa_certificate: Path | None = None
) -> Verification:
    """Check a folder of a run, of a sample, or of a shard in a merged run; with a public key also
    who signed the run, and with the certificate of a timestamp authority when it was there. Raises
    InputError if the folder is none of these, or a file is no key or certificate."""
    kind = kind_of(folder)
    if kind == "sample" and (key or tsa_certificate):
        raise InputError(f"{folder} is one sample: signature and timestamp are those of its run")
    found = _check_records(folder, kind)
    faults = [*check_kinds(folder), *found.faults]
    seals: list[str] = []
    for wrong, lines in (
        check_signature(folder, key),
        check_timestamp(folder, tsa_certificate),
    ):
        faults += wrong
        seals += lines
    wrong, reviews = _reviews(folder, kind)
    faults += wrong
    return Verification(
        folder=folder,
        kind=kind,
        files=found.files - len(found.system_files),
        samples=found.samples,
        system_files=tuple(found.system_files),
        manifest_sha256=manifest_digest(folder),
        faults=tuple(dict.fromkeys(faults)),
        seals=tuple(seals),
        reviews=tuple(reviews),
    )


def _check_records(folder: Path, kind: Kind) -> _Files:
    """What is wrong with the files of a folder, and how many files and samples it has."""
    whole = merged_run_of(folder)
    if kind == "run" and whole is None:
        run = RunCheck(folder)
        return _Files(run.check(), run.files, run.samples, run.system_files)
    check = ManifestCheck(folder)
    if whole is not None:  # its records are those of the whole
        shard = RunFolder(folder)
        faults = check.faults_of(files_of_shard(RunFolder(whole), shard))
        return _Files(faults, check.files, shard.record().samples_in, check.system_files)
    faults = check.faults_of(sorted(file_digests(folder).items()))
    faults += check_sample(folder, read_sample(folder))
    return _Files(faults, check.files, 1, check.system_files)


def _reviews(folder: Path, kind: Kind) -> tuple[list[Fault], list[str]]:
    if kind == "run":
        return check_reviews(folder)
    is_there = (folder / REVIEWS).exists()  # no manifest would name it
    return [Fault(REVIEWS, "does not belong in a sample: reviews are of a run")] * is_there, []


def kind_of(folder: Path) -> Kind:
    """Whether a folder is that of a run or of a sample, although something of it may be missing.
    Raises InputError."""

    def has(*names: str) -> bool:
        return any((folder / name).is_file() for name in names)

    if has(RUN, SPEC):
        return "run"
    if has(RESULT, LOG, CHECKPOINT):
        return "sample"
    if has(MANIFEST):
        return "run"
    raise InputError(f"{folder}: neither a run folder nor the folder of a sample")


def folder_to_verify(name: str, evidence: Path) -> Path:
    """The folder called ``name`` (a path, or a name below ``evidence``); without a name that of the
    newest run. Raises InputError if there is none."""
    if not name:
        return find_run(evidence).path
    for path in (Path(name), evidence / name):
        if path.is_dir():
            return path
    raise InputError(f"{name}: no such folder")
