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
from pathlib import Path

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.folder import SAMPLES, RunFolder
from pytest_bwa.evidence.integrity.manifest import manifest_digest
from pytest_bwa.evidence.reviews import read_reviews
from pytest_bwa.reports.allure import describe_runs, write_test
from pytest_bwa.reports.allure_categories import categories
from pytest_bwa.reports.base import FinishedSample, load_run_task, read_results
from pytest_bwa.spec.samples import read_samples

NO_ALLURE = (
    "no Allure command line was found: install one with `npm install --global allure` "
    "(version 3, needs Node) or `npm install --global allure-commandline` (version 2, needs Java)"
)
MARKER = ".bwa-report"
"""The file by which a folder is known as a report that may be replaced."""
_RESULT_FOLDERS = ("data/test-cases", "data/test-results")  # of version 2, of version 3
BUILD_SECONDS = 600
"""Maximum seconds that the Allure command may take."""
_ANALYTICS = re.compile(
    r"<script[^>]*(?:googletagmanager|google-analytics|analytics)[^>]*>.*?</script>"
    r"|<script[^>]*>(?:(?!</script>).)*(?:gtag\(|GoogleAnalytics|googletagmanager)"
    r"(?:(?!</script>).)*</script>",
    re.S | re.I,
)


def write_results(folder: RunFolder, target: Path) -> None:
    """Write Allure results to ``target`` from the evidence of a run, without its pytest results."""
    record = folder.record()
    task, listed = load_run_task(folder, record), read_samples(folder.path / SAMPLES)
    samples = {sample.sample_id: sample for sample in listed.samples}
    results = read_results(folder, record, task, listed)
    reviews = read_reviews(folder.path).of_results(folder.path)
    for result in results:
        if (sample := samples.get(result.sample_id)) is None:
            continue
        reviewed = reviews.get(result.sample_id, ())
        nodeid = f"{task.task_id}::audit"
        write_test(target, FinishedSample(task, sample, result, folder, nodeid, reviews=reviewed))
    describe_runs(target, [(record, manifest_digest(folder.path), results)])


def build(folder: RunFolder, output: Path, results: Path | None = None) -> str:
    """Write the report to ``output``; return the name and version of the Allure that made it.

    An earlier report in ``output`` is replaced. Raises InputError if ``output`` holds anything
    else, if no Allure command is installed, or if it failed.
    """
    _check_replaceable(output)
    program = shutil.which("allure")
    if program is None:
        raise InputError(NO_ALLURE)
    version = _run_allure(program, "--version").strip().splitlines()[-1]
    with tempfile.TemporaryDirectory(prefix="bwa-allure-") as temporary:
        source = results
        if source is None:
            source = Path(temporary)
            write_results(folder, source)
        try:
            if version.startswith("3"):
                _build_3(program, source, output, folder.record().task_id)
            else:
                _run_allure(program, "generate", str(source), "--output", str(output), "--clean")
        finally:  # what a failed command leaves behind may be replaced as well
            if output.is_dir():
                (output / MARKER).write_text("Made by `bwa report`, which may replace it.\n")
    _remove_analytics(output)
    return f"Allure {version}"


def _check_replaceable(output: Path) -> None:
    """Raises InputError unless ``output`` is missing, empty, or an Allure report."""
    if not output.exists():
        return
    if output.is_dir():
        is_allure = (output / "index.html").is_file() and any(
            (output / name).is_dir() for name in _RESULT_FOLDERS
        )
        if is_allure or (output / MARKER).is_file() or not any(output.iterdir()):
            return
    raise InputError(
        f"{output} exists and is not an Allure report, so it is left as it is: "
        "pass --output with a new folder, or with an empty one"
    )


def _build_3(program: str, source: Path, output: Path, name: str) -> None:
    """Build with version 3, which reads categories and grouping from its configuration file."""
    configuration = {
        "name": f"pytest-bwa: {name}",
        "output": str(output.resolve()),
        "plugins": {"awesome": {"options": {"groupBy": ["story"], "singleFile": False}}},
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
