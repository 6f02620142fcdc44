"""A folder in an object store, or below ``file://``, reached through fsspec."""

from __future__ import annotations

import base64
import hashlib
import mimetypes
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import Any

from pytest_bwa.errors import InputError, StoreError
from pytest_bwa.evidence.files import sha256
from pytest_bwa.reports.upload.address import EXTRAS, protocol_of, store_address
from pytest_bwa.spec.redaction import redact_addresses
from pytest_bwa.steps.text import one_line

LARGE = 64 * 2**20
"""Bytes from which a file is sent in parts, and not held in memory."""
MAX_REASON = 160
"""Characters of a store's error that are repeated."""
OPTIONS: dict[str, dict[str, Any]] = {
    # With the libraries' own limits, a server that does not answer holds a file for 25 minutes.
    "s3": {
        "use_listings_cache": False,
        "skip_instance_cache": True,
        "config_kwargs": {
            "connect_timeout": 10,
            "read_timeout": 30,
            "retries": {"total_max_attempts": 2},
        },
    },
    "file": {"auto_mkdir": True},
}
"""What fsspec is told of each protocol; credentials and servers come from the environment."""
TRIES = 2
"""Of s3fs, each with the attempts of the library below it."""
_REFUSALS = (PermissionError, FileNotFoundError)
_MD5 = re.compile(r"[0-9a-f]{32}")
_NO_CREDENTIALS = "NoCredentialsError"
"""botocore's name for it, which is installed with one of the extras only."""


class Store:
    """Reads and writes the files below one address. Its methods raise StoreError, may be called by
    several threads, and believe no upload that they have not verified."""

    def __init__(self, address: str) -> None:
        """Raises InputError if the address cannot be used, or a package is missing, and StoreError
        if a store asks for its credentials at once and finds none."""
        self.address = store_address(address)
        self._protocol = protocol_of(self.address)
        try:
            from upath import UPath  # an extra

            with _named_errors():
                root = UPath(self.address, **OPTIONS.get(self._protocol, {}))
                self._fs: Any = root.fs
            if self._protocol == "s3":
                self._fs.retries = TRIES
            self._base = root.path.rstrip("/")
        except ImportError as error:
            raise InputError(
                f"{self._protocol}:// needs more packages ({error}): "
                f"pip install 'pytest-bwa[{EXTRAS[self._protocol]}]'"
            ) from None

    def below(self, name: str) -> Store:
        """The folder of this name in it."""
        store = copy(self)
        store.address, store._base = f"{self.address}/{name}", f"{self._base}/{name}"
        return store

    def put(self, name: str, data: bytes, *, only_new: bool = False) -> None:
        """Write a file, and make sure that the store keeps exactly these bytes. With ``only_new``
        raises FileExistsError if there is a file of this name."""
        mode = "create" if only_new else "overwrite"
        with _named_errors():
            answer = self._fs.pipe_file(
                self._path(name), data, mode=mode, **self._of_s3(name, data)
            )
            if is_confirmed(answer, data):
                return
            kept = sha256(self._fs.cat_file(self._path(name)))
        _compare(kept, sha256(data))

    def put_large(self, name: str, file: Path, digest: str) -> None:
        """The same for a file that is sent in parts, and always read back."""
        with _named_errors():
            self._fs.put_file(str(file), self._path(name))
            with self._fs.open(self._path(name), "rb") as stream:
                kept = hashlib.file_digest(stream, "sha256").hexdigest()
        _compare(kept, digest)

    def read(self, name: str) -> bytes | None:
        """The bytes of a file; None if there is none."""
        with _named_errors():
            try:
                content: bytes = self._fs.cat_file(self._path(name))
            except FileNotFoundError:
                return None
        return content

    def has(self, name: str, data: bytes) -> bool:
        """Whether the store itself says that it keeps exactly these bytes; False if it keeps no
        checksums."""
        if self._protocol != "s3":
            return False
        bucket, key, _ = self._fs.split_path(self._path(name))
        with _named_errors():
            try:
                answer = self._fs.call_s3(
                    "head_object", Bucket=bucket, Key=key, ChecksumMode="ENABLED"
                )
            except FileNotFoundError:
                return False
        return is_confirmed(answer, data)

    def files(self) -> dict[str, str]:
        """The names of all files, each with a text that is another when the file is."""
        with _named_errors():
            self._fs.invalidate_cache()
            try:
                found = self._fs.find(self._base, detail=True)
            except FileNotFoundError:
                return {}
        start = len(self._path(""))
        keys = ("ETag", "etag", "md5Hash", "size", "LastModified", "mtime", "updated", "created")
        return {
            path[start:]: repr([info.get(key) for key in keys])
            for path, info in found.items()
            if path[start:] and not path.endswith("/")  # consoles make files to show folders
        }

    def fetch(self, name: str, target: Path) -> None:
        """Copy a file to this machine."""
        with _named_errors():
            target.parent.mkdir(parents=True, exist_ok=True)
            self._fs.get_file(self._path(name), str(target))

    def remove(self, name: str) -> None:
        with _named_errors():
            self._fs.rm_file(self._path(name))

    def _path(self, name: str) -> str:
        return f"{self._base}/{name}"

    def _of_s3(self, name: str, data: bytes) -> dict[str, str]:
        if self._protocol != "s3":
            return {}
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return {**s3_checksum(data), "ContentType": kind}


def _compare(kept: str, sent: str) -> None:
    if kept != sent:
        raise StoreError(f"it was changed in transit: the store has the SHA-256 {kept}")


@contextmanager
def _named_errors() -> Iterator[None]:
    """Every store and every layer below it has errors of its own: all become StoreError, but that a
    name is taken, and that a package is missing."""
    try:
        yield
    except (FileExistsError, ImportError, StoreError):
        raise
    except Exception as error:  # of the library for this store, and of each below it
        name = type(error).__name__
        text = one_line(redact_addresses(f"{name}: {getattr(error, 'strerror', '') or error}"))
        is_refusal = isinstance(error, _REFUSALS) or name == _NO_CREDENTIALS
        raise StoreError(text[:MAX_REASON].rstrip("."), is_refusal=is_refusal) from error


# -- what the answer of a store proves of the bytes that it was sent -----------------------------


def s3_checksum(data: bytes) -> dict[str, str]:
    """The SHA-256 that S3 is sent beside the bytes: it refuses other bytes, and keeps it."""
    digest = base64.b64encode(hashlib.sha256(data).digest()).decode()
    return {"ChecksumAlgorithm": "SHA256", "ChecksumSHA256": digest}


def is_confirmed(answer: object, data: bytes) -> bool:
    """Whether the answer of S3 has the checksums of exactly these bytes. False if it has none, or
    if any of them is another: then only the file itself, read back, can say what is kept."""
    if not isinstance(answer, Mapping):
        return False
    if answer.get("ChecksumSHA256") != s3_checksum(data)["ChecksumSHA256"]:
        return False
    tag = str(answer.get("ETag", "")).strip('"')
    # What is encrypted with a key of KMS has an ETag that is no digest of its bytes.
    is_digest = _MD5.fullmatch(tag) and "kms" not in str(answer.get("ServerSideEncryption"))
    return not is_digest or tag == hashlib.md5(data, usedforsecurity=False).hexdigest()
