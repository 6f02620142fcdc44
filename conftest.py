"""The practice sites are served where no other address is given."""

from __future__ import annotations

import contextlib

import pytest

from tasks.practice.serve import serve


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """In the controller or the only process; workers are told the address as ``--base-url``."""
    if hasattr(config, "workerinput") or config.option.collectonly:
        return
    if config.getoption("base_url", None) or config.getini("base_url"):
        return
    stack = contextlib.ExitStack()
    config.option.base_url = stack.enter_context(serve())
    config.add_cleanup(stack.close)
