"""Two runs beside each other: what counts as a difference, and what never does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pytest_bwa.cli import app
from pytest_bwa.evidence.files import write_json
from pytest_bwa.evidence.record import Judgment, SampleResult
from pytest_bwa.evidence.run_record import FileRecord, RunRecord
from pytest_bwa.steps.step import Artifact, Step, Usage

RESULT: dict[str, Any] = {"status": "done", "outcome": "found", "extracted": {"team": "Ops"}}


def step(action: str, number: int = 1, **more: Any) -> Step:
    common = {"result": "", "success": True, "url": "", "started_at": "", "timestamp": ""}
    return Step(step=number, action=action, **{**common, **more})


OPENED = step("goto", 0, params={"url": "http://one.test/ada"}, intent="open_sample")
CLICK = step("click", params={"selector": "Approve"})
LOG = [OPENED, CLICK, step("save_progress", 2), step("done", 3)]


def picture(state: str = "s", sha256: str = "h", name: str = "01_page.png") -> Artifact:
    common = {"source_url": "", "timestamp": "", "label": "page", "step": 1}
    return Artifact(filename=name, sha256=sha256, page_state=state, **common)


class Runs:
    """The evidence folder of a test."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(
        self, name: str, *, log: list[Step] = LOG, samples: str = "ada", **changes: Any
    ) -> None:
        run = {k: changes.pop(k) for k in ("base_url", "task_id") if k in changes}
        file = FileRecord(path="f", sha256="0")
        common = {"run_id": name, "policy": "rules", "started_at": name, "samples_in": 1}
        record = RunRecord(**{"task_id": "t", **common, **run}, spec=file, samples=file)
        (self.root / name).mkdir()
        write_json(self.root / name / "run.json", record)
        for sample_id in samples.split():
            folder = self.root / name / sample_id
            folder.mkdir()
            result = {**RESULT, "sample_id": sample_id, "task_id": "t", **changes}
            write_json(folder / "result.json", SampleResult(**result))
            write_json(folder / "action_log.json", log)

    def diff(self, *options: str) -> tuple[int, str]:
        ran = CliRunner().invoke(app, ["diff", "a", "b", "--evidence", str(self.root), *options])
        return ran.exit_code, ran.output


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    runs = Runs(tmp_path)
    runs.write("a")
    return runs


@pytest.mark.parametrize(
    "same",
    [
        {},
        {"policy": "claude", "model": "m", "usage": Usage(calls=3), "steps": 9},
        {"started_at": "2026", "finished_at": "2027", "flagged": True, "notes": ["a note"]},
        {"log": [OPENED, step("wait"), CLICK, step("click", success=False), step("done")]},
        {"log": [CLICK, step("scroll", intent="recovery"), step("look"), step("done")]},
    ],
)
def test_what_always_differs_does_not_count(runs, same):
    runs.write("b", **same)
    assert runs.diff() == (0, "no difference, 1 sample in both\n")


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"status": "needs_review"}, "ada status done needs_review"),
        ({"outcome": "blocked"}, "ada outcome found blocked"),
        ({"extracted": {"team": "Legal"}}, "ada value team Ops Legal"),
        ({"extracted": {}}, "ada value team Ops (missing)"),
        ({"log": [OPENED]}, "ada action 1 click Approve (missing)"),
        ({"log": [OPENED]}, "ada steps 1 0"),
        ({"log": [step("click", params={"selector": "Reject"})]},
         "ada action 1 click Approve click Reject"),
        ({"samples": "ada bob"}, "bob sample (missing) done"),
        ({"task_id": "other"}, "task t other"),
        ({"judgment": Judgment(answer="no", confidence=1, reasoning="r")},
         "ada judgment (missing) no"),
    ],
)  # fmt: skip
def test_what_the_runs_have_differently_is_named(runs, change, line):
    runs.write("b", **change)
    status, text = runs.diff()
    assert status == 1
    assert line in [" ".join(row.split()) for row in text.splitlines()]
    assert " difference" in text.splitlines()[-1]


def test_one_and_true_are_not_the_same_value(runs):
    runs.write("b", extracted={"team": True})
    runs.write("c", extracted={"team": 1})
    ran = CliRunner().invoke(app, ["diff", "b", "c", "--evidence", str(runs.root)])
    assert ran.exit_code == 1


def test_each_run_may_have_its_own_site(tmp_path):
    runs = Runs(tmp_path)
    for name, site in (("a", "http://one.test"), ("b", "http://127.0.0.1:8123")):
        log = [step("goto", params={"url": f"{site}/next"})]
        runs.write(name, base_url=site, extracted={"page": f"{site}/ada"}, log=log)
    assert runs.diff()[0] == 0


def test_a_server_that_runs_for_one_run_has_another_port_the_next_time(tmp_path):
    runs = Runs(tmp_path)
    for name, port in (("a", 8001), ("b", 8002)):
        link = f"http://localhost:{port + 100}/issue"
        runs.write(name, base_url=f"http://127.0.0.1:{port}", extracted={"link": link})
    assert runs.diff()[0] == 0


def test_another_address_is_another_value(runs):
    runs.write("b", extracted={"team": "http://localhost:1/x"})
    runs.write("c", extracted={"team": "http://localhost:2/x"})
    ran = CliRunner().invoke(app, ["diff", "b", "c", "--evidence", str(runs.root)])
    assert ran.exit_code == 1


def test_pictures_are_named_and_count_only_if_asked(runs):
    runs.write("b", artifacts=[picture()])
    status, text = runs.diff()
    assert status == 0
    assert "1 picture shows another state, which counts only with --pictures" in text
    assert runs.diff("--pictures")[0] == 1


@pytest.mark.parametrize(
    ("a", "b", "differs"),
    [
        (picture("s", "1"), picture("s", "2"), False),
        (picture("s", "1"), picture("t", "1"), False),
        (picture("s", "1"), picture("t", "2"), True),
        (picture("", "1"), picture("t", "1"), False),
        (picture("", "1"), picture("t", "2"), True),
    ],
)
def test_pictures_are_the_same_if_they_show_the_same_state(tmp_path, a, b, differs):
    runs = Runs(tmp_path)
    runs.write("a", artifacts=[a])
    runs.write("b", artifacts=[b])
    assert runs.diff("--pictures")[0] == int(differs)


def test_json_says_everything(runs):
    runs.write("b", extracted={"team": "Legal"})
    status, text = runs.diff("--json")
    found = json.loads(text)
    assert status == 1
    assert (found["run_a"], found["run_b"], found["differs"]) == ("a", "b", True)
    assert found["differences"] == [
        {"sample_id": "ada", "what": "value", "name": "team", "a": "Ops", "b": "Legal"}
    ]


def test_bad_input_is_one_line_and_status_2(runs):
    assert runs.diff() == (2, "bwa: b: no such run folder\n")
    (runs.root / "b").mkdir()
    (runs.root / "b/run.json").write_text("{")
    status, text = runs.diff()
    assert status == 2
    assert "no readable run.json" in text
    assert len(text.splitlines()) == 1


def test_a_result_that_cannot_be_read_is_a_difference(runs):
    runs.write("b")
    (runs.root / "b/ada/result.json").write_text("{")
    assert runs.diff()[0] == 1


def test_a_page_s_text_cannot_steer_the_terminal(runs):
    runs.write("b", extracted={"team": "\x1b[31mred\nline"})
    text = runs.diff()[1]
    assert "\x1b" not in text
    assert len(text.splitlines()) == 3
