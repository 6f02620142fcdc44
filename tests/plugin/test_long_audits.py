"""The long practice audits, and checks whose state is only an icon, with a scripted Claude."""

from __future__ import annotations

import csv
import itertools
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from audit_folder import run_in_repository
from wire.messages_server import Answer, MessagesServer, Request, call, message, text_only, tool_use

from pytest_bwa.steps.artifacts import Artifact
from tasks.practice.commits import CHECK_NAMES, COMMITS
from tasks.practice.contributors import PROFILES, TEAMS
from tasks.practice.pulls import PROJECTS

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent.parent
FAST = "claude-haiku-5-5"


class Prompt:
    """The content of one request, as the scripted model reads it."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.page = request.prompt.split("**Step ")[0]
        self.url = re.search(r"^URL: (.*)$", self.page, re.M)[1]  # type: ignore[index]

    def index(self, name: str) -> str | None:
        match = re.search(rf'^\[(\d+)\] \[\w+\] "{re.escape(name)}"', self.page, re.M)
        return match[1] if match else None

    def texts(self, role: str = "text") -> list[tuple[int, str]]:
        """Return numbers and texts of the lines of a role."""
        lines = re.findall(rf'\[(\d+)\] \[{role}\] "(.*?)"(?: → |$)', self.page, re.M)
        return [(int(number), text) for number, text in lines]

    def labelled(self, role: str = "text") -> dict[str, tuple[int, str]]:
        """Return the line that follows each line, by the text of that one."""
        return {label: line for (_, label), line in itertools.pairwise(self.texts(role))}

    def links(self, pattern: str) -> list[tuple[str, str]]:
        """Return indexes and addresses of links whose address ends with the pattern."""
        links = re.findall(rf"^\[(\d+)\] \[link\] .* → (\S*{pattern})$", self.page, re.M)
        return list(dict.fromkeys(links))

    def saved(self, name: str) -> list[str]:
        """Return the files of the saved screenshots whose label contains the word."""
        match = re.search(r"^Screenshots saved: (.*)$", self.request.prompt, re.M)
        return [file for file in (match[1].split(", ") if match else []) if name in file]


def audit(folder: Path, task: str, row: dict[str, str], script: Callable[[Request], Answer]):
    """Run one sample of a practice audit; return its folder and the finished ran."""
    samples = folder / "samples.csv"
    with samples.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(row))
        writer.writeheader()
        writer.writerow(row)
    with MessagesServer(script) as server:
        ran = run_in_repository(
            "workflows/test_audit.py", f"--task=tasks/practice/{task}.yaml",
            f"--samples={samples}", f"--evidence={folder}", "--run-id=run",
            ANTHROPIC_BASE_URL=server.url, BWA_RATE_LIMITS="{}",
        )  # fmt: skip
    return folder / "run" / row["sample_id"], ran


def read(folder: Path, name: str) -> Any:
    return json.loads((folder / f"{name}.json").read_text())


# -- the chain of pull requests ----------------------------------------------------------------


class Auditor:
    """A scripted model: audits five pull requests and their files from two pages, then judges."""

    def __init__(self) -> None:
        self.entries: dict[int, dict[str, Any]] = {}
        self.sources: dict[int, dict[str, Any]] = {}
        self.visited: set[str] = set()
        self.steps: Counter[str] = Counter()

    def __call__(self, request: Request) -> Answer:
        if request.body["model"] == FAST:
            return text_only("FOUND: some\nGAPS: more\nNEXT: the next pull request")
        prompt = Prompt(request)
        here = re.search(r"/merged(?:/(\d+)(/files)?)?(?:\?|$)", prompt.url)
        assert here, prompt.url
        number, files = here[1], here[2]
        if number is None:
            return self.on_list(prompt)
        self.steps[prompt.url] += 1
        if self.steps[prompt.url] == 1:
            return tool_use("screenshot", label=f"{'files' if files else 'pull'} {number}")
        return self.on_files(prompt, int(number)) if files else self.on_pull(prompt, int(number))

    def on_list(self, prompt: Prompt) -> Answer:
        if len(self.visited) == 5:
            bad = [n for n, e in self.entries.items() if "failed" in e["checks"]]
            judgment = {
                "answer": "yes", "confidence": 0.9, "reasoning": f"Checks failed on {bad}.",
                "evidence_refs": prompt.saved(f"pull_{bad[0]}"),
            }  # fmt: skip
            return tool_use("done", extracted={}, judgment=judgment)
        for index, url in prompt.links(r"/merged/\d+"):
            if url not in self.visited:
                self.visited.add(url)
                return tool_use("click", selector=index, next_goal=f"read {url}")
        return tool_use("click", selector=prompt.index("Next"))

    def on_pull(self, prompt: Prompt, number: int) -> Answer:
        lines, labelled = prompt.texts(), prompt.labelled()
        labels = [text for _, text in lines]
        reviewers = lines[labels.index("Reviewers") + 1 : labels.index("Checks")]
        names = [name for _, name in reviewers]
        self.entries[number] = {
            "number": number, "author": labelled["Author"][1], "checks": labelled["Checks"][1],
            "reviewers": None if names == ["None"] else names,
        }  # fmt: skip
        self.sources[number] = {
            "number": labelled["Pull request"][0], "author": labelled["Author"][0],
            "checks": labelled["Checks"][0], "reviewers": [line for line, _ in reviewers],
        }  # fmt: skip
        return tool_use("click", selector=prompt.links("/files")[0][0])

    def on_files(self, prompt: Prompt, number: int) -> Answer:
        if self.steps[prompt.url] == 2:
            line, text = prompt.labelled()["Changed files"]
            self.entries[number]["changed_files"] = int(text)
            self.sources[number]["changed_files"] = line
            return tool_use("save_progress", extracted={"pulls": [self.entries[number]]},
                            sources={"pulls": [self.sources[number]]},
                            note=f"#{number}")  # fmt: skip
        back = prompt.links("/merged")
        return tool_use("click", selector=back[0][0])


def test_pull_requests_over_thirty_steps_are_right_and_judged(tmp_path):
    folder, ran = audit(tmp_path, "pulls", {"sample_id": "ledger", "project": "ledger"}, Auditor())
    assert ran.status == 0, ran.text
    result, log = read(folder, "result"), read(folder, "action_log")
    assert result["extracted"]["pulls"] == [
        {
            "number": p.number, "author": p.author, "checks": p.checks,
            "reviewers": list(p.reviewers) or None, "changed_files": len(p.files),
        }
        for p in PROJECTS["ledger"][:5]
    ]  # fmt: skip
    assert result["judgment"]["answer"] == "yes"
    (evidence,) = result["judgment"]["evidence_refs"]
    assert (folder / evidence).exists()
    assert len(log) > 30
    checkpoint = read(folder, "checkpoint")
    assert checkpoint["steps_logged"] == len(log)
    assert checkpoint["accumulated_data"]["pulls"] == result["extracted"]["pulls"]
    assert checkpoint["max_steps"] > 50  # the second page of the list granted steps


# -- contributors ------------------------------------------------------------------------------


class Visitor:
    """A scripted model: opens three profiles from the list, saves each, and goes back."""

    def __init__(self) -> None:
        self.visited: list[str] = []
        self.steps: Counter[str] = Counter()

    def __call__(self, request: Request) -> Answer:
        if request.body["model"] == FAST:
            return text_only("FOUND: some\nGAPS: more\nNEXT: the next profile")
        prompt = Prompt(request)
        username = prompt.url.rsplit("/", 1)[-1]
        if "/teams/" in prompt.url:
            if len(self.visited) == 3:
                return tool_use("done", extracted={})
            links = [i for i, url in prompt.links(r"/profiles/\S+") if url not in self.visited]
            self.visited.append(dict(prompt.links(r"/profiles/\S+"))[links[0]])
            return tool_use("click", selector=links[0])
        self.steps[username] += 1
        if self.steps[username] == 1:
            return tool_use("screenshot", label=username)
        if self.steps[username] == 2:
            labelled = {label: text for label, (_, text) in prompt.labelled().items()}
            entry = {
                "username": username, "name": labelled["Name"], "company": labelled.get("Company"),
                "location": labelled.get("Location"),
                "followers": int(labelled["Followers"].replace(",", "")),
            }  # fmt: skip
            return tool_use("save_progress", extracted={"contributors": [entry]})
        return tool_use("back")


def test_a_contributor_audit_opens_each_profile_and_goes_back(tmp_path):
    folder, ran = audit(
        tmp_path, "contributors", {"sample_id": "portal", "project": "portal"}, Visitor()
    )
    assert ran.status == 0, ran.text
    result, log = read(folder, "result"), read(folder, "action_log")
    assert [c["username"] for c in result["extracted"]["contributors"]] == [
        username for username, _ in TEAMS["portal"][:3]
    ]
    for entry in result["extracted"]["contributors"]:
        profile = PROFILES[entry["username"]]
        assert (entry["company"] or "", entry["followers"]) == (profile.company, profile.followers)
    assert sum(step["action"] == "back" for step in log) == 3


# -- a commit, its pull request, its checks, their jobs and the ticket on the other origin -----

SHA = "5e8842f"
VISION_TEXT = "next to “build / test”: red cross, failed\nnext to “lint”: red cross, failed"


class CommitAuditor:
    """A scripted model: goes from the commit to the ticket; reads every value from its prompts."""

    def __init__(self) -> None:
        self.questions: list[Any] = []
        self.vision_lines: list[str] = []
        self.values: dict[str, Any] = {}
        self.sources: dict[str, Any] = {}
        self.failed_jobs: list[str] = []

    def __call__(self, request: Request) -> Answer:
        content = request.body["messages"][0]["content"]
        if isinstance(content, list):
            self.questions.append(content)
            return text_only(VISION_TEXT)
        prompt = Prompt(request)
        if "/browse/" in prompt.url:
            return self.judge(prompt)
        if "/job/" in prompt.url:
            (line, log), *_ = [line for line in prompt.texts(r"\w+") if "FAILED" in line[1]]
            self.values["ci_failure_details"], self.sources["ci_failure_details"] = log, line
            self.failed_jobs += re.findall(r"FAILED (\S+?)::", log)
            return tool_use("goto", url=self.values["ticket_url"], screenshot_label="ticket")
        if prompt.url.endswith("/checks"):
            return self.on_checks(prompt)
        return self.on_pull(prompt) if "/pull/" in prompt.url else self.on_commit(prompt)

    def read(self, prompt: Prompt, labels: dict[str, str]) -> None:
        """Read fields, each from the line after its label."""
        labelled = prompt.labelled(r"\w+")
        for name, label in labels.items():
            self.sources[name], self.values[name] = labelled[label]

    def on_commit(self, prompt: Prompt) -> Answer:
        self.read(prompt, {"commit_sha": "Commit", "author": "Author"})
        link = prompt.index("#417")
        return message(
            call("screenshot", {"label": "commit"}),
            call("click", {"selector": link, "screenshot_label": "pull"}),
            stop_reason="tool_use",
        )

    def on_pull(self, prompt: Prompt) -> Answer:
        self.read(prompt, {
            "pr_number": "Pull request", "pr_creator": "Opened by", "approvers": "Approved by",
            "merger": "Merged by",
        })  # fmt: skip
        self.values["pr_number"] = int(self.values["pr_number"].removeprefix("#"))
        for fields in (self.values, self.sources):
            fields["approvers"] = [fields["approvers"]]
        (line, self.values["ticket_url"]), *_ = prompt.links(r"/browse/[\w-]+")
        self.sources["ticket_url"] = int(line)
        return tool_use("click", selector=prompt.index("Checks (3)"), screenshot_label="checks")

    def on_checks(self, prompt: Prompt) -> Answer:
        lines = re.findall(r"^\[(\d+)\] \[vision\] (.*)$", prompt.page, re.M)
        self.vision_lines = [text for _, text in lines]
        failed = [int(line) for line, text in lines if "failed" in text]
        self.values["checks_failed"], self.sources["checks_failed"] = len(failed), failed
        (job, _), *_ = prompt.links(r"/job/0")
        return tool_use("click", selector=job, screenshot_label="job")

    def judge(self, prompt: Prompt) -> Answer:
        judgment = {
            "answer": "yes", "confidence": 0.8,
            "reasoning": f"merged although {', '.join(self.failed_jobs)} failed",
            "evidence_refs": [*prompt.saved("checks"), *prompt.saved("job")],
        }  # fmt: skip
        return tool_use("done", extracted=self.values, sources=self.sources, judgment=judgment)


@pytest.fixture(scope="module")
def commit_folder(tmp_path_factory):
    return tmp_path_factory.mktemp("commits")


@pytest.fixture(scope="module")
def commit_audit(commit_folder):
    model = CommitAuditor()
    folder, ran = audit(commit_folder, "commits", {"sample_id": SHA}, model)
    assert ran.status == 0, ran.text
    return model, read(folder, "result"), read(folder, "action_log")


def test_a_commit_is_audited_as_far_as_the_ticket_on_the_other_origin(commit_audit):
    model, result, log = commit_audit
    commit = COMMITS[SHA]
    ticket = result["extracted"]["ticket_url"]
    assert result["extracted"] == {
        "commit_sha": SHA, "author": commit.author, "pr_number": commit.pull,
        "pr_creator": commit.creator, "approvers": list(commit.approvers),
        "merger": commit.merger, "checks_failed": len(commit.failed),
        "ci_failure_details": "FAILED tests/test_build.py::test_totals ⏎ exit code 1",
        "ticket_url": ticket,
    }  # fmt: skip
    assert ticket.endswith(f"/browse/{commit.ticket}")
    assert origin(ticket) != origin(log[0]["params"]["url"])
    assert model.failed_jobs == ["tests/test_build.py"]
    pictures = [a for a in result["artifacts"] if a["filename"].endswith(".png")]
    taken = [a["label"] for a in pictures if a["label"] != "seen by vision"]
    assert taken == ["commit", "pull", "checks", "job", "ticket"]
    assert [urlsplit(a["source_url"]).path for a in pictures if a["label"] in taken] == [
        f"/ledger/commit/{SHA}", "/ledger/pull/417", "/ledger/pull/417/checks",
        "/ledger/pull/417/job/0", f"/browse/{commit.ticket}",
    ]  # fmt: skip
    records = {**result["grounding"], "approvers": result["grounding"]["approvers"][0]}
    assert all(record["cited"] for record in records.values())
    assert "unseen" not in {record["how"] for record in records.values()}
    failed = records["checks_failed"]
    assert (failed["rule"], failed["role"]) == ("2 lines", "vision")
    assert [step["action"] for step in log if step["step"] > 0] == [
        "screenshot", "click", "click", "click", "goto", "done",
    ]  # fmt: skip


def test_the_recorded_audit_of_a_commit_is_performed_again(commit_audit, commit_folder):
    """Each run serves the practice sites on a new port, where the ticket's site is found again."""
    result = commit_audit[1]
    ran = run_in_repository(
        "workflows/test_audit.py", "--policy=replay", "--replay=run",
        f"--evidence={commit_folder}", "--run-id=again",
    )  # fmt: skip
    assert ran.status == 1, ran.text
    folder = commit_folder / "again" / SHA
    again, log = read(folder, "result"), read(folder, "action_log")
    commit, ticket = [step["params"]["url"] for step in log if step["action"] == "goto"]
    assert ticket == again["extracted"]["ticket_url"] != result["extracted"]["ticket_url"]
    assert origin(ticket) != origin(commit)
    values = {**result["extracted"], "checks_failed": None}  # only a picture has it
    assert {**values, "ticket_url": ticket} == again["extracted"]
    assert again["reason"] == "checks_failed: it was read from a picture in the recorded run"


def test_the_state_of_checks_is_read_by_vision_and_marked_as_vision(commit_audit):
    model, result, log = commit_audit
    assert model.vision_lines == VISION_TEXT.splitlines()
    image, question = model.questions[-1]
    assert image["type"] == "image"
    assert "checks_failed" in question["text"]
    assert CHECK_NAMES[0] in question["text"]
    # The reading is in the action log, in the result, and saved as a picture.
    (step,) = [step for step in log if step["picture_text"]]
    assert step["picture_text"]["source"] == "vision"
    assert [s["text"] for s in result["picture_texts"]] == [VISION_TEXT]
    assert result["picture_texts"][-1]["model"] == "claude-sonnet-5-5"
    labels = [label for a in result["artifacts"] for label in Artifact(**a).labels]
    assert "seen by vision" in labels


def origin(url: str) -> tuple[str, int | None]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port
