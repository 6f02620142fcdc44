"""What users import from the package itself."""

from __future__ import annotations

import subprocess
import sys

import pytest

import pytest_bwa


def test_the_names_that_users_need_are_exported():
    from pytest_bwa.errors import AuditFinding
    from pytest_bwa.evidence.record import SampleResult
    from pytest_bwa.plugin.browser_agent import BrowserAgent

    exported = [getattr(pytest_bwa, name) for name in pytest_bwa.__all__]
    assert exported == [AuditFinding, BrowserAgent, SampleResult]
    with pytest.raises(AttributeError, match="NoSuchName"):
        _ = pytest_bwa.NoSuchName


def test_importing_the_package_loads_nothing_heavy():
    heavy = "{'pydantic', 'playwright', 'pytest', 'anthropic'} & set(sys.modules)"
    code = f"import sys, pytest_bwa; sys.exit(bool({heavy}))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
