"""How a transition is recorded in action_log.json."""

from __future__ import annotations

from unit.agent.transitions import page

from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.step_log import StepLog, Transition, step_record
from pytest_bwa.agent.verification import verify
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.steps.step import (
    Action,
    ActionResult,
    Decision,
    Picture,
    PictureText,
    Step,
    Verdict,
)

TYPING = Action(action="type", selector="0", text="correct horse", next_goal="sign in")


def record(result: ActionResult, verdict: Verdict | None = None) -> Step:
    transition = Transition(3, 9, TYPING, result, page(), page(), verdict)
    return step_record(transition, Decision((TYPING,)), "", {})


def test_text_typed_into_a_password_field_is_masked():
    step = record(ActionResult(True, "typed into textbox", is_secret=True))
    assert step.params == {"selector": "0", "text": "***"}
    assert "correct horse" not in step.model_dump_json()
    assert record(ActionResult(True, "typed into textbox")).params["text"] == "correct horse"


def test_the_result_describes_what_changed():
    before, after = page(), page("other", names=("Save", "Saved"))
    result = ActionResult(True, "clicked it")
    changed, unchanged = verify(before, after), verify(before, before)
    assert record(result, changed).result == 'clicked it; appeared: button "Saved"'
    assert record(result, unchanged).result == "clicked it; nothing changed on the page"
    assert record(result).result == "clicked it"


def test_a_picture_that_no_model_could_read_stays_unread_until_one_reads_it(tmp_path):
    progress = Progress()
    log = StepLog(SampleWriter(tmp_path / "s", "s", 9), progress, lambda step, usage: None)
    log.add_picture_text(page(unread_pictures="icons"))
    assert [why for why, _ in log.unread_pictures.values()] == ["icons"]
    assert log.picture_texts == []
    read = PictureText(source="vision", text="a red cross", why="icons")
    log.add_picture_text(page(picture_text=read))
    assert (log.unread_pictures, log.picture_texts) == ({}, [read])


def test_a_picture_of_the_very_state_of_a_page_is_one_of_the_page_whoever_took_it(tmp_path):
    writer = SampleWriter(tmp_path / "s", "s", 9)
    log = StepLog(writer, Progress(), lambda step, usage: None)
    log.page = page(state="as it is")
    for state, is_pictured in (("", False), ("as it was", False), ("as it is", True)):
        writer.save_screenshot(Picture(b"png", log.page.url, state), "evidence", 1)
        assert log.has_picture_of_page is is_pictured
    log.page = page(state="")
    assert not log.has_picture_of_page
