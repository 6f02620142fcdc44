"""What a check finds, and how a check reads files that may be anything."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from pytest_bwa.steps.text import one_line

Record = TypeVar("Record", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is not as it was written; ``file`` is relative to the folder that is
    checked."""

    file: str
    problem: str

    def __str__(self) -> str:
        return one_line(f"{self.file}: {self.problem}")

    def in_folder(self, folder: str) -> Fault:
        return Fault(f"{folder}/{self.file}", self.problem)


class Unreadable(Exception):
    """A file that is missing, or does not hold what it should; the text says which of both."""


def read_json(path: Path) -> Any:
    """Raises Unreadable."""
    try:
        return json.loads(_content(path))
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"cannot be read ({type(error).__name__})") from None


def read_record(path: Path, kind: type[Record]) -> Record:
    """Raises Unreadable."""
    try:
        return kind.model_validate_json(_content(path))
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            raise Unreadable(f"cannot be read ({first['msg']})") from None
        where = ".".join(map(str, first["loc"]))
        raise Unreadable(f"is not what it should be: {where}: {first['msg']}") from None


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise Unreadable("is missing") from None
    except OSError as error:
        raise Unreadable(f"cannot be read ({type(error).__name__})") from None
