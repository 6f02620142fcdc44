"""Whole samples with fallbacks: a last answer, the fallback model, several actions at once."""

from __future__ import annotations

import re

import pytest
from scripted_samples import Model, PlayedRun, play
from wire.messages_server import (
    Answer,
    Request,
    call,
    error,
    message,
    tool_use,
)

pytestmark = pytest.mark.slow
PRIMARY, FALLBACK = "claude-sonnet-5-5", "claude-haiku-5-5"
STEPS = 6
SAVED = {"department": "Finance"}
FORM = """<h1>Form</h1><input aria-label=First><input aria-label=Second>
<a href="/next">Next record</a><button>Never pressed</button>"""
RECORD = """<h1>Record</h1><button onclick="parts.hidden = false">Details</button>
<button onclick="this.textContent = 'Assessment is open'">Assessment</button><div id=parts hidden>
<script>for (let n = 0; n < 9; n++) document.write(`<button>Part ${n}</button>`)</script>
<p style="margin-top: 2000px">Tags</p></div><p>Department: Finance</p>"""


def wandering(n: int, request: Request) -> Answer:
    """Saves, uses up its steps, and gives one last answer when asked for it."""
    if "This sample is over" in request.prompt:
        return tool_use("done", extracted={"start_date": "2025-11-03"})
    if n == 1:
        return tool_use("save_progress", extracted=SAVED)
    return tool_use("screenshot", label=f"view {n}")


def opening(n: int, request: Request) -> Answer:
    """Opens a part of a record, and chooses what to do in it before it has seen it."""
    if n > 1:
        return tool_use("done", extracted={**SAVED, "start_date": None})
    return message(
        call("click", {"selector": "Details"}),
        call("scroll", {"selector": "Tags"}),
        call("screenshot", {"label": "tags"}),
        call("click", {"selector": "Assessment"}),
        call("click", {"selector": "Part"}),
        stop_reason="tool_use",
    )


def failing(n: int, request: Request) -> Answer:
    """Saves once; after that no model answers."""
    if n == 1:
        return tool_use("save_progress", extracted=SAVED)
    return error(529, "overloaded_error")


def limping(n: int, request: Request) -> Answer:
    """The first model fails at the second decision; the fallback model continues."""
    if n == 1:
        return tool_use("screenshot", label="record")
    if request.body["model"] == PRIMARY:
        return error(529, "overloaded_error")
    return tool_use("done", extracted={**SAVED, "start_date": None})


def hasty(n: int, request: Request) -> Answer:
    """Three actions at once; the second one leads to another page."""
    if n > 1:
        return tool_use("done", extracted={**SAVED, "start_date": None})
    numbers = {
        name: re.search(rf'\[(\d+)\] \[\w+\] "{name}"', request.prompt)[1]  # type: ignore[index]
        for name in ("First", "Next record", "Never pressed")
    }
    return message(
        call("type", {"selector": numbers["First"], "text": "Ann"}),
        call("click", {"selector": numbers["Next record"]}),
        call("click", {"selector": numbers["Never pressed"]}),
        stop_reason="tool_use",
    )


MODELS: dict[str, Model] = {f.__name__: f for f in (wandering, failing, limping, hasty, opening)}


@pytest.fixture(scope="module")
def run(new_audit_folder) -> PlayedRun:
    audit_folder = new_audit_folder()
    audit_folder.site.pages |= {
        "/hasty": FORM, "/opening": RECORD, "/next": "<h1>Next</h1><p>Department: Finance</p>",
    }  # fmt: skip
    audit_folder.spec(required_artifacts=[], required_fields=["department"], max_steps=STEPS)
    return play(
        audit_folder, MODELS, BWA_MODEL_DEADLINE="5", BWA_ENABLE_FALLBACK_LLM="true",
        BWA_ENABLE_MULTI_ACTIONS="true",
    )  # fmt: skip


def test_after_the_last_step_one_more_call_makes_the_last_answer(run):
    result = run.file("wandering", "result")
    assert result["status"] == "partial_success"  # at best: the agent did not finish
    assert result["extracted"] == {"department": "Finance", "start_date": "2025-11-03"}
    assert any("made by claude-sonnet-5-5 after the sample ended" in n for n in result["notes"])
    log = run.file("wandering", "action_log")
    assert [step["action"] for step in log][-1] == "done"
    assert len(run.prompts("wandering")) == STEPS + 2  # the model is asked twice on the last step
    assert result["usage"]["calls"] == STEPS + 2
    checkpoint = run.file("wandering", "checkpoint")
    assert checkpoint["accumulated_data"] == result["extracted"]
    assert checkpoint["steps_logged"] == len(log)


def test_without_any_model_saved_data_is_kept(run):
    result = run.file("failing", "result")
    assert result["status"] == "partial_success"
    assert result["extracted"]["department"] == "Finance"
    assert "the fallback model claude-haiku-5-5 failed too" in result["reason"]
    assert any(note.startswith("the model gave no last answer") for note in result["notes"])


def test_the_fallback_model_continues_and_the_log_names_it(run):
    result = run.file("limping", "result")
    assert result["status"] == "done", result["reason"]
    assert result["model"] == PRIMARY
    last = run.file("limping", "action_log")[-1]
    assert last["model"] == FALLBACK
    assert f"{FALLBACK} decided" in last["notices"][-1]


def test_each_action_of_a_decision_is_a_step_until_the_page_changes(run):
    result = run.file("hasty", "result")
    assert result["status"] == "done", result["reason"]
    log = run.file("hasty", "action_log")
    assert [(s["step"], s["action"]) for s in log] == [
        (0, "goto"), (1, "type"), (2, "click"), (3, "done"),
    ]  # fmt: skip
    assert [s["usage"]["calls"] for s in log] == [0, 1, 0, 1]
    notices = run.prompts("hasty")[1].split("## Notices")[1]
    why = r"\[\d+\] button “Never pressed” is not on the page now"
    assert re.search(rf"click \[\d+\] was not executed, because {why}", notices)


def test_of_a_reply_that_opens_something_what_does_not_depend_on_it_is_carried_out(run):
    done = [(s["step"], s["action"], s["success"]) for s in run.log("opening")][1:5]
    assert done == [
        (1, "click", True), (2, "scroll", True), (3, "screenshot", True), (4, "click", True),
    ]  # fmt: skip
    notices = run.prompts("opening")[1].split("## Notices")[1]
    why = '10 elements match "Part"'  # and Department
    assert f"click Part was not executed, because {why}" in notices
    assert run.result("opening")["status"] == "done"
