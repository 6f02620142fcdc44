"""A run of the practice tickets whose evidence goes to an S3 server, of which one upload fails."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from forked_pytest import forked_pytest
from s3_server import CREDENTIALS, S3Server, s3_server
from typer.testing import CliRunner, Result

from pytest_bwa.cli import app

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent.parent
SAMPLES = ("ENG-101", "ENG-102", "ENG-103")
LOG = "ENG-102/action_log.json"


@dataclass
class UploadedRun:
    """A run that was uploaded but for one file."""

    server: S3Server
    bucket: str
    status: int
    text: str
    folder: Path

    @property
    def address(self) -> str:
        return f"s3://{self.bucket}/audits/{self.folder.name}"


@pytest.fixture(scope="module")
def uploaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[UploadedRun]:
    folder = tmp_path_factory.mktemp("elsewhere")
    rows = [f"{name},/tickets/{name}" for name in SAMPLES]
    (folder / "tickets.csv").write_text("\n".join(["sample_id,url", *rows]))
    with s3_server() as server:
        bucket, server.faults[LOG] = server.new_bucket(), "busy"
        words = [
            str(ROOT / "workflows"), f"--task={ROOT}/tasks/practice/tickets.yaml",
            "--samples=tickets.csv", "--policy=rules", "-n=2", "-p", "no:cacheprovider",
            f"--evidence=s3://{bucket}/audits/", "-W", "error", "--rootdir", str(folder),
        ]  # fmt: skip
        environment = {**os.environ, **server.environment, "BWA_HOME": str(folder / "home")}
        status, text = forked_pytest().run(words, folder, environment, seconds=300)
        assert "3 passed" in text, text
        (run,) = (folder / "evidence").glob("run_*")
        yield UploadedRun(server, bucket, status, text, run)


@pytest.fixture(autouse=True)
def store(uploaded: UploadedRun, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in uploaded.server.environment.items():
        monkeypatch.setenv(name, value)


def bwa(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_an_upload_that_fails_costs_no_sample_and_is_named_with_its_remedy(uploaded: UploadedRun):
    assert uploaded.status == 1, uploaded.text
    assert f"bwa: evidence is uploaded to {uploaded.address}" in uploaded.text
    (line,) = [line for line in uploaded.text.splitlines() if "bwa upload" in line]
    assert line.startswith("bwa: 3 of ")  # the log, run.json and the manifest
    assert f"{LOG}: " in line
    assert "reduce your request rate" in line
    assert line.endswith(
        f"again: bwa upload evidence/{uploaded.folder.name} s3://{uploaded.bucket}/audits"
    )
    for secret in CREDENTIALS.values():
        assert secret == "key" or secret not in uploaded.text
    assert uploaded.server.content(uploaded.bucket, f"audits/{uploaded.folder.name}/combined.csv")


def test_samples_were_sent_while_others_ran_and_no_file_twice_but_what_changed(
    uploaded: UploadedRun,
):
    sent = [name.split("/", 2)[2] for name in uploaded.server.uploads]
    # Manifests are the first that is written at the end.
    at_the_end = min(sent.index(f"{name}/manifest-sha256.txt") for name in SAMPLES)
    whole = [
        name
        for name in SAMPLES
        if {f"{name}/result.json", f"{name}/pytest.json", f"{name}/index.html"}
        <= set(sent[:at_the_end])
    ]
    assert whole
    twice = {name for name in sent if sent.count(name) > 1}
    assert twice <= {"run.json", LOG}
    assert not any(name.startswith(".live") for name in sent)


def test_a_second_upload_completes_the_run_and_a_changed_byte_is_found(uploaded: UploadedRun):
    server, run = uploaded.server, uploaded.folder
    server.faults.clear()
    server.uploads.clear()
    sent = bwa("upload", str(run), f"s3://{uploaded.bucket}/audits")
    assert sent.exit_code == 0, sent.output
    prefix = f"audits/{run.name}/"
    names = {LOG, "run.json", "manifest-sha256.txt"}
    assert set(server.uploads) == {prefix + name for name in names}
    kept = {name: server.content(uploaded.bucket, name) for name in server.names(uploaded.bucket)}
    local = {path.relative_to(run).as_posix(): path for path in run.rglob("*") if path.is_file()}
    assert kept == {prefix + name: path.read_bytes() for name, path in local.items()}
    assert kept[f"{prefix}combined.csv"] == (run / "combined.csv").read_bytes()
    assert bwa("verify", uploaded.address).exit_code == 0
    shown = bwa("show", uploaded.address, "ENG-101")
    assert "task practice_tickets" in shown.output
    assert shown.output == bwa("show", str(run), "ENG-101").output
    row = (run / "combined.csv").read_bytes().replace(b"done", b"dome", 1)
    server.client.put_object(Bucket=uploaded.bucket, Key=f"{prefix}combined.csv", Body=row)
    found = bwa("verify", uploaded.address)
    assert found.exit_code == 1
    assert "combined.csv: was changed after the manifest was written" in found.output


def test_a_store_that_refuses_is_refused_before_any_browser_starts(
    uploaded: UploadedRun, tmp_path: Path
):
    (tmp_path / "tickets.csv").write_text("sample_id,url\nENG-101,/tickets/ENG-101\n")
    arguments = [
        str(ROOT / "workflows"), f"--task={ROOT}/tasks/practice/tickets.yaml",
        "--samples=tickets.csv", "--policy=rules", "--evidence=s3://no-such-bucket/audits",
    ]  # fmt: skip
    environment = {**os.environ, **uploaded.server.environment}
    status, text = forked_pytest().run(arguments, tmp_path, environment, seconds=100)
    assert status == 4
    assert "cannot write to s3://no-such-bucket/audits: " in text
    assert "The specified bucket does not exist" in text
    assert not (tmp_path / "evidence").exists()
