"""The Allure report as HTML, by whichever Allure command line is there (F-70).

Two programs are called ``allure``: version 2 (Java) and version 3 (Node). They take categories and
grouping from different places, so both places are written. Neither is installed by us.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.folder import SAMPLES, SPEC, RunFolder
from pytest_bwa.reports.allure import CATEGORIES, categories, describe_run, write_test
from pytest_bwa.spec.load import load_task
from pytest_bwa.spec.samples import read_samples

HOW_TO_GET_ONE = (
    "no Allure command line was found: `npm install --global allure` (version 3, needs Node) or "
    "`npm install --global allure-commandline` (version 2, needs Java) gives one"
)
BUILD_SECONDS = 600
_ANALYTICS = re.compile(
    r"<script[^>]*(?:googletagmanager|google-analytics|analytics)[^>]*>.*?</script>"
    r"|<script[^>]*>(?:(?!</script>).)*(?:gtag\(|GoogleAnalytics|googletagmanager)"
    r"(?:(?!</script>).)*</script>",
    re.S | re.I,
)


def results_of(folder: RunFolder, target: Path) -> None:
    """Allure results of a run made from its evidence alone, without the pytest run's own."""
    task = load_task(folder.path / SPEC)
    samples = {s.sample_id: s for s in read_samples(folder.path / SAMPLES).samples}
    record = folder.record()
    for result in folder.results():
        if (sample := samples.get(result.sample_id)) is None:
            continue
        located = result.located(folder.sample(result.sample_id), [])
        steps = folder.steps(result.sample_id)
        write_test(target, f"{task.task_id}::audit", task, sample, located, steps)
    describe_run(target, [record])


def build(folder: RunFolder, output: Path, results: Path | None = None) -> str:
    """Write the report to ``output``; which command line made it. InputError says how to get one,
    or what it answered."""
    program = shutil.which("allure")
    if program is None:
        raise InputError(HOW_TO_GET_ONE)
    version = _ask(program, "--version").strip().splitlines()[-1]
    with tempfile.TemporaryDirectory(prefix="bwa-allure-") as made:
        source = results
        if source is None:
            source = Path(made)
            results_of(folder, source)
        if version.startswith("3"):
            _build_3(program, source, output, folder.record().task_id)
        else:
            _ask(program, "generate", str(source), "--output", str(output), "--clean")
    _take_analytics_out(output)
    return f"Allure {version}"


def _build_3(program: str, source: Path, output: Path, name: str) -> None:
    """Version 3 reads categories and grouping from a configuration of its own."""
    configuration = {
        "name": f"pytest-bwa: {name}",
        "output": str(output.resolve()),
        "plugins": {"awesome": {"options": {"groupBy": ["story"], "singleFile": False}}},
        "categories": [
            {
                "name": text,
                "messageRegex": rule["messageRegex"],
                "matchedStatuses": rule["matchedStatuses"],
            }
            for rule, text in zip(categories(), CATEGORIES.values(), strict=True)
        ],
    }
    if output.exists():
        shutil.rmtree(output)
    with tempfile.TemporaryDirectory(prefix="bwa-allure-") as made:
        path = Path(made) / "allurerc.json"
        path.write_text(json.dumps(configuration), "utf-8")
        _ask(program, "generate", str(source.resolve()), "--config", str(path))


def _ask(program: str, *arguments: str) -> str:
    try:
        done = subprocess.run(
            [program, *arguments],
            capture_output=True,
            text=True,
            timeout=BUILD_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"{program} did not do its work: {error}") from None
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise InputError(f"{program} {arguments[0]}: {said[-1] if said else done.returncode}")
    return done.stdout


def _take_analytics_out(output: Path) -> None:
    """An evidence report must not phone anybody, whatever the environment says."""
    for path in output.rglob("*.html"):
        text = path.read_text("utf-8")
        cleaned = _ANALYTICS.sub("", text)
        if cleaned != text:
            path.write_text(cleaned, "utf-8")
