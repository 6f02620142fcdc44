"""Writing whole files, naming them safely, and hashing them."""

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

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_LABEL_CHARACTERS = 60


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def sha256_of(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def safe_name(text: str, fallback: str = "page") -> str:
    """``text`` as a file name of ``[A-Za-z0-9._-]`` only, never hidden, never a path."""
    name = _UNSAFE.sub("_", text).strip("._-")[:_LABEL_CHARACTERS].rstrip("._-")
    return name or fallback


def write_whole(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Temporary file, fsync, replace: readers see the old file or the new one, never half.

    ``durable=False`` leaves out the fsync, for files that only live while the run does.
    Raises EvidenceError naming the file and the system's reason.
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
        except BaseException:  # an interrupt too must not leave half a file behind
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise EvidenceError(
            f"cannot write {path}: {error.strerror or error}; earlier evidence is whole"
        ) from error


def to_json(content: Any) -> bytes:
    """Pretty JSON, UTF-8, newline at the end; records by their own serializer."""
    return (json.dumps(content, indent=2, ensure_ascii=False, default=_plain) + "\n").encode()


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(f"{type(value).__name__} has no place in a record")


def write_json(path: Path, content: Any, *, durable: bool = True) -> None:
    write_whole(path, to_json(content), durable=durable)
