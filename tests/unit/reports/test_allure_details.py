"""What Allure is given beside the steps: judgment, cost, several audits, history and executor."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner
from unit.reports.test_allure_html import install_allure
from unit.reports.test_registry import a_result, run  # noqa: F401

from pytest_bwa.cli import app
from pytest_bwa.evidence.files import write_json
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import Judgment
from pytest_bwa.evidence.run_record import RecipeRecord
from pytest_bwa.reports.allure_report.build import build, write_results
from pytest_bwa.reports.allure_report.replaced import HISTORY_3, earlier_history, keep_history
from pytest_bwa.reports.allure_report.run_facts import executor
from pytest_bwa.reports.allure_report.texts import TRACE, type_of, without_quotes
from pytest_bwa.steps.artifacts import Artifact

JUDGED = Judgment(
    answer="no", confidence=0.9, reasoning="the page names another", evidence_refs=["01_page.png"]
)


def written_in(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in folder.glob("*-result.json")]


def label(test: dict[str, Any], name: str) -> str:
    (found,) = (entry["value"] for entry in test["labels"] if entry["name"] == name)
    return str(found)


def test_the_judgment_is_a_step_with_question_reasoning_and_pictures(run, tmp_path):  # noqa: F811
    spec = json.loads((run.path / "task_spec.json").read_text())
    write_json(run.path / "task_spec.json", {**spec, "judgment_question": "Is it his?"})
    picture = Artifact(
        filename="01_page.png", sha256="0", source_url="https://x.example", label="page", step=1,
        timestamp="2026-11-21T09:00:00.000Z",
    )  # fmt: skip
    Image.new("RGB", (40, 40), "white").save(run.sample("adam") / "01_page.png")
    adam = a_result("adam", "done", judgment=JUDGED, artifacts=[picture])
    write_json(run.sample("adam") / "result.json", adam)
    write_results([run], tmp_path)
    (test,) = (test for test in written_in(tmp_path) if test["name"] == "adam")
    step = test["steps"][-1]
    assert step["name"] == "judgment: no (0.9)"
    assert {p["name"]: p["value"] for p in step["parameters"]} == {
        "question": "Is it his?", "reasoning": "the page names another",
    }  # fmt: skip
    (attached,) = step["attachments"]
    assert (attached["name"], attached["type"]) == ("01_page.png", "image/png")
    assert "cost: $0.5000 in 1 model calls" in test["description"]
    environment = (tmp_path / "environment.properties").read_text()
    assert "cost=$1.0000 in 2 model calls\n" in environment


def test_the_environment_has_the_figures_of_the_recipe(run, tmp_path):  # noqa: F811
    used = RecipeRecord(mode="learn", learnt_from=["x", "y", "z"], replayed=1, healed=1)
    run.update(recipe=used)
    write_results([run], tmp_path)
    environment = (tmp_path / "environment.properties").read_text()
    assert "recipe=learnt from 3, 1 replayed, 1 healed\n" in environment


def test_several_runs_of_one_task_are_several_audits(run, tmp_path):  # noqa: F811
    shutil.copytree(run.path, tmp_path / "run_y")
    record = json.loads((run.path / "run.json").read_text())
    write_json(tmp_path / "run_y" / "run.json", {**record, "run_id": "run_y"})
    target = tmp_path / "results"
    target.mkdir()
    write_results([run, RunFolder(tmp_path / "run_y")], target)
    tests = written_in(target)
    assert {(label(test, "suite"), label(test, "subSuite")) for test in tests} == {
        (f"hr ({name})", ending) for name in ("run_x", "run_y") for ending in ("done", "failed")
    }
    assert len({test["historyId"] for test in tests}) == 4
    lines = (target / "environment.properties").read_text().splitlines()
    assert {"1.task=hr (run_x)", "2.task=hr (run_y)", "2.run=run_y"} <= set(lines)


def test_what_is_too_large_for_one_file_is_a_folder_and_says_how_to_open_it(
    run, tmp_path, monkeypatch  # noqa: F811
):  # fmt: skip
    install_allure(tmp_path, "3.18.0")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    command = ["report", "run_x", f"--evidence={tmp_path}", f"--output={tmp_path / 'report'}"]
    small = CliRunner().invoke(app, command)
    assert "It is one file" in small.output
    monkeypatch.setattr(f"{build.__module__}.SINGLE_FILE_BYTES", 10)
    large = CliRunner().invoke(app, command)
    assert "python -m http.server --directory" in large.output
    assert CliRunner().invoke(app, [*command, "run_z"]).exit_code == 2
    install_allure(tmp_path, "2.13.0")
    monkeypatch.setattr(f"{build.__module__}.SINGLE_FILE_BYTES", 10**9)
    assert not build([run], tmp_path / "report").is_single_file


def test_a_report_of_the_same_runs_takes_its_own_place_in_the_history(tmp_path):
    output = tmp_path / "report"
    output.mkdir()

    def make(*runs: str) -> list[str]:
        work = tmp_path / "work"
        work.mkdir()
        history = work / "history"
        earlier_history(output, runs, history)
        history.mkdir(exist_ok=True)
        with (history / HISTORY_3).open("a") as lines:
            lines.write(f"{runs[0]}\n")
        keep_history(output, runs, history)
        made = (history / HISTORY_3).read_text().split()
        shutil.rmtree(work)
        return made

    assert [make("a"), make("a"), make("b"), make("b"), make("c")] == [
        ["a"], ["a"], ["a", "b"], ["a", "b"], ["a", "b", "c"],
    ]  # fmt: skip


def test_the_history_within_the_page_of_a_single_file_is_kept(tmp_path):
    output = tmp_path / "report"
    output.mkdir()
    trend = base64.b64encode(b"[1]").decode()
    page = f"<script>d('history/history-trend.json','{trend}'),\nd('data/x.json','AA==')</script>"
    (output / "index.html").write_text(page)
    keep_history(output, ["a"], tmp_path / "work" / "history")
    earlier_history(output, ["b"], tmp_path / "work" / "history")
    found = [p for p in (tmp_path / "work" / "history").rglob("*") if p.is_file()]
    assert [(p.parent.name, p.name, p.read_bytes()) for p in found] == [
        ("history", "history-trend.json", b"[1]")
    ]


def _has_allure_2() -> bool:
    program = shutil.which("allure")
    command = [program or "", "--version"]
    return bool(program) and subprocess.run(command, capture_output=True).stdout.startswith(b"2")


@pytest.mark.skipif(not _has_allure_2(), reason="Allure 2 is not installed (npm, Java)")
def test_allure_2_builds_single_files_that_carry_their_history(run, tmp_path):  # noqa: F811
    other = tmp_path / "run_y"
    shutil.copytree(run.path, other)
    record = json.loads((run.path / "run.json").read_text())
    write_json(other / "run.json", {**record, "run_id": "run_y"})
    output = tmp_path / "report"
    for folders in ([run], [RunFolder(other), run]):
        built = build(folders, output)
        assert (built.is_single_file, built.program.startswith("Allure 2")) == (True, True)
    page = built.page.read_text("utf-8")
    assert "googletagmanager" not in page
    (trend,) = re.findall(r"d\('history/history-trend.json','([^']+)'\)", page)
    totals = [entry["data"]["total"] for entry in json.loads(base64.b64decode(trend))]
    assert totals == [2 * totals[1], totals[1]], "the newest first"


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, {}),
        (
            {
                "GITHUB_ACTIONS": "true", "GITHUB_SERVER_URL": "https://github.com",
                "GITHUB_REPOSITORY": "a/b", "GITHUB_RUN_ID": "77", "GITHUB_RUN_NUMBER": "5",
                "GITHUB_WORKFLOW": "audit",
            },
            {
                "type": "github", "name": "GitHub Actions", "buildName": "audit #5",
                "buildOrder": 5, "buildUrl": "https://github.com/a/b/actions/runs/77",
            },
        ),
        (
            {"GITLAB_CI": "true", "CI_JOB_NAME": "audit", "CI_JOB_URL": "https://g/1"},
            {
                "type": "gitlab", "name": "GitLab CI", "buildName": "audit",
                "buildUrl": "https://g/1",
            },
        ),
        (
            {"JENKINS_URL": "https://j", "BUILD_NUMBER": "9", "BUILD_URL": "https://j/9"},
            {
                "type": "jenkins", "name": "Jenkins", "buildName": "Jenkins #9", "buildOrder": 9,
                "buildUrl": "https://j/9",
            },
        ),
    ],
)  # fmt: skip
def test_the_ci_job_is_the_executor(environment, expected):
    assert executor(environment) == expected


def test_types_and_parameters_are_plain():
    assert type_of("downloads/list.CSV") == ("text/csv", "csv")
    assert type_of("recordings/trace.zip") == (TRACE, "zip")
    assert type_of("recordings/video.webm") == ("video/webm", "webm")
    assert type_of("downloads/no_ending") == ("application/octet-stream", "bin")
    assert [without_quotes(text) for text in ("'a b'", "3", "it's")] == ["a b", "3", "it's"]
