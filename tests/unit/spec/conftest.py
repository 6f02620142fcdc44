from __future__ import annotations

from collections.abc import Callable
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
