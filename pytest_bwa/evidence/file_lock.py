"""Keeps other processes from changing a file, or from doing something too many at once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.files import make_folder

ADVICE = "a local disk keeps locks, and some network drives do not"
SEAT_SECONDS = 0.5
"""How long it takes to ask for all seats once."""
LOCK_SECONDS = 30
"""Maximum seconds to wait for another process that holds the lock; it needs milliseconds."""


def check_locks(folder: Path) -> None:
    """Raises EvidenceError if the drive keeps no locks, as some network drives: no sample could be
    recorded there."""
    lock_file = folder / f".{os.getpid()}.lock"
    try:
        with FileLock(lock_file, timeout=LOCK_SECONDS):
            pass
    except (OSError, NotImplementedError) as error:
        reason = getattr(error, "strerror", None) or error
        raise EvidenceError(
            f"{folder}: this drive keeps no locks ({reason}), and without them no run can be "
            "written: pass --evidence with a folder on a local disk"
        ) from error
    finally:
        with suppress(OSError):
            lock_file.unlink()


@contextmanager
def locked(path: Path, lock_file: Path) -> Iterator[None]:
    """Keep all other processes from changing the file ``path``. Raises EvidenceError."""
    make_folder(path.parent)
    make_folder(lock_file.parent)
    try:
        lock = FileLock(lock_file, timeout=LOCK_SECONDS)
        lock.acquire()
    except (OSError, NotImplementedError) as error:
        raise EvidenceError(f"cannot lock {path}: {error}; {ADVICE}") from error
    try:
        yield
    finally:
        lock.release()


def lock_within(path: Path, seconds: float) -> BaseFileLock | None:
    """The lock, to be released; None if another process holds it for longer. Raises
    EvidenceError."""
    lock = FileLock(path, timeout=seconds)
    return lock if _acquired(lock) else None


@contextmanager
def seated(folder: Path, number: int) -> Iterator[None]:
    """Wait for one of so many seats, and keep it until the end. Raises EvidenceError."""
    make_folder(folder)
    seats = cycle(folder / f"seat-{n}.lock" for n in range(number))
    while (seat := lock_within(next(seats), SEAT_SECONDS / number)) is None:
        pass
    try:
        yield
    finally:
        seat.release()


class Seats:
    """A few seats, of which a process takes one while it does something; whoever dies leaves its
    own."""

    def __init__(self, folder: Path, number: int) -> None:
        self._paths = [folder / f"seat-{n}.lock" for n in range(number)]

    def take(self, limit: int) -> BaseFileLock | None:
        """A seat, to be released; None if so many are taken. Nobody else may call it at the same
        time. Raises EvidenceError."""
        make_folder(self._paths[0].parent)
        locks = [FileLock(path, timeout=0) for path in self._paths]
        free = [lock for lock in locks if _acquired(lock)]
        is_full = len(locks) - len(free) >= limit
        for lock in free if is_full else free[1:]:
            lock.release()
        return None if is_full or not free else free[0]


def _acquired(lock: BaseFileLock) -> bool:
    try:
        lock.acquire()
    except Timeout:
        return False
    except (OSError, NotImplementedError) as error:
        raise EvidenceError(f"cannot lock {lock.lock_file}: {error}") from error
    return True
