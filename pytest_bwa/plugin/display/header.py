"""What pytest prints of an audit before its first sample."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote

import pytest

from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.composition import boundary_for
from pytest_bwa.plugin.browser_choice import confinement_notes
from pytest_bwa.reports.terminal import discovery_lines, display_path, first_names, header_lines


def announce(config: pytest.Config, text: str) -> None:
    """Say at once what takes its time before the first item."""
    write_lines(config, [f"bwa: {text} …"])


def write_lines(config: pytest.Config, lines: Sequence[str]) -> None:
    reporter = config.pluginmanager.getplugin("terminalreporter")
    if reporter is not None and config.option.verbose >= 0:
        for line in lines:
            reporter.write_line(line)


def lines_of(
    config: pytest.Config, audit: Audit, base_url: str | None, notes: Sequence[str] = ()
) -> list[str]:
    """The lines of one audit; ``notes`` say what was done before it."""
    notes = [*notes, *audit.notes, *discovery_lines(audit.record), *audit.samples.notes]
    bad = audit.known_bad()
    if names := [s.sample_id for s in audit.samples.samples if s.sample_id in bad]:
        notes.append(f"known to be bad, and may fail: {first_names(names)}")
    notes += confinement_notes(config, boundary_for(audit, base_url))
    if audit.folder is not None and audit.task.approve == "writes":
        page = f"bwa review {quote(display_path(audit.folder.path))}"
        is_here = not getattr(config.option, "numprocesses", None)
        here = ", or in this terminal" if is_here else ""
        notes.append(f"nothing is written before a person approves it on the page of {page}{here}")
    return header_lines(audit.record, audit.folder, notes)
