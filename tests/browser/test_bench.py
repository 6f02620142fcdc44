"""The bench still runs: what it measures is built from the rooms' own parts."""

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
def test_the_bench_prints_its_table(arguments, rows):
    ran = subprocess.run(
        [sys.executable, str(BENCH), *arguments], capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    for row in rows:
        assert any(line.startswith(row) for line in ran.stdout.splitlines()), ran.stdout
