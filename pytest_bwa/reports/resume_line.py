"""The command that continues a run, to be pasted into a shell."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from pytest_bwa.evidence.integrity.origin import masked

_OF_THE_FIRST_SESSION = re.compile(r"--(?:resume|run-id|maxfail)(?:=.*)?|-x|--exitfirst")
"""Options that name another run, or that would end this one with the first sample again."""
_OF_A_PLAN = re.compile(r"--(?:prompt|start-url|discover)(?:=.*)?")
"""A run that was planned or discovered has its spec and its samples in its folder."""
_WITH_VALUE = ("--resume", "--run-id", "--maxfail", "--prompt", "--start-url")
_SHORT_FLAGS = re.compile(r"-[xvsql]+")


def program(argv: Sequence[str]) -> tuple[str, ...]:
    """How pytest was called, as a user would write it."""
    called = Path(argv[0])
    if called.name == "__main__.py":
        python = "python" if shutil.which("python") == sys.executable else sys.executable
        return python, "-m", "pytest"
    if called.stem not in ("pytest", "py.test") or shutil.which("pytest") == argv[0]:
        return ("pytest",)
    return (_relative(called),)


def resume_command(command: Sequence[str], folder: Path) -> str:
    """The command with the options that still apply, and ``--resume``."""
    words = masked(command)
    is_planned = any(word.split("=")[0] == "--prompt" for word in words)
    kept: list[str] = []
    is_value = False
    for word in words:
        if is_value and not word.startswith("-"):
            is_value = False
            continue
        is_value = False
        if _OF_THE_FIRST_SESSION.fullmatch(word) or (is_planned and _OF_A_PLAN.fullmatch(word)):
            is_value = word in _WITH_VALUE
        else:
            kept.append(word.replace("x", "") if _SHORT_FLAGS.fullmatch(word) else word)
    words = [*kept, f"--resume={_relative(folder)}"]
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def _relative(path: Path) -> str:
    """The path from the working directory, if it is below it."""
    try:
        return str(path.absolute().relative_to(Path.cwd()))
    except ValueError:
        return str(path.absolute())
