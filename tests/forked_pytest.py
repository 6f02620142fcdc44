"""Runs pytest in a process that has imported it already.

Half of the time of a small audit is spent on imports, and the tests run some 170 audits. Here one
process (this file as a script) imports everything once and starts each run as a fork of itself,
with the folder, the environment and the arguments of that run. Workers (`-n`) are forks of the run
as it was before it began. What concerns the start of a process (its imports, its signals) is tested
in a process of its own: `AuditFolder.start` and `run_anew`.
"""

from __future__ import annotations

import atexit
import gc
import importlib.metadata
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from execnet import gateway_io
from execnet.gateway_base import ExecModel, Popen2IO

_START = 100.0  # seconds; the imports come before the first run


class ForkedPytest:
    """The process that runs of pytest are forked from. It ends with the process that made it."""

    def __init__(self) -> None:
        self._server = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        atexit.register(self._close)

    def _close(self) -> None:
        assert self._server.stdin is not None
        self._server.stdin.close()
        self._server.wait()

    def run(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], seconds: float
    ) -> tuple[int, str]:
        """The exit status of pytest, and what it wrote. Raises TimeoutError."""
        assert self._server.stdin is not None
        with tempfile.NamedTemporaryFile("r", encoding="utf-8", errors="replace") as output:
            order = {
                "arguments": list(arguments),
                "folder": str(folder),
                "environment": dict(environment),
                "output": output.name,
            }
            print(json.dumps(order), file=self._server.stdin, flush=True)
            pid = int(self._answer(_START))
            try:
                status = int(self._answer(seconds))
            except TimeoutError:
                os.killpg(pid, signal.SIGKILL)
                self._answer(_START)
                raise TimeoutError(f"pytest ran for {seconds:g} s: {output.read()}") from None
            return status, output.read()

    def _answer(self, seconds: float) -> str:
        assert self._server.stdout is not None
        if not select.select([self._server.stdout], [], [], seconds)[0]:
            raise TimeoutError
        return self._server.stdout.readline()


@cache
def forked_pytest() -> ForkedPytest:
    """The one of this process: the import is paid once."""
    return ForkedPytest()


def serve() -> None:
    """Fork for each order that comes, and answer with the number of the process and its status."""
    _import_everything()
    _fill_caches()
    gc.freeze()  # a collection would copy the memory that the forks share
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            _run(order)
        print(pid, flush=True)
        _, ended = os.waitpid(pid, 0)
        print(os.waitstatus_to_exitcode(ended), flush=True)


def _import_everything() -> None:
    import pytest_bwa

    plugins = importlib.metadata.entry_points(group="pytest11")
    for plugin in plugins:
        plugin.load()
        # pytest would warn that it cannot rewrite the assertions of what is imported already.
        package = sys.modules[plugin.module.split(".")[0]]
        package.__doc__ = f"{package.__doc__ or ''} PYTEST_DONT_REWRITE"
    for module in pkgutil.walk_packages(pytest_bwa.__path__, "pytest_bwa."):
        importlib.import_module(module.name)


def _fill_caches() -> None:
    """What every audit reads once: the names of months and packages, the templates, the codecs."""
    import regex  # noqa: F401 - which is imported when a spec needs it
    from PIL import Image

    from pytest_bwa.evidence.integrity.origin import installed_packages
    from pytest_bwa.reports.handover import templates
    from pytest_bwa.spec.notation import locales

    Image.init()
    locales.month_numbers("en")
    locales.weekday_numbers("en")
    installed_packages()
    environment = templates._environment()
    for name in environment.list_templates(extensions=["html"]):
        environment.get_template(name)


def _move(folder: str, environment: Mapping[str, str]) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)


def _run(order: dict[str, Any]) -> NoReturn:
    import pytest

    os.setsid()
    output = os.open(order["output"], os.O_WRONLY | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(source, target)
    _move(order["folder"], order["environment"])
    _fork_workers()
    sys.path[0] = order["folder"]  # as ``python -m pytest`` has it
    sys.argv = [pytest.__file__.replace("__init__", "__main__"), *order["arguments"]]
    try:
        status = int(pytest.main())
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 1
    sys.exit(status)


def _fork_workers() -> None:
    """From now on, a worker that pytest-xdist starts is forked from this process as it is now."""
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        ours.close()
        _fork_worker_when_asked(theirs)
    theirs.close()
    gateway_io.create_io = lambda _, execmodel: _Worker(ours, execmodel)  # type: ignore


class _Worker(Popen2IO):
    """A worker, as execnet needs it."""

    def __init__(self, asked: socket.socket, execmodel: ExecModel) -> None:
        theirs, stdin = os.pipe()
        stdout, their_stdout = os.pipe()
        self._end, their_end = os.pipe()
        socket.send_fds(asked, [b" "], [theirs, their_stdout, their_end])
        self._pid = int(asked.recv(20))
        for descriptor in (theirs, their_stdout, their_end):
            os.close(descriptor)
        super().__init__(os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb"), execmodel)
        self.write(json.dumps([str(Path.cwd()), dict(os.environ)]).encode() + b"\n")

    def wait(self) -> None:
        os.read(self._end, 1)  # nothing is written there: it is closed when the worker ends

    def kill(self) -> None:
        os.kill(self._pid, signal.SIGKILL)


def _fork_worker_when_asked(asked: socket.socket) -> NoReturn:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # a worker that ends leaves nothing to wait for
    while True:
        word, descriptors, _, _ = socket.recv_fds(asked, 1, 3)
        if not word:
            os._exit(0)
        pid = os.fork()
        if pid == 0:
            asked.close()
            _work(*descriptors[:2])
        asked.send(str(pid).encode())
        for descriptor in descriptors:
            os.close(descriptor)


def _work(stdin: int, stdout: int) -> NoReturn:
    """As the command with which execnet starts a worker, after a line with its folder and
    environment."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for source, target in ((stdin, 0), (stdout, 1)):
        os.dup2(source, target)
        os.close(source)
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
    _move(*json.loads(sys.stdin.readline()))
    sys.path[0], sys.argv = "", ["-c"]
    exec(eval(sys.stdin.readline()), {})
    sys.exit()


if __name__ == "__main__":
    serve()
