"""Whole samples with the claude policy: the real SDK, a real browser, and the files written.

Samples whose runs differ in nothing else share one run of pytest: each has a model of its own.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from datetime import datetime

import pytest
from citing import sources_in
from scripted_samples import PlayedRun, play
from typer.testing import CliRunner
from wire.messages_server import (
    Answer,
    MessagesServer,
    Request,
    call,
    drip,
    error,
    html,
    message,
    refusing_url,
    text_only,
    tool_use,
    wrong_typed,
)

from pytest_bwa.cli import app
from pytest_bwa.evidence.trajectory.reader import TrajectoryReader

QUICK = {"BWA_MODEL_DEADLINE": "5"}
KEY = {"ANTHROPIC_API_KEY": "sk-secret-key"}
FIELDS = {"department": "Finance adam", "start_date": "2025-11-03"}
SAVED = tool_use("save_progress", extracted={"department": "Finance adam"}, note="half")


@pytest.fixture
def server() -> Iterator[MessagesServer]:
    with MessagesServer([tool_use("fail", note="no script")]) as running:
        yield running


def audit(audit_folder, server: MessagesServer, *arguments: str, **environment: str):
    variables = {**KEY, **QUICK, **environment}
    return audit_folder.audit(*arguments, ANTHROPIC_BASE_URL=server.url, **variables)


FAILING = {
    "too_many": ([error(429, "rate_limit_error", retry_after="86400")], "retry"),
    "overloaded": ([error(529, "overloaded_error")], "5 failed decisions in a row, the last: "),
    "html_page": ([html(500)], "500"),
    "text": ([text_only()], "5 unusable replies"),
    "drip": ([drip()], "5 failed decisions in a row, the last"),
}


SIGN_IN = """<h1>Sign in</h1><label>Name <input></label>
    <label>Password <input type=password></label>"""


def signing_in(n: int, request: Request) -> Answer:
    """Types a name and a password that it has read somewhere."""
    if n > 1:
        return tool_use("fail", note="the password is wrong")
    numbers = re.findall(r"\[(\d+)\] \[textbox\]", request.prompt)
    texts = zip(numbers, ("adam the first", "correct-horse"), strict=True)
    return message(*(call("type", {"selector": n, "text": text}) for n, text in texts))


def evaluating(n: int, request: Request) -> Answer:
    """Reads the fields by a script, cites what it returned, and then the lines of the page."""
    if n == 1:
        cells = "[...document.querySelectorAll('dd')].map(cell => cell.textContent)"
        return tool_use("evaluate", script=cells)
    if n == 2:
        return tool_use("evaluate", script="fetch(location.href + '?stolen')")
    if n == 3:
        (returned,) = re.findall(r"the script returned: \[(\d+)\]", request.prompt)
        sources = dict.fromkeys(FIELDS, int(returned))
        values = {**FIELDS, "department": "Finance evaluating"}
        return tool_use("done", extracted=values, sources=sources)
    shown = {"department": ("Department", "Finance"), "start_date": ("Start", "2025-11-03")}
    values = {**FIELDS, "department": "Finance evaluating"}
    return tool_use("done", extracted=values, sources=sources_in(request.prompt, shown))


@pytest.fixture(scope="module")
def run(new_audit_folder) -> PlayedRun:
    models = {
        "adam": [
            tool_use("screenshot", label="record"),
            SAVED,
            tool_use("done", extracted={"start_date": 2025}),
            tool_use("done", extracted=FIELDS),
        ],
        "locked": [SAVED, tool_use("fail", note="the start date is locked")],
    }
    models |= {name: answers for name, (answers, _) in FAILING.items()}
    models["wrong_typed"] = [wrong_typed()]
    models["signing_in"] = signing_in
    models["evaluating"] = evaluating
    audit_folder = new_audit_folder()
    audit_folder.site.pages["/signing_in"] = SIGN_IN
    return play(audit_folder, models, **KEY, **QUICK, BWA_ENABLE_EVALUATE="1")


def test_a_whole_sample_from_the_first_prompt_to_the_log(run):
    assert run.ran.counts() == {"passed": 2, "failed": 8}, run.ran.text
    prompts = run.prompts("adam")
    # The page was opened before the first request.
    assert "## Current page state" in prompts[0]
    assert f"URL: {run.audit_folder.site.url}/adam" in prompts[0]
    assert "**Step 1 of 25** (24 remaining)" in prompts[0]
    assert re.search(r'\[\d+\] \[heading\] "Record adam"', prompts[0])
    assert "## Data collected so far (via save_progress)" in prompts[2]
    result = run.result("adam")
    assert result["status"] == "done"
    assert result["extracted"] == FIELDS
    # The model's own picture shows all values: the harness adds none.
    assert [a["filename"] for a in result["artifacts"]] == ["01_record.png"]
    assert result["grounding"]["start_date"]["artifact"] == "01_record.png"
    assert result["usage"]["calls"] == len(prompts)
    assert result["usage"]["cost_usd"] > 0
    assert result["policy"] == "claude"
    assert result["model"] == "claude-sonnet-5-5"
    log = run.log("adam")
    assert [step["action"] for step in log][:2] == ["goto", "screenshot"]
    assert log[0]["step"] == 0
    checkpoint = run.file("adam", "checkpoint")
    assert checkpoint["status"] == "done"
    assert checkpoint["steps_logged"] == len(log)
    everything = b"".join(p.read_bytes() for p in run.audit_folder.folder.rglob("*.json"))
    assert b"sk-secret-key" not in everything
    assert "sk-secret-key" not in run.ran.text
    assert "calls of claude-sonnet-5-5" in run.ran.text


def test_a_script_helps_to_find_and_proves_nothing(run):
    assert "evaluate" in {tool["name"] for tool in run.requests["evaluating"][0].body["tools"]}
    log = run.log("evaluating")
    outcomes = [(step["action"], step["success"]) for step in log if step["step"] > 0]
    assert outcomes[:3] == [("evaluate", True), ("evaluate", False), ("done", False)]
    assert "Finance evaluating" in log[1]["result"]
    assert "a script may only read" in log[2]["error"]
    assert not [path for path in run.audit_folder.site.requests if "stolen" in path]
    assert (
        "is what a script returned, which helps to find a value and proves none" in log[3]["result"]
    )
    result = run.result("evaluating")
    assert (result["status"], result["flagged"]) == ("done", False)


def test_the_trajectory_has_exactly_what_was_sent_and_logged(run):
    folder, log = run.audit_folder.folder, run.log("adam")
    assert [p.name for p in folder.glob("*traj*")] == ["trajectory.db"]
    assert b"sk-secret-key" not in (folder / "trajectory.db").read_bytes()
    reader = TrajectoryReader(folder, folder)
    steps = reader.steps(reader.sample("adam"))
    chain = ("previous", "hash")  # only the log is chained
    logged = [{k: v for k, v in entry.items() if k not in chain} for entry in log]
    assert [step.record for step in steps] == logged
    calls = [step.decision for step in steps if step.decision is not None]
    sent = [request.body for request in run.requests["adam"]]
    assert [c.messages for c in calls] == [body["messages"] for body in sent]
    assert [c.tools for c in calls] == [body["tools"] for body in sent]
    assert calls[0].system == [block["text"] for block in sent[0]["system"]]
    assert calls[-1].reply[0]["name"] == "done"
    assert sum(c.usage["input_tokens"] for c in calls) == 4 * 1000
    unusable = [c for step in reader.steps(reader.sample("text")) for c in step.other_calls]
    assert len(unusable) == len(run.requests["text"])
    assert "contained no tool call" in unusable[0].error


def test_the_trajectory_is_shown_and_exported(run):
    runner, folder = CliRunner(), run.audit_folder.folder
    lines = runner.invoke(app, ["export", str(folder)]).stdout.splitlines()
    steps = [line for line in map(json.loads, lines) if line["sample_id"] == "adam"]
    assert [line["action"] for line in steps] == [step["action"] for step in run.log("adam")]
    shown = runner.invoke(app, ["show", str(folder), "adam", "1"]).stdout
    assert run.prompts("adam")[0] in shown
    assert "adam/01_record.png" in shown
    assert runner.invoke(app, ["view", str(folder)]).exit_code == 0
    page = folder.with_name(f"{folder.name}.html").read_text()
    assert f'src="{folder.name}/adam/01_record.png"' in page


def test_what_is_typed_into_a_password_field_is_in_no_file(run):
    folder = run.audit_folder.folder
    reader = TrajectoryReader(folder, folder)
    replies = str([step.decision for step in reader.steps(reader.sample("signing_in"))])
    assert "adam the first" in replies
    assert "correct-horse" not in replies
    for path in folder.rglob("*"):
        assert path.is_dir() or b"correct-horse" not in path.read_bytes(), path


def test_fail_keeps_saved_data_and_notes_in_the_files(run):
    result = run.result("locked")
    assert (result["status"], result["reason"]) == ("failed", "the start date is locked")
    assert result["extracted"] == {"department": "Finance adam", "start_date": None}
    assert result["notes"] == ["half"]
    rows = {row["sample_id"]: row for row in run.audit_folder.combined()}
    assert rows["locked"]["department"] == "Finance adam"


@pytest.mark.parametrize("name", FAILING)
def test_a_failing_model_ends_the_sample_on_time_with_a_reason(run, name):
    result = run.result(name)
    assert result["status"] == "failed"
    ended, began = (datetime.fromisoformat(result[f"{key}_at"]) for key in ("finished", "started"))
    assert (ended - began).total_seconds() < 100, "the default for one decision is 120 s"
    assert FAILING[name][1] in result["reason"].lower()


def test_an_answer_of_the_wrong_form_is_sent_back_once_and_then_for_a_person(run):
    result = run.result("wrong_typed")
    assert (result["status"], result["broken"]) == ("needs_review", False)
    assert "Linus" in result["reason"]
    assert len(run.prompts("wrong_typed")) == 2


@pytest.fixture(scope="module")
def three_steps(new_audit_folder) -> PlayedRun:
    def saving_late(n: int, request: Request) -> Answer:
        if "save_progress)" in request.prompt:
            return tool_use("scroll", direction="down")
        return tool_use("save_progress", extracted={"department": "Finance zoe"})

    models = {
        "incomplete": [tool_use("done", extracted={"department": None, "start_date": "soon"})],
        "adam": [tool_use("scroll", direction="down")],
        "zoe": saving_late,
    }
    return play(new_audit_folder(), models, "--max-steps=3", **QUICK)


def test_incomplete_done_is_sent_back_once_and_then_for_a_person(three_steps):
    assert three_steps.ran.status == 1
    prompts = three_steps.prompts("incomplete")
    assert len(prompts) == 2
    notice = prompts[1].split("## Notices")[1]
    for what in ("department", "screenshot record", "start_date should be date"):
        assert what in notice
    result = three_steps.result("incomplete")
    assert result["status"] == "needs_review"
    assert result["flagged"] is True
    assert "missing:  department, screenshot record" in three_steps.ran.text


def test_steps_run_out_with_and_without_data(three_steps):
    assert three_steps.ran.counts() == {"failed": 3}, three_steps.ran.text
    rows = three_steps.audit_folder.combined()
    statuses = {r["sample_id"]: r["status"] for r in rows}
    assert (statuses["adam"], statuses["zoe"]) == ("failed", "partial_success")
    assert three_steps.result("zoe")["extracted"]["department"] == "Finance zoe"
    assert "3 steps" in three_steps.result("adam")["reason"]
    # A screenshot shows where it ended.
    assert (three_steps.audit_folder.folder / "adam/01_last_view.png").exists()


def test_a_judgment_must_name_saved_screenshots(audit_folder, server):
    audit_folder.spec(judgment_required=True, judgment_question="Is the department right?")
    audit_folder.samples("adam")
    fields = {**FIELDS, "start_date": None}
    judgment = {"answer": "yes", "confidence": 0.9, "reasoning": "It says so."}
    server.script(
        [
            tool_use("screenshot", label="record"),
            tool_use("done", extracted=fields, judgment={**judgment, "evidence_refs": ["9_x.png"]}),
            tool_use(
                "done", extracted=fields, judgment={**judgment, "evidence_refs": ["01_record.png"]}
            ),
        ]
    )
    ran = audit(audit_folder, server)
    assert ran.status == 0, ran.text
    assert "Is the department right?" in server.requests[0].prompt
    assert "not saved screenshots: 9_x.png" in server.requests[2].prompt
    assert audit_folder.combined()[0]["judgment_answer"] == "yes"


def test_data_saved_before_a_key_is_refused_is_kept(audit_folder, server):
    audit_folder.samples("adam")
    server.script(
        [
            tool_use("save_progress", extracted={"department": "Finance adam"}),
            error(401, "authentication_error", "no"),
        ]
    )
    ran = audit(audit_folder, server)
    assert ran.status != 0, ran.text
    assert "401" in audit_folder.result("adam")["reason"]
    assert audit_folder.result("adam")["extracted"]["department"] == "Finance adam"


def test_refused_credentials_stop_the_whole_run_at_once_with_one_line(audit_folder, server):
    audit_folder.samples(*[f"s{n}" for n in range(12)])
    server.script([error(401, "authentication_error", "invalid x-api-key")])
    ran = audit(audit_folder, server, "-n", "2")
    assert ran.status not in (0, 1), ran.text
    assert len(list(audit_folder.folder.glob("*/result.json"))) < 12
    assert "ANTHROPIC_API_KEY" in ran.text
    assert "Traceback" not in ran.text


def test_an_unreachable_model_is_reported(audit_folder):
    audit_folder.samples("adam")
    with refusing_url() as url:
        ran = audit_folder.audit("--policy=claude", ANTHROPIC_BASE_URL=url, **QUICK)
    assert ran.counts() == {"failed": 1}, ran.text
    assert "127.0.0.1" in audit_folder.result("adam")["reason"]


def test_a_missing_key_is_reported_before_anything_starts(audit_folder):
    audit_folder.samples("adam")
    ran = audit_folder.audit("--policy=claude")
    assert ran.status == 4
    assert "ANTHROPIC_API_KEY" in ran.text
    assert audit_folder.folders == []


@pytest.fixture(scope="module")
def no_pictures(new_audit_folder) -> PlayedRun:
    """Without required screenshots."""
    audit_folder = new_audit_folder()
    audit_folder.spec(required_artifacts=[])
    models = {
        "invented": [tool_use("done", extracted={"department": "Legal", "start_date": None})],
        "adam": [tool_use("done", extracted=FIELDS)],
    }
    return play(audit_folder, models, "--alluredir=allure", **QUICK)


def test_an_invented_value_is_sent_back_once_and_then_a_person_reviews_it(no_pictures):
    assert no_pictures.ran.counts() == {"passed": 1, "failed": 1}, no_pictures.ran.text
    assert len(no_pictures.prompts("invented")) == 2
    notices = no_pictures.prompts("invented")[1].split("## Notices")[1]
    assert 'done was not accepted yet. department="Legal": no line that was shown has it' in notices
    result = no_pictures.result("invented")
    assert result["status"] == "needs_review"
    assert result["reason"] == 'no page that was observed shows department ("Legal")'
    assert result["grounding"]["department"]["how"] == "unseen"
    assert result["grounding"]["start_date"] is None, "nothing was cited for it"


def test_a_done_without_a_screenshot_is_proven_by_a_picture_of_the_harness(no_pictures):
    audit_folder, result = no_pictures.audit_folder, no_pictures.result("adam")
    assert result["status"] == "done"
    (picture,) = result["artifacts"]
    assert picture["filename"] == "01_evidence_department_start_date.png"
    assert len(picture["page_state"]) == 64
    seen = result["grounding"]["department"]
    assert seen["box"] is not None
    assert seen["place"]["identity"]["name"] == "Department"
    assert {**seen, "box": None, "place": None} == {
        "cited": False, "doubts": [], "why": {}, "against": {}, "cleared": {}, "place": None,
        "how": "verbatim", "rule": None, "step": 1, "url": f"{audit_folder.site.url}/adam",
        "frame": None, "role": "text", "name": "Department", "text": "Finance adam", "box": None,
        "artifact": picture["filename"], "page_state": picture["page_state"],
    }  # fmt: skip
    tests = [json.loads(p.read_text()) for p in audit_folder.path.glob("allure/*-result.json")]
    (attachments,) = (test["attachments"] for test in tests if test["name"] == "adam")
    marked = next(a for a in attachments if a["name"] == f"values in {picture['filename']}")
    clean = (audit_folder.folder / "adam" / picture["filename"]).read_bytes()
    assert hashlib.sha256(clean).hexdigest() == picture["sha256"]
    assert (audit_folder.path / "allure" / marked["source"]).read_bytes() != clean
