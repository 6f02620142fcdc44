"""Commands read runs from a store, and believe nothing of what its names say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from s3_server import S3Server
from typer.testing import CliRunner, Result
from unit.reports.upload.conftest import files_of

from pytest_bwa.cli import app
from pytest_bwa.errors import InputError
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.reports import watch
from pytest_bwa.reports.upload.fetch import FetchedFolder
from pytest_bwa.reports.upload.store import Store
from pytest_bwa.reports.upload.upload import RunUpload


def bwa(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


@pytest.fixture
def address(run: Path, bucket: str) -> str:
    """The run in the bucket."""
    return RunUpload(RunFolder(run), Store(f"s3://{bucket}/audits")).finish().address


def change(server: S3Server, address: str, name: str, content: bytes) -> None:
    bucket, _, folder = address.removeprefix("s3://").partition("/")
    server.client.put_object(Bucket=bucket, Key=f"{folder}/{name}", Body=content)


def test_a_run_in_a_bucket_is_verified_and_any_change_in_it_is_found(
    run: Path, address: str, server: S3Server
):
    found = bwa("verify", address)
    assert found.exit_code == 0, found.output
    assert f"{address}: {len(files_of(run)) - 1} files, 2 samples: as they were" in found.output
    picture = bytearray((run / "zoe/01_page.png").read_bytes())
    picture[-1] ^= 1
    change(server, address, "zoe/01_page.png", bytes(picture))
    change(server, address, "adam/added.txt", b"added")
    found = bwa("verify", address)
    assert found.exit_code == 1
    assert "zoe/01_page.png: was changed after the manifest was written" in found.output
    assert "adam/added.txt: is not in the manifest" in found.output
    as_json = json.loads(bwa("verify", "--json", f"{address}/adam").stdout)
    assert (as_json["folder"], as_json["kind"], as_json["ok"]) == (
        f"{address}/adam",
        "sample",
        False,
    )
    assert "address" not in as_json


def test_a_run_is_fetched_to_go_on_with_it_here(run: Path, address: str, tmp_path: Path):
    here = tmp_path / "here"
    found = bwa("fetch", address, "--evidence", str(here))
    assert found.output == f"{here / 'run_1'} is a copy of {address}\n"
    assert files_of(here / "run_1") == files_of(run)
    again = bwa("fetch", address, "--evidence", str(here))
    assert again.exit_code == 1
    assert "exists" in again.output
    assert [path.name for path in here.iterdir()] == ["run_1"]
    sent = bwa("upload", "run_1", address.removesuffix("/run_1"), "--evidence", str(here))
    assert (sent.exit_code, sent.output) == (
        0,
        f"uploaded  {address} has all {len(files_of(run))} files, each verified\n",
    )


def test_a_run_in_a_bucket_is_watched(
    run: Path, address: str, server: S3Server, monkeypatch: pytest.MonkeyPatch
):
    found = bwa("watch", address, "--once")
    assert "run_1" in found.output
    assert "2 of 2 samples" in found.output
    ended = (run / "run.json").read_bytes()
    change(server, address, "run.json", ended.replace(b'"finished_at"', b'"ended"'))
    looks = iter([None, lambda: change(server, address, "run.json", ended)])

    def sleep(seconds: float) -> None:
        assert seconds == watch.UPDATE_SECONDS
        if (look := next(looks)) is not None:
            look()

    monkeypatch.setattr(watch.time, "sleep", sleep)
    assert bwa("watch", address).exit_code == 0


def test_only_what_a_command_needs_is_fetched(run: Path, address: str, tmp_path: Path):
    copy = FetchedFolder(address, tmp_path / "copy", watch.is_watched)
    copy.update()
    assert files_of(copy.path).keys() == {"run.json", "adam/result.json", "zoe/result.json"}
    (copy.path / "zoe/result.json").unlink()
    copy.update()  # the store has nothing new
    assert files_of(copy.path).keys() == {"run.json", "adam/result.json"}


@pytest.mark.parametrize("command", [["review"], ["view"], ["bag"], ["sign", "--key=x.pem"]])
def test_a_command_that_writes_into_a_run_needs_a_copy_here(command: list[str]):
    refused = bwa(*command, "s3://bucket/run_1")
    assert refused.exit_code != 0
    assert "bwa fetch s3://bucket/run_1" in refused.output


def test_a_name_that_leads_out_of_the_copy_is_refused(tmp_path: Path, bucket: str):
    store = Store(f"s3://{bucket}/run_1")
    store.put("run.json", b"{}")
    store.put("x/../../../escaped.txt", b"out")
    with pytest.raises(InputError, match="belongs to no run"):
        FetchedFolder(store.address, tmp_path / "copy", lambda name: True).update()
    assert not (tmp_path / "escaped.txt").exists()


def test_an_address_of_no_run_names_what_is_there(address: str):
    found = bwa("verify", address.removesuffix("/run_1"))
    assert found.exit_code == 2
    assert "there is no such run; it has the folders run_1" in found.output
    nothing = bwa("show", f"{address}_other", "adam")
    assert nothing.exit_code == 1
    assert f"{address}_other: there is no such run\n" in nothing.output


def test_what_is_made_of_a_run_in_a_bucket_is_written_here(
    run: Path, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    printed: list[Path] = []

    def print_page(settings: object, page: Path, target: Path, **_: str) -> None:
        assert page.is_file()
        printed.append(target)

    monkeypatch.setattr("pytest_bwa.browser.print_page.print_page", print_page)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    made = bwa("report", "--pdf", address)
    assert made.exit_code == 0, made.output
    assert printed == [tmp_path / "here" / "run_1.pdf"]
    assert str(printed[0]) in made.output
    assert bwa("diff", address, str(run)).exit_code == 0


@pytest.mark.parametrize("command", ["verify", "watch", "review", "view", "fetch"])
def test_no_command_repeats_credentials(command: str):
    refused = bwa(command, "s3://AKIAKEY:wJalr/secret@bucket/run_1")
    assert refused.exit_code != 0
    assert "credentials" in refused.output
    assert "wJalr" not in refused.output
