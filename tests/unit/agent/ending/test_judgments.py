"""Where a judgment may be given: as a parameter of done, among its values, or saved before."""

from __future__ import annotations

import pytest

from pytest_bwa.agent.outcome import OutcomeBuilder
from pytest_bwa.agent.progress import Progress
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Action, Picture

TASK = TaskSpec(
    task_id="t",
    goal="g",
    output_schema={"author": "string"},
    judgment_required=True,
    judgment_question="?",
)
NO = {"answer": "no", "confidence": 0.5, "reasoning": "r", "evidence_refs": ["01_page.png"]}
YES = {**NO, "answer": "yes"}


@pytest.mark.parametrize(
    ("saved", "among", "given", "answer"),
    [
        (None, NO, YES, "yes"),
        (None, YES, None, "yes"),
        (YES, None, None, "yes"),
        (NO, YES, None, "yes"),
        (NO, None, YES, "yes"),
        (None, None, None, None),
        (None, "yes", None, None),
        (None, ["yes"], None, None),
    ],
)
def test_a_judgment_is_no_value_wherever_it_is_given(tmp_path, saved, among, given, answer):
    progress, writer = Progress(TASK.output_schema), SampleWriter(tmp_path / "s", "s", 9)
    writer.save_screenshot(Picture(b"png", "http://x", ""), "page", 1)
    if saved:
        saving = Action(action="save_progress", extracted={"judgment": saved})
        assert progress.save(saving).description == "saved judgment"
    values = {"author": "ann", **({"judgment": among} if among else {})}
    action = Action(action="done", extracted=values, judgment=given)
    _, outcome = OutcomeBuilder(TASK, progress, writer).from_done(action, {}, is_last_step=True)
    assert (outcome.judgment.answer if outcome.judgment else None) == answer
    assert "judgment" not in {**outcome.extracted, **progress.collected}
    if isinstance(among, str | list):
        assert "the judgment is invalid" in outcome.reason


def test_a_field_that_is_called_judgment_is_a_value(tmp_path):
    fields = {"author": "string", "judgment": "string"}
    task = TaskSpec(task_id="t", goal="g", output_schema=fields)
    progress, writer = Progress(task.output_schema), SampleWriter(tmp_path / "s", "s", 9)
    progress.save(Action(action="save_progress", extracted={"judgment": "approved"}))
    builder = OutcomeBuilder(task, progress, writer)
    for extracted in ({"author": "ann"}, {"author": "ann", "judgment": "approved"}):
        action = Action(action="done", extracted=extracted)
        _, outcome = builder.from_done(action, {}, is_last_step=False)
        assert (outcome.extracted["judgment"], outcome.judgment) == ("approved", None)
