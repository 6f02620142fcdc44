"""What --evidence takes as the address of a store, and what the answer of a store proves."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_bwa.errors import InputError
from pytest_bwa.plugin import command_line
from pytest_bwa.reports.upload.address import store_address
from pytest_bwa.reports.upload.store import Store, is_confirmed


def config(*, ini: str | None = None, **given: str) -> Any:
    return SimpleNamespace(
        getoption=lambda name, default=None: given.get(name.removeprefix("bwa_"), default),
        getini=lambda name: ini if name == "bwa_evidence" else None,
        option=SimpleNamespace(collectonly=False),
        invocation_params=SimpleNamespace(dir=Path("/here"), args=()),
    )


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("s3://audits/2026/", "s3://audits/2026"),
        ("S3://audits", "s3://audits"),
        ("gs://audits/a b", "gs://audits/a b"),
        ("abfs://container@account.dfs.core.windows.net/x", None),
        ("file:///srv/evidence", "file:///srv/evidence"),
    ],
)
def test_an_address_is_taken_as_it_is_but_for_its_last_slash(text: str, address: str | None):
    assert store_address(text) == (address or text)


@pytest.mark.parametrize(
    "text",
    [
        "s3://AKIAKEY:wJalr/XUtn/secret@audits/2026",
        "s3://wJalr-secret@audits/2026",
        "s3://audits/2026?sig=wJalr-secret",
        "abfs://user:wJalr-secret@account.dfs.core.windows.net/x",
    ],
)
def test_credentials_in_an_address_are_refused_and_not_repeated(text: str):
    with pytest.raises(InputError) as refused:
        store_address(text)
    assert "credentials" in str(refused.value)
    assert "wJalr" not in str(refused.value)
    assert "secret" not in str(refused.value)
    assert "AKIAKEY" not in str(refused.value)


@pytest.mark.parametrize("text", ["http://audits/x", "sftp://host/x", "://x", "s3://", "s3:///"])
def test_what_is_no_store_is_refused(text: str):
    with pytest.raises(InputError, match=r"addresses|names no bucket"):
        store_address(text)


def test_a_store_whose_package_is_missing_names_the_extra():
    with pytest.raises(InputError, match=r"pip install 'pytest-bwa\[gcs\]'"):
        Store("gs://audits")


@pytest.mark.parametrize(
    ("given", "ini", "folder", "store"),
    [
        (None, None, "/here/evidence", None),
        ("out", None, "/here/out", None),
        ("s3://b/p", None, "/here/evidence", "s3://b/p"),
        ("s3://b/p", "out", "/here/out", "s3://b/p"),
        (None, "s3://b/p", "/here/evidence", "s3://b/p"),
        ("out", "s3://b/p", "/here/out", None),
    ],
)
def test_a_run_is_always_written_into_a_folder_of_this_machine(
    given: str | None, ini: str | None, folder: str, store: str | None
):
    plan = command_line.plan(config(ini=ini, **({"evidence": given} if given else {})))
    assert (plan.evidence, plan.store) == (Path(folder), store)


def answer(data: bytes, **changes: str) -> dict[str, str]:
    digest = base64.b64encode(hashlib.sha256(data).digest()).decode()
    return {"ChecksumSHA256": digest, "ETag": f'"{hashlib.md5(data).hexdigest()}"', **changes}


def test_only_an_answer_in_which_everything_fits_confirms_an_upload():
    other = answer(b"other")
    assert is_confirmed(answer(b"data"), b"data")
    assert not is_confirmed(answer(b"data", ETag=other["ETag"]), b"data")
    assert not is_confirmed(answer(b"data", ChecksumSHA256=other["ChecksumSHA256"]), b"data")
    assert not is_confirmed(
        answer(b"data", ChecksumSHA256=f"{answer(b'data')['ChecksumSHA256']}-3"), b"data"
    )  # the digest of the digests of three parts
    assert not is_confirmed({"ETag": answer(b"data")["ETag"]}, b"data")
    assert not is_confirmed(None, b"data")


def test_a_tag_that_is_no_digest_says_nothing():
    encrypted = answer(b"data", ETag=answer(b"other")["ETag"], ServerSideEncryption="aws:kms")
    assert is_confirmed(encrypted, b"data")
    assert is_confirmed(answer(b"data", ETag='"d41d8cd98f00b204e9800998ecf8427e-2"'), b"data")
