"""How a transition is recorded in action_log.json."""

from __future__ import annotations

from unit.agent.transitions import page

from pytest_bwa.agent.step_log import step_record
from pytest_bwa.agent.transition import Transition
from pytest_bwa.agent.verify import verify
from pytest_bwa.steps import Action, ActionResult, Decision, Step, Verdict

TYPING = Action(action="type", selector="0", text="correct horse", next_goal="sign in")


def record(result: ActionResult, verdict: Verdict | None = None) -> Step:
    transition = Transition(3, 9, TYPING, result, page(), page(), verdict)
    return step_record(transition, Decision((TYPING,)), "", {})


def test_text_typed_into_a_password_field_is_masked():
    step = record(ActionResult(True, "typed into textbox", data={"secret": True}))
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
