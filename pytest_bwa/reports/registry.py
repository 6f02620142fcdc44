"""The list of reports, and the object that calls each of them."""

from __future__ import annotations

from collections.abc import Callable

from pytest_bwa.errors import BwaError
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.integrity.manifest import MANIFEST, write_manifests
from pytest_bwa.reports.base import FinishedRun, FinishedSample, Report, ReportContext, Terminal
from pytest_bwa.reports.combined import CombinedTables
from pytest_bwa.reports.handover.report import HandOver
from pytest_bwa.reports.junit import JUnitProperties
from pytest_bwa.reports.terminal import TerminalSummary
from pytest_bwa.steps.text import show_controls


def _allure(context: ReportContext) -> Report:
    """Import Allure only if its results are wanted: a run works without allure-pytest."""
    if context.allure_folder is None:
        return Report(context)
    from pytest_bwa.reports.allure import AllureResults

    return AllureResults(context)


def _html(context: ReportContext) -> Report:
    """Import pytest-html only if its report is wanted: it need not be installed."""
    if context.html_file is None:
        return Report(context)
    from pytest_bwa.reports.html_report import HtmlReportExtras

    return HtmlReportExtras(context)


def _upload(context: ReportContext) -> Report:
    """Import the upload only if there is a store."""
    if context.store is None:
        return Report(context)
    from pytest_bwa.reports.upload.report import UploadedEvidence

    return UploadedEvidence(context)


REPORTS: list[Callable[[ReportContext], Report]] = [
    JUnitProperties,
    _allure,
    CombinedTables,
    HandOver,
    _html,  # after the hand-over pages, which frame the pictures
    TerminalSummary,
    _upload,  # last: it sends what the others have written
]
"""Every report, in the order in which they are called."""


class Reports:
    """All reports of this process. If one of them fails, the others are still made."""

    def __init__(self, context: ReportContext) -> None:
        self.context = context
        self._reports = [make_report(context) for make_report in REPORTS]
        self.problems: list[str] = []
        """Messages for the terminal about what could not be written."""

    def run_opened(self, run: RunFolder) -> list[str]:
        """The lines of all reports for the header. Raises InputError."""
        return [line for report in self._reports for line in report.run_opened(run)]

    def tell(self, call: Callable[[Report], object]) -> None:
        """Call every report; errors go to ``problems``, so that the run continues."""
        errors = self._call_each(call)
        self.problems += [_message(report, error) for report, error in errors]

    @property
    def is_incomplete(self) -> bool:
        """Whether something is missing that was asked for."""
        return any(report.is_incomplete for report in self._reports)

    def sample_finished(self, finished: FinishedSample) -> None:
        """Call every report, then raise the first error: it fails the sample's pytest item."""
        errors = self._call_each(lambda report: report.sample_finished(finished))
        for _, error in errors:
            raise error

    def run_finished(self, runs: tuple[FinishedRun, ...]) -> None:
        """Call every report; errors go to ``problems``."""
        self.problems += [run.problem for run in runs if run.problem]
        self.tell(lambda report: report.run_finished(runs))

    def seal(self, runs: tuple[FinishedRun, ...]) -> None:
        """Write the manifests, which must be the last files of a run, then call every report;
        errors go to ``problems``."""
        for run in runs:
            try:
                write_manifests(run.folder.path, run.record.foreign)
            except (BwaError, OSError) as error:
                self.problems.append(f"{run.folder.path / MANIFEST}: {error}")
        self.tell(lambda report: report.run_sealed(runs))

    def write_terminal_summary(self, terminal: Terminal) -> None:
        """Show the problems in red, then call every report. No text of a page is obeyed."""
        terminal = _SafeTerminal(terminal)
        for problem in self.problems:
            terminal.write_line(f"bwa: {problem}", red=True)
        errors = self._call_each(lambda report: report.write_terminal_summary(terminal))
        for report, error in errors:
            terminal.write_line(f"bwa: {_message(report, error)}", red=True)

    def _call_each(self, call: Callable[[Report], object]) -> list[tuple[Report, Exception]]:
        """Call every report; return those that failed, with their errors."""
        errors: list[tuple[Report, Exception]] = []
        for report in self._reports:
            try:
                call(report)
            except Exception as error:  # noqa: BLE001 - a full disk or a defect costs one report only
                errors.append((report, error))
        return errors


class _SafeTerminal:
    """Shows control characters instead of passing them on."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal

    def write_sep(self, sep: str, title: str) -> None:
        self._terminal.write_sep(sep, show_controls(title))

    def write_line(self, line: str, **markup: bool) -> None:
        self._terminal.write_line(show_controls(line), **markup)


def _message(report: Report, error: Exception) -> str:
    is_expected = isinstance(error, BwaError | OSError)
    text = str(error) if is_expected else f"{type(error).__name__}: {error}"
    return f"{report.name}: {text}"
