"""Kills workers of a Dask cluster in the middle of their work."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import psutil
from audit_folder import wait_until


class Killer(threading.Thread):
    """Carries out its plan, a word for each chunk that has so many results: "kill" kills its worker
    and "interrupt" is Ctrl-C for this process, which runs the audit. Samples that know the file
    ``gate`` make no more results as long as it is there; after an interrupt it stays."""

    def __init__(self, plan: list[str], at: int, gate: Path | None = None) -> None:
        super().__init__(daemon=True)
        self.plan, self._at, self._gate = plan, at, gate
        if gate:
            gate.touch()
        self._orphans: list[psutil.Process] = []
        self._hit: set[Path] = set()
        self.start()

    def run(self) -> None:
        is_last_interrupt = self.plan[-1] == "interrupt"
        while self.plan:
            for folder, process in _chunks().items():
                finished = len(list(folder.glob("*/*/result.json")))
                if self.plan and folder not in self._hit and finished >= self._at:
                    self._hit.add(folder)
                    self._act(process)
            time.sleep(0.02)
        if self._gate and not is_last_interrupt:
            self._gate.unlink()

    def _act(self, process: psutil.Process) -> None:
        if self.plan.pop(0) == "interrupt":
            os.kill(os.getpid(), signal.SIGINT)
            return
        self._orphans += [process, *process.children(recursive=True)]
        process.parent().kill()

    def check(self) -> None:
        """All was done, and no process outlived the worker that it belonged to."""
        assert self.plan == []
        assert self._orphans
        wait_until(lambda: not any(p.is_running() for p in self._orphans), "orphans live")


def _chunks() -> dict[Path, psutil.Process]:
    """The processes of pytest that Dask workers below this process run, by their evidence."""
    found = {}
    for process in psutil.Process().children(recursive=True):
        try:
            words = process.cmdline()
        except psutil.Error:  # it has just ended
            continue
        if any(word.startswith("--shard=") for word in words):
            evidence = next(word for word in words if word.startswith("--evidence="))
            found[Path(evidence.partition("=")[2])] = process
    return found
