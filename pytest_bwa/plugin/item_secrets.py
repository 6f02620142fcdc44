"""Takes the secrets of a sample out of what pytest and its plugins say of its item."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from pytest_bwa.plugin.items import bound_files
from pytest_bwa.plugin.session import Session
from pytest_bwa.spec.redaction import Redactor
from pytest_bwa.spec.secrets import redactor_of

_OF_TRACEBACKS = "_pytest._code"


class RedactedReports:
    """The report of an item without secrets, before any other plugin sees it."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        redactor = redactor_of_item(self._session, item)
        if redactor is not None:
            report.longrepr = redacted(report.longrepr, redactor)
            report.sections = redacted(report.sections, redactor)
            report.user_properties[:] = redacted(report.user_properties, redactor)
        return report


class RedactedDetails:
    """What is said of an item after its report was made: why its failure was expected, and in
    Allure's result the message, which allure-pytest takes from the exception itself."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        redactor = redactor_of_item(self._session, item)
        if redactor is not None:
            if hasattr(report, "wasxfail"):
                report.wasxfail = redacted(report.wasxfail, redactor)
            self._session.reports.redact_details(redactor)
        return report


def redactor_of_item(session: Session, item: pytest.Item) -> Redactor | None:
    """None for a test that runs no sample."""
    marker = item.get_closest_marker("bwa")
    bound = session.bound.get(bound_files(item, marker)) if marker is not None else None
    audit = session.audit or bound
    sample_id = getattr(getattr(item, "callspec", None), "params", {}).get("sample")
    if audit is None or not isinstance(sample_id, str):
        return None
    sample = audit.samples.find(sample_id)
    return redactor_of(audit.task, sample) if sample is not None else None


def redacted(content: Any, redactor: Redactor) -> Any:
    """A text, or the texts in a list, tuple or in pytest's form of a traceback."""
    if isinstance(content, str):
        return redactor(content)
    if isinstance(content, list):
        return [redacted(entry, redactor) for entry in content]
    if isinstance(content, tuple):
        return tuple(redacted(entry, redactor) for entry in content)
    if type(content).__module__.startswith(_OF_TRACEBACKS):
        for name, value in vars(content).items():
            object.__setattr__(content, name, redacted(value, redactor))
    return content
