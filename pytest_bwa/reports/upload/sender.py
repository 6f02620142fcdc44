"""Sends single files of a run into its folder in a store."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from threading import Lock

from pytest_bwa.errors import StoreError
from pytest_bwa.evidence.files import sha256, sha256_of
from pytest_bwa.evidence.reviews import REVIEWS
from pytest_bwa.reports.upload.store import LARGE, Store

MAX_FAILURES = 4
"""So many files in a row that cannot be sent mean that no file can."""


class FileSender:
    """Knows what the store has of a run, and sends only what it does not have. Several threads may
    use it."""

    def __init__(self, folder: Path, store: Store, sent: Mapping[str, str]) -> None:
        """``sent`` has the SHA-256 of what the store has of this run, if it had nothing of it
        before; else it is empty, and the store is asked."""
        self.folder, self.store = folder, store
        self._is_new = bool(sent)
        self.digests = dict(sent)
        """What the store has by now, by the names of the files."""
        self._lock = Lock()
        self._failures = 0
        """In a row."""
        self._reason = ""

    def begin_anew(self) -> None:
        """Forget failures: maybe the store can be reached again."""
        self._failures = 0

    def send(self, name: str) -> None:
        """Raises StoreError, or OSError if the file cannot be read."""
        with self._lock:
            if self._failures >= MAX_FAILURES:
                raise StoreError(self._reason)
        try:
            digest = self._sent(name)
        except StoreError as error:
            with self._lock:
                self._failures, self._reason = self._failures + 1, f"{name}: {error}"
            raise StoreError(f"{name}: {error}", is_refusal=error.is_refusal) from None
        with self._lock:
            self._failures = 0
            self.digests[name] = digest

    def _sent(self, name: str) -> str:
        """The SHA-256 of what the store has now."""
        path = self.folder / name
        if path.stat().st_size >= LARGE:
            digest = sha256_of(path)
            if self.digests.get(name) != digest:
                self.store.put_large(name, path, digest)
            return digest
        data = path.read_bytes()
        digest = sha256(data)
        if self.digests.get(name) == digest:
            return digest
        # What this object has not sent may have been sent by an earlier one.
        if self._is_new or name in self.digests or not self.store.has(name, data):
            if name == REVIEWS:
                self._check_reviews(data)
            self.store.put(name, data)
        return digest

    def _check_reviews(self, ours: bytes) -> None:
        """Reviews only grow: others than the store has would take somebody's decisions away."""
        theirs = self.store.read(REVIEWS) or b""
        if not ours.startswith(theirs):
            raise StoreError(f"the store has other reviews in {REVIEWS}")
