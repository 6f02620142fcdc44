"""Serves the practice sites during a run that has no other base URL."""

from __future__ import annotations

import contextlib

import pytest

from tasks.practice.serve import serve


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Serve in the main process only; workers receive the address as ``--base-url``. So early that
    ``--dry-run`` finds the sites, too."""
    if hasattr(config, "workerinput") or config.option.collectonly:
        return
    if config.getoption("base_url", None) or config.getini("base_url"):
        return
    stack = contextlib.ExitStack()
    config.option.base_url = stack.enter_context(serve())
    config.add_cleanup(stack.close)
