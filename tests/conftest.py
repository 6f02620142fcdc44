"""Fixtures shared by tests of several packages."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from local_site import Site

pytest_plugins = ["pytester"]
MODEL_VARIABLES = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL")


def pytest_configure() -> None:
    """Enable Ctrl-C: background jobs of a shell ignore it, and subprocesses inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


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
    return Path(__file__).parent.parent
