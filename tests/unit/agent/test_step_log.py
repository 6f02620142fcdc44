"""What of a turn goes into action_log.json."""

from __future__ import annotations

from unit.agent.transitions import page

from pytest_bwa.agent.step_log import step_record
from pytest_bwa.agent.transition import Transition
from pytest_bwa.agent.verify import verify
from pytest_bwa.steps import Action, ActionResult, Decision, Step, Verdict

TYPING = Action(action="type", selector="0", text="correct horse", next_goal="sign in")


def recorded(result: ActionResult, verdict: Verdict | None = None) -> Step:
    transition = Transition(3, 9, TYPING, result, page(), page(), verdict)
    return step_record(transition, Decision((TYPING,)), "")


def test_what_was_typed_into_a_password_field_is_not_kept():
    kept = recorded(ActionResult(True, "typed into textbox", data={"secret": True}))
    assert kept.params == {"selector": "0", "text": "***"}
    assert "correct horse" not in kept.model_dump_json()
    assert recorded(ActionResult(True, "typed into textbox")).params["text"] == "correct horse"


def test_the_result_says_what_changed_or_that_nothing_did():
    before, after = page(), page("other", names=("Save", "Saved"))
    result = ActionResult(True, "clicked it")
    changed, same = verify(before, after), verify(before, before)
    assert recorded(result, changed).result == 'clicked it; appeared: button "Saved"'
    assert recorded(result, same).result == "clicked it; nothing changed on the page"
    assert recorded(result).result == "clicked it"
