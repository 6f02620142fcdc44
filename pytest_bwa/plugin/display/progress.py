"""What a run is doing now: one line of the terminal that is rewritten, or with -v a line a step."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol, TextIO

import pytest

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.approvals import ApprovalDesk
from pytest_bwa.evidence.folder import LIVE, STEP_LINES, LiveSample, RunFolder
from pytest_bwa.evidence.result_reader import ResultReader
from pytest_bwa.plugin.display.approval import CLEAR, PROMPT
from pytest_bwa.steps.text import dollars, first_of, show_controls

PERIOD = 0.3
"""Seconds between two looks at the workers' files."""
MAX_NAMED = 3
"""Samples that are named on the line."""
SAVE, RESTORE = "\x1b7", "\x1b8"
"""Terminal codes: keep the cursor's place, and return to it."""
OTHER_VIEWS = ("sugar", "rich")
"""Plugins that draw the whole terminal themselves."""


class View(Protocol):
    """Shows the state of the runs."""

    def show(self, folders: Sequence[RunFolder]) -> None: ...

    def clear(self) -> None:
        """Make room for what pytest writes."""


class StatusLine:
    """The running samples, to the right of the cursor, which stays where pytest left it."""

    def __init__(self, config: pytest.Config, screen: TextIO) -> None:
        self._writer, self._screen = config.get_terminal_writer(), screen
        self._stash = config.stash
        self._reader = ResultReader(lambda result: result.usage.cost_usd)
        self._drawn = ""

    def show(self, folders: Sequence[RunFolder]) -> None:
        waiting = [asked for folder in folders for asked in ApprovalDesk(folder.path).waiting()]
        running = [live for folder in folders for live in folder.live_samples()]
        finished = [cost for folder in folders for cost in self._reader.results(folder)]
        asks = [f"{len(waiting)} waiting for approval: bwa review"] * bool(waiting)
        prompt = self._stash.get(PROMPT, "")
        if not running or any(asked.id == prompt for asked in waiting):
            self.clear()
            return
        costs = [live.cost_usd for live in running] + finished
        names = first_of([_doing(live) for live in running], MAX_NAMED)
        spent = f", {dollars(sum(cost or 0 for cost in costs))}" if any(costs) else ""
        text = show_controls("  " + "; ".join([*asks, f"{len(finished)} finished{spent}", names]))
        room = self._writer.fullwidth - self._writer.width_of_current_line - 1
        line = text[: max(0, room)]
        if line != self._drawn:
            print(f"{SAVE}{CLEAR}{line}{RESTORE}", end="", file=self._screen, flush=True)
        self._drawn = line

    def clear(self) -> None:
        if self._drawn:
            print(CLEAR, end="", file=self._screen, flush=True)
        self._drawn = ""


class StepLines:
    """A line for each step, in the order in which the workers wrote them."""

    def __init__(self, config: pytest.Config, screen: TextIO) -> None:
        self._writer, self._screen = config.get_terminal_writer(), screen
        self._is_below = False
        """Whether the cursor has left the line that pytest began."""
        self._read: dict[Path, int] = {}
        """How many bytes of each file were shown."""
        self._asked: set[str] = set()

    def show(self, folders: Sequence[RunFolder]) -> None:
        for folder in folders:
            for asked in ApprovalDesk(folder.path).waiting():
                if asked.id not in self._asked:
                    self._asked.add(asked.id)
                    what = f"{asked.sample_id} waits for approval (bwa review): {asked.what}"
                    self._write(show_controls(what))
            for path in sorted((folder.path / LIVE).glob(f"*.{STEP_LINES}")):
                with path.open("rb") as stream:
                    stream.seek(self._read.get(path, 0))
                    whole, end, _ = stream.read().rpartition(b"\n")
                self._read[path] = self._read.get(path, 0) + len(whole + end)
                for line in whole.decode("utf-8", "replace").splitlines():
                    self._write(line)

    def _write(self, line: str) -> None:
        begin = "\n" if self._writer.width_of_current_line and not self._is_below else ""
        self._is_below = True
        print(f"{begin}  {line}", file=self._screen, flush=True)

    def clear(self) -> None:
        self._is_below = False


class Progress:
    """Follows the files of the workers while pytest runs the tests."""

    def __init__(self, config: pytest.Config, folders: Callable[[], Sequence[RunFolder]]) -> None:
        self._config, self._folders = config, folders
        self._lock, self._ended = threading.Lock(), threading.Event()
        self._view: View | None = None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self) -> Generator[None, object, object]:
        with _screen() as screen:
            self._view = _view(self._config, screen)
            return (yield from self._run(self._view))

    def _run(self, view: View | None) -> Generator[None, object, object]:
        if view is None:
            return (yield)
        thread = threading.Thread(target=self._follow, args=(view,), daemon=True)
        thread.start()
        try:
            return (yield)
        finally:
            self._ended.set()
            thread.join()
            self._look(view)
            view.clear()

    def _follow(self, view: View) -> None:
        while not self._ended.wait(PERIOD):
            self._look(view)

    def _look(self, view: View) -> None:
        # A file may be half written, or gone.
        with self._lock, suppress(OSError, EvidenceError):
            view.show(self._folders())

    def _let_pytest_write(self) -> Generator[None, object, object]:
        with self._lock:
            if self._view is not None:
                self._view.clear()
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_logstart(self) -> Generator[None, object, object]:
        return (yield from self._let_pytest_write())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_logreport(self) -> Generator[None, object, object]:
        return (yield from self._let_pytest_write())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_logfinish(self) -> Generator[None, object, object]:
        return (yield from self._let_pytest_write())


@contextmanager
def _screen() -> Iterator[TextIO | None]:
    """The terminal itself, because pytest keeps what a test writes to stdout; None where stdout is
    no file."""
    try:
        number = os.dup(sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        yield None
        return
    with os.fdopen(number, "w", encoding="utf-8", errors="replace") as screen:
        yield screen


def _view(config: pytest.Config, screen: TextIO | None) -> View | None:
    """None where nothing is shown: by -q, without a terminal, or where others draw it."""
    verbose = config.option.verbose
    if (
        screen is None
        or config.option.collectonly
        or not config.pluginmanager.hasplugin("terminalreporter")
    ):
        return None
    if verbose > 0:
        return StepLines(config, screen)
    is_drawn = any(config.pluginmanager.hasplugin(name) for name in OTHER_VIEWS)
    return StatusLine(config, screen) if screen.isatty() and verbose == 0 and not is_drawn else None


def _doing(live: LiveSample) -> str:
    """What a worker is doing, in a few words."""
    return f"{live.sample_id} step {live.step} of {live.max_steps} {live.action or 'begins'}"
