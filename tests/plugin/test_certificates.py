"""The certificates of a sample's sites are in its result and on its page, as the browser says."""

from __future__ import annotations

from pathlib import Path

from audit_folder import RECORD, AuditFolder
from local_site import Site
from secure_site import SecureSite, certificate

TRUSTING = """
import pytest

@pytest.fixture(scope="session")
def browser_context_args(browser_context_args):
    return {**browser_context_args, "ignore_https_errors": True}
"""
FRAME = '<iframe src="https://localhost:PORT/frame"></iframe>'


def test_certificates_are_recorded(site: Site, tmp_path: Path) -> None:
    secure = SecureSite(certificate(tmp_path), http2=False)
    record = RECORD.format(name="safe", department="Finance")
    secure.pages = {
        "/safe": ("text/html", record + FRAME.replace("PORT", str(secure.port))),
        "/frame": ("text/html", "<p>A frame.</p>"),
    }
    audit = AuditFolder(tmp_path, site)
    (tmp_path / "conftest.py").write_text(TRUSTING)
    audit.spec(allowed_domains=["127.0.0.1", "localhost"])
    audit.samples("plain")
    with (tmp_path / "samples.csv").open("a") as stream:
        stream.write(f"safe,{secure.url}/safe,\n")
    ran = audit.audit()
    secure.close()
    assert ran.counts() == {"passed": 2}, ran.text
    assert audit.result("plain")["certificates"] == []
    found = {entry.pop("site"): entry for entry in audit.result("safe")["certificates"]}
    assert set(found) == {f"127.0.0.1:{secure.port}", f"localhost:{secure.port}"}
    own = found[f"127.0.0.1:{secure.port}"]
    assert own == {
        "subject": "127.0.0.1", "issuer": "127.0.0.1", "protocol": "TLS 1.3",
        "valid_from": secure.valid_from, "valid_until": secure.valid_until,
    }  # fmt: skip
    page = (audit.folder / "safe" / "index.html").read_text()
    assert f"certificate of 127.0.0.1:{secure.port}" in page
    assert f"issued by 127.0.0.1, valid from {own['valid_from']}" in page
