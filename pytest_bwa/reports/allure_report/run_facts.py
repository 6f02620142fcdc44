"""What Allure is given of a run as a whole: environment, categories, and who executed it."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pytest_bwa.evidence.files import write_atomically, write_json
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.run_record import RunRecord
from pytest_bwa.reports.allure_report.categories import categories
from pytest_bwa.reports.allure_texts import cost_text
from pytest_bwa.reports.recipe_summary import in_figures
from pytest_bwa.reports.totals import totals_of


@dataclass(frozen=True, slots=True)
class DescribedRun:
    """One run, and what the report calls it."""

    name: str
    record: RunRecord
    manifest: str
    """The SHA-256 of its manifest; empty if it has none."""
    results: Iterable[SampleResult]


def describe_runs(folder: Path, runs: Iterable[DescribedRun]) -> None:
    """Write environment.properties, categories.json and executor.json next to the results."""
    folder.mkdir(parents=True, exist_ok=True)
    described = list(runs)  # what differs between runs comes first: Allure shows eight lines
    lines = {key: value for run in described for key, value in _environment(run).items()}
    for run in described:
        lines |= {f"version.{name}": version for name, version in run.record.versions.items()}
    lines |= {"platform": platform.platform(), "python": platform.python_version()}
    text = "".join(f"{_key(key)}={value}\n" for key, value in lines.items())
    write_atomically(folder / "environment.properties", text.encode("utf-8"))
    write_json(folder / "categories.json", categories())
    if found := executor(os.environ):
        write_json(folder / "executor.json", found)


def _environment(run: DescribedRun) -> dict[str, str]:
    record, totals = run.record, totals_of(run.results)
    usage = record.preparation_usage + totals.usage
    facts = {
        "run": record.run_id,
        "samples": str(record.samples_in),
        "cost": cost_text(usage),
        "policy": ", ".join(record.policies),
        "model": ", ".join(record.models) or "none",
        "spec_sha256": record.spec.sha256,
        "samples_sha256": record.samples.sha256,
        "manifest_sha256": run.manifest or "none",
    }
    if record.recipe is not None:
        facts["recipe"] = in_figures(record.recipe)
    for mark, samples in totals.to_review.items():
        facts[mark] = f"{len(samples)}: {', '.join(samples)}"
    # Allure cuts the names: what a line says comes before whose it is.
    return {f"{name}.{run.name}": value for name, value in facts.items()}


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
