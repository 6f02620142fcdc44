"""Copies of runs that lie in a store, for the commands that read them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

from pytest_bwa.errors import InputError
from pytest_bwa.reports.upload.store import Store

THREADS = 8
MAX_NAMED = 5
"""Folders that a message names."""
Wanted = Callable[[str], bool]
"""Whether a command needs the file of this name."""


class FetchedFolder:
    """A copy of a folder of a store, with the files that are wanted."""

    def __init__(self, address: str, root: Path, wanted: Wanted) -> None:
        """The copy is made below ``root`` and has the folder's name. Raises InputError."""
        self._store, self._wanted = Store(address), wanted
        self.path = root / PurePosixPath(self._store.address).name
        self._states: dict[str, str] = {}
        """Of the files that were copied."""

    def update(self) -> None:
        """Copy what is new or was changed. Raises InputError if there is no file at all, or one
        that would be written elsewhere; StoreError if the store cannot be read."""
        files = self._store.files()
        if all("/" in name for name in files):
            folders = ", ".join(sorted({name.partition("/")[0] for name in files})[:MAX_NAMED])
            found = f"; it has the folders {folders}" if folders else ""
            raise InputError(f"{self._store.address}: there is no such run{found}")
        for name in files:
            self._check_name(name)
        changed = [n for n, state in files.items() if self._states.get(n) != state]
        names = [name for name in changed if self._wanted(name)]
        with ThreadPoolExecutor(THREADS, "bwa-fetch") as pool:
            list(pool.map(lambda name: self._store.fetch(name, self.path / name), names))
        self._states.update({name: files[name] for name in names})

    def _check_name(self, name: str) -> None:
        place = PurePosixPath(name)
        is_plain = not place.is_absolute() and ".." not in place.parts
        if not is_plain or not (self.path / name).resolve().is_relative_to(self.path.resolve()):
            raise InputError(f"{self._store.address} has a file that belongs to no run: {name!r}")
