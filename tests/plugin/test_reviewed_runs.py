"""A run whose judgments stay open: it fails if that is asked for, and people decide afterwards."""

from __future__ import annotations

import json
import subprocess
import zipfile
from xml.etree import ElementTree

import openpyxl
from audit_folder import AuditFolder
from forked_pytest import forked_pytest

from pytest_bwa.reports.verify.verify import verify

PIN = "never-in-a-table-4711"


def test_open_judgments_fail_if_asked_are_reviewed_and_survive_a_resume(audit_folder: AuditFolder):
    judgment = {"judgment_required": True, "judgment_question": "Is it open?"}
    audit_folder.spec(**judgment, secrets={"pin": {"column": "pin"}})
    audit_folder.samples("adam", "zoe")
    path = audit_folder.path / "samples.csv"
    first, *rows = path.read_text().splitlines()
    path.write_text("\n".join([f"{first},pin", *(f"{row},{PIN}" for row in rows)]))
    (audit_folder.path / "pytest.ini").write_text("[pytest]\nbwa_combined = csv, xlsx\n")

    ran = audit_folder.audit("-n", "2", "--fail-on=inconclusive", "--junitxml=junit.xml")
    assert (ran.status, ran.counts()) == (1, {"failed": 2}), ran.text
    assert "adam: done (inconclusive)" in ran.text
    assert "samples   2: 2 failed by --fail-on" in ran.text
    assert "review    2 inconclusive: adam, zoe" in ran.text
    assert audit_folder.record()["fail_on"] == ["inconclusive"]
    suite = ElementTree.parse(audit_folder.path / "junit.xml")
    values = {p.get("name", "").split(".")[0]: p.get("value") for p in suite.iter("property")}
    assert values["bwa_inconclusive"] == "2: adam, zoe"

    run = audit_folder.folder
    sheet = openpyxl.load_workbook(run / "combined.xlsx")["samples"]
    names = [cell.value for cell in sheet[1]]
    adam = dict(zip(names, sheet[2], strict=True))
    assert adam["final_url"].value == f"{audit_folder.site.url}/adam"
    assert adam["start_date"].is_date
    assert adam["seconds"].value > 0
    with zipfile.ZipFile(run / "combined.xlsx") as parts:
        assert not [n for n in parts.namelist() if PIN.encode() in parts.read(n)]
    assert adam["pin"].value == "<secret:pin>"

    command = [forked_pytest().commands / "bwa", "review", "--reviewer", "ada", str(run)]
    answers = "a\ns\nc\nyes\nthe heading says so\n"
    done = subprocess.run(command, input=answers, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "decisions by ada written: 2" in done.stdout
    lines = [json.loads(line) for line in (run / "reviews.jsonl").read_text().splitlines()]
    assert [(line["field"], line["decision"], line["corrected"]) for line in lines] == [
        ("department", "accepted", None), ("answer", "corrected", "yes"),
    ]  # fmt: skip
    assert verify(run).ok, verify(run).faults

    ran = audit_folder.run(f"--resume={run}")
    assert (ran.status, ran.counts()) == (0, {"passed": 2}), ran.text
    found = verify(run)
    assert found.ok, found.faults
    assert found.reviews[0].startswith("reviews.jsonl: 2 reviews by ada; ")
    assert not (run / "adam/attempts").exists(), "a sample that passes now is not run again"
