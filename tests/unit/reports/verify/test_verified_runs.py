"""`bwa verify` on runs that nobody changed, on a sample alone, and on what is no run; and the same
checks with strangers' tools."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner
from unit.reports.verify.conftest import a_step

from pytest_bwa.cli import app
from pytest_bwa.evidence.files import write_json
from pytest_bwa.evidence.integrity.chain import broken_links
from pytest_bwa.evidence.integrity.manifest import (
    MANIFEST,
    file_digests,
    manifest_digest,
    manifest_entries,
    manifest_text,
    write_manifests,
)
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.reports.verify.verify import verify
from pytest_bwa.spec.redaction import Redactor

README = Path(__file__).parents[4] / "evidence/README.md"


def bwa(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return done.exit_code, done.output


def sha256sum(folder: Path) -> subprocess.CompletedProcess[str]:
    command = ["sha256sum", "--check", "--strict", MANIFEST]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_a_run_as_it_was_written_verifies(run):
    status, text = bwa("verify", run)
    assert (status, text.splitlines()[-1]) == (
        0, f"{MANIFEST} has the SHA-256 {manifest_digest(run)}",
    )  # fmt: skip
    assert "23 files, 2 samples: as they were written" in text


def test_a_sample_alone_verifies_under_any_name(run, tmp_path):
    alone = (run / "adam").rename(tmp_path / "handed over")
    assert bwa("verify", alone)[0] == 0
    (alone / "02_more.png").write_bytes(b"x")
    status, text = bwa("verify", alone)
    assert status == 1
    assert "02_more.png: was changed after the manifest was written" in text


def test_json_names_each_fault_once(run):
    (run / "adam/01_page.png").unlink()
    status, text = bwa("verify", run, "--json")
    found = json.loads(text)
    assert (status, found["ok"], found["kind"], found["samples"]) == (1, False, "run", 2)
    assert found["manifest_sha256"] == manifest_digest(run)
    assert {fault["file"] for fault in found["faults"]} == {"adam/01_page.png"}


def test_a_folder_that_is_no_run_has_exit_status_2(tmp_path):
    (tmp_path / "evidence").mkdir()
    assert bwa("verify", tmp_path)[0] == 2
    assert bwa("verify", tmp_path / "missing")[0] == 2
    assert bwa("verify", "--evidence", tmp_path / "evidence")[0] == 2


def test_a_run_of_an_earlier_version_gets_lines_and_no_traceback(run):
    for path in run.rglob(MANIFEST):
        path.unlink()
    log = json.loads((run / "adam/action_log.json").read_text())
    plain = [{k: v for k, v in e.items() if k not in ("hash", "previous")} for e in log]
    write_json(run / "adam/action_log.json", plain)
    lines = [str(fault) for fault in verify(run).faults]
    assert [line for line in lines if "adam/action_log.json" in line] == [
        "adam/action_log.json: its entries are not chained: it is from an earlier version, or was "
        "changed; nothing proves that it is complete"
    ]
    assert sum("manifest" in line for line in lines) == 1


def test_the_result_of_a_killed_worker_verifies(run):
    """Its checkpoint is older than its log, and its last picture is in no record."""
    (run / "adam/03_last.png").write_bytes((run / "adam/01_page.png").read_bytes())
    result = json.loads((run / "adam/result.json").read_text())
    write_json(run / "adam/result.json", {**result, "broken": True})
    checkpoint = json.loads((run / "adam/checkpoint.json").read_text())
    write_json(run / "adam/checkpoint.json", {**checkpoint, "status": "in_progress", "step": 2})
    write_manifests(run)
    assert verify(run).faults == ()


def test_a_sample_that_ended_before_its_first_step_verifies(run):
    result = SampleResult(sample_id="adam", task_id="hr", status="done", broken=True)
    for path in (run / "adam").glob("*.*"):
        path.unlink()
    write_json(run / "adam/result.json", result)
    write_manifests(run)
    assert {f.file for f in verify(run).faults} == {"combined.csv"}  # which has its values


def test_secrets_are_masked_before_the_log_is_hashed(tmp_path):
    writer = SampleWriter(tmp_path / "adam", "adam", 5, Redactor({"password": "hunter22"}))
    writer.log(a_step(1, "type hunter22 and sword-fish"))
    writer.learn_typed("sword-fish")
    writer.log(a_step(2, "done"))
    writer.checkpoint(2, {}, [], "done")
    text = (tmp_path / "adam/action_log.json").read_text()
    assert "type <secret:password> and ***" in text
    assert list(broken_links(json.loads(text))) == []


# -- strangers' tools --------------------------------------------------------------------------


def test_sha256sum_checks_a_run_and_each_sample(run):
    for folder in (run, run / "adam", run / "zoe"):
        done = sha256sum(folder)
        assert (done.returncode, done.stderr) == (0, "")
    (run / "adam/01_page.png").write_bytes(b"x")
    assert sha256sum(run).returncode == 1


def test_sha256sum_reads_names_with_line_breaks_and_backslashes(tmp_path):
    names = ["a b.txt", "back\\slash", "line\nbreak", "carriage\rreturn", " two  spaces", "größe"]
    for name in names:
        (tmp_path / name).write_text(name)
    digests = file_digests(tmp_path)
    (tmp_path / MANIFEST).write_bytes(manifest_text(digests))
    done = sha256sum(tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    entries = manifest_entries((tmp_path / MANIFEST).read_bytes().split(b"\n"))
    assert dict(entry for entry in entries if entry) == digests
    assert set(digests) == set(names)


def test_the_lines_of_the_readme_check_the_chain(run):
    """A stranger needs no pytest-bwa for it."""
    text = README.read_text("utf-8")
    script = text.split("<<'CHAIN'\n", 1)[1].split("\n    CHAIN\n", 1)[0]
    lines = [line.removeprefix("    ") for line in script.splitlines()]

    def check() -> tuple[int, str]:
        command = [sys.executable, "-c", "\n".join(lines)]
        done = subprocess.run(command, cwd=run / "adam", capture_output=True, text=True)
        return done.returncode, done.stdout

    assert len(lines) <= 12
    assert check() == (0, "whole\n")
    log = json.loads((run / "adam/action_log.json").read_text())
    log[2]["result"] = "another"
    write_json(run / "adam/action_log.json", log)
    assert check()[0] == 1


# -- bags --------------------------------------------------------------------------------------


def test_bagit_validates_the_bag_of_a_run(run):
    bagit = pytest.importorskip("bagit")
    status, text = bwa("bag", run)
    assert status == 0, text
    folder = run.with_name("run_1.bag")
    bag = bagit.Bag(str(folder))
    assert bag.validate()
    assert (bag.version_info, bag.info["External-Identifier"]) == ((1, 0), "run_1")
    assert bag.info["Run-Manifest-SHA256"] == manifest_digest(run)
    assert bwa("verify", folder / "data")[0] == 0
    (folder / "data/adam/01_page.png").write_bytes(b"x")
    assert not bagit.Bag(str(folder)).is_valid()


def test_no_bag_is_made_over_something_or_of_a_run_that_does_not_verify(run, tmp_path):
    (tmp_path / "there").mkdir()
    assert bwa("bag", run, tmp_path / "there") == (
        1, f"bwa: {tmp_path / 'there'} exists: name another folder for the bag\n",
    )  # fmt: skip
    (run / "adam/01_page.png").write_bytes(b"x")
    status, text = bwa("bag", run, tmp_path / "bag")
    assert status == 1
    assert "does not verify, so no bag was made: adam/01_page.png: was changed" in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run_1", "there"]
