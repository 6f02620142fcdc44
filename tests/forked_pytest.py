"""Runs pytest in a process that has imported it already.

Half of the time of a small audit is spent on imports, and the tests run some 170 audits. Here one
process (this file as a script) imports everything once and starts each run as a fork of itself,
with the folder, the environment and the arguments of that run. What concerns the start of a process
(its imports, its signals) is tested in a process of its own: `AuditFolder.start` and `run_anew`.
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
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

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


def _run(order: dict[str, Any]) -> NoReturn:
    import pytest

    os.setsid()
    output = os.open(order["output"], os.O_WRONLY | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(source, target)
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])
    sys.path[0] = order["folder"]  # as ``python -m pytest`` has it
    sys.argv = [pytest.__file__.replace("__init__", "__main__"), *order["arguments"]]
    try:
        status = int(pytest.main())
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 1
    sys.exit(status)


if __name__ == "__main__":
    serve()
