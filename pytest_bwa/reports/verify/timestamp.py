"""``bwa timestamp``: an RFC 3161 timestamp of a run's manifest, from an authority of the user's
choice. ``openssl ts -verify -data manifest-sha256.txt -in manifest-sha256.tsr`` reads it too."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_bwa.errors import EvidenceError, InputError
from pytest_bwa.evidence.files import write_atomically
from pytest_bwa.evidence.integrity.manifest import MANIFEST, TIMESTAMP, manifest_digest
from pytest_bwa.reports.verify.fault import Fault

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

SECONDS = 30
MAX_BYTES = 1_000_000
MISSING = "timestamps need one more package: pip install 'pytest-bwa[timestamp]'"


def stamp(run: Path, url: str) -> Path:
    """Ask the authority at ``url`` for a timestamp of the run's manifest and write it beside it;
    return its file. Raises InputError, or EvidenceError if the authority sends none."""
    if not url.startswith(("http://", "https://")):
        raise InputError(f"{url} is no web address of a timestamp authority")
    try:
        from rfc3161_client import HashAlgorithm, TimestampRequestBuilder, decode_timestamp_response
    except ImportError:
        raise InputError(MISSING) from None
    content = (run / MANIFEST).read_bytes()
    query = TimestampRequestBuilder().data(content).hash_algorithm(HashAlgorithm.SHA256).build()
    reply = _send(url, query.as_bytes())
    try:
        token = decode_timestamp_response(reply).tst_info
    except ValueError as error:
        raise EvidenceError(f"{url} sent no timestamp: {error}") from None
    if (token.nonce, token.message_imprint.message) != (query.nonce, _digest(run)):
        raise EvidenceError(f"{url} sent the timestamp of something else")
    write_atomically(run / TIMESTAMP, reply)
    return run / TIMESTAMP


def check_timestamp(folder: Path, authority: Path | None) -> tuple[list[Fault], list[str]]:
    """What is wrong with the timestamp of a run, and a line that says what it proves; without the
    authority's certificate nothing is checked. Raises InputError for a file that is none."""
    roots = None if authority is None else _certificates(authority)
    if not (folder / TIMESTAMP).is_file():
        return ([] if authority is None else [Fault(TIMESTAMP, "is missing")]), []
    if roots is None:
        unchecked = f"{TIMESTAMP} was not checked: pass --tsa-cert with the authority's certificate"
        return [], [unchecked]
    from rfc3161_client import VerificationError, VerifierBuilder, decode_timestamp_response

    try:
        response = decode_timestamp_response((folder / TIMESTAMP).read_bytes())
        moment = response.tst_info.gen_time
        VerifierBuilder(roots=roots).build().verify(response, _digest(folder))
    except ValueError:
        return [Fault(TIMESTAMP, "is no timestamp")], []
    except VerificationError as error:
        return [Fault(TIMESTAMP, f"does not prove when {MANIFEST} was written: {error}")], []
    return [], [f"{MANIFEST} existed at {moment.isoformat()}, by the authority of {authority}"]


def _digest(folder: Path) -> bytes:
    return bytes.fromhex(manifest_digest(folder))


def _send(url: str, query: bytes) -> bytes:
    headers = {"Content-Type": "application/timestamp-query"}
    request = urllib.request.Request(url, query, headers)
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as reply:
            content: bytes = reply.read(MAX_BYTES)
    except (OSError, urllib.error.URLError) as error:
        raise EvidenceError(f"{url} sent no timestamp: {error}") from None
    return content


def _certificates(file: Path) -> list[Certificate]:
    try:
        import rfc3161_client  # noqa: F401 - says whether the extra is there
        from cryptography.x509 import load_pem_x509_certificates
    except ImportError:
        raise InputError(MISSING) from None
    try:
        return load_pem_x509_certificates(file.read_bytes())
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}") from None
    except ValueError:
        raise InputError(f"{file} has no certificate in PEM form") from None
