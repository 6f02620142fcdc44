"""A person approves what a sample would write: on the reviewer's page, or in the terminal."""

from __future__ import annotations

import csv
import os
import pty
import subprocess
import threading
from pathlib import Path

from audit_folder import AuditFolder, wait_until
from playwright.sync_api import Browser, expect
from test_approvals import FORM, PIN, SPEC

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.review.server import ReviewServer


def given(audit_folder: AuditFolder, *names: str) -> None:
    audit_folder.spec(**SPEC)
    site = audit_folder.site
    with (audit_folder.path / "samples.csv").open("w", newline="") as stream:
        rows = [[name, f"{site.url}/{name}", f"Ann {name}", PIN] for name in names]
        csv.writer(stream).writerows([["sample_id", "url", "Name", "Pin"], *rows])
    for name in names:
        site.pages[f"/{name}"] = FORM.format(name=name)
        site.pages[f"/save/{name}"] = "<h1>Badge ordered</h1>"


def test_what_waits_is_approved_and_rejected_on_the_page(
    audit_folder: AuditFolder, browser: Browser, tmp_path: Path
):
    given(audit_folder, "kept", "refused")
    process = audit_folder.start("--task=spec.json", "--samples=samples.csv", "-n2")
    wait_until(lambda: list(audit_folder.path.glob("evidence/run_*/run.json")), "no run")
    server = ReviewServer(RunFolder(audit_folder.folder), "Ada L.")
    thread = threading.Thread(target=server.serve)
    thread.start()
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    try:
        page.goto(server.address)
        kept = page.get_by_role("listitem", name='kept: click button "Save"')
        expect(kept).to_contain_text("Ann kept", timeout=60_000)
        expect(kept).to_contain_text("***")
        assert PIN not in page.content()
        refused = page.get_by_role("listitem", name='refused: click button "Save"')
        expect(refused.locator(".frame")).to_be_visible(timeout=60_000)
        if where := os.environ.get("BWA_PICTURE"):
            page.screenshot(path=where)
        kept.get_by_role("button", name="Approve", exact=True).click()
        expect(kept).to_have_count(0)
        refused.get_by_label("Comment on refused").fill("not in June")
        refused.get_by_role("button", name="Reject").click()
        expect(page.locator("#approvals")).to_be_hidden()
    finally:
        page.close()
        server.end()
        thread.join()
        text, _ = process.communicate(timeout=120)
    assert audit_folder.result("kept")["status"] == "done", text
    assert "rejected by Ada L.: not in June" in audit_folder.result("refused")["reason"]
    assert "before a person approves it on the page of bwa review" in text


def test_what_waits_is_approved_in_the_terminal(audit_folder: AuditFolder):
    given(audit_folder, "kept")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        audit_folder.command("--task=spec.json", "--samples=samples.csv", "-n0"),
        cwd=audit_folder.path, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"},
    )  # fmt: skip
    os.close(theirs)
    sent, typed = "", False
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the last process has closed its end
            break
        sent += part.decode("utf-8", "replace")
        if not typed and "and Enter:" in sent:
            typed = True
            os.write(ours, b"y\n")
    os.close(ours)
    assert process.wait(timeout=60) == 0, sent
    assert 'kept waits for approval: click button "Save"' in sent
    assert PIN not in sent
    assert "or in this terminal" in sent
    assert audit_folder.result("kept")["status"] == "done"
