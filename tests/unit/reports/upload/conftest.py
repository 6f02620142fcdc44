"""A finished run, and an S3 server whose credentials are in the environment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from s3_server import S3Server, s3_server
from unit.reports.verify.conftest import finished as finished
from unit.reports.verify.conftest import run as run


@pytest.fixture(scope="module")
def server() -> Iterator[S3Server]:
    with s3_server() as server:
        yield server


@pytest.fixture
def bucket(server: S3Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    server.uploads.clear()
    yield server.new_bucket()
    server.faults.clear()


def files_of(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
