"""Build Allure's HTML report with the Allure command line that is installed.

Two programs are called ``allure``: version 2 (Java) and version 3 (Node). They read categories and
grouping from different files, so both files are written. pytest-bwa installs neither program.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.reports.allure import write_test
from pytest_bwa.reports.allure_report.replaced import (
    HISTORY_3,
    check_replaceable,
    earlier_history,
    keep_history,
    mark_as_report,
)
from pytest_bwa.reports.allure_report.run_facts import describe_runs
from pytest_bwa.reports.allure_report.status import categories
from pytest_bwa.reports.base import read_run

NO_ALLURE = (
    "no Allure command line was found: install one with `npm install --global allure` "
    "(version 3, needs Node) or `npm install --global allure-commandline` (version 2, needs Java)"
)
SINGLE_FILE_BYTES = 100_000_000
"""Maximum bytes of results that become a single file. 100 samples with eight pictures of 115 kB
each have fewer; Chromium opened that file, of 128 MB, in 3.6 s."""
BUILD_SECONDS = 600
"""Maximum seconds that the Allure command may take."""
_ANALYTICS = re.compile(
    r"<script[^>]*(?:googletagmanager|google-analytics|analytics)[^>]*>.*?</script>"
    r"|<script[^>]*>(?:(?!</script>).)*(?:gtag\(|GoogleAnalytics|googletagmanager)"
    r"(?:(?!</script>).)*</script>",
    re.S | re.I,
)


@dataclass(frozen=True, slots=True)
class BuiltReport:
    """A report that was made; ``is_single_file`` if its page needs no web server."""

    page: Path
    program: str
    """Name and version of the Allure that made it."""
    is_single_file: bool


def write_results(folders: Sequence[RunFolder], target: Path) -> None:
    """Write Allure results to ``target`` from the evidence of runs, without their pytest results.
    Each run is a suite with the name of its task, and of the run if others have the same task."""
    runs = [read_run(folder) for folder in folders]
    task_ids = Counter(run.record.task_id for run in runs)
    described = {}
    for run in runs:
        record = run.record
        is_alone = task_ids[record.task_id] == 1
        name = record.task_id if is_alone else f"{record.task_id} ({record.run_id})"
        described[name] = run
        names = (result.sample_id for result in run.results)
        for finished in run.finished_samples(names, f"{name}::audit"):
            write_test(target, finished, name)
    describe_runs(target, described)


def build(folders: Sequence[RunFolder], output: Path, results: Path | None = None) -> BuiltReport:
    """Write the report of one or several runs to ``output``. Its history is that of the report that
    it replaces.

    Raises InputError if ``output`` holds anything but a report, if no Allure command is installed,
    or if it failed.
    """
    check_replaceable(output)
    program = shutil.which("allure")
    if program is None:
        raise InputError(NO_ALLURE)
    version = _run_allure(program, "--version").strip().splitlines()[-1]
    names = [folder.path.name for folder in folders]
    with tempfile.TemporaryDirectory(prefix="bwa-allure-") as temporary:
        source, history = results or Path(temporary, "results"), Path(temporary, "history")
        if results is None:
            source.mkdir()
            write_results(folders, source)
        earlier_history(output, names, history)
        is_single = _size(source) <= SINGLE_FILE_BYTES and _can_be_single(version)
        try:
            if version.startswith("3"):
                records = [folder.record() for folder in folders]
                titles = dict.fromkeys(r.workpaper.title or r.task_id for r in records)
                title = ", ".join(titles)
                _build_3(program, source, output, history, title, is_single=is_single)
            else:
                _build_2(program, source, output, history, is_single=is_single)
            keep_history(output, names, history)
        finally:  # what a failed command leaves behind may be replaced as well
            if output.is_dir():
                mark_as_report(output)
    _remove_analytics(output)
    return BuiltReport(output / "index.html", f"Allure {version}", is_single)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir() if path.is_file())


def _can_be_single(version: str) -> bool:
    """Version 2 can put all into one file since 2.24."""
    numbers = [int(number) for number in re.findall(r"\d+", version)[:2]]
    return numbers >= [2, 24]


def _build_2(program: str, source: Path, output: Path, history: Path, *, is_single: bool) -> None:
    """Build with version 2, which reads an earlier history from the folders of its results."""
    options = ["--output", str(output), "--clean", *(["--single-file"] if is_single else [])]
    sources = [str(source), *([str(history)] if history.is_dir() else [])]
    _run_allure(program, "generate", *sources, *options)


def _build_3(
    program: str, source: Path, output: Path, history: Path, name: str, *, is_single: bool
) -> None:
    """Build with version 3, which reads categories and grouping from its configuration file."""
    history.mkdir(exist_ok=True)
    options = {"groupBy": ["suite", "subSuite"], "singleFile": is_single}
    configuration = {
        "name": f"pytest-bwa: {name}",
        "output": str(output.resolve()),
        "historyPath": str(history / HISTORY_3),
        "plugins": {"awesome": {"options": options}},
        "categories": categories(),
    }
    if output.exists():
        shutil.rmtree(output.resolve())
    with tempfile.TemporaryDirectory(prefix="bwa-allure-") as temporary:
        path = Path(temporary) / "allurerc.json"
        path.write_text(json.dumps(configuration), "utf-8")
        _run_allure(program, "generate", str(source.resolve()), "--config", str(path))


def _run_allure(program: str, *arguments: str) -> str:
    try:
        done = subprocess.run(
            [program, *arguments],
            capture_output=True,
            text=True,
            timeout=BUILD_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"{program} could not be run: {error}") from None
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        reason = lines[-1] if lines else f"exit status {done.returncode}"
        raise InputError(f"{program} {arguments[0]} failed: {reason}")
    return done.stdout


def _remove_analytics(output: Path) -> None:
    """Delete the analytics scripts: a report of evidence must not send anything to anybody.

    Version 3 includes one even if the environment turns analytics off.
    """
    for path in output.rglob("*.html"):
        text = path.read_text("utf-8")
        cleaned = _ANALYTICS.sub("", text)
        if cleaned != text:
            path.write_text(cleaned, "utf-8")
