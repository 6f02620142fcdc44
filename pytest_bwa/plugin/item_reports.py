"""What pytest and its plugins say of a sample's item: written into the evidence, and without the
sample's secrets."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from pytest_bwa.errors import AuditFinding, BwaError, SampleBroken
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.item_report import MAX_MESSAGE, ItemReport, TestOutcome
from pytest_bwa.plugin.items import FINISHED, bound_files
from pytest_bwa.plugin.session import Session
from pytest_bwa.spec.redaction import Redactor
from pytest_bwa.spec.secrets import redactor_of
from pytest_bwa.steps.text import one_line

_REPORT = pytest.StashKey[ItemReport | None]()
CLOSED_SAMPLE = "bwa_closed_sample"
"""The attribute by which a report of a teardown names the run folder and the sample: nothing is
written of it any more until the run ends."""
_OF_TRACEBACKS = "_pytest._code"
_STRICT = "[XPASS(strict)] "
"""What pytest says of a test that should have failed begins with it."""


class ItemReports:
    """Called around allure-pytest, so that the reports have the last word."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        redactor = redactor_of_item(self._session, item)
        if item.stash.get(FINISHED, None) is not None:
            self._keep(item, call, report, redactor)
            if report.when == "teardown":
                finished = item.stash[FINISHED]
                closed = [str(finished.run.path), finished.result.sample_id]
                setattr(report, CLOSED_SAMPLE, closed)
        if redactor is not None:
            # Why the failure was expected; and the message that allure-pytest takes from the
            # exception itself.
            if hasattr(report, "wasxfail"):
                report.wasxfail = redacted(report.wasxfail, redactor)
            self._session.reports.tell(lambda r: r.redact_details(redactor))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Called in the controller, too, with the reports of all workers."""
        closed = getattr(report, CLOSED_SAMPLE, None)
        if closed is not None and self._session.worker == "main":
            run, name = RunFolder(Path(closed[0])), closed[1]
            self._session.reports.tell(lambda report: report.sample_closed(run, name))

    def _keep(
        self,
        item: pytest.Item,
        call: pytest.CallInfo[None],
        report: pytest.TestReport,
        redactor: Redactor | None,
    ) -> None:
        """Of several phases the first that failed counts, else the call."""
        if report.when == "setup" and report.passed:  # the test is run again, or goes on
            item.stash[_REPORT] = None
            return
        before = item.stash.get(_REPORT, None)
        if report.when == "teardown" and before and (before.failed or not report.failed):
            return
        finished, reports = item.stash[FINISHED], self._session.reports
        reported = _item_report(finished.result.sample_id, item.nodeid, call, report, redactor)
        item.stash[_REPORT] = reported
        if finished.result.resumed and _says_the_same(reported, finished.item_report):
            return
        try:
            finished.run.write_item_report(reported)
        except BwaError as error:  # a full disk costs this file, and not the session
            reports.problems.append(str(error))
        reports.tell(lambda report: report.item_reported(finished))


def _item_report(
    sample_id: str,
    nodeid: str,
    call: pytest.CallInfo[None],
    report: pytest.TestReport,
    redactor: Redactor | None,
) -> ItemReport:
    error = call.excinfo.value if call.excinfo is not None else None
    outcome, expected = _outcome(report)
    return ItemReport(
        sample_id=sample_id,
        nodeid=nodeid,
        outcome=outcome,
        phase=report.when,
        message=_line(_message(call), redactor),
        expected=_line(expected, redactor),
        by_record=isinstance(error, AuditFinding | SampleBroken),
        is_error=outcome == "failed"
        and not isinstance(error, AssertionError | pytest.fail.Exception),
    )


def _says_the_same(reported: ItemReport, before: ItemReport | None) -> bool:
    """Whether a kept sample's test ended as it had; it may be called by another path now."""
    return before is not None and reported.model_copy(update={"nodeid": before.nodeid}) == before


def _line(text: str, redactor: Redactor | None) -> str:
    """The first line, without secrets."""
    line = next(iter((redactor(text) if redactor else text).splitlines()), "")
    return one_line(line.strip(), MAX_MESSAGE)


def _outcome(report: pytest.TestReport) -> tuple[TestOutcome, str]:
    """The outcome, and why the test was expected to fail, if it was."""
    text = report.longrepr if isinstance(report.longrepr, str) else ""
    if report.failed and text.startswith(_STRICT):
        return "xpassed", text.removeprefix(_STRICT)
    expected = getattr(report, "wasxfail", None)
    if expected is not None and report.skipped:
        return "xfailed", str(expected)
    return report.outcome, ""


def _message(call: pytest.CallInfo[None]) -> str:
    if call.excinfo is None:
        return ""
    error = call.excinfo.value
    if isinstance(error, pytest.skip.Exception | pytest.xfail.Exception):
        return error.msg or ""
    return call.excinfo.exconly()


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
