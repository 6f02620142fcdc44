"""Write files atomically, give them safe names, and hash them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from pytest_bwa.errors import EvidenceError
from pytest_bwa.text import whole_characters

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_MAX_NAME = 60


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def sha256_of(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def safe_name(text: str, fallback: str = "page") -> str:
    """``text`` as a file name of ``[A-Za-z0-9._-]`` only: never a hidden file, never a path."""
    name = _UNSAFE.sub("_", text).strip("._-")[:_MAX_NAME].rstrip("._-")
    return name or fallback


def write_atomically(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Write a temporary file, fsync it and rename it: readers see the old or the new file.

    ``durable=False`` leaves out the fsync, for files that are deleted when the run ends.
    Raises EvidenceError, which names the file and the system's reason.
    """
    try:
        handle, temporary = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                if durable:
                    os.fsync(stream.fileno())
            Path(temporary).chmod(0o644)
            Path(temporary).replace(path)
        except BaseException:  # an interrupt must not leave the temporary file either
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise EvidenceError(
            f"cannot write {path}: {error.strerror or error}; files already written are intact"
        ) from error


def to_json(content: Any) -> bytes:
    """Indented JSON in UTF-8 with a final newline; pydantic records are converted, and half
    characters, which UTF-8 does not have, are replaced."""
    text = json.dumps(content, indent=2, ensure_ascii=False, default=_to_plain)
    return (whole_characters(text) + "\n").encode()


def _to_plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(f"a value of type {type(value).__name__} cannot be written as JSON")


def write_json(path: Path, content: Any, *, durable: bool = True) -> None:
    write_atomically(path, to_json(content), durable=durable)
