"""The upload of one run: its samples while it lasts, everything else at its end."""

from __future__ import annotations

from collections.abc import Collection, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from shlex import quote
from threading import Event, Lock

from pydantic import ValidationError

from pytest_bwa.errors import BwaError, StoreError
from pytest_bwa.evidence.files import is_system_file, sha256
from pytest_bwa.evidence.folder import RUN, SAMPLES, SPEC, RunFolder
from pytest_bwa.evidence.integrity.manifest import (
    MANIFEST,
    SIGNATURE,
    TIMESTAMP,
    files_in,
    listed_digests,
)
from pytest_bwa.evidence.integrity.origin import PACKAGES
from pytest_bwa.evidence.reviews import REVIEWS
from pytest_bwa.evidence.run_record import RunRecord
from pytest_bwa.reports.terminal import display_path
from pytest_bwa.reports.upload.sender import FileSender
from pytest_bwa.reports.upload.store import Store

THREADS = 8
SAMPLES_AT_ONCE = 3
"""How many samples are sent at the same time while others run: their browsers come first."""
INPUTS = (PACKAGES, SPEC, SAMPLES)
LAST = (RUN, MANIFEST, SIGNATURE, TIMESTAMP, REVIEWS)
"""What is sent only when all else is there: a run without its manifest is seen to be incomplete."""


@dataclass(frozen=True, slots=True)
class UploadResult:
    """What became of the upload of a run."""

    run: Path
    root: str
    """What the command that uploads it again is given."""
    address: str
    """Of the run in the store."""
    files: int
    missing: int
    """Files that are not in the store as they are here."""
    reason: str
    """Why the upload is not complete; empty if it is."""

    @property
    def line(self) -> str:
        """What happened to it, and the command that completes it."""
        if not self.reason:
            return f"uploaded  {self.address} has all {self.files} files, each verified"
        run = quote(display_path(self.run))
        missing = f"{self.missing} of {self.files} files are missing in {self.address}"
        what = missing if self.missing else f"{self.address} is not complete"
        return f"bwa: {what}: {self.reason}; again: bwa upload {run} {quote(self.root)}"


class RunUpload:
    """Copies a run into a store. Whatever the store does costs the run nothing but the copy."""

    def __init__(self, run: RunFolder, root: Store) -> None:
        self._run, self._root = run, root
        self._sender: FileSender | None = None
        self._placing, self._is_ending = Lock(), Event()
        self._pool = ThreadPoolExecutor(SAMPLES_AT_ONCE, "bwa-upload")

    @property
    def address(self) -> str:
        """Of the run in the store, or where it is to be as long as the store is not reached."""
        if self._sender is None:
            return f"{self._root.address}/{self._run.path.name}"
        return self._sender.store.address

    def begin(self) -> None:
        """Send what there is at the start. Raises StoreError."""
        for name in (*INPUTS, RUN):
            if (self._run.path / name).is_file():
                self._reached().send(name)

    def add_sample(self, sample_id: str) -> None:
        """Send the files of a sample soon, and return at once."""
        self._pool.submit(self._send_sample, sample_id)

    def finish(self) -> UploadResult:
        """Send what is missing or was changed, the manifest last, and remove from the store what is
        no part of the run any more. Nothing may be written into the run folder meanwhile."""
        self._is_ending.set()
        folder = self._run.path
        listed, names = listed_digests(folder), {name for name, _ in files_in(folder)}
        # Without a manifest, whatever is there may be of the run.
        present = names & listed.keys() or {n for n in names if not is_system_file(n)}
        present |= {name for name in LAST if (folder / name).is_file()}
        left, reason = set(present), ""
        try:
            self._pool.shutdown(wait=True, cancel_futures=True)
            reason = _complete(self._reached(), present, left)
        except (BwaError, OSError) as error:
            reason = str(error)
        except KeyboardInterrupt:
            reason = "it was interrupted"
        root, address = self._root.address, self.address
        return UploadResult(folder, root, address, len(present), len(left), reason)

    def _reached(self) -> FileSender:
        """Raises StoreError."""
        with self._placing:
            if self._sender is None:
                self._sender = FileSender(self._run.path, *place_of(self._run, self._root))
        return self._sender

    def _send_sample(self, sample_id: str) -> None:
        """What cannot be sent is tried again at the end."""
        try:
            self._reached().begin_anew()
            for _, path in sorted(files_in(self._run.sample(sample_id))):
                if self._is_ending.is_set():
                    return
                is_written = path.name.startswith(".")
                if not is_written and not is_system_file(path.name):
                    self._reached().send(path.relative_to(self._run.path).as_posix())
        except (BwaError, OSError):
            return


def _complete(sender: FileSender, present: Set[str], left: set[str]) -> str:
    """Send the files that are ``left``, and take each out of it; return why one could not be sent,
    or an empty text. Raises StoreError."""
    listed = listed_digests(sender.folder)
    sender.begin_anew()
    left -= {name for name in left if name in listed and sender.digests.get(name) == listed[name]}
    reasons = _send_each(sender, left.difference(LAST), left)
    if reasons:
        return reasons[0]
    for name in LAST:
        if name in present:
            sender.send(name)
            left.discard(name)
    # A copy that lacks files itself says nothing about what is too much elsewhere.
    if listed and present >= listed.keys():
        for name in sender.store.files().keys() - present - {REVIEWS}:
            sender.store.remove(name)
    return ""


def _send_each(sender: FileSender, names: Collection[str], left: set[str]) -> list[str]:
    """Send these files, several at a time; return why any could not be sent."""

    def reason_of(name: str) -> str:
        try:
            sender.send(name)
        except (BwaError, OSError) as error:
            return str(error)
        left.discard(name)
        return ""

    pool = ThreadPoolExecutor(THREADS, "bwa-upload")
    try:
        return [reason for reason in pool.map(reason_of, sorted(names)) if reason]
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


# -- which folder of a store is that of a run: no run is ever written over another one ------------


def place_of(run: RunFolder, root: Store) -> tuple[Store, dict[str, str]]:
    """The run's folder in the store, and the SHA-256 of what was written to make it: of run.json if
    it is new, of nothing if it was there. It has the name of the run folder, and ``_2``, ``_3``, …
    if other runs have these names, as two machines do that began in the same second. Raises
    StoreError, also if the store has a later state of this run."""
    ours = run.record()
    for number in count(1):
        name = run.path.name if number == 1 else f"{run.path.name}_{number}"
        store = root.below(name)
        if store.read(RUN) is None:
            try:
                store.put(RUN, content := (run.path / RUN).read_bytes(), only_new=True)
                return store, {RUN: sha256(content)}
            except FileExistsError:  # another machine was faster
                pass
        if _is_same(theirs := _record(store.read(RUN)), ours):
            _check_order(store, theirs, ours)
            return store, {}
    raise AssertionError("count never ends")


def _record(content: bytes | None) -> RunRecord | None:
    try:
        return RunRecord.model_validate_json(content or b"")
    except ValidationError:
        return None


def _is_same(theirs: RunRecord | None, ours: RunRecord) -> bool:
    """Whether two records are of one run, although one may be older."""
    return theirs is not None and _identity(theirs) == _identity(ours)


def _identity(record: RunRecord) -> tuple[object, ...]:
    host = record.origin.host if record.origin else None
    inputs = (record.spec.sha256, record.samples.sha256)
    return record.run_id, record.task_id, record.started_at, host, *inputs


def _check_order(store: Store, theirs: RunRecord | None, ours: RunRecord) -> None:
    """Raises StoreError if the run was resumed elsewhere since this copy was made."""
    resumed = theirs.resumed_at if theirs else []
    if resumed != ours.resumed_at[: len(resumed)]:
        raise StoreError(
            f"{store.address} has a later state of this run, resumed at {resumed[-1]}",
            is_refusal=True,
        )
