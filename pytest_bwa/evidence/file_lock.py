"""Keeps other processes from changing a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.files import make_folder

LOCK_SECONDS = 30
"""Maximum seconds to wait for another process that holds the lock; it needs milliseconds."""


@contextmanager
def locked(path: Path, lock_file: Path) -> Iterator[None]:
    """Keep all other processes from changing the file ``path``. Raises EvidenceError."""
    make_folder(path.parent)
    make_folder(lock_file.parent)
    try:
        lock = FileLock(lock_file, timeout=LOCK_SECONDS)
        lock.acquire()
    except (OSError, NotImplementedError) as error:
        raise EvidenceError(f"cannot lock {path}: {error}") from error
    try:
        yield
    finally:
        lock.release()
