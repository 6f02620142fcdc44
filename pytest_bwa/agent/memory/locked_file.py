"""A JSON file that several processes change: locked, written whole, and set aside if broken."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.file_lock import locked
from pytest_bwa.evidence.files import write_json
from pytest_bwa.steps.step import utc_now

Content = TypeVar("Content", bound=BaseModel)


class LockedFile(Generic[Content]):
    """One record in one file. ``problems`` says what was wrong with the file, a line for each."""

    def __init__(
        self, path: Path, lock: Path, kind: type[Content], *, durable: bool = True
    ) -> None:
        self.path, self._lock, self._kind, self._durable = path, lock, kind, durable
        self.problems: list[str] = []

    def locked(self) -> AbstractContextManager[None]:
        """Keep all other processes from changing the file. Raises EvidenceError."""
        return locked(self.path, self._lock)

    def read(self) -> Content | None:
        """The record; None if there is no file, or if it is broken. A broken file is renamed, so
        that it is not overwritten. Raises EvidenceError if the file cannot be read."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise EvidenceError(f"cannot read {self.path}: {error.strerror or error}") from error
        try:
            return self._kind.model_validate_json(data)
        except ValidationError:
            self._set_aside()
            return None

    def write(self, content: Content) -> None:
        """Raises EvidenceError."""
        write_json(self.path, content, durable=self._durable)

    def _set_aside(self) -> None:
        time = utc_now().replace("-", "").replace(":", "")
        target = self.path.with_name(f"{self.path.name}.broken-{time}")
        try:
            self.path.rename(target)
        except OSError as error:
            raise EvidenceError(f"{self.path} is broken and cannot be renamed: {error}") from error
        self.problems.append(
            f"{self.path} was broken: it was renamed to {target.name}, and a new one begins"
        )
