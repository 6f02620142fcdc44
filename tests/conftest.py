"""Fixtures shared by tests of several packages."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from local_site import Site

from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.launch import launch_arguments

pytest_plugins = ["pytester"]
ROOT = Path(__file__).parent.parent
TOOLS = ROOT / "tests/page_scripts"
WITHOUT_PLUGINS = "-p no:anyio -p no:html -p no:metadata"
"""For the hundreds of processes of pytest that tests start: to import these plugins takes a third
of the start of each. A test that needs one sets PYTEST_ADDOPTS to nothing."""
MODEL_VARIABLES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL")


def pytest_configure(config: pytest.Config) -> None:
    """Enable Ctrl-C: background jobs of a shell ignore it, and subprocesses inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not config.getoption("numprocesses", None):  # its workers need the same plugins as it has
        os.environ.setdefault("PYTEST_ADDOPTS", WITHOUT_PLUGINS)
    if sys.dont_write_bytecode and "PYTEST_XDIST_WORKER" not in os.environ:
        config.add_cleanup(_keep_bytecode_for_this_run())


def _keep_bytecode_for_this_run() -> Callable[[], None]:
    """Let the many processes of pytest that tests start compile each module once, although this
    environment keeps no bytecode. Where it lies is where that of other packages is found, and it
    goes when the run ends."""
    changes = pytest.MonkeyPatch()
    changes.delenv("PYTHONDONTWRITEBYTECODE", raising=False)

    def forget() -> None:
        changes.undo()
        for folder in ("pytest_bwa", "tests", "tasks", "workflows"):
            for bytecode in (ROOT / folder).rglob("__pycache__"):
                shutil.rmtree(bytecode, ignore_errors=True)

    return forget


@pytest.fixture(scope="session")
def tools() -> Path:
    """The folder with the development tools, which are installed if they are not there yet."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        message = "node 20 or newer and npm are needed: install them from https://nodejs.org"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    with FileLock(TOOLS / ".npm-ci.lock"):  # several pytest workers may come here at once
        # npm writes this file at the end of an installation.
        if not (TOOLS / "node_modules" / ".package-lock.json").is_file():
            done = subprocess.run([npm, "ci"], cwd=TOOLS, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout + done.stderr
    return TOOLS


@pytest.hookimpl(optionalhook=True)  # without pytest-xdist nobody knows it
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep each file on one worker: what a file's tests share (whole runs of pytest) is made once,
    and no worker is left with a long queue of slow tests while the other has nothing to do."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import LoadFileScheduling

    # In the order below: otherwise the files of few tests, which run pytest, come last.
    config.option.loadscopereorder = False
    return LoadFileScheduling(config, log)


@pytest.hookimpl(trylast=True)  # after pytest has put together what shares a fixture
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest: if one of them came last, one worker would be busy
    with it alone."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: (item.path not in slow, "plugin" not in item.path.parts))


@pytest.fixture(scope="session", autouse=True)
def folders_of_inner_runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let the runs of pytest that tests start keep their temporary folders here: at its end each
    deletes what older ones left, and two that do so at once disturb each other."""
    with pytest.MonkeyPatch.context() as changes:
        changes.setenv("PYTEST_DEBUG_TEMPROOT", str(tmp_path_factory.mktemp("inner")))
        yield


@pytest.fixture(autouse=True)
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove settings of the environment that would let a test reach a real model. The fast model
    is asked after a sample only by the tests that are about it."""
    for name in MODEL_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BWA_RATE_LIMITS", '{"default": 0}')
    monkeypatch.setenv("BWA_ENABLE_MEMORY_DISTILLATION", "false")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own for what is kept between runs, so that no test touches the user's."""
    folder = tmp_path / ".bwa_home"
    monkeypatch.setenv("BWA_HOME", str(folder))
    return folder


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


@pytest.fixture
def repository() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The browser of these tests is launched as that of an audit is."""
    return {**browser_type_launch_args, **launch_arguments(find_browser())}
