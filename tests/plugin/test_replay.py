"""A recorded run is performed again without a model, on the same pages and on changed ones."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from citing import sources_in
from typer.testing import CliRunner
from wire.messages_server import Answer, MessagesServer, Request, tool_use

from pytest_bwa.audit import recordings
from pytest_bwa.audit.plan import Plan
from pytest_bwa.cli import app
from pytest_bwa.errors import InputError

TICKET = """<!doctype html><title>BUG-7</title><main><h1>BUG-7 Slow search</h1>
<dl><dt>Owner</dt><dd>Ann Lee</dd>
<dt>Labels</dt><dd><ul><li>interface</li><li>search</li></ul></dd></dl>
<section><h2>Review</h2><button onclick="votes.hidden=false">Show all</button>
<p id=votes hidden>Votes: 12</p></section>
<section><h2>Watchers</h2><button onclick="watchers.hidden=false">Show all</button>
<p id=watchers hidden>Votes: 99</p></section>
<p><a href="/history">History</a></p></main>"""
HISTORY = """<!doctype html><title>History</title><main><h1>History of BUG-7</h1>
<label>Event <input id=event></label>
<table><thead><tr><th>Event<th>By</thead><tbody id=rows></tbody></table></main>
<script>event.oninput = () => fetch('/events').then(r => r.json()).then(all => {
  rows.innerHTML = all.filter(([name]) => name.includes(event.value))
    .map(([name, by]) => `<tr><td>${name}<td>${by}`).join('') });</script>"""
HISTORY = HISTORY.replace("event.", "document.getElementById('event').")
EVENTS = [["merged", "Bob Hill"], ["opened", "Ann Lee"]]
ANSWER = {"owner": "Ann Lee", "labels": ["interface", "search"], "votes": 12, "merger": "Bob Hill"}
SPEC: dict[str, Any] = {
    "task_id": "ticket",
    "goal": "Read the ticket {sample_id}.",
    "output_schema": {
        "owner": "string | null",
        "labels": "array | null",
        "votes": "number | null",
        "merger": "string | null",
    },
    "aliases": {"merger": ["By"]},
    "required_fields": ["owner"],
    "required_artifacts": [],
}


def number_of(prompt: str, line: str) -> str:
    """The number of the first listed element whose line matches."""
    match = re.search(rf"\[(\d+)\] {line}", prompt)
    assert match, f"{line} is not in {prompt}"
    return match[1]


def scripted() -> Callable[[Request], Answer]:
    """What the model does, one reply after the other."""
    decisions: list[Callable[[str], Answer]] = [
        lambda p: tool_use("click", selector=number_of(p, r'\[button\] "Show all"')),
        lambda p: tool_use("click", selector=number_of(p, r'\[link\] "History"')),
        lambda p: tool_use("type", selector=number_of(p, r'\[textbox\] "Event"'), text="merged"),
        lambda p: tool_use("done", extracted=ANSWER, sources=_sources(p)),
        lambda p: tool_use("done", extracted=ANSWER, sources=_sources(p)),
    ]
    left = iter(decisions)
    return lambda request: next(left)(request.prompt)


def _sources(prompt: str) -> dict[str, int]:
    """What the prompt for the history still shows: the event's row."""
    return sources_in(prompt, {"merger": ("merged", "Bob Hill")})


def events(rows: list[list[str]]) -> tuple[int, dict[str, str], bytes]:
    return 200, {"Content-Type": "application/json"}, json.dumps(rows).encode()


def result_of(folder: Path, sample_id: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((folder / sample_id / "result.json").read_text())
    return result


def replay(audit_folder, *arguments: str):
    """No key, no model: whatever is asked of one would fail."""
    return audit_folder.run(
        "--policy=replay", "--replay=first", "-n0", *arguments, ANTHROPIC_API_KEY=""
    )


def diff(audit_folder, first: str, second: str, *options: str) -> tuple[int, str]:
    evidence = str(audit_folder.path / "evidence")
    ran = CliRunner().invoke(app, ["diff", first, second, "--evidence", evidence, *options])
    return ran.exit_code, ran.output


def test_a_run_of_a_model_is_performed_again_without_one(audit_folder):
    site, evidence = audit_folder.site, audit_folder.path / "evidence"
    site.pages |= {"/bug-7": TICKET, "/history": HISTORY, "/events": events(EVENTS)}
    audit_folder.spec(**SPEC)
    audit_folder.samples("bug-7")
    with MessagesServer(scripted()) as server:
        ran = audit_folder.audit(
            "--run-id=first", "-n0", ANTHROPIC_BASE_URL=server.url, ANTHROPIC_API_KEY="sk-secret"
        )
    assert ran.status == 0, ran.text
    ran = replay(audit_folder, "--run-id=again")
    again = result_of(evidence / "again", "bug-7")
    assert ran.status == 0, ran.text
    assert again["extracted"] == ANSWER
    assert (again["usage"]["calls"], again["model"]) == (0, "")
    assert set(again["mode"][1:]) == {"replay"}
    assert all(record["artifact"] for record in again["grounding"].values() if "how" in record)
    assert json.loads((evidence / "again/run.json").read_text())["replay"] == "first"
    status, text = diff(audit_folder, "first", "again")
    assert (status, text.splitlines()[-1][:13]) == (0, "no difference")

    # Sections moved, other values, one more item; and nobody has merged it.
    review, watchers = re.findall(r"<section>.*?</section>", TICKET, re.S)
    moved = TICKET.replace(review, "").replace(watchers, watchers + review)
    moved = moved.replace("Ann Lee", "Cy Ray").replace("<li>search", "<li>fast<li>search")
    site.pages["/bug-7"] = moved.replace("Votes: 12", "Votes: 15")
    site.pages["/events"] = events([["merged later", "Cy Ray"]])
    with _as_version_1_wrote_it(evidence / "first"):
        ran = replay(audit_folder, "--run-id=changed")
    changed = result_of(evidence / "changed", "bug-7")
    assert ran.status == 1, ran.text
    assert changed["extracted"] == {
        "owner": "Cy Ray",
        "labels": ["interface", "fast", "search"],
        "votes": 15,
        "merger": None,
    }
    assert (changed["status"], changed["missing"]) == ("needs_review", [])
    assert "merger: the table “By” in the row “merged”" in changed["reason"]
    status, text = diff(audit_folder, "first", "changed")
    assert status == 1
    assert [line.split()[2] for line in text.splitlines()[1:-1] if " value " in line] == [
        "owner", "labels", "votes", "merger",
    ]  # fmt: skip

    # The button that was pressed is gone, and the other one of its name is never pressed.
    site.pages["/bug-7"] = TICKET.replace(review, "")
    ran = replay(audit_folder, "--run-id=stopped", "--task=spec.json", "--samples=samples.csv")
    stopped = result_of(evidence / "stopped", "bug-7")
    assert (ran.status, stopped["status"]) == (1, "failed"), ran.text
    assert (
        "step 1 (click) no longer fits: the button “Show all” under “Review”" in (stopped["reason"])
    )
    assert "one of that name stands under “Watchers”" in stopped["reason"]
    assert stopped["extracted"]["votes"] is None
    _check_refusals(audit_folder)


@contextmanager
def _as_version_1_wrote_it(run: Path) -> Iterator[None]:
    """The results of a run in the form of version 1, which had findings instead of doubts."""
    paths = (run / "run.json", run / "bug-7/result.json")
    whole = {path: path.read_text() for path in paths}
    for path, text in whole.items():
        content = {**json.loads(text), "schema_version": 1}
        for tree in content.get("grounding", {}).values():
            for record in tree if isinstance(tree, list) else [tree]:
                for name in ("cited", "doubts", "why", "against"):
                    del record[name]
                record |= {"contested": None, "hidden": False, "beside": False}
                record |= {"other_reading": None, "unrelated": False}
        path.write_text(json.dumps(content))
    yield
    for path, text in whole.items():
        path.write_text(text)


def _check_refusals(audit_folder) -> None:
    """A recording that cannot be used is one line, before any browser."""
    evidence, run = audit_folder.path / "evidence", audit_folder.path / "evidence/first"
    plan = Plan(evidence, "next", "replay", "", replay="first")

    def refusal(plan: Plan = plan) -> str:
        with pytest.raises(InputError) as caught:
            recordings.open_audit(plan, collect_only=False, ready=lambda task: None)
        assert not (evidence / "next").exists()
        assert len(str(caught.value).splitlines()) == 1
        return str(caught.value)

    assert "no such run folder" in refusal(replace(plan, replay="nothing"))
    audit_folder.spec(**SPEC, read_only=True)
    task = audit_folder.path / "spec.json"
    changed = refusal(replace(plan, task=task, samples=audit_folder.path / "samples.csv"))
    assert "the spec changed in read_only" in changed
    for name, old, new, why in (
        ("run.json", '"schema_version": 2', '"schema_version": 3', "schema_version 3"),
        ("run.json", "{", "", "no readable run.json"),
        ("bug-7/result.json", "{", "", "not a readable result"),
        ("bug-7/result.json", '"place"', '"role2"', "not a readable result"),
        ("bug-7/action_log.json", "[", "", "not a readable action log"),
        ("bug-7/action_log.json", "[", "[3, ", "not a readable action log"),
        ("bug-7/action_log.json", '"identity": {', '"older": {', "an older version wrote it"),
    ):
        whole = (run / name).read_text()
        assert old in whole
        (run / name).write_text(whole.replace(old, new, 1))
        assert why in refusal(), name
        (run / name).write_text(whole)
    result = json.loads((run / "bug-7/result.json").read_text())
    del result["grounding"]["owner"]["place"]
    (run / "bug-7/result.json").write_text(json.dumps(result))
    assert "an older version wrote it" in refusal()
    (run / "bug-7/action_log.json").unlink()
    assert "No such file" in refusal()


def test_the_two_options_need_each_other(audit_folder):
    audit_folder.samples("adam")
    for options in (["--policy=replay"], ["--replay=first"], ["--replay=x", "--policy=rules"]):
        ran = audit_folder.audit(*options)
        assert ran.status == 4
        assert "--replay RUN and --policy replay need each other" in ran.text
