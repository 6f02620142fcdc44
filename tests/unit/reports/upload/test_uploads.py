"""Runs are uploaded to a real S3 server, and to a folder, with uploads that fail."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from threading import Event

import pytest
from audit_folder import wait_until
from botocore.exceptions import ClientError
from s3_server import Fault, S3Server, s3_server
from unit.reports.upload.conftest import files_of

from pytest_bwa.errors import StoreError
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.integrity.manifest import MANIFEST, write_manifests
from pytest_bwa.evidence.reviews import REVIEWS
from pytest_bwa.reports.upload.store import Store
from pytest_bwa.reports.upload.upload import RunUpload, UploadResult

PICTURE = "zoe/01_page.png"
OTHER_BYTES = "was changed in transit|did not match calculated checksum"
"""Newer versions of the library find it out while the file is read back."""


def upload(run: Path, address: str) -> UploadResult:
    return RunUpload(RunFolder(run), Store(address)).finish()


def change_record(run: Path, **changes: object) -> None:
    record = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({**record, **changes}))
    write_manifests(run)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    return tmp_path / "elsewhere"


def test_samples_are_sent_while_the_run_lasts_and_the_manifest_last(
    run: Path, bucket: str, server: S3Server
):
    (run / "adam" / "stays.txt").write_text("as it is")
    uploading = RunUpload(RunFolder(run), Store(f"s3://{bucket}/audits/"))
    (run / MANIFEST).unlink()
    (run / "adam" / MANIFEST).unlink()
    uploading.begin()
    first = [f"audits/run_1/{name}" for name in ("run.json", "packages.txt", "task_spec.json")]
    assert server.uploads[:3] == first
    uploading.add_sample("adam")
    wait_until(lambda: "audits/run_1/adam/stays.txt" in server.names(bucket), "not sent", 20)
    (run / "adam" / "index.html").write_text("was changed at the end")
    write_manifests(run)
    server.uploads.clear()
    result = uploading.finish()
    assert (result.reason, result.missing, result.files) == ("", 0, len(files_of(run)))
    assert result.address == f"s3://{bucket}/audits/run_1"
    kept = {name: server.content(bucket, name) for name in server.names(bucket)}
    assert kept == {f"audits/run_1/{name}": data for name, data in files_of(run).items()}
    assert "audits/run_1/adam/stays.txt" not in server.uploads  # once is enough
    assert "audits/run_1/adam/index.html" in server.uploads
    assert server.uploads[-1] == f"audits/run_1/{MANIFEST}"
    assert len(server.uploads) == len(set(server.uploads))
    assert result.line == (
        f"uploaded  s3://{bucket}/audits/run_1 has all {result.files} files, each verified"
    )


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("busy", "Please reduce your request rate"),
        ("dropped", "Connection"),
        ("altered", OTHER_BYTES),
    ],
)
def test_a_file_that_does_not_arrive_is_named_and_sent_again(
    run: Path, bucket: str, server: S3Server, fault: Fault, reason: str
):
    server.faults[PICTURE] = fault
    result = upload(run, f"s3://{bucket}")
    assert result.reason.startswith(f"{PICTURE}: ")
    assert re.search(reason, result.reason)
    present = {name.removeprefix("run_1/") for name in server.names(bucket)}
    whole = set(files_of(run))
    assert present - {PICTURE} == whole - {PICTURE, MANIFEST}
    line = result.line
    assert line.startswith(f"bwa: 2 of {len(whole)} files are missing in s3://{bucket}/run_1: ")
    assert line.endswith(f"again: bwa upload {run} s3://{bucket}")
    assert line.count("\n") == 0
    server.faults.clear()
    server.uploads.clear()
    assert upload(run, f"s3://{bucket}").reason == ""
    assert set(server.uploads) == {f"run_1/{name}" for name in (PICTURE, MANIFEST)}
    assert server.content(bucket, f"run_1/{PICTURE}") == (run / PICTURE).read_bytes()


@pytest.mark.parametrize("fault", ["other tag", "no checksums"])
def test_an_answer_that_proves_nothing_is_settled_by_reading_the_file_back(
    run: Path, bucket: str, server: S3Server, fault: Fault
):
    server.faults[PICTURE] = fault
    assert upload(run, f"s3://{bucket}").reason == ""
    assert server.content(bucket, f"run_1/{PICTURE}") == (run / PICTURE).read_bytes()


def test_only_what_the_run_wrote_is_sent(run: Path, bucket: str, server: S3Server):
    added = ("adam/added.txt", "adam/Thumbs.db", ".DS_Store")
    for name in added:
        (run / name).write_text("by another program")
    uploaded = upload(run, f"s3://{bucket}")
    assert (uploaded.reason, uploaded.missing) == ("", 0)
    assert not {f"run_1/{name}" for name in added} & set(server.uploads)


def test_a_server_that_is_gone_is_given_up_soon(
    run: Path, bucket: str, monkeypatch: pytest.MonkeyPatch
):
    with s3_server() as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL", server.environment["AWS_ENDPOINT_URL"])
        uploading = RunUpload(RunFolder(run), Store(f"s3://{bucket}"))
        uploading.begin()
        sent = len(server.uploads)
        assert sent == 4
    for number in range(200):
        (run / f"note_{number}.txt").write_text("x")
    write_manifests(run)
    tried: list[str] = []
    put = Store.put

    def counted_put(store: Store, name: str, data: bytes) -> None:
        tried.append(name)
        put(store, name, data)

    monkeypatch.setattr(Store, "put", counted_put)
    result = uploading.finish()
    assert len(tried) < 20
    assert "Could not connect" in result.reason
    assert result.missing == len(files_of(run)) - sent


def test_a_bucket_that_is_not_there_is_a_refusal(run: Path, bucket: str):
    with pytest.raises(StoreError) as refused:
        RunUpload(RunFolder(run), Store("s3://no-such-bucket/x")).begin()
    assert refused.value.is_refusal
    assert "bucket does not exist" in str(refused.value)
    result = upload(run, "s3://no-such-bucket/x")
    assert result.missing == result.files
    assert "bucket does not exist" in result.reason


def test_no_run_is_written_over_another_one(run: Path, elsewhere: Path):
    assert upload(run, f"file://{elsewhere}").reason == ""
    first = (elsewhere / "run_1/run.json").read_bytes()
    change_record(run, started_at="2030-01-01T00:00:00.000Z")
    result = upload(run, f"file://{elsewhere}")
    assert (result.address, result.reason) == (f"file://{elsewhere}/run_1_2", "")
    assert (elsewhere / "run_1/run.json").read_bytes() == first
    assert upload(run, f"file://{elsewhere}").address == f"file://{elsewhere}/run_1_2"


def test_two_machines_that_begin_at_once_get_a_folder_each(
    run: Path, bucket: str, server: S3Server, monkeypatch: pytest.MonkeyPatch
):
    """Both find the name free; the store lets only one of them have it."""
    record = json.loads((run / "run.json").read_text())
    record["origin"]["host"] = "another-machine"
    theirs, read = json.dumps(record).encode(), Store.read
    names: list[str] = []

    def read_late(store: Store, name: str) -> bytes | None:
        names.append(store.address)
        if len(names) == 1:
            Store(f"s3://{bucket}/run_1").put("run.json", theirs)
            return None
        return read(store, name)

    monkeypatch.setattr(Store, "read", read_late)
    uploading = RunUpload(RunFolder(run), Store(f"s3://{bucket}"))
    uploading.begin()
    assert uploading.address == f"s3://{bucket}/run_1_2"
    assert server.content(bucket, "run_1/run.json") == theirs


def test_an_older_copy_of_a_run_is_refused(run: Path, elsewhere: Path):
    older = shutil.copytree(run, run.parent / "older" / "run_1")
    change_record(run, resumed_at=["2030-01-01T00:00:00.000Z"])
    assert upload(run, f"file://{elsewhere}").reason == ""
    result = upload(older, f"file://{elsewhere}")
    assert "later state of this run, resumed at 2030-01-01" in result.reason
    assert "2030-01-01" in (elsewhere / "run_1/run.json").read_text()


def test_what_was_moved_is_moved_and_reviews_of_others_stay(run: Path, elsewhere: Path):
    assert upload(run, f"file://{elsewhere}").reason == ""
    (elsewhere / "run_1" / REVIEWS).write_text("theirs\n")
    (elsewhere / "run_12").mkdir()
    (elsewhere / "run_12" / "run.json").write_text("of another run")
    (run / "zoe" / "attempts" / "2").mkdir(parents=True)
    (run / PICTURE).rename(run / "zoe" / "attempts" / "2" / "01_page.png")
    write_manifests(run)
    assert upload(run, f"file://{elsewhere}").reason == ""
    kept = files_of(elsewhere / "run_1")
    assert kept.pop(REVIEWS) == b"theirs\n"
    assert kept == files_of(run)
    assert (elsewhere / "run_12" / "run.json").read_text() == "of another run"
    (run / REVIEWS).write_text("ours\n")
    result = upload(run, f"file://{elsewhere}")
    assert "other reviews" in result.reason
    assert (elsewhere / "run_1" / REVIEWS).read_text() == "theirs\n"
    (run / REVIEWS).write_text("theirs\nours\n")
    assert upload(run, f"file://{elsewhere}").reason == ""
    assert (elsewhere / "run_1" / REVIEWS).read_text() == "theirs\nours\n"


def test_a_copy_that_lacks_a_file_takes_none_away(run: Path, elsewhere: Path):
    assert upload(run, f"file://{elsewhere}").reason == ""
    (run / PICTURE).unlink()
    upload(run, f"file://{elsewhere}")
    assert (elsewhere / "run_1" / PICTURE).is_file()


def test_a_slow_store_holds_up_no_sample(run: Path, monkeypatch: pytest.MonkeyPatch):
    is_free = Event()
    monkeypatch.setattr(Store, "put", lambda *_, **__: is_free.wait(20))
    uploading = RunUpload(RunFolder(run), Store("memory://slow"))
    uploading.add_sample("adam")
    uploading.add_sample("zoe")
    assert not is_free.is_set()
    is_free.set()
    uploading.finish()


@pytest.mark.parametrize("kind", ["file", "memory"])
def test_a_store_without_checksums_is_read_back(
    run: Path, elsewhere: Path, kind: str, monkeypatch: pytest.MonkeyPatch
):
    root = f"{kind}://{elsewhere}"
    assert upload(run, root).reason == ""
    store = Store(f"{root}/run_1")
    assert {name: store.read(name) for name in store.files()} == files_of(run)
    monkeypatch.setattr(type(store._fs), "cat_file", lambda *_, **__: b"something else")
    with pytest.raises(StoreError, match="was changed in transit"):
        store.put("x.txt", b"sent")


def test_a_large_file_is_sent_in_parts_and_read_back(
    run: Path, bucket: str, server: S3Server, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("pytest_bwa.reports.upload.sender.LARGE", 1000)
    (run / "trajectory.db").write_bytes(bytes(range(256)) * 40)
    write_manifests(run)
    assert upload(run, f"s3://{bucket}").reason == ""
    assert server.content(bucket, "run_1/trajectory.db") == (run / "trajectory.db").read_bytes()
    server.faults["trajectory.db"] = "altered"
    (run / "trajectory.db").write_bytes(bytes(range(256)) * 41)
    write_manifests(run)
    assert re.search(OTHER_BYTES, upload(run, f"s3://{bucket}").reason)


def test_object_lock_keeps_the_first_bytes(run: Path, server: S3Server, bucket: str):
    locked, client = f"{bucket}-locked", server.client
    client.create_bucket(Bucket=locked, ObjectLockEnabledForBucket=True)
    retention = {"Mode": "COMPLIANCE", "Days": 1}
    client.put_object_lock_configuration(
        Bucket=locked,
        ObjectLockConfiguration={
            "ObjectLockEnabled": "Enabled",
            "Rule": {"DefaultRetention": retention},
        },
    )
    assert upload(run, f"s3://{locked}").reason == ""
    name = f"run_1/{MANIFEST}"
    client.put_object(Bucket=locked, Key=name, Body=b"forged")
    versions = client.list_object_versions(Bucket=locked, Prefix=name)["Versions"]
    (first,) = [v["VersionId"] for v in versions if not v["IsLatest"]]
    with pytest.raises(ClientError, match="AccessDenied"):
        client.delete_object(Bucket=locked, Key=name, VersionId=first)
    kept = client.get_object(Bucket=locked, Key=name, VersionId=first)["Body"].read()
    assert kept == (run / MANIFEST).read_bytes()


def test_an_interrupted_upload_is_named_as_one(
    run: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
):
    def interrupt(store: Store) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Store, "files", interrupt)
    assert upload(run, f"file://{elsewhere}").reason == "it was interrupted"


def test_a_store_that_cannot_even_be_opened_says_why(monkeypatch: pytest.MonkeyPatch):
    def without_credentials(*_: object, **__: object) -> None:
        raise ValueError("no account is named: https://x.org/?sig=abc123secret")

    monkeypatch.setattr("upath.UPath", without_credentials)
    with pytest.raises(StoreError, match="ValueError: no account is named") as refused:
        Store("s3://bucket")
    assert "abc123secret" not in str(refused.value)
