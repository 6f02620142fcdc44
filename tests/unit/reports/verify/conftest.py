"""A finished run of two samples, made by the classes that write real ones."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path

import pytest
from PIL import Image
from plans import opened, plan_in

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.record import Judgment, SampleResult
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.reports.base import ReportContext
from pytest_bwa.reports.registry import Reports
from pytest_bwa.reports.run_summary import finish_run
from pytest_bwa.steps.step import Picture, Step, utc_now

SPEC = {
    "task_id": "hr",
    "goal": "Read it.",
    "output_schema": {"department": "string | null", "staff": "number | null"},
    "judgment_question": "Is it open?",
}


def png(colour: str, width: int = 40, height: int = 30) -> bytes:
    content = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(content, "PNG")
    return content.getvalue()


def a_step(number: int, action: str, artifact: str | None = None) -> Step:
    return Step(
        step=number,
        action=action,
        result=f"{action} worked – größer",
        success=True,
        url="https://x.org/",
        artifact=artifact,
        seconds={"PLANNING": 0.1 + number / 3},
        started_at=utc_now(),
        timestamp=utc_now(),
    )


def write_sample(run: RunFolder, sample_id: str, temporary: Path) -> None:
    folder = run.sample(sample_id)
    if not folder.exists():
        folder.mkdir()
        (folder / "result.json").write_text("{}")  # an earlier attempt, which the writer keeps
    writer = SampleWriter(folder, sample_id, 5)
    first = writer.save_screenshot(Picture(png("red"), "https://x.org/", "state1"), "page", 1)
    second = writer.save_screenshot(Picture(png("blue"), "https://x.org/", "state2"), "more", 2)
    temporary.write_text("the file")
    file = writer.save_download(temporary, "report.pdf", "https://x.org/r", 2)
    writer.log(a_step(0, "goto"))
    writer.log(a_step(1, "screenshot", first.filename))
    writer.log(a_step(2, "download", file.filename))
    writer.log(a_step(3, "done"))
    seen = Grounding(
        how="verbatim",
        step=1,
        url="https://x.org/",
        text=f"Finance {sample_id}",
        box=(1, 2, 10, 10),
        artifact=first.filename,
        page_state="state1",
    )
    number = {"how": "normalised", "rule": "number", "text": "about 1.2k people"}
    extracted = {"department": f"Finance {sample_id}", "staff": 1200}
    writer.checkpoint(3, extracted, [], "done")
    result = SampleResult(
        sample_id=sample_id,
        task_id="hr",
        status="done",
        outcome="found",
        steps=3,
        extracted=extracted,
        grounding={"department": seen, "staff": seen.model_copy(update=number)},
        judgment=Judgment(
            answer="yes", confidence=1, reasoning="so", evidence_refs=[second.filename]
        ),
        artifacts=writer.artifacts,
        mode=["live"] * 4,
        started_at=utc_now(),
        finished_at=utc_now(),
    )
    writer.finish(result)


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Only to be copied."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "spec.json").write_text(json.dumps(SPEC))
    (folder / "samples.csv").write_text("sample_id,url\nadam,https://x.org/\nzoe,https://x.org/z\n")
    audit = opened(plan_in(folder, command_line=("--task", "spec.json", "--api-key=abc")))
    assert audit.folder is not None
    for sample_id in ("adam", "zoe"):
        write_sample(audit.folder, sample_id, folder / "download")
    reports = Reports(ReportContext())
    ended = (finish_run(audit.folder, 0, ""),)
    reports.run_finished(ended)
    reports.seal(ended)
    assert reports.problems == []
    return audit.folder.path


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    copy = tmp_path / "run_1"
    shutil.copytree(finished, copy)
    return copy
