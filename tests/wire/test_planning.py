"""A task in plain language: what the model is sent, and what becomes of its plan."""

from __future__ import annotations

import json
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from pytest_bwa.audit import prepare
from pytest_bwa.audit.own_browser import BrowserToLaunch
from pytest_bwa.audit.plan import Plan
from pytest_bwa.errors import InputError
from pytest_bwa.settings import Settings
from pytest_bwa.spec.load import load_task
from pytest_bwa.spec.samples import read_samples
from wire.conftest import KEY
from wire.messages_server import MessagesServer, text_only, tool_use

SPEC: dict[str, Any] = {
    "task_id": "profiles",
    "goal": "Read the followers of {sample_id}.",
    "start_url": "https://x.org/{sample_id}",
    "output_schema": {"followers": "integer | null"},
    "aliases": {"followers": ["Followers"]},
    "allowed_domains": ["x.org"],
}
SAMPLES = [{"sample_id": "ada", "team": 7}, {"sample_id": "bo/../x", "team": None}]


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return Plan(
        evidence=tmp_path / "evidence",
        run_id="run_1",
        policy="rules",
        model="",
        prompt="Read the followers of ada and bo on x.org",
    )


def settings(server: MessagesServer | None) -> Settings:
    url = server.url if server else None
    key = KEY if server else None
    return Settings(_env_file=None, anthropic_api_key=key, anthropic_base_url=url)


def plan_with(*answers: Any) -> Any:
    return [tool_use("plan_task", **answer) for answer in answers]


def test_a_good_plan_is_written_into_the_run_folder_and_runs_like_any_spec(server, plan):
    server.script(plan_with({"spec": SPEC, "samples": SAMPLES}))
    prepared = prepare.planned(plan, settings(server))
    folder = plan.evidence / "run_1"
    assert prepared.plan.task == folder / "generated_task_spec.json"
    task = load_task(prepared.plan.task)
    assert (task.task_id, task.read_only, task.allowed_domains) == ("profiles", True, ["x.org"])
    rows = read_samples(folder / "samples.csv").samples
    assert [dict(row.columns) for row in rows] == [
        {"sample_id": "ada", "team": "7"},
        {"sample_id": "bo_.._x", "team": ""},
    ]
    lines = prepare.plan_lines(prepared.plan, settings(server))
    assert lines[1:5] == [
        "plan: fields followers",
        "plan: samples 2 (ada, bo_.._x)",
        "plan: decisions at most 50 (25 for each sample)",
        "plan: it only reads",
    ]
    audit = prepare.open_audit(prepared, settings(server), None, None)
    assert [s.sample_id for s in audit.samples.samples] == ["ada", "bo_.._x"]
    assert len(server.requests) == 1, "nothing else asks the model"


def test_a_plan_may_not_leave_out_the_hosts_where_it_begins(server, plan):
    spec = {**SPEC, "allowed_domains": ["api.x.org"], "start_url": "https://www.x.org/{sample_id}"}
    rows = [{"sample_id": "ada", "url": "https://y.org/ada"}, {"sample_id": "bo", "url": "/bo"}]
    server.script(plan_with({"spec": spec, "samples": rows}))
    task = load_task(prepare.planned(plan, settings(server)).plan.task)
    assert task.allowed_domains == ["api.x.org", "www.x.org", "y.org"]


@pytest.mark.parametrize(
    ("changes", "steps", "end"),
    [
        ({}, 25, "of {sample_id}."),
        ({"max_steps": 30}, 30, "of {sample_id}."),
        ({"max_steps": 60}, 60, "of {sample_id}. Call save_progress after each page with what it "
         "gave."),
        ({"goal": "Read each page, and save_progress."}, 40, "Read each page, and save_progress."),
        ({"goal": "save_progress after each.", "max_steps": 9}, 40, "save_progress after each."),
    ],
)  # fmt: skip
def test_a_plan_over_many_pages_has_steps_for_them_and_saves_progress(
    server, plan, changes, steps, end
):
    server.script(plan_with({"spec": SPEC | changes, "samples": SAMPLES}))
    task = load_task(prepare.planned(plan, settings(server)).plan.task)
    assert task.max_steps == steps
    assert task.goal.endswith(end)
    assert "max_steps: 40 or more" in str(server.requests[0].body["system"])


def test_the_request_has_one_tool_whose_schema_is_that_of_a_spec(server, plan):
    server.script(plan_with({"spec": SPEC, "samples": SAMPLES}))
    samples = plan.evidence.parent / "given.csv"
    samples.write_text("sample_id,team\nada,7\n")
    prepared = prepare.planned(replace(plan, samples=samples), settings(server))
    assert prepared.plan.samples == samples, "a list that is given wins over the planned one"
    request = server.requests[0]
    (tool,) = request.body["tools"]
    spec = tool["input_schema"]["properties"]["spec"]
    assert {"goal", "allowed_domains", "read_only", "aliases", "discover"} <= set(
        spec["properties"]
    )
    assert "links" in json.dumps(spec["properties"]["discover"])
    assert "$ref" not in json.dumps(tool)
    assert plan.prompt in request.prompt
    assert "a list with the columns sample_id, team" in request.prompt
    assert len(request.raw) < 16_000


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ({"spec": {**SPEC, "gaol": "x"}}, 'the plan: unknown key "gaol"; did you mean "goal"?'),
        ({"spec": SPEC, "samples": []}, "pass --samples FILE"),
        ({"spec": SPEC, "samples": [{"sample_id": "a", "url": "ftp://x"}]}, 'column "url"'),
        ({"spec": {**SPEC, "goal": "Read {team}."}, "samples": [{"sample_id": "a"}]}, "{team}"),
        ({"spec": {**SPEC, "needs_discovery": True}}, "no listing to walk"),
    ],
)
def test_a_bad_plan_is_asked_for_once_more_with_the_reason(server, plan, bad, problem):
    server.script(plan_with(bad, {"spec": SPEC, "samples": SAMPLES}))
    prepared = prepare.planned(plan, settings(server))
    assert "2 calls" in prepared.notes[0]
    again = server.requests[1].prompt
    assert problem in again
    assert json.dumps(bad["spec"], ensure_ascii=False) in again, "it sees what it planned"


def test_a_plan_that_stays_bad_is_refused_with_the_reason_and_makes_no_folder(server, plan):
    server.script([text_only("I would rather not."), *plan_with({"spec": {**SPEC, "gaol": 1}})])
    with pytest.raises(InputError, match=r"no usable plan was made in 2 tries: the plan: unknown"):
        prepare.planned(plan, settings(server))
    assert len(server.requests) == 2
    assert "tool call" in server.requests[1].prompt
    assert not plan.evidence.exists()


@pytest.fixture
def no_pages():
    """The address of a site that has none of the pages that it is asked for."""
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as site:
        site.RequestHandlerClass.do_GET = lambda request: request.send_error(404)
        site.RequestHandlerClass.log_message = lambda *words: None
        Thread(target=site.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{site.server_port}"
        site.shutdown()


def test_a_first_address_that_does_not_exist_is_asked_for_once_more(server, plan, no_pages):
    wrong = {**SPEC, "start_url": f"{no_pages}/base/{{sample_id}}"}
    answers = [{"spec": wrong, "samples": SAMPLES}, {"spec": SPEC, "samples": SAMPLES}]
    server.script(plan_with(*answers))
    prepared = prepare.planned(plan, settings(server))
    reason = f"the first address, {no_pages}/base/ada, answers HTTP 404"
    assert reason in server.requests[1].prompt
    assert not any("404" in note for note in prepared.notes)
    assert prepared.usage.calls == 2


def test_a_first_address_that_stays_as_it_is_runs_with_a_warning(server, plan, no_pages):
    missing = {"spec": {**SPEC, "start_url": f"{no_pages}/{{sample_id}}"}, "samples": SAMPLES}
    server.script(plan_with(missing, missing))
    prepared = prepare.planned(plan, settings(server))
    warning = f"warning: the first address, {no_pages}/ada, answers HTTP 404"
    assert warning in prepared.notes
    browser = BrowserToLaunch("chromium", {})
    audit = prepare.open_audit(prepared, settings(server), browser, None)
    assert audit.folder.record().preparation_usage.calls == 2, "what planning cost is counted"


def test_many_items_with_pages_of_their_own_are_discovered(server, plan):
    listing = {"start_url": "https://x.org/members", "links": "/m/*"}
    spec = {**SPEC, "needs_discovery": True, "discover": listing, "start_url": None}
    spec["goal"] = "Read the followers."
    server.script(plan_with({"spec": spec}))
    prepared = prepare.planned(plan, settings(server))
    lines = prepare.plan_lines(prepared.plan, settings(server))
    assert "plan: samples found at https://x.org/members, by links to /m/*" in lines


def test_a_plan_that_writes_says_so(server, plan):
    server.script(plan_with({"spec": {**SPEC, "read_only": False}, "samples": SAMPLES}))
    prepared = prepare.planned(plan, settings(server))
    assert prepare.WRITES in prepare.plan_lines(prepared.plan, settings(server))


def test_without_a_model_the_error_says_what_is_needed_and_shows_a_spec_to_start_from(plan):
    with pytest.raises(InputError, match="--prompt needs a model") as refused:
        prepare.planned(plan, settings(None))
    assert "task_id: my_task\n" in str(refused.value)
    assert not plan.evidence.exists()
