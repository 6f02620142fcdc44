"""Running an installer without being held by one that makes no progress."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import IO

import psutil

from pytest_bwa.browser.processes import kill_tree

SILENCE_SECONDS = 180.0
"""An installer that prints nothing for so long is given up. Playwright prints a line every tenth
of a download of 180 MB, apt one for every package."""
DYING_SECONDS = 5.0
"""A killed process is gone within milliseconds, on a busy machine somewhat later."""
WORTH_SHOWING = ("Downloading ", "Get:", "Unpacking ", "Setting up chromium")
TERMINAL_CODES = re.compile(r"\x1b\[[0-9;]*m")

Say = Callable[[str], None]


def run_command(
    command: Sequence[str],
    say: Say,
    *,
    extra: Mapping[str, str] | None = None,
    silence: float = SILENCE_SECONDS,
) -> bool:
    """Whether the command ended well; shows the steps of its output, and its end if it failed."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, **(extra or {})},
        )
    except OSError as error:
        say(f"  {command[0]}: {error.strerror or error}")
        return False
    try:
        last = _follow(process, say, silence)
    finally:
        _end(process)
    if last is None:
        say(f"  nothing more came from {command[0]} for {silence:g} s, so it was stopped")
    elif process.returncode != 0 and last:
        say(f"  {_telling(last)}")
    return last is not None and process.returncode == 0


def _follow(process: subprocess.Popen[str], say: Say, silence: float) -> list[str] | None:
    """The last lines once the command has ended; None if it fell silent before that."""
    assert process.stdout is not None, "the command's output is a pipe"
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(process.stdout, lines), daemon=True).start()
    last: deque[str] = deque(maxlen=40)
    shown = ""
    try:
        while (line := lines.get(timeout=silence)) is not None:
            line = TERMINAL_CODES.sub("", line).strip()
            if line:
                last.append(line)
            if line.startswith(WORTH_SHOWING) and line != shown:
                shown = line
                say(f"  {line[:120]}")
        process.wait(timeout=silence)
    except (queue.Empty, subprocess.TimeoutExpired):
        return None
    return list(last)


def _read(stream: IO[str], lines: queue.SimpleQueue[str | None]) -> None:
    with contextlib.suppress(ValueError, OSError):  # the pipe was closed under us
        for line in stream:
            lines.put(line)
    lines.put(None)


def _end(process: subprocess.Popen[str]) -> None:
    """Stop what still runs, children included: an installer's child would keep the pipe open, and
    its lock from the installer that is tried next."""
    if process.poll() is not None:
        return
    killed = []
    with contextlib.suppress(psutil.NoSuchProcess):
        killed = kill_tree(psutil.Process(process.pid))
    process.wait()
    psutil.wait_procs(killed, timeout=DYING_SECONDS)


def _telling(last: list[str]) -> str:
    """The line that says what went wrong, else the last one."""
    errors = [line for line in last if re.match(r"(E:|Error|error:)", line)]
    # Playwright's last "Error:" only says that a download failed; the first one says why.
    return (errors or last[-1:])[0][:200]
