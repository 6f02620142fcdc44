"""Find, check and kill the processes of browsers, drivers and installers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import psutil


def newest_child(
    parent: psutil.Process, matches: Callable[[psutil.Process], bool]
) -> psutil.Process | None:
    """The newest child that matches, or None. A child that exits meanwhile is ignored."""
    found = []
    with contextlib.suppress(psutil.Error):
        for child in parent.children():
            with contextlib.suppress(psutil.Error):
                if matches(child):
                    found.append((child.create_time(), child.pid, child))
    return max(found)[-1] if found else None


def is_alive(process: psutil.Process | None) -> bool:
    """Whether the process runs. An unknown process (None; it may be on another machine) counts as
    running."""
    try:
        return process is None or (
            process.is_running() and process.status() != psutil.STATUS_ZOMBIE
        )
    except psutil.NoSuchProcess:
        return False


def kill_tree(process: psutil.Process | None) -> list[psutil.Process]:
    """Kill a process and all its descendants; return them, since they take a moment to exit.

    Never raises an error.
    """
    family = [process] if process else []
    with contextlib.suppress(psutil.Error):
        # List them first: when their parent has exited, they can no longer be found.
        family += [child for parent in family for child in parent.children(recursive=True)]
    for member in family:
        with contextlib.suppress(psutil.Error):
            member.kill()
    return family
