"""What Dask loads in each worker that ``bwa run --local`` starts."""

from __future__ import annotations

import signal


def dask_setup(worker: object) -> None:
    """Ctrl-C in the terminal reaches these processes, too: only ``bwa run`` is to act on it, and
    asks them for what they have. (A signal that is ignored would also be ignored by pytest.)"""
    signal.signal(signal.SIGINT, lambda number, frame: None)
