"""What samples learn from earlier ones, and runs from earlier runs: the real plugin and browser."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from audit_folder import RECORD, AuditFolder
from wire.messages_server import Answer, MessagesServer, Request, message, text_block, tool_use

FIELDS = {"start_date": "2025-11-03"}
START = """<!doctype html><title>{name}</title><h1>{name}</h1>
<button onclick="this.after('Shown for {name}')">Show</button>"""
TIPS = "TIP: Open the record's own page.\nAVOID: Mail adam@example.org about Finance adam."


def system_of(request: Request) -> list[str]:
    return [block["text"] for block in request.body["system"]]


def sample_of(request: Request) -> str:
    found = re.search(r'on the sample "(\w+)"', system_of(request)[1])
    assert found is not None
    return found[1]


class Model:
    """A model that looks for a record in two places, the old one first, unless it is told that
    nothing is there. On adam's page it first makes a mistake with a button."""

    def __init__(self, site: str) -> None:
        self.site, self.distilled = site, 0

    def __call__(self, request: Request) -> Answer:
        if "tools" not in request.body:
            self.distilled += 1
            return message(text_block(TIPS if self.distilled == 1 else "NONE"))
        name, prompt = sample_of(request), request.prompt
        if "Department" in prompt.split("**Step")[0]:
            return tool_use("done", extracted={**FIELDS, "department": f"Finance {name}"})
        tried = prompt.split("## Action history")[-1] if "## Action history" in prompt else ""
        if name == "adam" and "Shown for adam" not in prompt:
            (button,) = re.findall(r'\[(\d+)\] \[button\] "Show"', prompt.split("**Step")[0])
            if "is not a text field" in tried:
                return tool_use("click", selector=button)
            return tool_use("type", selector=button, text="x")
        warned = [p for p in ("old", "new") if f"Avoid: goto /{p}/" in system_of(request)[1]]
        places = sorted(("old", "new"), key=lambda place: (place in warned, place == "new"))
        place = next(p for p in places if f"/{p}/{name}" not in tried)
        return tool_use("goto", url=f"{self.site}/{place}/{name}")


def run(audit_folder: AuditFolder, *arguments: str, **environment: str) -> list[Request]:
    audit_folder.spec(required_artifacts=[])
    audit_folder.samples("adam", "zoe", "eve")
    pages = audit_folder.site.pages
    for name, place in (("adam", "new"), ("zoe", "new"), ("eve", "old")):
        pages[f"/{name}"] = START.format(name=name)
        pages[f"/{place}/{name}"] = RECORD.format(name=name, department=f"Finance {name}")
    with MessagesServer(Model(audit_folder.site.url)) as server:
        ran = audit_folder.audit(
            *arguments, ANTHROPIC_BASE_URL=server.url, ANTHROPIC_API_KEY="sk-x",
            BWA_ENABLE_MEMORY_DISTILLATION="true", **environment,
        )  # fmt: skip
    assert ran.counts() == {"passed": 3}, ran.text
    return server.requests


def events(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "memory_events.jsonl").read_text().splitlines()]


def test_a_dead_end_of_the_first_sample_is_spared_the_second(audit_folder, home):
    requests = run(audit_folder)
    steps = {name: audit_folder.result(name)["steps"] for name in ("adam", "zoe", "eve")}
    # adam: type, click, the dead end, the record, done. zoe is spared the dead end. For eve the
    # hint is wrong: without it two steps would have been enough.
    assert steps == {"adam": 5, "zoe": 2, "eve": 3}
    decisions = [r for r in requests if "tools" in r.body]
    shared = {system_of(r)[0] for r in decisions}
    assert len(shared) == 1, "the cached block must be the same for all samples"
    assert "Lessons of earlier runs" in shared.pop()
    for request in decisions:
        if sample_of(request) != "adam":
            assert "goto /old/{sample_id} (no such page)" in system_of(request)[1]
            everything = system_of(request)[1] + request.prompt
            for value in ("adam", "Finance adam", "example.org"):
                assert value not in everything
    # One call of the fast model for each that overcame something; zoe met no dead end.
    distilled = [r for r in requests if "tools" not in r.body]
    assert len(distilled) == 2
    assert {r.body["model"] for r in distilled} == {"claude-haiku-5-5"}
    assert "failed: goto /old/{sample_id} (no such page)" in distilled[0].prompt
    assert "adam" not in distilled[0].prompt
    assert audit_folder.result("adam")["usage"]["calls"] == 6
    assert audit_folder.result("zoe")["usage"]["calls"] == 2
    with closing(sqlite3.connect(audit_folder.folder / "trajectory.db")) as trajectory:
        asked = trajectory.execute(
            "SELECT sample_id FROM calls WHERE purpose = 'advice'"
        ).fetchall()
    assert sorted(asked) == [("adam",), ("eve",)]

    folder = audit_folder.folder
    (known,) = json.loads((folder / "memory/patterns.json").read_text())["domains"].values()
    assert known[0]["tips"] == ["Open the record's own page."]
    assert known[0]["actions"] == [
        "the sample's page is opened", 'click button "Show"', "goto /new/{sample_id}"
    ]  # fmt: skip
    record = audit_folder.record()
    assert len(record["lessons"]) == 3
    assert record["hints_shown"] == 2
    assert record["notes"] == []

    kinds = [event["event"] for event in events(folder)]
    assert kinds[0] == "tier1_loaded"
    recall = next(e for e in events(folder) if e["event"] == "error_recall")
    assert (recall["command"], recall["matched"], recall["sample_id"]) == ("type", 1, "adam")
    assert "is not a text field" in recall["error_snippet"]
    after_error = next(r.prompt for r in decisions if "Lesson of earlier runs: If type" in r.prompt)
    assert "<untrusted-" in after_error.split("## Notices")[1].split("Lesson of")[0]
    counted = next(e for e in events(folder) if e["event"] == "lesson_deduplicated")
    assert counted["new_use_count"] == 1
    seed = next(
        lesson
        for lesson in json.loads((home / "memory.json").read_text())["lessons"]
        if lesson["failed_command"] == "type"
    )
    assert (seed["use_count"], seed["triggered_domains"]) == (1, ["127.0.0.1"])


def test_what_memory_cannot_write_is_one_note_and_costs_no_sample(audit_folder, home):
    """Several things go wrong in each sample and in both workers, and one line says so."""
    home.write_text("a file where the folder should be")
    requests = run(audit_folder, "-n", "2")
    assert "Lessons of earlier runs" in system_of(requests[0])[0]
    (note,) = audit_folder.record()["notes"]
    assert str(home) in note
