"""Finding, judging and ending the processes of browsers, drivers and installers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import psutil


def newest(
    parent: psutil.Process, wanted: Callable[[psutil.Process], bool]
) -> psutil.Process | None:
    """The child that was started last of those that are wanted; who ends meanwhile is none."""
    found = []
    with contextlib.suppress(psutil.Error):
        for child in parent.children():
            with contextlib.suppress(psutil.Error):
                if wanted(child):
                    found.append((child.create_time(), child.pid, child))
    return max(found)[-1] if found else None


def lives(process: psutil.Process | None) -> bool:
    """Of a process that is not known, on another machine perhaps, the best is believed."""
    try:
        return process is None or (
            process.is_running() and process.status() != psutil.STATUS_ZOMBIE
        )
    except psutil.NoSuchProcess:
        return False


def kill_tree(process: psutil.Process | None) -> list[psutil.Process]:
    """With all that it started, which is returned; it may take them a moment yet to be gone.
    Never raises."""
    family = [process] if process else []
    with contextlib.suppress(psutil.Error):
        # Listed first: once their parent is gone, they can no longer be found.
        family += [child for each in family for child in each.children(recursive=True)]
    for each in family:
        with contextlib.suppress(psutil.Error):
            each.kill()
    return family
