"""What is said of a run's manifest once it is written: who signed it, and when it was there.

``bwa sign`` signs an in-toto statement that names the SHA-256 of the manifest, with Ed25519, in an
envelope of the form DSSE (Dead Simple Signing Envelope). ``bwa sign --tsa`` asks an authority of
the user's choice for an RFC 3161 timestamp of the manifest, which
``openssl ts -verify -data manifest-sha256.txt -in manifest-sha256.tsr`` reads, too. Both lie beside
the manifest."""

from __future__ import annotations

import base64
import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_bwa import __version__
from pytest_bwa.errors import EvidenceError, InputError
from pytest_bwa.evidence.files import write_atomically, write_json
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.integrity.manifest import MANIFEST, SIGNATURE, TIMESTAMP, manifest_digest
from pytest_bwa.reports.verify.fault import Fault, Unreadable, read_json
from pytest_bwa.steps.step import utc_now

if TYPE_CHECKING:
    from cryptography.x509 import Certificate
    from securesystemslib.signer import CryptoSigner, SSlibKey


PAYLOAD_TYPE = "application/vnd.in-toto+json"
STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "urn:pytest-bwa:run:1"
SECONDS = 30
MAX_BYTES = 1_000_000
NO_TIMESTAMPS = "timestamps need one more package: pip install 'pytest-bwa[timestamp]'"
NO_SIGNATURES = "signatures need one more package: pip install 'pytest-bwa[sign]'"


def sign(run: Path, key: Path) -> Path:
    """Write the signature of a run that verifies; return its file. Raises InputError for a key that
    cannot be used, EvidenceError if the disk refuses it."""
    signer = _signer(key)
    from securesystemslib.dsse import Envelope  # optional: an extra

    record = RunFolder(run).record()
    statement = {
        "_type": STATEMENT,
        "subject": [{"name": MANIFEST, "digest": {"sha256": manifest_digest(run)}}],
        "predicateType": PREDICATE,
        "predicate": {
            "run_id": record.run_id,
            "task_id": record.task_id,
            "signed_at": utc_now(),
            "software": f"pytest-bwa {__version__}",
        },
    }
    envelope = Envelope(json.dumps(statement).encode(), PAYLOAD_TYPE, {})
    envelope.sign(signer)
    write_json(run / SIGNATURE, envelope.to_dict())
    return run / SIGNATURE


def check_signature(folder: Path, key: Path | None) -> tuple[list[Fault], list[str]]:
    """What is wrong with the signature of a run, and a line that says what it proves. Without a key
    only what it says it was made of is checked. Raises InputError for a key that cannot be used."""
    public = None if key is None else _public_key(key)
    if not (folder / SIGNATURE).is_file():
        return ([] if key is None else [Fault(SIGNATURE, "is missing: nobody signed this run")]), []
    try:
        content = read_json(folder / SIGNATURE)
        subjects = _statement(content)["subject"]
        digests = [s["digest"]["sha256"] for s in subjects if s["name"] == MANIFEST]
    except Unreadable as problem:
        return [Fault(SIGNATURE, str(problem))], []
    except (KeyError, TypeError, ValueError, RecursionError):
        return [Fault(SIGNATURE, "is not a DSSE signature of a run")], []
    if digests != [manifest_digest(folder)]:
        return [Fault(SIGNATURE, f"is the signature of another {MANIFEST}")], []
    if public is None:
        return [], [f"{SIGNATURE} was not checked: pass --key with the public key of the signer"]
    if not _is_signed(content, public):
        return [Fault(SIGNATURE, f"is not signed with the key of {key}")], []
    return [], [f"signed with the key of {key}"]


def _statement(content: Any) -> dict[str, Any]:
    """Raises KeyError, TypeError or ValueError if it is none."""
    if content["payloadType"] != PAYLOAD_TYPE:
        raise ValueError(content["payloadType"])
    statement: dict[str, Any] = json.loads(base64.b64decode(content["payload"]))
    if statement["_type"] != STATEMENT or statement["predicateType"] != PREDICATE:
        raise ValueError(statement["_type"])
    return statement


def _is_signed(content: Any, public: SSlibKey) -> bool:
    from securesystemslib.dsse import Envelope
    from securesystemslib.exceptions import Error

    try:
        Envelope.from_dict(content).verify([public], 1)
    except (Error, KeyError, TypeError, ValueError, AttributeError):
        return False
    return True


def _signer(file: Path) -> CryptoSigner:
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key
        from securesystemslib.signer import CryptoSigner
    except ImportError:
        raise InputError(NO_SIGNATURES) from None
    try:
        private = load_pem_private_key(_content(file), None)
    except TypeError:
        raise InputError(f"{file} is protected by a password: pass a key without one") from None
    except ValueError:
        private = None
    if not isinstance(private, Ed25519PrivateKey):
        raise InputError(f"{file} is not a private Ed25519 key in PEM form")
    return CryptoSigner(private)


def _public_key(file: Path) -> SSlibKey:
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        from cryptography.hazmat.primitives.serialization import load_pem_public_key
        from securesystemslib.signer import SSlibKey
    except ImportError:
        raise InputError(NO_SIGNATURES) from None
    try:
        public = load_pem_public_key(_content(file))
    except ValueError:
        public = None
    if not isinstance(public, Ed25519PublicKey):
        raise InputError(f"{file} is not a public Ed25519 key in PEM form")
    return SSlibKey.from_crypto(public)


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}") from None


# -- the timestamp --------------------------------------------------------------------------------


def stamp(run: Path, url: str) -> Path:
    """Ask the authority at ``url`` for a timestamp of the run's manifest and write it beside it;
    return its file. Raises InputError, or EvidenceError if the authority sends none."""
    if not url.startswith(("http://", "https://")):
        raise InputError(f"{url} is not the web address of a timestamp authority")
    try:
        from rfc3161_client import HashAlgorithm, TimestampRequestBuilder, decode_timestamp_response
    except ImportError:
        raise InputError(NO_TIMESTAMPS) from None
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
        return [Fault(TIMESTAMP, "is not a timestamp")], []
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
        raise InputError(NO_TIMESTAMPS) from None
    try:
        return load_pem_x509_certificates(file.read_bytes())
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}") from None
    except ValueError:
        raise InputError(f"{file} has no certificate in PEM form") from None
