"""Starts pytest and bwa as forks of a process that has imported them already.

Half of the time of a small audit is spent on imports, and the tests run some 200 audits. Here one
process (this file as a script) imports everything once and forks itself for each command, with the
folder, the environment, the arguments and the streams of that command; so do the workers of a run
(`-n`) begin. What concerns the start of a process (its imports, its signals) is tested in a process
of its own: `AuditFolder.start` and `run_anew`.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
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

_COMMAND = """#!{python} -SE
import os, sys
sys.path[0] = {tests!r}
from forked_pytest import Forked
place = {path!r}, os.getcwd(), os.environ
sys.exit(Forked({address!r}, {program!r}, sys.argv[1:], *place, (0, 1, 2)).wait())
"""


class Forked:
    """A command that runs in a fork. ``path`` is what its interpreter would look for modules in
    first."""

    def __init__(
        self, address: str, program: str, arguments: Sequence[str], path: str, folder: str,
        environment: Mapping[str, str], streams: tuple[int, int, int],
    ) -> None:  # fmt: skip
        order = json.dumps(
            [[program, *arguments], path, folder, dict(environment)], separators=(",", ":")
        )
        self._channel = socket.socket(socket.AF_UNIX)
        self._channel.connect(address)
        socket.send_fds(self._channel, [b" "], streams)
        self._channel.sendall(order.encode() + b"\n")
        self._answers = self._channel.makefile("r")
        self._pid = int(self._answers.readline())

    def wait(self, seconds: float | None = None) -> int:
        """The exit status. Raises TimeoutError."""
        if not select.select([self._channel], [], [], seconds)[0]:
            raise TimeoutError
        return int(self._answers.readline())

    def kill(self) -> None:
        os.killpg(self._pid, signal.SIGKILL)


class ForkedPytest:
    """The process that commands are forked from. It ends with the process that made it."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="forked")
        self._address = f"{self._folder.name}/socket"
        self._server = subprocess.Popen(
            [sys.executable, __file__, self._address],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._server.stdout is not None
        self._server.stdout.readline()  # it has imported everything
        self.commands = Path(self._folder.name)
        """A folder with commands that are started instead of ``pytest`` and ``bwa``."""
        for name in ("pytest", "bwa"):
            self._write_command(name)
        atexit.register(self._close)

    def _close(self) -> None:
        assert self._server.stdin is not None
        self._server.stdin.close()
        self._server.wait()

    def run(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], seconds: float
    ) -> tuple[int, str]:
        """The exit status of ``python -m pytest``, and what it wrote. Raises TimeoutError."""
        with (
            tempfile.NamedTemporaryFile("r", encoding="utf-8", errors="replace") as output,
            Path(output.name).open("a") as written,
            Path(os.devnull).open() as nothing,
        ):
            streams = nothing.fileno(), written.fileno(), written.fileno()
            forked = Forked(
                self._address, "pytest", arguments, str(folder), str(folder), environment, streams
            )
            try:
                return forked.wait(seconds), output.read()
            except TimeoutError:
                forked.kill()
                raise TimeoutError(f"pytest ran for {seconds:g} s: {output.read()}") from None

    def _write_command(self, name: str) -> None:
        programs = Path(sys.executable).parent
        command = self.commands / name
        command.write_text(
            _COMMAND.format(
                python=sys.executable, tests=str(Path(__file__).parent), address=self._address,
                program=str(programs / name), path=str(programs),
            )
        )  # fmt: skip
        command.chmod(0o700)


@cache
def forked_pytest() -> ForkedPytest:
    """The one of this process: the import is paid once."""
    return ForkedPytest()


def serve(address: str) -> NoReturn:
    """Fork for each order that comes."""
    _import_everything()
    _fill_caches()
    gc.freeze()  # a collection would copy the memory that the forks share
    with socket.create_server(address, family=socket.AF_UNIX) as listening:
        print("ready", flush=True)
        running = set()
        while sys.stdin not in select.select([sys.stdin, listening], [], [])[0]:
            channel = listening.accept()[0]
            running.add(pid := os.fork())
            if pid == 0:
                listening.close()
                _carry_out(channel, address)
            channel.close()
            running = {pid for pid in running if os.waitpid(pid, os.WNOHANG) == (0, 0)}
    for pid in running:
        os.waitpid(pid, 0)
    sys.exit()


def _import_everything() -> None:
    import importlib.metadata
    import pkgutil

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


def _carry_out(channel: socket.socket, address: str) -> NoReturn:
    """Answer with the number of the process that carries out the order, and with its status."""
    streams = socket.recv_fds(channel, 1, 3)[1]
    order = json.loads(channel.makefile("r").readline())
    pid = os.fork()
    if pid == 0:
        channel.close()
        _become(*order, streams, address)
    for stream in streams:
        os.close(stream)
    channel.send(f"{pid}\n".encode())
    channel.send(f"{os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])}\n".encode())
    os._exit(0)


def _become(
    arguments: list[str], path: str, folder: str, environment: dict[str, str],
    streams: list[int], address: str,
) -> NoReturn:  # fmt: skip
    os.setsid()
    for stream, target in zip(streams, (0, 1, 2), strict=True):
        os.dup2(stream, target)
        os.close(stream)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - what is seekable is asked at the start
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv, sys.path[0] = arguments, path
    _fork_workers(address)
    try:
        status = _PROGRAMS[Path(arguments[0]).name]()
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 1
    sys.exit(status)


def _pytest() -> int:
    import pytest

    if sys.path[0] == str(Path.cwd()):  # python -m pytest
        sys.argv[0] = pytest.__file__.replace("__init__", "__main__")
    return int(pytest.main())


def _bwa() -> int:
    from pytest_bwa.cli import app

    return int(app() or 0)


def _worker() -> int:
    exec(eval(sys.stdin.readline()), {})  # as the command with which execnet starts a worker
    return 0


_PROGRAMS = {"pytest": _pytest, "bwa": _bwa, "-c": _worker}


def _fork_workers(address: str) -> None:
    """Let pytest-xdist fork its workers from the process that this one was forked from."""
    from execnet import gateway_io
    from execnet.gateway_base import Popen2IO

    def start_worker(spec: Any, execmodel: Any) -> Any:
        theirs, stdin = os.pipe()
        stdout, their_stdout = os.pipe()
        streams = theirs, their_stdout, 2
        worker = Forked(address, "-c", [], "", str(Path.cwd()), os.environ, streams)
        os.close(theirs)
        os.close(their_stdout)
        connected = Popen2IO(os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb"), execmodel)
        connected.wait, connected.kill = worker.wait, worker.kill
        return connected

    gateway_io.create_io = start_worker


if __name__ == "__main__":
    serve(sys.argv[1])
