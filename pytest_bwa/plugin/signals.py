"""SIGTERM, with which CI systems and containers stop a run, ends an audit like Ctrl-C: evidence and
reports are complete, and no browser is left running."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable


def treat_sigterm_as_interrupt() -> Callable[[], None]:
    """Returns the function that undoes it. A handler that somebody else has set is kept."""
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        return lambda: None
    signal.signal(signal.SIGTERM, signal.default_int_handler)

    def undo() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    return undo
