"""Allure results of a sample: its values, and the steps of the loop with their pictures.

allure-pytest writes the result of each test; this module adds the sample's record to it. If the
worker was killed, allure-pytest cannot write that test, and this module writes all of it.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import uuid
from collections.abc import Callable, Iterable
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

from pytest_bwa.evidence.files import write_atomically, write_json
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.run_record import RunRecord
from pytest_bwa.evidence.writer import LOG, RESULT
from pytest_bwa.reports.allure_categories import categories
from pytest_bwa.reports.base import FinishedRun, FinishedSample, Report, to_review
from pytest_bwa.reports.framed_pictures import as_png, framed, open_picture
from pytest_bwa.reports.marked_pictures import draw_marks, marks
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Step

MAX_PICTURES = 8
"""Maximum pictures of one sample in the report; with more, a report of 1,000 samples would not
open. The evidence folder has all of them."""
MAX_CHARACTERS = 500
"""Maximum characters of one value in a test's description; result.json has the whole value."""
MAX_TITLE = 160
"""Maximum characters of a step's title, so that it fits on one line."""


class AllureResults(Report):
    """Adds the record of each sample to the results in the folder of ``--alluredir``."""

    name = "Allure"

    def sample_finished(self, finished: FinishedSample) -> None:
        listener, folder = self.context.allure_listener, self.context.allure_folder
        if listener is None or folder is None:
            return
        test = listener.allure_logger.get_test(None)  # the test that is running
        if test is not None:
            _describe(test, folder, finished)

    def redact_details(self, redact: Callable[[str], str]) -> None:
        listener = self.context.allure_listener
        test = None if listener is None else listener.allure_logger.get_test(None)
        details = getattr(test, "statusDetails", None)
        if details is not None:
            details.message, details.trace = (
                text and redact(text) for text in (details.message, details.trace)
            )

    def sample_lost(self, finished: FinishedSample) -> None:
        if self.context.allure_folder is not None:
            write_test(self.context.allure_folder, finished)

    def run_sealed(self, runs: tuple[FinishedRun, ...]) -> None:
        if self.context.allure_folder is not None:
            described = [(run.record, run.manifest_sha256, run.results) for run in runs]
            describe_runs(self.context.allure_folder, described)


def write_test(folder: Path, finished: FinishedSample) -> None:
    """Write a whole test from the record alone, with the same identity as the pytest item.

    Used for a sample whose worker was killed, and for a report made from the evidence folder.
    """
    path, _, function = finished.nodeid.partition("::")
    name = function.split("[", 1)[0].replace("::", ".")
    full_name = f"{path.removesuffix('.py').replace('/', '.')}#{name}"
    result, sample_id = finished.result, finished.sample.sample_id
    details = None if result.passed else StatusDetails(message=result.failure_message())
    test = TestResult(
        uuid=str(uuid.uuid4()),
        fullName=full_name,
        testCaseId=md5(full_name),
        historyId=md5(full_name, sample_id),
        titlePath=path.split("/"),
        status=_status(finished),
        statusDetails=details,
        parameters=[Parameter(name="sample", value=f"'{sample_id}'")],
        start=_milliseconds(result.started_at),
        stop=_milliseconds(result.finished_at),
    )
    _describe(test, folder, finished)
    AllureFileLogger(str(folder)).report_result(test)


def describe_runs(
    folder: Path, runs: Iterable[tuple[RunRecord, str, Iterable[SampleResult]]]
) -> None:
    """Write environment.properties and categories.json next to the results. Each run's record comes
    with the SHA-256 of its manifest, which is empty if it has none, and with its results."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = {"platform": platform.platform(), "python": platform.python_version()}
    for record, manifest, results in runs:
        lines |= {f"version.{name}": version for name, version in record.versions.items()}
        prefix = f"{record.task_id}."
        lines |= {
            f"{prefix}run": record.run_id,
            f"{prefix}policy": ", ".join(record.policies),
            f"{prefix}model": ", ".join(record.models) or "none",
            f"{prefix}samples": str(record.samples_in),
            f"{prefix}spec_sha256": record.spec.sha256,
            f"{prefix}samples_sha256": record.samples.sha256,
            f"{prefix}manifest_sha256": manifest or "none",
        }
        for mark, samples in to_review(results).items():
            lines[f"{prefix}{mark}"] = f"{len(samples)}: {', '.join(samples)}"
    text = "".join(f"{key.replace(' ', '_')}={value}\n" for key, value in lines.items())
    write_atomically(folder / "environment.properties", text.encode("utf-8"))
    write_json(folder / "categories.json", categories())


def _status(finished: FinishedSample) -> str:
    """The status that pytest gives: a known-bad sample (xfail) that fails counts as skipped, unless
    it is broken."""
    if finished.result.passed:
        return "passed"
    is_excused = finished.task.is_known_bad(finished.sample) and not finished.result.broken
    return "skipped" if is_excused else "failed"


def _describe(test: Any, folder: Path, finished: FinishedSample) -> None:
    """Fill in the description, parameters, labels, links, steps and attachments of a test."""
    task, sample, result = finished.task, finished.sample, finished.result
    test.name = sample.sample_id
    reviews = [f"- reviewed: {_literal(review.sentence)}" for review in finished.reviews]
    test.description = "\n\n".join([_summary(result), "\n".join(reviews)]).strip()
    test.parameters += [
        Parameter(name=name, value=value, excluded=True)
        for name, value in sample.columns.items()
        if name not in ("sample_id", "xfail") and value
    ]
    labels = {
        "parentSuite": "pytest-bwa",
        "suite": task.task_id,
        "feature": task.task_id,
        "story": result.ending,
        "severity": "normal" if result.passed else "critical",
        "owner": result.policy,
    }
    test.labels += [Label(name=name, value=value) for name, value in labels.items() if value]
    tags = [*result.review_marks, *(["reviewed"] if finished.reviews else [])]
    test.labels += [Label(name="tag", value=tag) for tag in tags]
    urls = dict.fromkeys(a.source_url for a in result.artifacts)
    test.links += [Link(type="link", url=url, name=url) for url in urls if url.startswith("http")]
    attached = _pictures_to_attach(result, task)
    test.steps += [_step(folder, step, result, attached) for step in finished.read_steps()]
    if not _attach_marked(test, folder, result):  # a reader sees it without opening a step
        for name in _picture_names(result)[-1:]:
            _attach(test, folder, result, name, f"last picture: {name}", "image/png", "png")
    for name in (RESULT, LOG):
        _attach(test, folder, result, name, name, "application/json", "json")


def _summary(result: SampleResult) -> str:
    """The test's description in Markdown: status, reason, values and judgment."""
    status = f"**{result.ending}**" + (f": {_literal(result.reason)}" if result.reason else "")
    values = [f"- {name}: {_literal(value)}" for name, value in result.extracted.items()]
    if result.judgment:
        values.append(f"- judgment: {result.judgment.answer} ({result.judgment.confidence:g})")
        extra = result.judgment.model_extra or {}
        values += [f"- judgment {key}: {_literal(value)}" for key, value in extra.items()]
    return "\n\n".join([status, "\n".join(values)])


def _literal(value: Any) -> str:
    """A value as code, so that text of a page never becomes Markdown or HTML in the report."""
    if value is None:
        return "–"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return "`" + " ".join(text.replace("`", "'").split())[:MAX_CHARACTERS] + "`"


def _picture_names(result: SampleResult) -> list[str]:
    return [a.filename for a in result.artifacts if a.filename.endswith(".png")]


def _pictures_to_attach(result: SampleResult, task: TaskSpec) -> set[str]:
    """The required pictures, then the newest others, up to MAX_PICTURES."""
    pictures = _picture_names(result)
    required = [
        a.filename
        for a in result.artifacts
        if a.label in task.required_artifacts and a.filename in pictures
    ]
    ranked = list(dict.fromkeys([*required, *reversed(pictures)]))
    return set(ranked[:MAX_PICTURES])


def _title(step: Step) -> str:
    """Action and target. An element's number means nothing to a reader: show the result instead."""
    target = step.params.get("url") or step.params.get("label") or step.params.get("selector") or ""
    if not target or target.strip("[]").isdigit():
        target = f"– {step.result.split(';')[0]}" if step.result else ""
    return f"{step.step} · {step.action} {target}".strip()[:MAX_TITLE]


def _step(folder: Path, step: Step, result: SampleResult, attached: set[str]) -> Any:
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
    if artifact in attached:
        _attach(item, folder, result, artifact, artifact, "image/png", "png")
    elif artifact and not artifact.endswith(".png"):
        extension = artifact.rpartition(".")[2][:8] or "bin"
        _attach(item, folder, result, artifact, artifact, "application/octet-stream", extension)
    return item


def _attach_marked(test: Any, folder: Path, result: SampleResult) -> bool:
    """Attach the pictures that prove the values, with the values marked; whether there are any."""
    attached = 0
    for name, of_picture in list(marks(result.grounding).items())[:MAX_PICTURES]:
        page = open_picture((result.folder or Path()) / name)
        artifact = next((a for a in result.artifacts if a.filename == name), None)
        if page and artifact:
            draw_marks(page, of_picture)
            target = f"{uuid.uuid4()}-attachment.png"
            content = as_png(framed(page, result.sample_id, artifact))
            write_atomically(folder / target, content)
            title = f"values in {name}"
            test.attachments.append(Attachment(name=title, source=target, type="image/png"))
            attached += 1
    return attached > 0


def _attach(
    item: Any,
    folder: Path,
    result: SampleResult,
    filename: str,
    name: str,
    media_type: str,
    extension: str,
) -> None:
    """Hard-link the file into the results if possible: a copy would double the evidence."""
    source = (result.folder or Path()) / filename
    if not source.is_file():
        return
    target = f"{uuid.uuid4()}-attachment.{extension}"
    try:
        os.link(source, folder / target)
    except OSError:  # another file system, or one without hard links
        shutil.copyfile(source, folder / target)
    item.attachments.append(Attachment(name=name, source=target, type=media_type))


def _milliseconds(time: str) -> int:
    """Milliseconds since 1970 of a time in RFC 3339; 0 if there is none."""
    return int(datetime.fromisoformat(time).timestamp() * 1000) if time else 0
