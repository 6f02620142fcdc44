"""A list that knows what the site ought to show: what a run says of it, and who is told."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest
from audit_folder import RECORD, AuditFolder, FinishedRun
from test_bad_input import error_line
from test_memory import START, Model
from wire.messages_server import MessagesServer

from pytest_bwa.evidence.integrity.manifest import write_manifests
from pytest_bwa.reports.verify.verify import verify

NAMES = [f"row{number}" for number in range(8)]
CANARY = "Finance row1 but canary-7731"
"""What is expected of one row, and what no file may have that a policy was shown."""


def write_list(audit: AuditFolder) -> None:
    """Five of nine rows are known; of one, the department is another, and one is not there."""
    known = {
        "row0": ("Finance  row0", "2025-11-03", ""),
        "row1": (CANARY, "3 November 2025", ""),
        "row2": ("Finance row2", "", ""),
        "row3": ("", "null", ""),
        "gone": ("", "", "not_found"),
    }
    with (audit.path / "samples.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        columns = ("department", "start_date", "outcome")
        writer.writerow(["sample_id", "url", *(f"expected.{name}" for name in columns)])
        for name in [*NAMES, "gone"]:
            url = f"{audit.site.url}/{name}"
            writer.writerow([name, url, *known.get(name, ("", "", ""))])


@pytest.fixture(scope="module")
def reconciled(new_audit_folder) -> tuple[AuditFolder, FinishedRun]:
    audit = new_audit_folder()
    audit.samples(*NAMES)
    write_list(audit)
    audit.spec(not_found="pass")
    return audit, audit.audit("-n2", "--junitxml=junit.xml")


def test_a_difference_fails_its_sample_with_both_values_and_the_picture(reconciled):
    audit, run = reconciled
    assert run.counts() == {"passed": 7, "failed": 2}, run.text
    result = audit.result("row1")
    assert result["status"] == "done"
    assert result["expected"]["department"] == {
        "expected": CANARY,
        "found": "Finance row1",
        "equal": False,
    }
    assert result["expected"]["start_date"]["equal"] is True
    picture = result["grounding"]["department"]["artifact"]
    line = f"department: expected “{CANARY}”, found “Finance row1” ({picture})"
    assert f"row1: done (not_as_expected): {line}" in run.text
    other = audit.result("row3")["expected"]
    assert other == {"start_date": {"expected": None, "found": "2025-11-03", "equal": False}}


def test_the_summary_begins_with_what_was_expected_and_bounds_the_rest(reconciled):
    audit, run = reconciled
    summary = run.text.partition(" audit hr ")[2].splitlines()[1:]
    assert summary[0] == "expected  5 samples, 5 of 7 values as expected"
    assert summary[1].startswith("expected  3 of 5 known samples right: at least 18.9 % of all are")
    assert {line.split()[3] for line in summary[2:4]} == {"row1:", "row3:"}
    assert summary[4] == "samples   9: 6 done, 2 not as expected, 1 not found"
    assert sum(line.startswith("  ") and "row1: " in line for line in summary) == 1
    record = audit.record()["expected"]
    assert (record["samples"], record["values"], record["equal"]) == (5, 7, 5)
    assert (record["right"], record["wrong"], record["unknown"]) == (3, 2, 0)
    assert record["lower_bound"] == 0.1893
    assert record["fields"]["department"] == {"values": 3, "equal": 2, "lower_bound": 0.1354}
    page = (audit.folder / "index.html").read_text()
    assert "expected: 5 samples, 5 of 7 values as expected" in page
    assert '<option value="not_as_expected">' in page
    assert [page.count(f'">{word}</span></td>') for word in ("yes", "no")] == [3, 2]


def test_the_table_says_of_each_sample_whether_it_is_as_expected(reconciled):
    audit, _ = reconciled
    rows = {row["sample_id"]: row for row in audit.combined()}
    verdicts = {name: row["as_expected"] for name, row in rows.items()}
    assert verdicts == {
        "row0": "yes", "row1": "no", "row2": "yes", "row3": "no", "gone": "yes",
        **dict.fromkeys(("row4", "row5", "row6", "row7"), ""),
    }  # fmt: skip
    assert rows["row3"]["differences"] == "start_date: expected nothing, found “2025-11-03” " + (
        f"({audit.result('row3')['grounding']['start_date']['artifact']})"
    )
    assert not [column for column in rows["row1"] if column.startswith(("expected.", "input_"))]


def test_no_step_and_no_trajectory_has_what_is_expected(reconciled):
    audit, _ = reconciled
    shown = [p for p in audit.folder.rglob("*") if p.name in ("action_log.json", "trajectory.db")]
    assert len(shown) == 10
    assert not [path for path in shown if b"canary-7731" in path.read_bytes()]


def test_no_model_is_sent_what_is_expected(audit_folder, home):
    """Neither by steps and the lessons of a run, nor by those that a later run gets from it."""
    audit_folder.spec(required_artifacts=[])
    audit_folder.samples("adam", "zoe", "eve")
    for name, place in (("adam", "new"), ("zoe", "new"), ("eve", "old")):
        audit_folder.site.pages[f"/{name}"] = START.format(name=name)
        page = RECORD.format(name=name, department=f"Finance {name}")
        audit_folder.site.pages[f"/{place}/{name}"] = page
    listed = audit_folder.path / "samples.csv"
    header, *rows = listed.read_text().splitlines()
    known = [f"{header},expected.department", *(f"{row},{CANARY}" for row in rows)]
    listed.write_text("\n".join(known))
    with MessagesServer(Model(audit_folder.site.url)) as server:
        for name in ("run_one", "run_two"):
            ran = audit_folder.audit(
                f"--run-id={name}", "-rA", ANTHROPIC_BASE_URL=server.url,
                ANTHROPIC_API_KEY="sk-x", BWA_ENABLE_MEMORY_DISTILLATION="true",
            )  # fmt: skip
            assert ran.counts() == {"failed": 3}, ran.text
            assert CANARY in ran.text
    sent = "".join(json.dumps([dict(r.headers), r.body]) for r in server.requests)
    assert "Shown for" in sent
    assert "failed: goto /old/{sample_id} (no such page)" in sent, "what is distilled"
    assert "Open the record's own page." in sent, "what the second run learns"
    assert "canary-7731" not in sent
    kept = [path for path in home.rglob("*") if path.is_file()]
    assert kept
    assert not [path for path in kept if b"canary-7731" in path.read_bytes()]


def test_verify_compares_again_and_finds_a_verdict_that_was_forged(reconciled, tmp_path):
    audit, _ = reconciled
    assert verify(audit.folder).faults == ()
    run = Path(shutil.copytree(audit.folder, tmp_path / "run"))
    file = run / "row1" / "result.json"
    result = json.loads(file.read_text())
    result["expected"]["department"]["equal"] = True
    file.write_text(json.dumps(result))
    record = json.loads((run / "run.json").read_text())
    record["expected"] |= {"right": 5, "wrong": 0, "lower_bound": 0.5493}
    (run / "run.json").write_text(json.dumps(record))
    write_manifests(run)
    problems = {(fault.file, fault.problem) for fault in verify(run).faults}
    assert ("row1/result.json", "does not say what samples.csv expects of it") in problems
    assert ("run.json", "expected does not say how many known samples are right") in problems


def test_a_difference_may_only_be_reported_and_the_run_fails_by_the_share(reconciled):
    audit, _ = reconciled
    only_reported = audit.audit("-n0", "--expected=report", "--run-id=run_report", "-k", "row1")
    assert only_reported.counts()["passed"] == 1, only_reported.text
    assert only_reported.status == 0
    few = audit.audit(
        "-n0", "--expected=report", "--min-known-right=80", "--run-id=run_few", "-k", "row1 or row0"
    )
    assert few.counts()["passed"] == 2
    assert few.status == 1


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--expected=maybe"], "--expected takes fail or report"),
        (["--min-known-right=120"], "--min-known-right takes a percentage"),
        (["--min-known-right=90", "--samples=plain.csv"], "the list has no known rows"),
    ],
)
def test_what_cannot_be_reconciled_is_refused_in_one_line(reconciled, options, problem):
    audit, _ = reconciled
    (audit.path / "plain.csv").write_text(f"sample_id,url\nrow0,{audit.site.url}/row0\n")
    run = audit.run("--task=spec.json", "--samples=samples.csv", *options)
    assert problem in error_line(run)


PHONE = """<!doctype html><title>{name}</title><h1>Record {name}</h1>
<dl><dt>Department</dt><dd>Finance</dd><dt>{label}</dt><dd>555 01{number}</dd></dl>"""


def test_what_is_right_in_three_known_samples_clears_an_odd_place_of_all(audit_folder):
    """Of 20 records, most call it Phone, four otherwise, of which three are known, and one, which
    is known, too, otherwise again."""
    lines = ["sample_id,url,expected.phone"]
    for number, label in enumerate([*["Phone"] * 15, *["Telephone"] * 4, "Mobile"], 10):
        name = f"{label.lower()}{number}"
        page = PHONE.format(name=name, label=label, number=number)
        audit_folder.site.pages[f"/{name}"] = page
        known = f"555 01{number}" if number >= 26 else ""
        lines.append(f"{name},{audit_folder.site.url}/{name},{known}")
    (audit_folder.path / "samples.csv").write_text("\n".join(lines))
    audit_folder.spec(
        output_schema={"department": "string", "phone": "string"},
        aliases={"phone": ["Phone", "Telephone", "Mobile"]},
    )
    run = audit_folder.audit("-n0")
    assert run.counts() == {"passed": 20}, run.text
    about = "doubt about phone under “Telephone” (it stands elsewhere than in most samples)"
    by = "right in 3 known samples"
    assert f"expected  {about} cleared in 4 samples: {by}" in run.text
    assert audit_folder.record()["expected"]["cleared"] == [f"{about} cleared in 4 samples: {by}"]
    flagged = [row["sample_id"] for row in audit_folder.combined() if row["flagged"] == "true"]
    assert flagged == ["mobile29"]
    unknown = audit_folder.result("telephone25")
    assert unknown["notes"][-1] == f"{about} cleared: {by}"
    assert unknown["grounding"]["phone"]["doubts"] == ["odd"]
    assert f"{about} cleared" in (audit_folder.folder / "telephone25/index.html").read_text()
    assert verify(audit_folder.folder).faults == ()
