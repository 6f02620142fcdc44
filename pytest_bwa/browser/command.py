"""Run an installer, and stop it if it makes no progress."""

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
"""An installer that prints nothing for this long is stopped. Playwright prints a line for every
tenth of a download of 180 MB, apt one for every package."""
EXIT_SECONDS = 5.0
"""Maximum seconds to wait until killed processes have exited. It takes milliseconds, but more on a
busy machine."""
PROGRESS_LINES = ("Downloading ", "Get:", "Unpacking ", "Setting up chromium")
TERMINAL_CODES = re.compile(r"\x1b\[[0-9;]*m")

Print = Callable[[str], None]
"""Shows one line to the user."""


def run_command(
    command: Sequence[str],
    show: Print,
    *,
    environment: Mapping[str, str] | None = None,
    silence: float = SILENCE_SECONDS,
) -> bool:
    """Run the command and show its progress; return whether it succeeded.

    ``environment`` is added to that of this process. If the command fails, the reason is shown.
    """
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, **(environment or {})},
        )
    except OSError as error:
        show(f"  {command[0]}: {error.strerror or error}")
        return False
    try:
        last_lines = _follow(process, show, silence)
    finally:
        _stop(process)
    if last_lines is None:
        show(f"  {command[0]} printed nothing for {silence:g} s, so it was stopped")
    elif process.returncode != 0 and last_lines:
        show(f"  {_error_line(last_lines)}")
    return last_lines is not None and process.returncode == 0


def _follow(process: subprocess.Popen[str], show: Print, silence: float) -> list[str] | None:
    """Show progress until the command ends; return its last lines, or None if it fell silent."""
    assert process.stdout is not None, "the command's output is a pipe"
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(process.stdout, lines), daemon=True).start()
    last_lines: deque[str] = deque(maxlen=40)
    previous = ""
    try:
        while (line := lines.get(timeout=silence)) is not None:
            line = TERMINAL_CODES.sub("", line).strip()
            if line:
                last_lines.append(line)
            if line.startswith(PROGRESS_LINES) and line != previous:
                previous = line
                show(f"  {line[:120]}")
        process.wait(timeout=silence)
    except (queue.Empty, subprocess.TimeoutExpired):
        return None
    return list(last_lines)


def _read(stream: IO[str], lines: queue.SimpleQueue[str | None]) -> None:
    with contextlib.suppress(ValueError, OSError):  # the pipe was closed while we read it
        for line in stream:
            lines.put(line)
    lines.put(None)


def _stop(process: subprocess.Popen[str]) -> None:
    """Kill the command and its children if it still runs.

    A child left behind would keep the pipe open, and would keep the installer's lock, so that the
    installer that is tried next could not run.
    """
    if process.poll() is not None:
        return
    killed = []
    with contextlib.suppress(psutil.NoSuchProcess):
        killed = kill_tree(psutil.Process(process.pid))
    process.wait()
    psutil.wait_procs(killed, timeout=EXIT_SECONDS)


def _error_line(last_lines: list[str]) -> str:
    """The line that says what went wrong, else the last one."""
    errors = [line for line in last_lines if re.match(r"(E:|Error|error:)", line)]
    # Playwright's last "Error:" only says that a download failed; the first one says why.
    return (errors or last_lines[-1:])[0][:200]
