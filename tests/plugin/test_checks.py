"""A random part of a run is run again: what differs is flagged, and what is alike bounds the
rest."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from audit_folder import RECORD, AuditFolder, FinishedRun
from test_bad_input import error_line
from wire.messages_server import MessagesServer, Request, tool_use

from pytest_bwa.evidence.integrity.manifest import write_manifests
from pytest_bwa.reports.verify.verify import verify

NAMES = [f"row{number}" for number in range(7)]


@pytest.fixture(scope="module")
def checked(new_audit_folder) -> tuple[AuditFolder, FinishedRun, set[str], FinishedRun]:
    """Half of the rows are run again; then the pages change, and the others are, too."""
    audit = new_audit_folder()
    audit.samples(*NAMES)
    first = audit.audit("-n2", "--policy=rules", "--check=50")
    before = {check["sample_id"] for check in audit.record()["check"]["checks"]}
    for name in NAMES:
        audit.site.pages[f"/{name}"] = RECORD.format(name=name, department="Sales")
    again = audit.run("--resume", "--policy=rules", "--check=100", "-n0", "--alluredir=allure")
    return audit, first, before, again


def test_what_is_alike_bounds_the_rest(checked):
    _, first, before, _ = checked
    assert (first.status, first.counts()["passed"]) == (0, 7), first.text
    assert len(before) == 4  # the half that is even
    line = "check     4 of 4 samples read twice alike: at least 47.3 % of all are, at 95 %"
    assert line in first.text


def test_what_differs_is_flagged_with_both_values(checked):
    audit, _, before, again = checked
    record = audit.record()["check"]
    differing = {one["sample_id"]: one["differences"] for one in record["checks"]}
    assert {name for name, found in differing.items() if not found} == before
    assert (record["rate"], record["alike"], record["lower_bound"]) == (1.0, 4, 0.2253)
    assert again.status == 1, "one of the two is wrong"
    summary = again.text.partition(" audit hr ")[2].splitlines()[1:]
    for name in set(NAMES) - before:
        words = f"department was “Sales”, and not “Finance {name}”"
        assert differing[name] == {"department": {"first": f"Finance {name}", "again": "Sales"}}
        assert f"CHECK     DIFFERS: run again, {name}: {words}" in summary[:3]
        result = audit.result(name)
        assert (result["status"], result["flagged"]) == ("done", True)
        assert f"run again, {words}" in result["notes"]
        assert words in (audit.folder / name / "index.html").read_text()
        assert list((audit.folder / "recipe_checks" / name).glob("*.png"))
    assert not any(audit.result(name)["flagged"] for name in before)
    assert "check     4 of 7 samples read twice alike; all were read twice" in again.text
    assert "4 of 7 samples read twice alike" in (audit.folder / "index.html").read_text()


def test_only_what_was_not_checked_is_opened_again(checked):
    audit, _, _, _ = checked
    assert {name: audit.site.requests.count(f"/{name}") for name in NAMES} == dict.fromkeys(
        NAMES, 2
    )


def test_verify_compares_the_two_runs_again(checked, tmp_path):
    audit, _, before, _ = checked
    assert verify(audit.folder).faults == ()
    run = Path(shutil.copytree(audit.folder, tmp_path / "run"))
    name = min(set(NAMES) - before)
    file = run / "recipe_checks" / name / "check.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "differences": {}}))
    write_manifests(run)
    problem = "check does not say what the samples in recipe_checks do"
    assert problem in {fault.problem for fault in verify(run).faults}
    record = json.loads((run / "run.json").read_text())
    for check in record["check"]["checks"]:
        check["differences"] = {} if check["sample_id"] == name else check["differences"]
    record["check"] |= {"alike": 5, "lower_bound": 0.3413}
    (run / "run.json").write_text(json.dumps(record))
    write_manifests(run)
    (fault,) = verify(run).faults
    assert fault.problem == f"check does not say how {name} was read twice"


def test_another_model_checks_and_what_it_costs_counts(audit_folder):
    def script(request: Request):
        department = re.search(r"Finance \w+", request.prompt).group()
        return tool_use("done", extracted={"department": department, "start_date": "2025-11-03"})

    audit_folder.samples(*NAMES[:2])
    options = ("--policy=rules", "--check=100", "--check-model=claude-sonnet-5-5")
    with MessagesServer(script) as server:
        key = {"ANTHROPIC_API_KEY": "sk-test", "ANTHROPIC_BASE_URL": server.url}
        run = audit_folder.audit(*options, "-n0", "--max-cost=0.000001", **key)
    record = audit_folder.record()
    check = record["check"]
    assert run.counts() == {"passed": 1, "skipped": 1}, run.text
    (one,) = check["checks"]
    assert (check["model"], one["usage"]["calls"] > 0) == ("claude-sonnet-5-5", True)
    assert "calls of claude-sonnet-5-5" in run.text
    assert "spent of --max-cost" in record["exit_reason"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--recipe-check=5"], "--recipe-check is called --check now"),
        (["--check=120"], "--check takes a percentage from 0 to 100"),
        (["--check-model=claude-opus-5"], "--check-model says who checks: pass --check PERCENT"),
        (
            ["--check=5", "--check-model=claude-opus-5"],
            "--check-model claude-opus-5 needs a model: set ANTHROPIC_API_KEY",
        ),
        (["--check=5", "--recipe=only"], "--recipe only asks no policy, and --check does"),
        (
            ["--check=5", "--policy=replay", "--replay=x"],
            "--policy replay asks no policy, and --check does",
        ),
        (["--check=5", "--task=form.json"], "--check would send each form a second time"),
    ],
)
def test_what_cannot_be_checked_is_refused_in_one_line(checked, options, problem):
    audit = checked[0]
    spec = json.loads((audit.path / "spec.json").read_text())
    (audit.path / "form.json").write_text(json.dumps({**spec, "read_only": False}))
    before = audit.folders
    run = audit.audit("--policy=rules", *options)
    assert problem in error_line(run)
    assert audit.folders == before
