"""Settings in ini files: where their paths begin, and what TOML types they take."""

from __future__ import annotations

import os

import pytest
from audit_folder import AuditFolder
from forked_pytest import forked_pytest

INI = """[pytest]
bwa_task = spec.json
bwa_samples = samples.csv
bwa_evidence = kept
"""
TYPED = """
[tool.{table}]
bwa_task = "spec.json"
bwa_samples = "samples.csv"
bwa_combined = ["csv", "xlsx"]
bwa_max_steps = {seven}
bwa_max_cost = 2.5
bwa_fail_on = []
"""
TABLES = ["pytest", "pytest.ini_options"]


def test_paths_of_an_ini_file_begin_at_it_and_typed_ones_where_pytest_is_started(
    audit_folder: AuditFolder,
) -> None:
    audit_folder.samples("adam")
    (audit_folder.path / "pytest.ini").write_text(INI)
    sub = audit_folder.path / "sub"
    sub.mkdir()

    def run(*words: str) -> tuple[int, str]:
        common = ["-p", "no:cacheprovider", "../test_audit.py"]
        return forked_pytest().run([*common, *words], sub, dict(os.environ), seconds=300)

    status, text = run("--run-id=one")
    assert status == 0, text
    assert (audit_folder.path / "kept/one/run.json").is_file()
    assert list(sub.iterdir()) == []
    for typed in ("--task=spec.json", "--samples=samples.csv"):
        status, text = run(typed)
        assert status == 4, text
        assert "sub/s" in text
    status, text = run("-o", "bwa_samples=nowhere.csv")
    assert status == 4, "-o is typed, too"
    assert "sub/nowhere.csv" in text


@pytest.mark.parametrize("table", TABLES)
def test_values_of_toml_are_taken_with_their_types(audit_folder: AuditFolder, table: str) -> None:
    audit_folder.samples("adam")
    (audit_folder.path / "pytest.ini").unlink()
    (audit_folder.path / "pyproject.toml").write_text(TYPED.format(table=table, seven=7))
    run = audit_folder.run("--run-id=one", "-W", "error")
    assert run.status == 0, run.text
    adam = audit_folder.path / "evidence/one/adam"
    assert adam.with_name("combined.xlsx").is_file()
    assert '"max_steps": 7' in (adam / "checkpoint.json").read_text()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('bwa_task = ["spec.json"]', "bwa_task takes one text, number, true or false, not ['spec"),
        ('bwa_resume = "latest"', "bwa_resume is not an ini setting: pass --resume to pytest"),
        ('bwa_combined = [["csv"]]', "bwa_combined takes a text or a list of texts"),
    ],
)
def test_other_types_are_refused_in_one_line(
    audit_folder: AuditFolder, line: str, expected: str
) -> None:
    audit_folder.samples("adam")
    (audit_folder.path / "pytest.ini").unlink()
    for table in TABLES:
        (audit_folder.path / "pyproject.toml").write_text(f"[tool.{table}]\n{line}\n")
        run = audit_folder.run()
        assert run.status == 4, run.text
        (error,) = [text for text in run.text.splitlines() if text.startswith("ERROR: ")]
        assert expected in error
        assert "pyproject.toml" in error
        assert "INTERNALERROR" not in run.text
