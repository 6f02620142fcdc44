"""What of a turn goes into action_log.json."""

from __future__ import annotations

from unit.agent.moments import page

from pytest_bwa.agent.recording import step_record
from pytest_bwa.agent.verify import verify
from pytest_bwa.steps import Action, ActionResult, Decision

TYPING = Action(action="type", selector="0", text="correct horse", next_goal="sign in")


def test_what_was_typed_into_a_password_field_is_not_kept():
    secret = ActionResult(True, "typed into textbox", data={"secret": True})
    kept = step_record(3, TYPING, Decision((TYPING,)), page(), secret, None, "")
    assert kept.params == {"selector": "0", "text": "***"}
    assert "correct horse" not in kept.model_dump_json()
    plain = ActionResult(True, "typed into textbox")
    assert step_record(3, TYPING, Decision((TYPING,)), page(), plain, None, "").params["text"]


def test_the_result_says_what_changed_or_that_nothing_did():
    before, after = page(), page("other", names=("Save", "Saved"))
    result = ActionResult(True, "clicked it")

    def said(verdict):
        return step_record(1, TYPING, Decision((TYPING,)), before, result, verdict, "").result

    assert said(verify(before, after)) == 'clicked it; appeared: button "Saved"'
    assert said(verify(before, before)) == "clicked it; nothing changed on the page"
    assert said(None) == "clicked it"
