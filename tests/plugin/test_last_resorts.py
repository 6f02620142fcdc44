"""Whole samples in need of last resorts: a last answer, another model, several actions at once."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest
from audit_folder import AuditFolder, FinishedRun
from local_site import Site
from wire.messages_server import (
    Answer,
    MessagesServer,
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


def wandering(n: int, request: Request) -> Answer:
    """Saves, spends its steps, and gives one last answer when it is asked for it."""
    if "This sample is over" in request.prompt:
        return tool_use("done", extracted={"start_date": "2025-11-03", "department": None})
    if n == 1:
        return tool_use("save_progress", extracted=SAVED)
    return tool_use("screenshot", label=f"view {n}")


def failing(n: int, request: Request) -> Answer:
    """Saves, and then no model answers any more."""
    if n == 1:
        return tool_use("save_progress", extracted=SAVED)
    return error(529, "overloaded_error")


def limping(n: int, request: Request) -> Answer:
    """The first model gives out at the second decision; the other one goes on."""
    if n == 1:
        return tool_use("screenshot", label="record")
    if request.body["model"] == PRIMARY:
        return error(529, "overloaded_error")
    return tool_use("done", extracted={**SAVED, "start_date": None})


def hasty(n: int, request: Request) -> Answer:
    """Three actions at once, of which the second leads to another page."""
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


CHARACTERS = {f.__name__: f for f in (wandering, failing, limping, hasty)}


class Played:
    def __init__(
        self, audit_folder: AuditFolder, ran: FinishedRun, prompts: dict[str, list[str]]
    ) -> None:
        self.audit_folder, self.ran, self.prompts = audit_folder, ran, prompts

    def file(self, name: str, kind: str) -> Any:
        return json.loads((self.audit_folder.folder / name / f"{kind}.json").read_text())


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    counts: Counter[str] = Counter()
    prompts: dict[str, list[str]] = {name: [] for name in CHARACTERS}

    def script(request: Request) -> Answer:
        name = re.search(r'the sample "(\w+)"', request.body["system"][1]["text"])[1]  # type: ignore[index]
        counts[name] += 1
        prompts[name].append(request.prompt)
        return CHARACTERS[name](counts[name], request)

    site = Site()
    site.pages |= {"/hasty": FORM, "/next": "<h1>Next</h1>"}
    audit_folder = AuditFolder(tmp_path_factory.mktemp("last_resorts"), site)
    audit_folder.spec(required_artifacts=[], required_fields=["department"], max_steps=STEPS)
    audit_folder.samples(*CHARACTERS)
    with MessagesServer(script) as server:
        ran = audit_folder.audit(
            "-n", "2", ANTHROPIC_BASE_URL=server.url, BWA_MODEL_BACKOFF="0.01",
            BWA_ENABLE_FALLBACK_LLM="true", BWA_ENABLE_MULTI_ACTIONS="true",
        )  # fmt: skip
    site.close()
    return Played(audit_folder, ran, prompts)


def test_out_of_steps_one_last_call_puts_the_answer_together(played):
    result = played.file("wandering", "result")
    assert result["status"] == "partial_success"  # never more: the agent did not finish
    assert result["extracted"] == {"department": "Finance", "start_date": "2025-11-03"}
    assert any("put together by claude-sonnet-5-5 after the end" in n for n in result["notes"])
    log = played.file("wandering", "action_log")
    assert [step["action"] for step in log][-1] == "done"
    assert len(played.prompts["wandering"]) == STEPS + 2  # the last step is asked twice
    assert result["usage"]["calls"] == STEPS + 2
    checkpoint = played.file("wandering", "checkpoint")
    assert checkpoint["accumulated_data"] == result["extracted"]
    assert checkpoint["steps_logged"] == len(log)


def test_without_any_model_what_was_saved_stands(played):
    result = played.file("failing", "result")
    assert result["status"] == "partial_success"
    assert result["extracted"]["department"] == "Finance"
    assert "the fallback model claude-haiku-5-5 failed too" in result["reason"]
    assert any(note.startswith("no last answer was had") for note in result["notes"])


def test_another_model_goes_on_and_the_log_names_it(played):
    result = played.file("limping", "result")
    assert result["status"] == "done", result["reason"]
    assert result["model"] == PRIMARY
    last = played.file("limping", "action_log")[-1]
    assert last["model"] == FALLBACK
    assert f"{FALLBACK} decided" in last["notices"][-1]


def test_actions_of_one_decision_are_steps_of_their_own_until_the_page_changes(played):
    result = played.file("hasty", "result")
    assert result["status"] == "done", result["reason"]
    log = played.file("hasty", "action_log")
    assert [(s["step"], s["action"]) for s in log] == [
        (0, "goto"), (1, "type"), (2, "click"), (3, "done"),
    ]  # fmt: skip
    assert [s["usage"]["calls"] for s in log] == [0, 1, 0, 1]
    notices = played.prompts["hasty"][1].split("## Notices")[1]
    assert "1 more actions were not done, because the page is another one." in notices
