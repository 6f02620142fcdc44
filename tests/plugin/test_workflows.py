"""Runs the workflows on the practice sites and checks the answers."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from audit_folder import run_in_repository
from worker_killer import Killer

from pytest_bwa.reports.verify.verify import verify
from pytest_bwa.scale.cluster.run import Asked, run_on_cluster
from tasks.practice.blame import FILES
from tasks.practice.commits import COMMITS
from tasks.practice.contributors import PROFILES, TEAMS
from tasks.practice.people import PEOPLE
from tasks.practice.pulls import PROJECTS
from tasks.practice.serve import serve
from tasks.practice.tickets import MOVED, TICKETS

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Run every bound audit of workflows/ once with -n 2 and the rules policy."""
    evidence = tmp_path_factory.mktemp("workflows")
    ran = run_in_repository(
        "workflows/", "--policy=rules", "-n", "2", f"--evidence={evidence}",
        "--strict-markers", "-W", "error",
    )  # fmt: skip
    assert ran.status == 0, ran.text
    return {p.name.split("practice_")[1]: p for p in evidence.glob("run_*practice_*")}


def rows(run: Path) -> dict[str, dict[str, str]]:
    with (run / "combined.csv").open(newline="", encoding="utf-8-sig") as stream:
        return {row["sample_id"]: row for row in csv.DictReader(stream)}


def test_all_workflows_ran(runs):
    expected = {"tickets", "commits", "people", "blame", "form", "pulls", "contributors"}
    assert set(runs) == expected


def test_every_hash_is_right_and_every_judgment_refers_to_saved_artifacts(runs):
    count = 0
    for run in runs.values():
        for path in run.glob("*/result.json"):
            result: dict[str, Any] = json.loads(path.read_text())
            assert result["artifacts"], path
            for artifact in result["artifacts"]:
                data = (path.parent / artifact["filename"]).read_bytes()
                assert hashlib.sha256(data).hexdigest() == artifact["sha256"]
                count += 1
            if result["judgment"]:
                names = {a["filename"] for a in result["artifacts"]}
                assert set(result["judgment"]["evidence_refs"]) <= names
                assert result["flagged"]
    assert count > 60


def test_tickets_are_right(runs):
    rows_by_id = rows(runs["tickets"])
    for number, (_, assignee, due, *_) in TICKETS.items():
        if number in MOVED.values():
            continue
        row = rows_by_id[number]
        assert row["ticket_number"] == number
        assert row["assignee"] == (assignee or "Unassigned")
        assert row["due_date"] == {"Dec 9, 2026": "2026-12-09", None: ""}.get(due, due)
    outcomes = {n: rows_by_id[n]["outcome"] for n in ("ENG-110", "ENG-111", *MOVED)}
    assert outcomes == {"ENG-110": "not_found", "ENG-111": "not_found", "ENG-112": "other"}
    assert "deleted" in rows_by_id["ENG-111"]["notes"]


def without_times(table: Path) -> list[bytes]:
    """The lines of a table without times, and without the ports of the practice sites."""
    text = re.sub(rb"http://127.0.0.1:\d+", b"SITE", table.read_bytes())
    text = re.sub(rb"\d{4}-\d\d-\d\dT[\d:.]+Z,[\d.]+", b"TIME", text)
    return text.splitlines(keepends=True)


def test_the_tickets_on_a_cluster_are_the_plain_run_though_a_worker_is_killed(
    runs, tmp_path, monkeypatch
):
    for name in [name for name in os.environ if name.startswith(("ANTHROPIC_", "BWA_"))]:
        monkeypatch.delenv(name)
    task, listed = ROOT / "tasks/practice/tickets.yaml", ROOT / "tasks/practice/inputs/tickets.csv"
    killer, lines = Killer(["kill"], at=1), []
    with serve() as site:
        asked = Asked(
            task, listed, tmp_path, scheduler=None, local=2, run_id="run_1", resume=None,
            policy="rules", model=None, max_cost=None, chunk=7, arguments=[f"--base-url={site}"],
        )  # fmt: skip
        assert run_on_cluster(asked, lines.append) == 0, lines
    killer.check()  # no Chromium outlived it
    assert sum("runs again" in line for line in lines) == 1
    out, plain = tmp_path / "run_1", runs["tickets"]
    assert without_times(out / "combined.csv") == without_times(plain / "combined.csv")
    assert verify(out).faults == ()


def test_commits_are_right_and_the_state_of_checks_needs_review(runs):
    rows_by_id = rows(runs["commits"])
    for sha, commit in COMMITS.items():
        row = rows_by_id[sha]
        assert row["author"] == commit.author
        assert row["pr_number"] == (str(commit.pull) if commit.pull else "")
        assert row["pr_creator"] == commit.creator
        assert row["merger"] == commit.merger
        approvers = json.loads(row["approvers"]) if row["approvers"] else []
        assert approvers == list(commit.approvers)
        assert row["ticket_url"].endswith(commit.ticket)
        assert bool(row["ticket_url"]) == bool(commit.ticket)
        assert row["checks_failed"] == ""
        assert row["status"] == ("needs_review" if commit.pull else "done")
        assert row["judgment_answer"] == "inconclusive"


def test_people_are_right_and_people_with_the_same_name_are_never_guessed(runs):
    rows_by_id = rows(runs["people"])
    by_name = {(p.name, p.company): p for p in PEOPLE.values()}
    for row in rows_by_id.values():
        if row["status"] != "done":
            assert row["current_company"] == ""
            continue
        person = by_name[row["name"], row["current_company"]]
        assert row["school"] == person.school
        assert row["tenure"] == f"since {person.since}"
    assert "ambiguous" in rows_by_id["p-006"]["notes"]
    assert "Sign in to see" in rows_by_id["p-008"]["notes"]
    assert "not found" in rows_by_id["p-010"]["notes"]
    assert sum(row["status"] == "done" for row in rows_by_id.values()) == 7


def test_blame_finds_the_line(runs):
    for row in rows(runs["blame"]).values():
        name, line = next(
            (name, line)
            for name, lines in FILES.items()
            for line in lines
            if row["code_string"] in line.code
        )
        assert (row["file_path"], row["author"]) == (name, line.author)
        assert row["last_modified_date"] == line.date


def test_forms_are_submitted_with_the_given_values_and_the_report_is_saved(runs):
    for row in rows(runs["form"]).values():
        # The number is a hash of the submitted values: it is right only if every field is right.
        submitted = {
            name: row[name]
            for name in ("employee", "department", "cost_centre", "date", "amount", "purpose")
        }
        digest = hashlib.sha256(json.dumps(submitted, sort_keys=True).encode()).hexdigest()
        assert row["confirmation_number"] == "EX-" + digest[:6].upper()
        assert row["attachment_count"] == str(len(row["purpose"]) % 4)
        downloads = runs["form"] / row["sample_id"] / "downloads"
        report = downloads / f"report_{row['confirmation_number']}.csv"
        assert report.read_text().endswith("submitted\n")
        labels = {p.name[3:] for p in report.parent.parent.glob("*.png")}
        assert labels >= {"empty.png", "filled.png", "result.png"}


def test_the_pull_requests_are_right_over_several_list_pages(runs):
    rows_by_id = rows(runs["pulls"])
    for project, pulls in PROJECTS.items():
        actual = json.loads(rows_by_id[project]["pulls"])
        expected = [
            {
                "number": p.number,
                "author": p.author,
                "reviewers": list(p.reviewers) or None,
                "checks": p.checks,
                "changed_files": len(p.files),
            }
            for p in pulls[:5]
        ]
        assert actual == expected
        assert rows_by_id[project]["judgment_answer"] in ("inconclusive", "")
    assert int(rows_by_id["ledger"]["steps"]) > 30
    statuses = {name: row["status"] for name, row in rows_by_id.items()}
    assert statuses == {
        "ledger": "done", "portal": "done", "mailer": "partial_success", "ghost": "failed",
    }  # fmt: skip


def test_contributors_are_right_and_missing_values_are_not_invented(runs):
    rows_by_id = rows(runs["contributors"])
    for project, team in TEAMS.items():
        for entry, (username, _) in zip(
            json.loads(rows_by_id[project]["contributors"]), team[:3], strict=True
        ):
            profile = PROFILES[username]
            assert entry["username"] == username
            assert entry["name"] == profile.name
            assert entry["followers"] == profile.followers
            assert entry.get("company", "") == profile.company
            assert entry.get("location", "") == profile.location
