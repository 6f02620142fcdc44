"""Lines on the terminal before pytest's header."""

from __future__ import annotations

import pytest


def write_line(config: pytest.Config, text: str) -> None:
    """Say at once what takes its time before the first item."""
    reporter = config.pluginmanager.getplugin("terminalreporter")
    if reporter is not None and config.option.verbose >= 0:
        reporter.write_line(f"bwa: {text} …")
