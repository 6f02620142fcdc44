"""Moves what pytest-playwright recorded of a sample into its evidence, when the test has ended."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest

from pytest_bwa.evidence.browser_recordings import move_recordings
from pytest_bwa.plugin.command_line import RECORDINGS
from pytest_bwa.plugin.items import FINISHED
from pytest_bwa.reports.registry import Reports

_LONGEST_PATH = 4096
"""A longer content of a link is no path but the file itself."""
_OUTPUT = pytest.StashKey[Path]()
"""The folder that pytest-playwright writes the recordings of a sample's test into."""


def is_recorded(config: pytest.Config) -> bool:
    """Whether pytest-playwright records what the tests of this run do."""
    return any(getattr(config.option, name, "off") != "off" for name in RECORDINGS)


def await_recordings(request: pytest.FixtureRequest) -> None:
    """Remember that the recordings of this test are the sample's."""
    if is_recorded(request.config):
        request.node.stash[_OUTPUT] = Path(request.getfixturevalue("output_path"))


def keep_recordings(reports: Reports, item: pytest.Item, report: pytest.TestReport) -> None:
    """Move the recordings of a test that is torn down: they are whole now."""
    output = item.stash.get(_OUTPUT, None)
    if report.when != "teardown" or output is None:
        return
    del item.stash[_OUTPUT]
    finished = item.stash[FINISHED]
    try:
        moved = move_recordings(output, finished.run.sample(finished.result.sample_id))
    except OSError as error:
        finished.run.add_note(f"{output} could not be moved into the evidence: {error}")
        return
    if moved:
        _name_anew(item.config, report, moved)
        reports.tell(lambda report: report.recordings_kept(finished))


def _name_anew(
    config: pytest.Config, report: pytest.TestReport, moved: Mapping[Path, Path]
) -> None:
    """Let the properties (JUnit) and links (pytest-html) lead to where the files are now."""
    started_in = config.invocation_params.dir
    by_path = {old.resolve(): new.resolve() for old, new in moved.items()}
    for number, (name, value) in enumerate(report.user_properties):
        new = by_path.get((started_in / str(value)).resolve())
        if new is not None and name.startswith("playwright_"):
            is_below = new.is_relative_to(started_in)
            path = new.relative_to(started_in) if is_below else new
            report.user_properties[number] = (name, str(path))
    page = getattr(config.option, "htmlpath", None)
    extras: list[dict[str, Any]] = getattr(report, "extras", [])
    folder = Path(started_in, os.path.expandvars(page or "")).expanduser().parent
    for extra in extras if page else []:
        content = str(extra.get("content", ""))
        if len(content) < _LONGEST_PATH and (
            new := by_path.get((folder / unquote(content)).resolve())
        ):
            extra["content"] = quote(Path(os.path.relpath(new, folder)).as_posix())
