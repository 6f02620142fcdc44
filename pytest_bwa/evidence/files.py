"""Write files atomically, give them safe names, and hash them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from pydantic import BaseModel

from pytest_bwa.errors import EvidenceError, InputError
from pytest_bwa.steps.text import whole_characters

_BLOCK = 1 << 16
"""Bytes that are read at a time: most files of a run are smaller."""
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_MAX_NAME = 60
HALF_WRITTEN = ".*.tmp"
"""The names of files that are being written; no other file of a run begins with a dot."""
REPLACE_PAUSES = (0.01, 0.05, 0.2)
"""Seconds between the attempts to replace a file that somebody reads."""
# The last extension, with the one before it if both together name one format.
_EXTENSION = re.compile(
    r"(?:\.(?:tar|cpio))?\.[A-Za-z0-9]{1,20}$|\.[A-Za-z0-9]{1,5}\.(?:gz|bz2|xz|zst|gpg|p7m)$", re.I
)


_SYSTEM_FILE = re.compile(
    r"\.DS_Store|\.localized|\._.+|(?:eh)?thumbs(?:_vista)?\.db|desktop\.ini|\.directory"
    r"|\.~lock\..+#|~\$.+|\.nfs[0-9a-f]+|\.fuse_hidden[0-9a-f]+",
    re.I,
)


def is_system_file(name: str) -> bool:
    """Whether a file is one that file managers, office programs and network drives leave in the
    folders that somebody looks at; no file of a run is called so."""
    return _SYSTEM_FILE.fullmatch(name.rpartition("/")[2]) is not None


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def sha256_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb", buffering=0) as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def read_file(path: Path) -> bytes:
    """Raises EvidenceError, which names the file and the system's reason."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise EvidenceError(f"cannot read {path}: {error.strerror or error}") from error


def copy_digests(folder: Path, names: Iterable[str]) -> dict[str, dict[str, str]]:
    """What run.json says of the files in its folder that are copies of what a person gave."""
    return {name: {"copy_sha256": sha256_of(folder / name)} for name in names}


def safe_name(text: str, fallback: str = "page") -> str:
    """``text`` as a file name of ``[A-Za-z0-9._-]`` only: never a hidden file, never a path."""
    name = _UNSAFE.sub("_", text).strip("._-")[:_MAX_NAME].rstrip("._-")
    return name or fallback


def checked_run_id(name: str) -> str:
    """The name that a person gives a run folder. Raises InputError if it cannot be one."""
    if safe_name(name, "") != name:
        raise InputError(f'--run-id "{name}": use letters, digits, ".", "_" and "-"')
    return name


def split_extension(name: str) -> tuple[str, str]:
    """The name without its extension, and the extension with its dot (``.pdf``, ``.tar.gz``)."""
    match = _EXTENSION.search(name)
    place = match.start() if match else len(name)
    return name[:place], name[place:]


def safe_file_name(text: str, fallback: str) -> str:
    """Like ``safe_name``, but the extension is kept; ``fallback`` takes the place of a stem that
    has no ASCII letter or digit."""
    stem, extension = split_extension(text.rstrip(" ."))
    limit = _MAX_NAME - len(extension)
    return safe_name(safe_name(stem, fallback)[:limit], fallback) + extension


def make_folder(path: Path) -> None:
    """Make the folder, and those above it, if they are missing. Raises EvidenceError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _write_error(path, error) from error


def write_atomically(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Write a temporary file, fsync it and rename it: readers see the old or the new file.

    ``durable=False`` leaves out the fsync, for files that are deleted when the run ends.
    Raises EvidenceError, which names the file and the system's reason.
    """
    with replacing(path, durable=durable) as stream:
        stream.write(data)


def move_atomically(source: Path, target: Path) -> None:
    """Move a file, which may be on another file system, as ``write_atomically`` writes one."""
    with replacing(target) as stream, source.open("rb") as content:
        shutil.copyfileobj(content, stream)
    with suppress(OSError):  # a temporary file that stays is no reason to lose the evidence
        source.unlink()


@contextmanager
def replacing(path: Path, *, durable: bool = True) -> Iterator[IO[bytes]]:
    """A stream whose content becomes the file at ``path`` when the block ends without an error."""
    try:
        # Not mkstemp, whose files only their owner can read: evidence follows the umask.
        temporary = path.parent / f".{secrets.token_hex(8)}.tmp"
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            with os.fdopen(handle, "wb") as stream:
                yield stream
                stream.flush()
                if durable:
                    os.fsync(stream.fileno())
            _replace(temporary, path)
        except BaseException:  # an interrupt must not leave the temporary file either
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _write_error(path, error) from error


def _replace(temporary: Path, path: Path) -> None:
    """Windows refuses to replace a file while somebody reads it, which is over in a moment."""
    for pause in REPLACE_PAUSES:
        try:
            temporary.replace(path)
            return
        except PermissionError:
            time.sleep(pause)
    temporary.replace(path)


def _write_error(path: Path, error: OSError) -> EvidenceError:
    reason = error.strerror or error
    return EvidenceError(f"cannot write {path}: {reason}; files already written are intact")


def to_json(content: Any, indent: int | None = 2) -> bytes:
    """JSON in UTF-8 with a final newline; pydantic records are converted, and half characters,
    which UTF-8 does not have, are replaced. Without an indent it takes a fifth of the time."""
    text = json.dumps(content, indent=indent, ensure_ascii=False, default=_to_plain)
    return (whole_characters(text) + "\n").encode()


def _to_plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(f"a value of type {type(value).__name__} cannot be written as JSON")


def write_json(path: Path, content: Any, *, durable: bool = True) -> None:
    write_atomically(path, to_json(content), durable=durable)
