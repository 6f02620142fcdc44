"""`bwa export`, `bwa show` and `bwa view` on a recorded run."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result
from unit.evidence.trajectory.recorded import (
    TOOLS,
    USAGE,
    call,
    exchange,
    merged,
    page,
    record_sample,
    recorder,
    result,
    step,
)

from pytest_bwa.cli import app
from pytest_bwa.steps.text import show_controls

RECIPE = Path(__file__).parents[4] / "tasks/practice/form.recipe.yaml"
HOSTILE = (
    '</pre><script>alert("x")</script><img src=x onerror=alert(1)> \x1b[31m\x9b31m\u2028\u202e'
)


def bwa(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """ann is done; bob failed, on a page that attacks whoever reads about it."""
    folder = tmp_path / "run_1"
    folder.mkdir()
    (folder / "run.json").write_text("{}")
    record_sample(folder / ".live", "ann")
    bob, here = recorder(folder / ".live", "bob"), page(HOSTILE)
    pair = (call("scroll", direction="down"), call("fail", note=HOSTILE))
    bob.add_call(exchange(*pair, message=HOSTILE), USAGE, step=1, page=here)
    bob.add_step(step(1, "scroll"), here, here, None)
    bob.add_step(step(2, "fail", result=HOSTILE, params={"note": HOSTILE}), here, here, None)
    bob.finish(result("bob", status="failed", outcome="other", reason=HOSTILE))
    assert merged(folder) == []
    return folder


def test_jsonl_has_one_line_for_each_step(run):
    lines = [json.loads(line) for line in bwa("export", run).stdout.splitlines()]
    assert [(line["sample_id"], line["step"], line["action"]) for line in lines] == [
        ("ann", 0, "goto"),
        ("ann", 1, "click"),
        ("ann", 2, "done"),
        ("bob", 1, "scroll"),
        ("bob", 2, "fail"),
    ]
    assert len({tuple(line) for line in lines}) == 1, "every line has the same keys"
    opened, clicked, *_, scrolled, failed = lines
    assert (opened["prompt"], opened["reply"], opened["decision"]) == (None, None, None)
    assert clicked["prompt"]["messages"] == [{"role": "user", "content": "## Goal"}]
    assert clicked["prompt"]["tools"] == list(TOOLS)
    assert clicked["reply"] == [call("click", selector="0")]
    assert clicked["page"]["lines"][0] == '[0] [heading] "Staff of ann"'
    assert clicked["verdict"]["summary"] == "the address changed"
    assert clicked["outcome"] == {"status": "done", "outcome": "found", "reason": ""}
    assert [c["error"] for c in clicked["other_calls"]] == ["no tool call"]
    # Both steps belong to one decision, whose prompt stands there once.
    assert scrolled["decision"] == failed["decision"]
    assert None not in (scrolled["prompt"], scrolled["reply"], scrolled["usage"])
    assert (failed["prompt"], failed["reply"], failed["usage"]) == (None, None, None)


def test_a_terminal_obeys_nothing_of_what_is_exported_and_it_means_the_same(run):
    for form in ("jsonl", "messages"):
        text = bwa("export", run, "--format", form, "--all").stdout
        assert show_controls(text) == text
        assert all(map(json.loads, text.splitlines()))
    *_, failed = bwa("export", run).stdout.splitlines()
    assert json.loads(failed)["params"]["note"] == HOSTILE


def test_messages_are_the_decisions_of_done_samples(run, tmp_path):
    done = tmp_path / "done.jsonl"
    assert bwa("export", run, "--format", "messages", "--out", done).exit_code == 0
    lines = [json.loads(line) for line in done.read_text().splitlines()]
    assert len(lines) == 2, "not the answer that could not be used"
    system, user, assistant = lines[0]["messages"]
    assert system == {
        "role": "system",
        "content": "You work through one sample.\n\nToday is Sunday.",
    }
    assert user == {"role": "user", "content": "## Goal"}
    assert assistant["tool_calls"][0]["function"] == {
        "name": "click",
        "arguments": '{"selector": "0"}',
    }
    assert lines[0]["tools"][0]["function"]["parameters"] == {"type": "object"}
    every = bwa("export", run, "--format", "messages", "--all").stdout.splitlines()
    assert len(every) == 3
    assert len(json.loads(every[2])["messages"][2]["tool_calls"]) == 2


IN_ONE_PROCESS = """
import sys
from pytest_bwa.cli import app
for words in (["show", "RUN", "ann"], ["recipe", "show", "RECIPE"], ["export", "RUN"]):
    try:
        app(words)
    except SystemExit as ended:
        assert not ended.code, words
"""


def test_an_encoding_without_a_character_replaces_it_and_data_stay_utf_8(tmp_path):
    ann, here = recorder(tmp_path / ".live", "ann"), page("Αθήνα")
    ann.add_step(step(0, "goto", result="opened Αθήνα"), here, here, None)
    ann.finish(result("ann"))
    (tmp_path / "run.json").write_text("{}")
    assert merged(tmp_path) == []
    script = IN_ONE_PROCESS.replace("RUN", str(tmp_path)).replace("RECIPE", str(RECIPE))
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True, env={**os.environ, "PYTHONIOENCODING": "cp1252"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"????" in done.stdout
    *_, last = done.stdout.splitlines()
    assert json.loads(last.decode("utf-8"))["result"] == "opened Αθήνα"


def test_a_run_that_cannot_be_read_is_said_in_one_line(run, tmp_path):
    (run / "trajectory.db").write_bytes(b"no database " * 500)
    for command in (["export", run], ["view", run], ["show", run, "ann"]):
        refused = bwa(*command)
        assert refused.exit_code == 1
        assert refused.stdout == ""
        assert refused.stderr.startswith(f"bwa: {run}/trajectory.db cannot be read (")
        assert len(refused.stderr.splitlines()) == 1
    (run / "trajectory.db").unlink()
    assert "an earlier version made the run" in bwa("export", run).stderr


def test_without_a_model_there_are_no_messages(tmp_path):
    (tmp_path / "run.json").write_text("{}")
    recorder(tmp_path / ".live").finish(result())
    refused = bwa("export", tmp_path, "--format", "messages")
    assert refused.exit_code == 1
    assert refused.stderr == "bwa: no sample that is done has a decision of a model\n"


def test_show_lists_the_steps_of_a_sample(run):
    shown = bwa("show", run, "ann").stdout
    assert shown.startswith("ann  done\n")
    assert '1     0.5 s   $0.0020  click [0] [link] "Record"' in shown
    assert "→ did click" in shown
    assert "(decision, not used: no tool call)" in shown
    assert bwa("show", run, "eve").stderr == (
        'bwa: the trajectory has no sample "eve"; it has ann, bob\n'
    )


def write_result(run: Path, **fields: Any) -> None:
    content = {"sample_id": "ann", "task_id": "staff", "status": "done", **fields}
    (run / "ann/result.json").write_text(json.dumps(content))


def picture(filename: str, **fields: Any) -> dict[str, Any]:
    origin = {"sha256": "", "source_url": "", "timestamp": "", "label": ""}
    return {"filename": filename, **origin, **fields}


def test_show_says_why_a_sample_is_flagged_and_what_is_doubted(run):
    (run / "ann").mkdir()
    note = "deposit (750): the page also says “Kaution | 0”"
    record = {
        "how": "normalised", "rule": "number", "cited": True, "step": 2,
        "doubts": ["other_value", "hidden"], "against": {"other_value": "Kaution | 0"},
    }  # fmt: skip
    content = {"artifacts": [], "grounding": {"deposit": record}, "notes": [note], "flagged": True}
    write_result(run, **content)
    shown = bwa("show", run, "ann").stdout
    assert f"flagged: {note}" in shown
    doubted = "doubted: other_value (Kaution | 0), hidden"
    assert f"deposit: normalised, number, cited, step 2; {doubted}" in shown


def test_show_has_all_of_one_step(run):
    (run / "ann").mkdir()
    artifacts = [picture("01_record.png", step=9, page_state="state of Record ann")]
    grounding = {"staff": [{"name": {"how": "verbatim", "step": 1, "artifact": "01_record.png"}}]}
    content = {"artifacts": artifacts, "grounding": grounding}
    write_result(run, **content)
    assert "staff[0].name: verbatim, step 1, 01_record.png" in bwa("show", run, "ann").stdout
    shown = bwa("show", run, "ann", 1).stdout
    for text in (
        "You work through one sample.",
        "## Goal",
        'click {"selector": "0"}',
        "the address changed",
        "not used",
        "ann/01_record.png",
    ):
        assert text in shown
    opened = bwa("show", run, "ann", 0).stdout
    assert '[0] [heading] "Staff of ann"' in opened
    assert bwa("show", run, "ann", 7).stderr == (
        'bwa: there is no step 7 of "ann"; it has 0 to 2\n'
    )
    hostile = bwa("show", run, "bob", 2).stdout
    assert "\x1b" not in hostile
    assert r"\x1b[31m\x9b31m\u2028\u202e" in hostile


def test_the_page_escapes_what_pages_say_and_links_to_pictures_beside_it(run, tmp_path):
    (run / "ann").mkdir()
    artifacts = [picture("01 a&b.png", step=1)]
    write_result(run, status="needs_review", artifacts=artifacts)
    wrote = bwa("view", run)
    assert wrote.stdout == f"wrote {run}.html; open it in a browser\n"
    html = run.with_name(f"{run.name}.html").read_text()
    assert "<script" not in html
    assert "<img src=x" not in html
    assert "\x1b" not in html
    assert f'src="{run.name}/ann/01%20a%26b.png"' in html
    assert '<b>ann</b> <span class="unsure">to review</span>' in html
    assert html.count("You work through one sample.</pre>") == 1, "shared texts stand there once"
    bwa("view", run, "--out", tmp_path / "page.html")
    assert 'src="run_1/ann/01%20a%26b.png"' in (tmp_path / "page.html").read_text()


def test_the_file_of_a_run_can_be_read_on_a_disk_that_cannot_be_written(run):
    """SQLite cannot open a file in WAL mode there."""
    mode = sqlite3.connect(run / "trajectory.db").execute("PRAGMA journal_mode")
    assert mode.fetchone() == ("delete",)
