from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

WriteFile = Callable[[str, str | bytes], Path]


@pytest.fixture
def write_file(tmp_path: Path) -> WriteFile:
    """Return a function that writes a file, text as UTF-8, and returns its path."""

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture
def open_files(tmp_path: Path) -> Callable[[], list[str]]:
    """Names the files of the test's folder that this process has open; none where the system does
    not say it. Those of other tests, which the collector closes at any time, do not count."""

    def names() -> list[str]:
        found = []
        for descriptor in Path("/proc/self/fd").glob("*"):
            with suppress(OSError):  # it was closed meanwhile
                found.append(str(descriptor.readlink()))
        return [name for name in found if name.startswith(f"{tmp_path}/")]

    return names
