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
    """Remove settings of the environment that would let a test reach a real model."""
    for name in MODEL_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BWA_RATE_LIMITS", '{"default": 0}')


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


@pytest.fixture
def repository() -> Path:
    return Path(__file__).parent.parent
