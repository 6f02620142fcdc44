"""Allure results of a sample, made from its record: the loop's steps with their pictures (F-70).

allure-pytest writes a test's own result; this adds what the record tells. The one test that
allure-pytest cannot write, because its worker was killed, is written here whole.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import uuid
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from allure_commons.logger import AllureFileLogger
from allure_commons.model2 import (
    Attachment,
    Label,
    Link,
    Parameter,
    StatusDetails,
    TestResult,
    TestStepResult,
)
from allure_commons.utils import md5

from pytest_bwa.evidence.files import write_json, write_whole
from pytest_bwa.evidence.record import RunRecord, SampleResult, Status
from pytest_bwa.evidence.writer import LOG, RESULT
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.samples import columns_of
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Step

MAX_PICTURES = 8
"""In the report; the evidence folder has all. More would not open at 1,000 samples."""
MAX_CHARACTERS = 500
"""Of one value in a test's description; result.json has all of them."""
MAX_TITLE = 160
"""Characters of a step's title, which is one line."""
CATEGORIES: dict[Status, str] = {
    "needs_review": "Needs review: the agent is not sure",
    "partial_success": "Partial success: some of it was found",
    "failed": "Failed: the audit found no answer",
}
_SEVERITIES = {"done": "normal", "needs_review": "critical", "partial_success": "critical"}


def publish(
    listener: Any, task: TaskSpec, sample: Sample, result: SampleResult, steps: Sequence[Step]
) -> None:
    """Add the record to the test that allure-pytest is just writing."""
    test = listener.allure_logger.get_test(None)
    if test is not None:
        _describe(test, Path(listener.config.option.allure_report_dir), task, sample, result, steps)


def write_test(
    folder: Path,
    nodeid: str,
    task: TaskSpec,
    sample: Sample,
    result: SampleResult,
    steps: Sequence[Step],
) -> None:
    """A whole test from the record alone, with the identity it has in pytest: for a sample whose
    worker was killed, and for a report made without the pytest run's own results."""
    path, _, function = nodeid.partition("::")
    name = function.split("[", 1)[0].replace("::", ".")
    full_name = f"{path.removesuffix('.py').replace('/', '.')}#{name}"
    test = TestResult(
        uuid=str(uuid.uuid4()),
        fullName=full_name,
        testCaseId=md5(full_name),
        historyId=md5(full_name, sample.sample_id),
        titlePath=path.split("/"),
        status=_status(task, sample, result),
        statusDetails=StatusDetails(message=result.finding()) if result.status != "done" else None,
        parameters=[Parameter(name="sample", value=f"'{sample.sample_id}'")],
        start=_milliseconds(result.started_at),
        stop=_milliseconds(result.finished_at),
    )
    _describe(test, folder, task, sample, result, steps)
    AllureFileLogger(str(folder)).report_result(test)


def describe_run(folder: Path, records: Sequence[RunRecord]) -> None:
    """environment.properties and categories.json beside the results."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = {"platform": platform.platform(), "python": platform.python_version()}
    for record in records:
        lines |= {f"version.{name}": number for name, number in record.versions.items()}
        at = f"{record.task_id}."
        lines |= {
            f"{at}run": record.run_id,
            f"{at}policy": record.policy,
            f"{at}model": record.model or "none",
            f"{at}samples": str(record.samples_in),
            f"{at}spec_sha256": record.spec.sha256,
            f"{at}samples_sha256": record.samples.sha256,
        }
    text = "".join(f"{key.replace(' ', '_')}={value}\n" for key, value in lines.items())
    write_whole(folder / "environment.properties", text.encode("utf-8"))
    write_json(folder / "categories.json", categories())


def categories() -> list[dict[str, Any]]:
    """By status; a finding's first line is ``sample: status: reason``."""
    return [
        {
            "name": name,
            "matchedStatuses": ["failed", "broken"],
            "messageRegex": rf"[\s\S]*: {status}: [\s\S]*",
        }
        for status, name in CATEGORIES.items()
    ]


def _status(task: TaskSpec, sample: Sample, result: SampleResult) -> str:
    """As pytest reports it: a known-bad sample that is bad is skipped, not failed."""
    if result.status == "done":
        return "passed"
    return "skipped" if sample.sample_id in task.xfail or sample.xfail else "failed"


def _describe(
    test: Any,
    folder: Path,
    task: TaskSpec,
    sample: Sample,
    result: SampleResult,
    steps: Sequence[Step],
) -> None:
    test.name = sample.sample_id
    test.description = _summary(result)
    test.parameters += [
        Parameter(name=name, value=value, excluded=True)
        for name, value in columns_of(sample, task.secrets).items()
        if name != "sample_id" and value
    ]
    labels = {
        "parentSuite": "pytest-bwa",
        "suite": task.task_id,
        "feature": task.task_id,
        "story": result.status,
        "severity": _SEVERITIES.get(result.status, "critical"),
        "owner": result.policy,
    }
    test.labels += [Label(name=name, value=value) for name, value in labels.items() if value]
    pages = dict.fromkeys(a.source_url for a in result.artifacts)
    test.links += [Link(type="link", url=url, name=url) for url in pages if url.startswith("http")]
    shown = _pictures(result, task)
    test.steps += [_step(folder, step, result, shown) for step in steps]
    pictures = [a.filename for a in result.artifacts if a.filename.endswith(".png")]
    for name in pictures[-1:]:  # where a reader looks first, without opening any step
        _attach(test, folder, result, name, f"last picture: {name}", "image/png", "png")
    for name in (RESULT, LOG):
        _attach(test, folder, result, name, name, "application/json", "json")


def _summary(result: SampleResult) -> str:
    told = [f"**{result.status}**" + (f": {_literal(result.reason)}" if result.reason else "")]
    told += [f"- {name}: {_literal(value)}" for name, value in result.extracted.items()]
    if result.judgment:
        told.append(f"- judgment: {result.judgment.answer} ({result.judgment.confidence:g})")
    return "\n\n".join([told[0], "\n".join(told[1:])])


def _literal(value: Any) -> str:
    """As it is: words of a page must not become Markdown or HTML of the report."""
    if value is None:
        return "–"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return "`" + " ".join(text.replace("`", "'").split())[:MAX_CHARACTERS] + "`"


def _pictures(result: SampleResult, task: TaskSpec) -> set[str]:
    """The required ones, then the last, then the others, up to MAX_PICTURES."""
    pictures = [a.filename for a in result.artifacts if a.filename.endswith(".png")]
    required = [
        a.filename
        for a in result.artifacts
        if a.label in task.required_artifacts and a.filename in pictures
    ]
    ranked = list(dict.fromkeys([*required, *reversed(pictures)]))
    return set(ranked[:MAX_PICTURES])


def _title(step: Step) -> str:
    """An element's number means nothing to a reader: what came of it tells which one it was."""
    target = step.params.get("url") or step.params.get("label") or step.params.get("selector") or ""
    if not target or target.strip("[]").isdigit():
        target = f"– {step.result.split(';')[0]}" if step.result else ""
    return f"{step.step} · {step.action} {target}".strip()[:MAX_TITLE]


def _step(folder: Path, step: Step, result: SampleResult, shown: set[str]) -> Any:
    item = TestStepResult(
        name=_title(step),
        status="passed" if step.success else "failed",
        start=_milliseconds(step.started_at),
        stop=_milliseconds(step.timestamp),
        parameters=[
            Parameter(name=name, value=str(value))
            for name, value in (
                ("why", step.thinking),
                ("result", step.result),
                ("page", step.url),
                ("mode", step.mode),
            )
            if value
        ],
    )
    if not step.success:
        item.statusDetails = StatusDetails(message=step.error or step.result)
    artifact = step.artifact or ""
    if artifact in shown:
        _attach(item, folder, result, artifact, artifact, "image/png", "png")
    elif artifact and not artifact.endswith(".png"):
        ending = artifact.rpartition(".")[2][:8] or "bin"
        _attach(item, folder, result, artifact, artifact, "application/octet-stream", ending)
    return item


def _attach(
    item: Any, folder: Path, result: SampleResult, filename: str, name: str, kind: str, ending: str
) -> None:
    """A hard link where the disk allows it: a copy would double the evidence."""
    source = (result.folder or Path()) / filename
    if not source.is_file():
        return
    target = f"{uuid.uuid4()}-attachment.{ending}"
    try:
        os.link(source, folder / target)
    except OSError:  # another file system, or one without links
        shutil.copyfile(source, folder / target)
    item.attachments.append(Attachment(name=name, source=target, type=kind))


def _milliseconds(time: str) -> int:
    return int(datetime.fromisoformat(time).timestamp() * 1000) if time else 0
