"""What Allure is given of a run as a whole: environment, categories, and who executed it."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping
from pathlib import Path

from pytest_bwa.evidence.files import write_atomically, write_json
from pytest_bwa.reports.allure_report.status import categories
from pytest_bwa.reports.allure_report.texts import cost_text
from pytest_bwa.reports.base import FinishedRun
from pytest_bwa.reports.recipe_summary import check_lines, in_figures
from pytest_bwa.reports.totals import MAX_NAMED
from pytest_bwa.steps.text import first_of, one_line


def describe_runs(folder: Path, runs: Mapping[str, FinishedRun]) -> None:
    """Write environment.properties, categories.json and executor.json next to the results; ``runs``
    by the names that the report gives them."""
    folder.mkdir(parents=True, exist_ok=True)
    # Allure shows eight lines, so the runs come first, and cuts long names.
    lines = dict(_environments(runs))
    for run in runs.values():
        lines |= {f"version.{name}": version for name, version in run.record.versions.items()}
    lines |= {"platform": platform.platform(), "python": platform.python_version()}
    text = "".join(f"{_key(key)}={one_line(value)}\n" for key, value in lines.items())
    write_atomically(folder / "environment.properties", text.encode("utf-8"))
    write_json(folder / "categories.json", categories())
    if found := executor(os.environ):
        write_json(folder / "executor.json", found)


def _environments(runs: Mapping[str, FinishedRun]) -> Iterator[tuple[str, str]]:
    """The facts of each run; several are numbered."""
    for number, (name, run) in enumerate(runs.items(), start=1):
        prefix = f"{number}." if len(runs) > 1 else ""
        for key, value in _environment(name, run).items():
            yield f"{prefix}{key}", value


def _environment(name: str, run: FinishedRun) -> dict[str, str]:
    record = run.record
    facts = {
        "task": record.workpaper.title or name,
        **dict(record.workpaper.facts()),
        "run": record.run_id,
        "samples": str(record.samples_in),
        "cost": cost_text(run.usage),
        "policy": ", ".join(record.policies),
        "model": ", ".join(record.models) or "none",
        "spec_sha256": record.spec.sha256,
        "samples_sha256": record.samples.sha256,
        "manifest_sha256": run.manifest_sha256 or "none",
    }
    if record.recipe is not None:
        facts["recipe"] = in_figures(record.recipe)
    facts |= dict(line.split(maxsplit=1) for line in check_lines(record))
    for mark, samples in run.totals.to_review.items():
        facts[mark] = f"{len(samples)}: {first_of(samples, MAX_NAMED)}"
    return facts


def _key(text: str) -> str:
    return text.replace(" ", "_").replace("=", "_").replace(":", "_")


def executor(environment: Mapping[str, str]) -> dict[str, object]:
    """The CI job that makes the report, as executor.json has it; empty outside of a known CI."""
    get = environment.get
    if get("GITHUB_ACTIONS"):
        repository = f"{get('GITHUB_SERVER_URL', '')}/{get('GITHUB_REPOSITORY', '')}"
        build = f"{repository}/actions/runs/{get('GITHUB_RUN_ID', '')}"
        name, title = "GitHub Actions", get("GITHUB_WORKFLOW")
        return _executor("github", name, title, get("GITHUB_RUN_NUMBER"), build)
    if get("GITLAB_CI"):
        build = get("CI_JOB_URL") or get("CI_PIPELINE_URL") or ""
        return _executor("gitlab", "GitLab CI", get("CI_JOB_NAME"), get("CI_PIPELINE_IID"), build)
    if get("JENKINS_URL"):
        build = get("BUILD_URL") or get("JENKINS_URL") or ""
        return _executor("jenkins", "Jenkins", get("JOB_NAME"), get("BUILD_NUMBER"), build)
    return {}


def _executor(
    kind: str, name: str, title: str | None, number: str | None, url: str
) -> dict[str, object]:
    build: dict[str, object] = {"type": kind, "name": name, "buildUrl": url}
    build["buildName"] = " ".join([title or name, *([f"#{number}"] if number else [])])
    if number and number.isdecimal():
        build["buildOrder"] = int(number)
    return build
