"""What somebody puts into a run folder is named by ``--resume``, and no manifest names it."""

from __future__ import annotations

from pathlib import Path

from audit_folder import AuditFolder

from pytest_bwa.reports.verify.bag import make_bag
from pytest_bwa.reports.verify.verify import verify

MANIFEST = "manifest-sha256.txt"
SYSTEM = (".DS_Store", "adam/Thumbs.db", "adam/desktop.ini", "zoe/._result.json",
          ".~lock.combined.csv#", "~$combined.xlsx")  # fmt: skip


def faults(folder: Path) -> list[str]:
    return [str(fault) for fault in verify(folder).faults]


def test_a_resumed_run_seals_only_what_its_sessions_wrote(audit_folder: AuditFolder) -> None:
    audit_folder.samples("adam", "bob", "gone")
    assert audit_folder.audit("-n", "1").counts() == {"passed": 2, "failed": 1}
    run = audit_folder.folder
    sealed = {name: (run / name / MANIFEST).read_bytes() for name in ("adam", "bob")}
    (run / "adam/added.txt").write_text("by hand")
    (run / "gone/added.txt").write_text("by hand, too")
    (run / "notes").mkdir()
    (run / "notes/mine.md").write_text("mine")
    (run / "adam copy").mkdir()
    for path in (run / "adam").glob("*.*"):
        (run / "adam copy" / path.name).write_bytes(path.read_bytes())
    for name in (".DS_Store", "adam/Thumbs.db"):
        (run / name).write_text("")
    # What is not as it was written is no result to keep.
    log = run / "bob/action_log.json"
    log.write_text(log.read_text().replace("Record", "Rekord"))

    again = audit_folder.audit("--resume", "-n", "1")
    assert again.counts() == {"passed": 2, "failed": 1}, again.text
    named = "adam copy/01_record.framed.png, adam copy/01_record.png"
    assert f"bwa: warning: {named}" in again.text
    assert "no session of this run wrote them" in again.text
    assert "bob ran again: action_log.json was not as the run had written it" in again.text
    assert "adam ran again" not in again.text
    assert audit_folder.record()["results_out"] == {"done": 2, "failed": 1}, "not of the copy"
    assert (run / "adam" / MANIFEST).read_bytes() == sealed["adam"]
    assert (run / "bob" / MANIFEST).read_bytes() != sealed["bob"]
    sealed_now = (run / MANIFEST).read_text()
    assert "adam/added.txt" not in sealed_now
    assert "mine.md" not in sealed_now
    assert "attempts/1/added.txt" not in sealed_now, "it was moved with the attempt"
    assert "gone/attempts/1/result.json" in sealed_now
    assert {line.partition(":")[0] for line in faults(run) if "added later" in line} >= {
        "adam/added.txt", "gone/attempts/1/added.txt", "notes/mine.md", "adam copy/result.json",
    }  # fmt: skip

    # Also by a session after that one; without them the run is whole.
    assert "warning: adam copy/" in audit_folder.audit("--resume", "-k", "adam").text
    assert "gone/attempts/1/added.txt: is not in the manifest: it was added later" in faults(run)
    for name in ("adam/added.txt", "gone/attempts/1/added.txt", "notes/mine.md"):
        (run / name).unlink()
    for path in (run / "adam copy").iterdir():
        path.unlink()
    assert faults(run) == []
    last = audit_folder.audit("--resume", "-k", "adam")
    assert "no session of this run" not in last.text

    # The run's own list decides what is run, so another one is refused.
    listed = run / "samples.csv"
    listed.write_bytes(listed.read_bytes().replace(b"bob", b"rob"))
    refused = audit_folder.run("--resume")
    assert refused.status == 4
    assert "samples.csv in it was changed since the run wrote it" in refused.text


def test_files_of_the_system_are_noted_and_go_nowhere(audit_folder: AuditFolder) -> None:
    audit_folder.samples("adam", "zoe")
    assert audit_folder.audit().counts() == {"passed": 2}
    run = audit_folder.folder
    files = verify(run).files
    for name in SYSTEM:
        (run / name).write_text("left")
    checked = verify(run)
    assert (checked.faults, checked.files) == ((), files)
    assert sorted(checked.system_files) == sorted(SYSTEM)
    assert "and 1 more: left there by another program" in checked.lines()[0]
    assert verify(run / "adam").system_files == ("Thumbs.db", "desktop.ini")
    bag = make_bag(run, audit_folder.path / "bag")
    assert not [name for name in SYSTEM if (bag / "data" / name).exists()]
    assert audit_folder.audit("--resume").status == 0
    assert verify(run).ok
    assert "Thumbs" not in (run / MANIFEST).read_text()
