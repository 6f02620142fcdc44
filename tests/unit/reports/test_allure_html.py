"""The folder of the HTML report: only a former report is ever replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.run_record import FileRecord, RunRecord
from pytest_bwa.reports.allure_report.build import build

FAKE_ALLURE = """#!/bin/sh
if [ "$1" = "--version" ]; then echo "{version}"; exit 0; fi
case "$3" in
  --output) out="$4"; rm -rf "$out";;
  --config) out=$(sed 's/.*"output": "\\([^"]*\\)".*/\\1/' "$4");;
esac
mkdir -p "$out"; echo "<html>" > "$out/index.html"; {end}
"""


def install_allure(root: Path, version: str, end: str = "exit 0") -> None:
    program = root / "bin" / "allure"
    program.parent.mkdir(exist_ok=True)
    program.write_text(FAKE_ALLURE.replace("{version}", version).replace("{end}", end))
    program.chmod(0o755)


@pytest.fixture(params=["2.46.1", "3.18.0"])
def version(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A made-up ``allure`` of this version is on PATH; like the real one, it empties its output."""
    install_allure(tmp_path, request.param)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    return str(request.param)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    (tmp_path / "results").mkdir()
    return tmp_path / "results"


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    folder = RunFolder.create(tmp_path, "run_1")
    source = FileRecord(path="x", sha256="0")
    record = RunRecord(
        run_id="run_1", task_id="hr", policy="rules", spec=source, samples=source,
        started_at="2026-11-21T09:00:00.000Z", samples_in=0,
    )  # fmt: skip
    folder.write_inputs(record, {}, "")
    return folder


def test_a_folder_with_other_files_is_refused_and_kept(version, run, results, tmp_path):
    output = tmp_path / "documents"
    output.mkdir()
    (output / "thesis.txt").write_text("years of work")
    (output / "index.html").write_text("my own site")
    with pytest.raises(InputError, match=r"documents exists and is not an Allure report.*--output"):
        build([run], output, results)
    assert (output / "thesis.txt").read_text() == "years of work"
    assert (output / "index.html").read_text() == "my own site"


def test_a_file_is_refused_and_kept(version, run, results, tmp_path):
    (tmp_path / "report").write_text("mine")
    with pytest.raises(InputError, match="pass --output"):
        build([run], tmp_path / "report", results)
    assert (tmp_path / "report").read_text() == "mine"


def test_an_empty_folder_is_used_and_our_own_report_replaced(version, run, results, tmp_path):
    output = tmp_path / "report"
    output.mkdir()
    build([run], output, results)
    (output / "index.html").write_text("of the former report")
    build([run], output, results)
    assert (output / "index.html").read_text() == "<html>\n"


@pytest.mark.parametrize("name", ["thesis.txt", "data/mine.json", "index.old.html", ".ssh/key"])
def test_a_report_with_other_files_is_refused_and_kept(version, run, results, tmp_path, name):
    output = tmp_path / "report"
    build([run], output, results)
    (output / name).parent.mkdir(exist_ok=True)
    (output / name).write_text("years of work")
    with pytest.raises(
        InputError, match=rf"that no report made \({name}\), so it is left as it is"
    ):
        build([run], output, results)
    assert (output / name).read_text() == "years of work"


@pytest.mark.parametrize("page", ["my own site", "<title>Allure Report</title>"])
def test_what_only_looks_like_a_report_is_kept(version, run, results, tmp_path, page):
    output = tmp_path / "site"
    (output / "data/test-cases").mkdir(parents=True)
    (output / "index.html").write_text(page)
    (output / "thesis.txt").write_text("years of work")
    with pytest.raises(InputError, match="so it is left as it is"):
        build([run], output, results)
    assert (output / "thesis.txt").read_text() == "years of work"


@pytest.mark.parametrize("data", ["data/test-cases", "data/test-results"])
def test_a_report_that_allure_made_by_itself_is_replaced(version, run, results, tmp_path, data):
    output = tmp_path / "report"
    (output / data).mkdir(parents=True)
    (output / "index.html").write_text("<title>Allure Report</title>")
    build([run], output, results)
    assert (output / "index.html").read_text() == "<html>\n"


def test_what_a_failed_command_leaves_behind_is_replaced(version, run, results, tmp_path):
    output = tmp_path / "report"
    install_allure(tmp_path, version, end="exit 3")
    with pytest.raises(InputError, match="failed"):
        build([run], output, results)
    install_allure(tmp_path, version)
    build([run], output, results)
    assert (output / "index.html").exists()
