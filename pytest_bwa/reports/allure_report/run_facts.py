"""What Allure is given of a run as a whole: environment, categories, and who executed it."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from pathlib import Path

from pytest_bwa.evidence.files import write_atomically, write_json
from pytest_bwa.reports.allure_report.status import categories
from pytest_bwa.reports.allure_report.texts import cost_text
from pytest_bwa.reports.base import FinishedRun
from pytest_bwa.reports.recipe_summary import check_lines, in_figures


def describe_runs(folder: Path, runs: Mapping[str, FinishedRun]) -> None:
    """Write environment.properties, categories.json and executor.json next to the results; ``runs``
    by the names that the report gives them."""
    folder.mkdir(parents=True, exist_ok=True)
    # What differs between runs comes first: Allure shows eight lines.
    lines = {k: v for name, run in runs.items() for k, v in _environment(name, run).items()}
    for run in runs.values():
        lines |= {f"version.{name}": version for name, version in run.record.versions.items()}
    lines |= {"platform": platform.platform(), "python": platform.python_version()}
    text = "".join(f"{_key(key)}={value}\n" for key, value in lines.items())
    write_atomically(folder / "environment.properties", text.encode("utf-8"))
    write_json(folder / "categories.json", categories())
    if found := executor(os.environ):
        write_json(folder / "executor.json", found)


def _environment(called: str, run: FinishedRun) -> dict[str, str]:
    record = run.record
    facts = {
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
        facts[mark] = f"{len(samples)}: {', '.join(samples)}"
    # Allure cuts the names: what a line says comes before whose it is.
    return {f"{name}.{called}": value for name, value in facts.items()}


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
