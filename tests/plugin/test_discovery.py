"""Samples that are found before the run: the practice organisation, and listings that fail."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from audit_folder import run_in_repository
from wire.messages_server import Answer, MessagesServer, Request, tool_use

from pytest_bwa.reports.verify.verify import verify
from pytest_bwa.spec.samples import read_samples
from tasks.practice.members import MEMBERS

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent.parent
LISTED = """<title>People</title><main><h1>People</h1><ul>{entries}</ul>{onward}</main>"""


def listing(*names: str, onward: str = "") -> str:
    entries = "".join(f'<li><a href="/people/{n}">{n.title()}</a> of the house</li>' for n in names)
    link = f'<p><a href="{onward}">Next</a></p>' if onward else ""
    return LISTED.format(entries=entries, onward=link)


def test_the_members_of_an_organisation_become_the_items_of_all_workers(tmp_path):
    ran = run_in_repository(
        "workflows/", "--task=tasks/practice/members.yaml", "--policy=rules", "-n", "2",
        "-k", "ada-quist or jun-novak or bram-rossi", f"--evidence={tmp_path}", "-W", "error",
        BWA_DISCOVERY_PAUSE="0",
    )  # fmt: skip
    assert ran.status == 0, ran.text
    (run,) = tmp_path.glob("run_*")
    samples = read_samples(run / "samples.csv").samples
    assert [s.sample_id for s in samples] == list(MEMBERS), "each once, and nothing else"
    assert samples[20].columns["discovered_on"].endswith("/orgs/guild/members?page=2")
    assert samples[20].columns["discovered_at"].endswith("Z")
    with (run / "combined.csv").open(newline="", encoding="utf-8-sig") as stream:
        rows = {row["sample_id"]: row for row in csv.DictReader(stream)}
    for login in ("ada-quist", "jun-novak", "bram-rossi"):
        member = MEMBERS[login]
        assert rows[login]["status"] == "done"
        assert (rows[login]["name"], rows[login]["city"]) == (member.name, member.city)
    record = json.loads((run / "run.json").read_text())["discovery"]
    assert (record["found"], record["counted"], record["problems"]) == (60, 61, [])
    assert "discovery: the page counts 61, and 60 were found" in ran.text
    assert "bwa: walking the listing to find the samples …" in ran.text
    walk = run / "_discovery" / "listing"
    pictures = json.loads((walk / "result.json").read_text())["artifacts"]
    assert len(pictures) == 4, "one of each page"
    for picture in pictures:
        data = (walk / picture["filename"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == picture["sha256"]
    log: list[dict[str, Any]] = json.loads((walk / "action_log.json").read_text())
    busy = [step["url"] for step in log if step["action"] == "goto" and not step["intent"]]
    assert [url.partition("?")[2] for url in busy] == ["page=3"], "it was opened again"


@pytest.fixture
def people(audit_folder):
    audit_folder.spec(
        start_url="/people/{sample_id}",
        output_schema={"house": "string"},
        required_fields=["house"],
        required_artifacts=[],
    )
    pages = audit_folder.site.pages
    for name in ("ada", "bo", "cy"):
        pages[f"/people/{name}"] = f"<h1>{name}</h1><dl><dt>House</dt><dd>{name} hall</dd></dl>"
    pages["/list"] = listing("ada", "bo", "cy", onward="/list?page=2")
    pages["/list?page=2"] = (429, {"Retry-After": "0"}, b"<h1>Too many requests</h1>")
    return audit_folder


def discover(people: Any, path: str, *arguments: str) -> Any:
    url = f"{people.site.url}{path}"
    common = ("--task=spec.json", "--discover", "--policy=rules")
    return people.run(*common, f"--start-url={url}", *arguments, BWA_DISCOVERY_PAUSE="0")


def test_an_incomplete_list_is_run_as_far_as_it_goes_and_the_exit_status_says_so(people):
    finished = discover(people, "/list")
    assert finished.counts() == {"passed": 3}
    assert finished.status == 1
    assert "discovery: the list is incomplete: HTTP 429 at" in finished.text
    assert {row["house"] for row in people.combined()} == {"ada hall", "bo hall", "cy hall"}


def test_the_shard_is_taken_of_what_was_found_and_is_resumed_without_another_walk(people):
    people.site.pages["/all"] = listing("ada", "bo", "cy")
    finished = discover(people, "/all", "--shard=2/2")
    assert (finished.status, finished.counts()) == (0, {"passed": 1})
    assert [row["house"] for row in people.combined()] == ["bo hall"]
    assert people.folder.name.endswith("_2-of-2")
    del people.site.pages["/all"]
    again = discover(people, "/all", "--resume")
    assert (again.status, again.counts()) == (0, {"passed": 1})
    shard = people.record()["shard"]
    assert (shard["number"], shard["of"], shard["rows"]) == (2, 2, 3)


def test_a_sample_of_what_was_found_is_drawn_extended_and_verified(people):
    people.site.pages["/all"] = listing("ada", "bo", "cy")
    finished = discover(people, "/all", "--pick=1", "--seed=7")
    assert (finished.status, finished.counts()) == (0, {"passed": 1}), finished.text
    assert "1 of 3 rows of population.csv, drawn at random (seed 7)" in finished.text
    assert verify(people.folder).faults == ()
    del people.site.pages["/all"]
    more = discover(people, "/all", "--resume", "--pick=2")
    assert more.status == 0, more.text
    assert len(people.combined()) == 2
    assert verify(people.folder).faults == ()


def test_a_listing_without_targets_is_one_line_and_runs_nothing(people):
    people.site.pages["/text"] = "<title>T</title><main><h1>No list</h1><p>Nothing here.</p></main>"
    finished = discover(people, "/text")
    assert finished.status == 4
    (line,) = [line for line in finished.text.splitlines() if line.startswith("ERROR")]
    assert f"no sample was found at {people.site.url}/text: no link of" in line
    assert "_discovery" in line, "the evidence"


# -- a model walks -------------------------------------------------------------------------------


class Walker:
    """A scripted model: collects the entries of each page of the list, and then reads each one."""

    def __init__(self) -> None:
        self.saved: set[str] = set()

    def __call__(self, request: Request) -> Answer:
        page = request.prompt.split("**Step ")[0]
        here = re.search(r"^URL: \S+?(/[^/]*)$", page, re.M)
        assert here
        if "/people/" in page.split("\n")[2]:
            (house,) = re.findall(r'"(\w+ hall)"', page)
            return tool_use("done", extracted={"house": house})
        links = dict(re.findall(r'\[link\] "(\w+)" → (/people/\w+)$', page, re.M))
        if here[1] not in self.saved:
            self.saved.add(here[1])
            entries = [{"url": url, "text": name} for name, url in links.items()]
            return tool_use("save_progress", extracted={"samples": entries, "total": 5})
        onward = re.search(r'^\[(\d+)\] \[link\] "Next"', page, re.M)
        if onward:
            return tool_use("click", selector=onward[1])
        return tool_use("done", extracted={})


def test_a_model_walks_the_listing_and_reads_what_it_found(people):
    pages = people.site.pages
    for name in ("di", "ed"):
        pages[f"/people/{name}"] = f"<h1>{name}</h1><dl><dt>House</dt><dd>{name} hall</dd></dl>"
    pages["/list?page=2"] = listing("di", "ed")
    with MessagesServer(Walker()) as server:
        finished = people.run(
            "--task=spec.json", "--discover", f"--start-url={people.site.url}/list",
            ANTHROPIC_BASE_URL=server.url, BWA_DISCOVERY_PAUSE="0", BWA_RATE_LIMITS="{}",
        )  # fmt: skip
    assert finished.counts() == {"passed": 5}, finished.text
    assert finished.status == 0, finished.text
    assert "discovery: 5 found at" in finished.text
    assert [row["house"] for row in people.combined()] == [
        f"{name} hall" for name in ("ada", "bo", "cy", "di", "ed")
    ]
