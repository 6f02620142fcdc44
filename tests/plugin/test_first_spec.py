"""A first spec, made by ``bwa init`` from pages of records."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from audit_folder import AuditFolder
from forked_pytest import forked_pytest
from local_site import Site

LEASE = """<!doctype html><html lang=en><title>Lease {n}</title><body><h1>Lease {n}</h1>
<p>{note}</p><p>Our flats</p>
<dl><dt>Tenant</dt><dd>{tenant}</dd><dt>Numéro de bail</dt><dd>B-00{n}</dd>
<dt>Start date</dt><dd>{n} May 2026</dd><dt>Deposit</dt><dd>€{n},250.50</dd>
<dt>Rooms</dt><dd>{n}</dd><dt>Furnished</dt><dd>{furnished}</dd><dt>Notice</dt><dd>{notice}</dd>
<dt>Tags</dt><dd><ul><li>north<li>flat {n}</ul></dd><dt>Meter</dt><dd id=meter>…</dd></dl>
<script>fetch("/meter", {{method: "POST", body: "{n}"}}).then((r) => r.text())
  .then((text) => (meter.textContent = text))</script>"""
LEASES = {
    3: {"tenant": "Ann Ash", "furnished": "Yes", "notice": "", "note": "Signed in Riga"},
    4: {"tenant": "Bo Birch", "furnished": "No", "notice": "2 months", "note": "Signed in Bern"},
}
SCHEMA = {
    "tenant": "string", "numero_de_bail": "string", "start_date": "date", "deposit": "number",
    "rooms": "integer", "furnished": "boolean", "notice": "string | null", "tags": "array",
    "meter": "string",
}  # fmt: skip


def init(audit: AuditFolder, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [forked_pytest().commands / "bwa", "init", *arguments]
    return subprocess.run(command, cwd=audit.path, text=True, capture_output=True, timeout=200)


def with_leases(site: Site) -> list[str]:
    """The addresses of two records."""
    for n, lease in LEASES.items():
        site.pages[f"/leases/{n}"] = LEASE.format(n=n, **lease)
    site.pages["/meter"] = lambda request, headers: f"No. M{request.body}"
    return [f"{site.url}/leases/{n}" for n in LEASES]


@pytest.fixture(scope="module")
def leases(
    new_audit_folder: Callable[[], AuditFolder],
) -> tuple[AuditFolder, str, dict[str, Any]]:
    """What was said of two records, and the spec that was written."""
    audit = new_audit_folder()
    made = init(audit, *with_leases(audit.site), "--out=first/leases.yaml")
    assert made.returncode == 0, made.stderr
    text = (audit.path / "first/leases.yaml").read_text("utf-8")
    return audit, made.stdout, yaml.safe_load(text) | {"text": text}


def test_each_labelled_value_becomes_a_field_as_all_pages_read(leases):
    audit, said, spec = leases
    assert spec["output_schema"] == SCHEMA
    assert spec["aliases"]["numero_de_bail"] == ["Numéro de bail"]
    assert "tenant: string  # Ann Ash · Bo Birch\n" in spec["text"]
    assert "notice: string | null  # (empty) · 2 months\n" in spec["text"]
    assert "#   text under “Lease 3”: “Signed in Riga”\n" in spec["text"]
    assert "Our flats" not in spec["text"]
    assert spec["allow_requests"] == [{"method": "POST", "path": "/meter"}]
    rows = [f"{n},{audit.site.url}/leases/{n}" for n in LEASES]
    assert (audit.path / "first/leases.csv").read_text().splitlines() == ["sample_id,url", *rows]
    assert len(said.splitlines()) == 3


def test_the_spec_runs_as_it_is(leases):
    audit, said, _ = leases
    command = next(line for line in said.splitlines() if line.startswith("Run it: "))
    words = command.split()[4:]
    assert words[0].startswith("--task"), command
    ran = audit.run(*words)
    assert ran.counts() == {"passed": 2}, ran.text
    first = audit.result("3")
    assert (first["status"], first["extracted"]) == ("done", {
        "tenant": "Ann Ash", "numero_de_bail": "B-003", "start_date": "2026-05-03",
        "deposit": 3250.5, "rooms": 3, "furnished": True, "notice": None,
        "tags": ["north", "flat 3"], "meter": "No. M3",
    })  # fmt: skip


def test_nothing_is_overwritten(leases):
    audit, _, spec = leases
    made = init(audit, f"{audit.site.url}/leases/3", "--out=first/leases.yaml")
    assert made.returncode == 2
    assert "is not overwritten" in made.stderr
    assert (audit.path / "first/leases.yaml").read_text("utf-8") == spec["text"]


LOGIN = "<h1>Sign in</h1><form><label>Name <input></label><input type=password></form>"
PLAIN = "<h1>About us</h1><p>We let flats.</p>"
ENTRY = "<li><a href=/leases/{n}>Lease {n}</a> <b>Riga</b></li>"
LIST = "<h1>Leases</h1><p>Leases: 3</p><ul>" + "".join(ENTRY.format(n=n) for n in range(3))
PDF = (200, {"Content-Type": "application/pdf"}, b"%PDF-1.4 damaged")
BAD = {
    "/gone": (None, "HTTP 404"),
    "/login": (LOGIN, "asks for a login: save one with `bwa login NAME"),
    "/about": (PLAIN, "labels no value that can be read: give the page of one record"),
    "/leases": (LIST, "a list (3 links such as /leases/*): give the address of one of its entries"),
    "/lease.pdf": (PDF, "is a PDF, which labels nothing: give the page of the record"),
    "http://127.0.0.1:1/x": (None, "the browser opens no page at this port"),
    "file:///etc/passwd": (None, "only http and https can be opened"),
}


@pytest.mark.parametrize("path", BAD)
def test_what_is_no_record_is_refused_in_a_line_and_nothing_is_written(
    audit_folder: AuditFolder, path: str
):
    page, says = BAD[path]
    if page:
        audit_folder.site.pages[path] = page
    before = sorted(audit_folder.path.iterdir())
    url = f"{audit_folder.site.url}{path}" if path.startswith("/") else path
    made = init(audit_folder, url)
    assert (made.returncode, made.stdout, len(made.stderr.splitlines())) == (2, "", 1), made.stderr
    assert says in made.stderr
    assert sorted(audit_folder.path.iterdir()) == before
