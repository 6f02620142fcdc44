"""Allure results of a sample: its values, and the steps of the loop with their pictures.

allure-pytest writes the result of each test; this module adds the sample's record to it. If the
worker was killed, allure-pytest cannot write that test, and this module writes all of it.
"""

from __future__ import annotations

import json
import shutil
import uuid
from collections.abc import Callable, Container
from datetime import datetime
from pathlib import Path
from typing import Any

from allure_commons import hookimpl, plugin_manager
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

from pytest_bwa.evidence.browser_recordings import recordings_of
from pytest_bwa.evidence.files import write_atomically, write_json
from pytest_bwa.evidence.record import Judgment, SampleResult
from pytest_bwa.evidence.writer import LOG, RESULT
from pytest_bwa.reports.allure_report.run_facts import describe_runs
from pytest_bwa.reports.allure_report.status import KNOWN_BAD, status_and_message
from pytest_bwa.reports.allure_report.texts import (
    judgment_lines,
    labels,
    summary,
    title,
    type_of,
    without_quotes,
)
from pytest_bwa.reports.base import FinishedRun, FinishedSample, Report, ReportContext
from pytest_bwa.reports.pictures import as_png, draw_marks, framed, marks, open_picture
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.artifacts import is_picture
from pytest_bwa.steps.step import Step

MAX_PICTURES = 8
"""Maximum pictures of one sample in the report; with more, a report of 1,000 samples would not
open. The evidence folder has all of them."""


class AllureResults(Report):
    """Adds the record of each sample to the results in the folder of ``--alluredir``."""

    name = "Allure"

    def __init__(self, context: ReportContext) -> None:
        super().__init__(context)
        if context.allure_listener is not None:
            plugin_manager.register(_OwnFixtures(context.plugin_fixtures))

    def sample_finished(self, finished: FinishedSample) -> None:
        test, folder = self._test(), self.context.allure_folder
        if test is not None and folder is not None:
            _describe(test, folder, finished)

    def recordings_kept(self, finished: FinishedSample) -> None:
        test, folder = self._test(), self.context.allure_folder
        if test is not None and folder is not None:
            _attach_recordings(test, folder, finished)

    def item_reported(self, finished: FinishedSample) -> None:
        if (test := self._test()) is None:
            return
        wanted, message = status_and_message(finished)
        # Where allure-pytest says the same, it has the traceback as well.
        if test.status != wanted or test.statusDetails is None:
            test.status, test.statusDetails = wanted, _details(message)

    def _test(self) -> Any:
        """The test that is running; None if there is none."""
        listener = self.context.allure_listener
        return None if listener is None else listener.allure_logger.get_test(None)

    def redact_details(self, redact: Callable[[str], str]) -> None:
        details = getattr(self._test(), "statusDetails", None)
        if details is not None:
            details.message, details.trace = (
                text and redact(text) for text in (details.message, details.trace)
            )

    def sample_lost(self, finished: FinishedSample) -> None:
        if self.context.allure_folder is not None:
            write_test(self.context.allure_folder, finished)

    def run_finished(self, runs: tuple[FinishedRun, ...]) -> None:
        if self.context.allure_folder is not None:
            for run in runs:
                _add_flags(self.context.allure_folder, run)

    def run_sealed(self, runs: tuple[FinishedRun, ...]) -> None:
        if self.context.allure_folder is not None:
            describe_runs(self.context.allure_folder, {run.task.task_id: run for run in runs})


class _OwnFixtures:
    """Leaves out of Allure's containers the fixtures that plugins define: there are some twenty for
    each sample, and the steps would stand below them."""

    def __init__(self, plugin_fixtures: Container[str]) -> None:
        self._plugin_fixtures = plugin_fixtures

    @hookimpl  # type: ignore[untyped-decorator]
    def report_container(self, container: Any) -> None:
        for phases in (container.befores, container.afters):
            phases[:] = [p for p in phases if p.name.split("::")[0] not in self._plugin_fixtures]


def write_test(folder: Path, finished: FinishedSample, audit: str = "") -> None:
    """Write a whole test from the record alone, with the same identity as the pytest item.
    ``audit`` is its suite if that is not the task.

    Used for a sample whose worker was killed, and for a report made from the evidence folder.
    """
    path, _, function = finished.nodeid.partition("::")
    name = function.split("[", 1)[0].replace("::", ".")
    full_name = f"{path.removesuffix('.py').replace('/', '.')}#{name}"
    result, sample_id = finished.result, finished.sample.sample_id
    status, message = status_and_message(finished)
    test = TestResult(
        uuid=str(uuid.uuid4()),
        fullName=full_name,
        testCaseId=md5(full_name),
        historyId=md5(full_name, sample_id),
        titlePath=path.split("/"),
        status=status,
        statusDetails=_details(message),
        parameters=[Parameter(name="sample", value=sample_id)],
        start=_milliseconds(result.started_at),
        stop=_milliseconds(result.finished_at),
    )
    _describe(test, folder, finished, audit)
    AllureFileLogger(str(folder)).report_result(test)


def _details(message: str) -> StatusDetails | None:
    """What is said of a test that is not green. A failure that is known is left out of the ring:
    version 3 shows it as accepted, version 2 as a known issue."""
    known = message.startswith(f"{KNOWN_BAD}: ") or None
    return StatusDetails(message=message, known=known) if message else None


def _describe(test: Any, folder: Path, finished: FinishedSample, audit: str = "") -> None:
    """Fill in the description, parameters, labels, links, steps and attachments of a test."""
    task, sample, result = finished.task, finished.sample, finished.result
    test.name = sample.sample_id
    test.description = summary(finished)
    for parameter in test.parameters:
        parameter.value = without_quotes(parameter.value)
    test.parameters += [
        Parameter(name=name, value=value, excluded=True)
        for name, value in sample.columns.items()
        if name not in ("sample_id", "xfail") and value
    ]
    facts = task.workpaper.facts()
    if result.recipe is not None:
        facts.append(("recipe", result.recipe.in_words()))
    test.parameters += [Parameter(name=name, value=value, excluded=True) for name, value in facts]
    test.labels += [Label(name=name, value=value) for name, value in labels(finished, audit)]
    urls = dict.fromkeys(a.source_url for a in result.artifacts)
    test.links += [Link(type="link", url=url, name=url) for url in urls if url.startswith("http")]
    attached = _pictures_to_attach(result, task)
    steps = finished.read_steps()
    with_mode = len({step.mode for step in steps}) > 1
    test.steps += [_step(folder, step, result, attached, with_mode=with_mode) for step in steps]
    if result.judgment is not None:
        test.steps.append(_judgment(folder, finished, result.judgment))
    if not _attach_marked(test, folder, finished):  # a reader sees it without opening a step
        for name in _picture_names(result)[-1:]:
            _attach(test, folder, result, name, f"last picture: {name}")
    for name in (RESULT, LOG):
        _attach(test, folder, result, name)
    _attach_recordings(test, folder, finished)


def _attach_recordings(test: Any, folder: Path, finished: FinishedSample) -> None:
    place = finished.run.sample(finished.result.sample_id)
    for path in recordings_of(place):
        _attach(test, folder, finished.result, path.relative_to(place).as_posix())


def _picture_names(result: SampleResult) -> list[str]:
    return [a.filename for a in result.artifacts if is_picture(a.filename)]


def _pictures_to_attach(result: SampleResult, task: TaskSpec) -> set[str]:
    """The required pictures, then the newest others, up to MAX_PICTURES."""
    pictures = _picture_names(result)
    required = [
        a.filename
        for a in result.artifacts
        if not set(task.required_artifacts).isdisjoint(a.labels) and a.filename in pictures
    ]
    ranked = list(dict.fromkeys([*required, *reversed(pictures)]))
    return set(ranked[:MAX_PICTURES])


def _step(
    folder: Path, step: Step, result: SampleResult, attached: set[str], *, with_mode: bool
) -> Any:
    item = TestStepResult(
        name=title(step),
        status="passed" if step.success else "failed",
        start=_milliseconds(step.started_at),
        stop=_milliseconds(step.timestamp),
        parameters=[
            Parameter(name=name, value=str(value))
            for name, value in (
                ("why", step.thinking),
                ("result", step.result),
                ("page", step.url),
                ("mode", step.mode if with_mode else ""),
            )
            if value
        ],
    )
    if not step.success:
        item.statusDetails = StatusDetails(message=step.error or step.result)
    artifact = step.artifact or ""
    if artifact in attached or (artifact and not is_picture(artifact)):
        _attach(item, folder, result, artifact)
    return item


def _judgment(folder: Path, finished: FinishedSample, judgment: Judgment) -> Any:
    """The judgment as a step after the others, with the pictures that support it."""
    time = _milliseconds(finished.result.finished_at)
    item = TestStepResult(
        name=f"judgment: {judgment.answer} ({judgment.confidence:g})",
        status="passed",
        start=time,
        stop=time,
        parameters=[
            Parameter(name=name, value=value)
            for name, value in judgment_lines(judgment, finished.task)
        ],
    )
    for name in judgment.evidence_refs[:MAX_PICTURES]:
        _attach_framed(item, folder, finished, name, name)
    return item


def _attach_marked(test: Any, folder: Path, finished: FinishedSample) -> bool:
    """Attach the pictures that prove the values, with the values marked; whether there are any."""
    names = list(marks(finished.result.grounding))[:MAX_PICTURES]
    attached = [_attach_framed(test, folder, finished, n, f"values in {n}") for n in names]
    return any(attached)


def _attach_framed(
    item: Any, folder: Path, finished: FinishedSample, name: str, label: str
) -> bool:
    """Attach a picture below its strip, with what it proves marked; whether it could be read."""
    result = finished.result
    artifact = next((a for a in result.artifacts if a.filename == name), None)
    page = open_picture((result.folder or Path()) / name) if artifact else None
    if page is None or artifact is None:
        return False
    draw_marks(page, marks(result.grounding).get(name, []))
    target = f"{uuid.uuid4()}-attachment.png"
    copy = framed(page, result.sample_id, artifact, finished.task.workpaper)
    write_atomically(folder / target, as_png(copy))
    item.attachments.append(Attachment(name=label, source=target, type="image/png"))
    return True


def _attach(item: Any, folder: Path, result: SampleResult, filename: str, label: str = "") -> None:
    """Attach a copy: what changes the report must not change the evidence, as with a hard link."""
    source = (result.folder or Path()) / filename
    if not source.is_file():
        return
    media_type, extension = type_of(filename)
    target = f"{uuid.uuid4()}-attachment.{extension}"
    shutil.copyfile(source, folder / target)
    item.attachments.append(Attachment(name=label or filename, source=target, type=media_type))


def _add_flags(folder: Path, run: FinishedRun) -> None:
    """Add the flag and its note to the results of samples that were flagged when the run had ended,
    and take it from those that nothing asks to look at any more. Raises EvidenceError."""
    if not run.changed_late:
        return
    begun = datetime.fromisoformat(run.record.started_at).timestamp() * 1000
    for path in folder.glob("*-result.json"):
        test = json.loads(path.read_text("utf-8"))
        suite = {"name": "suite", "value": run.task.task_id}
        name = test.get("name", "")
        note, result = run.changed_late.get(name), run.result(name)
        if note and suite in test.get("labels", ()) and test.get("start", 0) >= begun:
            tag = {"name": "tag", "value": "flagged"}
            is_flagged = result is not None and result.flagged
            test["labels"] = [label for label in test["labels"] if label != tag]
            test["labels"] += [tag] if is_flagged else []
            word = "flagged" if name in run.flagged_late else "cleared"
            test["description"] = f"{test.get('description', '')}\n\n**{word}**: {note}"
            write_json(path, test)


def _milliseconds(time: str) -> int:
    """Milliseconds since 1970 of a time in RFC 3339; 0 if there is none."""
    return int(datetime.fromisoformat(time).timestamp() * 1000) if time else 0
