"""pytest-bwa: one browser agent, one web task, every row of a list, and the evidence.

What users import is loaded when it is asked for: ``import pytest_bwa`` itself loads nothing, so
that ``bwa --help`` and projects without an audit stay fast.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_bwa.errors import AuditFinding as AuditFinding
    from pytest_bwa.evidence.record import SampleResult as SampleResult
    from pytest_bwa.plugin.browser_agent import BrowserAgent as BrowserAgent

__version__ = "0.1.0"
__all__ = ["AuditFinding", "BrowserAgent", "SampleResult"]
_PLACES = {
    "AuditFinding": "pytest_bwa.errors",
    "BrowserAgent": "pytest_bwa.plugin.browser_agent",
    "SampleResult": "pytest_bwa.evidence.record",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_PLACES[name]), name)
