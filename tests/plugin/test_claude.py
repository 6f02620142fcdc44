"""Whole samples with the claude policy: the real SDK, a real browser, and the files written."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Iterator

import pytest
from typer.testing import CliRunner
from wire.messages_server import (
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
from pytest_bwa.trajectory.reader import TrajectoryReader

QUICK = {"BWA_MODEL_BACKOFF": "0.05", "BWA_MODEL_DEADLINE": "4"}


@pytest.fixture
def server() -> Iterator[MessagesServer]:
    with MessagesServer([tool_use("fail", note="no script")]) as running:
        yield running


def audit(audit_folder, server: MessagesServer, *arguments: str, **environment: str):
    return audit_folder.audit(
        *arguments,
        ANTHROPIC_BASE_URL=server.url,
        ANTHROPIC_API_KEY="sk-secret-key",
        **QUICK,
        **environment,
    )


def test_a_whole_sample_from_the_first_prompt_to_the_log(audit_folder, server):
    audit_folder.samples("adam")
    fields = {"department": "Finance adam", "start_date": "2025-11-03"}
    server.script(
        [
            tool_use("screenshot", label="record"),
            tool_use("save_progress", extracted={"department": "Finance adam"}, note="half"),
            tool_use("done", extracted={"start_date": 2025}),
            tool_use("done", extracted=fields),
        ]
    )
    ran = audit(audit_folder, server)
    assert ran.status == 0, ran.text
    first = server.requests[0].prompt
    # The page was opened before the first request.
    assert "## Current page state" in first
    assert f"URL: {audit_folder.site.url}/adam" in first
    assert "**Step 1 of 25** (24 remaining)" in first
    assert re.search(r'\[\d+\] \[heading\] "Record adam"', first)
    assert "## Data collected so far (via save_progress)" in server.requests[2].prompt
    result = audit_folder.result("adam")
    assert result["extracted"] == fields
    # The model's own picture shows all values: the harness adds none.
    assert [a["filename"] for a in result["artifacts"]] == ["01_record.png"]
    assert result["grounding"]["start_date"]["artifact"] == "01_record.png"
    assert result["usage"]["calls"] == len(server.requests)
    assert result["usage"]["cost_usd"] > 0
    assert result["policy"] == "claude"
    assert result["model"] == "claude-sonnet-5-5"
    log = json.loads((audit_folder.folder / "adam/action_log.json").read_text())
    assert [step["action"] for step in log][:2] == ["goto", "screenshot"]
    assert log[0]["step"] == 0
    checkpoint = json.loads((audit_folder.folder / "adam/checkpoint.json").read_text())
    assert checkpoint["status"] == "done"
    assert checkpoint["steps_logged"] == len(log)
    everything = b"".join(p.read_bytes() for p in audit_folder.folder.rglob("*.json"))
    assert b"sk-secret-key" not in everything
    assert "sk-secret-key" not in ran.text
    assert "calls of claude-sonnet-5-5" in ran.text
    check_trajectory(audit_folder, server, log)


def check_trajectory(audit_folder, server, log) -> None:
    """trajectory.db has exactly what was sent and logged, and the three commands show it."""
    assert [p.name for p in audit_folder.folder.glob("*traj*")] == ["trajectory.db"]
    assert b"sk-secret-key" not in (audit_folder.folder / "trajectory.db").read_bytes()
    reader = TrajectoryReader(audit_folder.folder, audit_folder.folder)
    steps = reader.steps(reader.sample("adam"))
    assert [step.record for step in steps] == log
    calls = [step.decision for step in steps if step.decision is not None]
    sent = [request.body for request in server.requests]
    assert [call.messages for call in calls] == [body["messages"] for body in sent]
    assert [call.tools for call in calls] == [body["tools"] for body in sent]
    assert calls[0].system == [block["text"] for block in sent[0]["system"]]
    assert calls[-1].reply[0]["name"] == "done"
    assert sum(call.usage["input_tokens"] for call in calls) == 4 * 1000
    runner, folder = CliRunner(), str(audit_folder.folder)
    lines = runner.invoke(app, ["export", folder]).stdout.splitlines()
    assert [json.loads(line)["action"] for line in lines] == [step["action"] for step in log]
    shown = runner.invoke(app, ["show", folder, "adam", "1"]).stdout
    assert server.requests[0].prompt in shown
    assert "adam/01_record.png" in shown
    assert runner.invoke(app, ["view", folder]).exit_code == 0
    assert 'src="adam/01_record.png"' in (audit_folder.folder / "trajectory.html").read_text()


def test_what_is_typed_into_a_password_field_is_in_no_file(audit_folder, server):
    """The model read the password on a page, for example, and types it with the name."""
    audit_folder.samples("adam")
    audit_folder.site.pages["/adam"] = """<h1>Sign in</h1><label>Name <input></label>
        <label>Password <input type=password></label>"""

    def script(request: Request):
        if "typed" in request.prompt:
            return tool_use("fail", note="the password is wrong")
        numbers = re.findall(r"\[(\d+)\] \[textbox\]", request.prompt)
        texts = zip(numbers, ("adam the first", "correct-horse"), strict=True)
        return message(*(call("type", {"selector": n, "text": text}) for n, text in texts))

    server.script(script)
    ran = audit(audit_folder, server)
    assert ran.counts() == {"failed": 1}, ran.text
    reader = TrajectoryReader(audit_folder.folder, audit_folder.folder)
    replies = str([s.decision for s in reader.steps(reader.sample("adam"))])
    assert "adam the first" in replies
    assert "correct-horse" not in replies
    for path in audit_folder.folder.rglob("*"):
        assert path.is_dir() or b"correct-horse" not in path.read_bytes(), path


def test_incomplete_done_is_refused_and_needs_review_on_the_last_step(audit_folder, server):
    audit_folder.samples("adam")
    server.script([tool_use("done", extracted={"department": None, "start_date": "soon"})])
    ran = audit(audit_folder, server, "--max-steps=3")
    assert ran.status == 1
    assert len(server.requests) == 3
    notice = server.requests[1].prompt.split("## Notices")[1]
    for what in ("department", "screenshot record", "start_date should be date"):
        assert what in notice
    result = audit_folder.result("adam")
    assert result["status"] == "needs_review"
    assert result["flagged"] is True
    assert "missing:  department, screenshot record" in ran.text


def test_steps_run_out_with_and_without_data(audit_folder, server):
    audit_folder.samples("adam", "zoe")

    def script(request: Request):
        if "/zoe" in request.prompt and "save_progress)" not in request.prompt:
            return tool_use("save_progress", extracted={"department": "Finance zoe"})
        return tool_use("scroll", direction="down")

    server.script(script)
    ran = audit(audit_folder, server, "--max-steps=2")
    assert ran.counts() == {"failed": 2}, ran.text
    assert {r["sample_id"]: r["status"] for r in audit_folder.combined()} == {
        "adam": "failed", "zoe": "partial_success",
    }  # fmt: skip
    assert audit_folder.result("zoe")["extracted"]["department"] == "Finance zoe"
    assert "2 steps" in audit_folder.result("adam")["reason"]
    # A screenshot shows where it ended.
    assert (audit_folder.folder / "adam/01_last_view.png").exists()


def test_fail_keeps_saved_data_and_notes_in_the_files(audit_folder, server):
    audit_folder.samples("adam")
    saving = tool_use("save_progress", extracted={"department": "Finance adam"}, note="half")
    server.script([saving, tool_use("fail", note="the start date is locked")])
    ran = audit(audit_folder, server)
    assert ran.counts() == {"failed": 1}, ran.text
    result = audit_folder.result("adam")
    assert (result["status"], result["reason"]) == ("failed", "the start date is locked")
    assert result["extracted"] == {"department": "Finance adam", "start_date": None}
    assert result["notes"] == ["half"]
    assert audit_folder.combined()[0]["department"] == "Finance adam"


def test_a_judgment_must_name_saved_screenshots(audit_folder, server):
    audit_folder.spec(judgment_required=True, judgment_question="Is the department right?")
    audit_folder.samples("adam")
    fields = {"department": "Finance adam", "start_date": None}
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


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ([error(429, "rate_limit_error", retry_after="86400")], "retry"),
        ([error(529, "overloaded_error")], "529"),
        ([html(500)], "500"),
        ([text_only()], "5 unusable replies"),
        ([wrong_typed()], "5 unusable replies"),
        ([drip()], "4 s"),
    ],
    ids=["429-a-day", "529", "500-html", "text", "wrong-typed", "drip"],
)
def test_a_failing_model_ends_the_sample_on_time_with_a_reason(
    audit_folder, server, answers, reason
):
    audit_folder.samples("adam")
    server.script(answers)
    began = time.monotonic()
    ran = audit(audit_folder, server)
    assert time.monotonic() - began < 30
    assert ran.counts() == {"failed": 1}, ran.text
    assert reason.lower() in audit_folder.result("adam")["reason"].lower()


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


def test_an_invented_value_is_sent_back_once_and_then_a_person_reviews_it(audit_folder, server):
    audit_folder.spec(required_artifacts=[])
    audit_folder.samples("adam")
    server.script([tool_use("done", extracted={"department": "Legal", "start_date": None})])
    ran = audit(audit_folder, server)
    assert ran.counts() == {"failed": 1}, ran.text
    assert len(server.requests) == 2
    notices = server.requests[1].prompt.split("## Notices")[1]
    assert 'no page that was observed shows department ("Legal")' in notices
    result = audit_folder.result("adam")
    assert result["status"] == "needs_review"
    assert result["reason"] == 'no page that was observed shows department ("Legal")'
    assert result["grounding"]["department"]["how"] == "unseen"
    assert result["grounding"]["start_date"] is None


def test_a_done_without_a_screenshot_is_proven_by_a_picture_of_the_harness(audit_folder, server):
    audit_folder.spec(required_artifacts=[])
    audit_folder.samples("adam")
    fields = {"department": "Finance adam", "start_date": "2025-11-03"}
    server.script([tool_use("done", extracted=fields)])
    allure = "--alluredir=allure"
    ran = audit(audit_folder, server, allure)
    assert ran.status == 0, ran.text
    result = audit_folder.result("adam")
    (picture,) = result["artifacts"]
    assert picture["filename"] == "01_evidence_department_start_date.png"
    assert len(picture["page_state"]) == 64
    seen = result["grounding"]["department"]
    assert seen["box"] is not None
    assert {**seen, "box": None} == {
        "contested": None,
        "how": "verbatim", "rule": None, "step": 1, "url": f"{audit_folder.site.url}/adam",
        "frame": None, "role": "text", "name": "Finance adam", "text": "Finance adam", "box": None,
        "artifact": picture["filename"],
    }  # fmt: skip
    (test,) = (audit_folder.path / "allure").glob("*-result.json")
    attachments = json.loads(test.read_text())["attachments"]
    marked = next(a for a in attachments if a["name"] == f"values in {picture['filename']}")
    clean = (audit_folder.folder / "adam" / picture["filename"]).read_bytes()
    assert hashlib.sha256(clean).hexdigest() == picture["sha256"]
    assert (audit_folder.path / "allure" / marked["source"]).read_bytes() != clean
