"""SIGTERM, by which CI systems and containers end a run, ends an audit as Ctrl-C does: with whole
evidence, its reports, and no browser left behind."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable


def heed() -> Callable[[], None]:
    """From now on, until what is returned is called. A handler that somebody else set stays."""
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        return lambda: None
    signal.signal(signal.SIGTERM, signal.default_int_handler)

    def undo() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    return undo
