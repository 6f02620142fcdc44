"""Signatures and timestamps of a run."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pytest_bwa.cli import app
from pytest_bwa.evidence.integrity.manifest import SIGNATURE, TIMESTAMP, write_manifests
from pytest_bwa.reports.verify.bag import make_bag

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the keys")
CONFIGURATION = """
[req]
distinguished_name = name
x509_extensions = tsa
prompt = no
[name]
CN = A timestamp authority
[root]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[tsa]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[authority]
serial = serial
default_policy = 1.2.3.4.1
digests = sha256
signer_digest = sha256
ess_cert_id_alg = sha256
"""


def openssl(folder: Path, command: str) -> None:
    subprocess.run(["openssl", *command.split()], cwd=folder, check=True, capture_output=True)


def bwa(*arguments: object) -> tuple[int, str]:
    ran = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return ran.exit_code, ran.output


@pytest.fixture(scope="module")
def keys(tmp_path_factory) -> Path:
    """Two pairs of keys, made with the lines of docs/proof.md."""
    folder = tmp_path_factory.mktemp("keys")
    for name in ("our", "other"):
        openssl(folder, f"genpkey -algorithm ed25519 -out {name}.key")
        openssl(folder, f"pkey -in {name}.key -pubout -out {name}.pub")
    return folder


def test_a_signed_run_verifies_with_the_public_key_and_with_sha256sum(run, keys, tmp_path):
    assert bwa("sign", run, "--key", keys / "our.key")[0] == 0
    status, text = bwa("verify", run, "--key", keys / "our.pub")
    assert (status, "signed with the key of" in text) == (0, True), text
    status, text = bwa("verify", run)
    assert (status, "was not checked: pass --key" in text) == (0, True), text
    subprocess.run(["sha256sum", "--check", "manifest-sha256.txt"], cwd=run, check=True)
    bag = make_bag(run, tmp_path / "bag")
    assert bwa("verify", bag / "data", "--key", keys / "our.pub")[0] == 0


def test_what_is_wrong_with_a_signature_is_one_line(run, keys):
    public = ("--key", keys / "our.pub")
    status, text = bwa("verify", run, *public)
    assert (status, text.splitlines()[0]) == (1, f"{SIGNATURE}: is missing: nobody signed this run")
    bwa("sign", run, "--key", keys / "our.key")
    signed = json.loads((run / SIGNATURE).read_text())
    status, text = bwa("verify", run, "--key", keys / "other.pub")
    assert (status, f"{SIGNATURE}: is not signed with the key of" in text) == (1, True), text
    # Whoever signs with another key and gives it our key's name is not believed.
    bwa("sign", run, "--key", keys / "other.key")
    forged = json.loads((run / SIGNATURE).read_text())
    forged["signatures"][0]["keyid"] = signed["signatures"][0]["keyid"]
    for content in (forged, {**signed, "signatures": []}, {**signed, "signatures": [None]}):
        (run / SIGNATURE).write_text(json.dumps(content))
        assert bwa("verify", run, *public)[0] == 1, content
    for content in ("[]", "{}", "null", '{"payload": 1}', "no JSON", json.dumps([signed])):
        (run / SIGNATURE).write_text(content)
        status, text = bwa("verify", run)
        assert (status, SIGNATURE in text) == (1, True), text


def test_the_signature_is_of_this_manifest_and_goes_with_it(run, keys):
    bwa("sign", run, "--key", keys / "our.key")
    signature = (run / SIGNATURE).read_bytes()
    (run / "notes.txt").write_text("added, and sealed anew")
    write_manifests(run)
    assert not (run / SIGNATURE).exists()
    (run / SIGNATURE).write_bytes(signature)
    status, text = bwa("verify", run, "--key", keys / "our.pub")
    assert (status, "is the signature of another manifest" in text) == (1, True), text
    # The name is reserved only in the folder of the run.
    (run / "adam" / SIGNATURE).write_bytes(signature)
    assert f"adam/{SIGNATURE}: is not in the manifest" in bwa("verify", run)[1]


def test_what_cannot_be_used_is_one_line(run, keys, monkeypatch):
    for arguments, expected in [
        (["sign", run, "--key", keys / "our.pub"], "is not a private Ed25519 key"),
        (["sign", run, "--key", keys / "none"], "cannot be read: No such file"),
        (["verify", run, "--key", keys / "our.key"], "is not a public Ed25519 key"),
        (["verify", run / "adam", "--key", keys / "our.pub"], "is one sample"),
        (["verify", run, "--tsa-cert", keys / "our.pub"], "has no certificate"),
        (["sign", run, "--tsa", "ftp://x"], "is not the web address"),
        (["sign", run, "--tsa", "http://127.0.0.1:9/"], "sent no timestamp"),
    ]:
        status, text = bwa(*arguments)
        assert (status, expected in text, text.count("\n")) == (2, True, 1), text
    monkeypatch.setitem(sys.modules, "securesystemslib.signer", None)
    status, text = bwa("sign", run, "--key", keys / "our.key")
    assert (status, "pip install 'pytest-bwa[sign]'" in text) == (2, True), text
    (run / "notes.txt").write_text("added")
    status, text = bwa("sign", run, "--key", keys / "our.key")
    assert (status, "does not verify: notes.txt" in text) == (1, True), text


@pytest.fixture(scope="module")
def authority(tmp_path_factory) -> Iterator[tuple[str, Path]]:
    """A timestamp authority: its address, and its folder with the certificate of its root."""
    folder = tmp_path_factory.mktemp("tsa")
    (folder / "tsa.cnf").write_text(CONFIGURATION)
    (folder / "serial").write_text("01\n")
    for line in (
        "req -x509 -config tsa.cnf -extensions root -newkey rsa:2048 -nodes -keyout root.key "
        "-out root.pem -subj /CN=Root -days 9",
        "req -new -config tsa.cnf -newkey rsa:2048 -nodes -keyout tsa.key -out tsa.csr",
        "x509 -req -in tsa.csr -CA root.pem -CAkey root.key -CAcreateserial -out tsa.pem "
        "-extfile tsa.cnf -extensions tsa -days 9",
        "req -x509 -config tsa.cnf -extensions root -newkey rsa:2048 -nodes -keyout other.key "
        "-out other.pem -subj /CN=Other -days 9",
    ):
        openssl(folder, line)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            (folder / "query.tsq").write_bytes(self.rfile.read(length))
            openssl(
                folder,
                "ts -reply -config tsa.cnf -section authority -queryfile query.tsq "
                "-signer tsa.pem -inkey tsa.key -out reply.tsr",
            )
            self.send_response(200)
            self.end_headers()
            self.wfile.write((folder / "reply.tsr").read_bytes())

        def log_message(self, *arguments: object) -> None:
            """Write no access log."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", folder
    server.shutdown()
    server.server_close()


def test_a_timestamp_verifies_with_the_authority_s_root_and_with_openssl(run, authority):
    url, folder = authority
    status, text = bwa("sign", run, "--tsa", url)
    assert status == 0, text
    status, text = bwa("verify", run, "--tsa-cert", folder / "root.pem")
    assert (status, "manifest-sha256.txt existed at 20" in text) == (0, True), text
    assert "was not checked: pass --tsa-cert" in bwa("verify", run)[1]
    openssl(run, f"ts -verify -data manifest-sha256.txt -in {TIMESTAMP} -CAfile {folder}/root.pem")


def test_a_timestamp_of_something_else_or_of_somebody_else_is_a_fault(run, authority):
    url, folder = authority
    root = ("--tsa-cert", folder / "root.pem")
    assert f"{TIMESTAMP}: is missing" in bwa("verify", run, *root)[1]
    bwa("sign", run, "--tsa", url)
    status, text = bwa("verify", run, "--tsa-cert", folder / "other.pem")
    assert (status, f"{TIMESTAMP}: does not prove when" in text) == (1, True), text
    stamped = (run / TIMESTAMP).read_bytes()
    (run / "notes.txt").write_text("added, and sealed anew")
    write_manifests(run)
    for content in (stamped, stamped[:-200], b"", b"no timestamp"):
        (run / TIMESTAMP).write_bytes(content)
        status, text = bwa("verify", run, *root)
        assert (status, text.startswith(f"{TIMESTAMP}: ")) == (1, True), text
