"""What the answer of a store proves of the bytes that it was sent."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping

_MD5 = re.compile(r"[0-9a-f]{32}")


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
