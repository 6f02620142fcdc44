"""The benchmark runs: it is built from the components of the plugin."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parent.parent / "bench"


@pytest.mark.parametrize(
    ("arguments", "rows"),
    [
        (["--rounds", "1"], ["context", "idle action", "three steps and screenshot"]),
        (["--prompts"], ["budget 16000 tokens", "## Goal", "whole prompt"]),
    ],
)
def test_the_benchmark_prints_its_table(arguments, rows):
    process = subprocess.run(
        [sys.executable, str(BENCH), *arguments], capture_output=True, text=True, timeout=120
    )
    assert process.returncode == 0, process.stderr
    for row in rows:
        assert any(line.startswith(row) for line in process.stdout.splitlines()), process.stdout
