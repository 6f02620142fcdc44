"""With ``approve: writes`` nothing is sent before a person has approved it."""

from __future__ import annotations

import csv
import html
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pytest
from audit_folder import RECORD, ROOT, AuditFolder, FinishedRun, run_in_repository
from canary import SocketServer
from citing import sources_in
from local_site import Site
from scripted_samples import play
from wire.messages_server import Answer as Reply
from wire.messages_server import Request, tool_use

from pytest_bwa.evidence.approvals import ApprovalDesk, Question
from pytest_bwa.reports.verify.verify import verify
from pytest_bwa.steps.approval import Answer
from pytest_bwa.steps.step import utc_now
from tasks.practice.form import FIELDS
from tasks.practice.serve import serve

PIN = "pin-4711-secret"
SPEC = {
    "task_id": "badges",
    "goal": "Order a badge for {sample_id}.",
    "input_schema": {"Name": "string", "Pin": "string"},
    "output_schema": {"form_submitted": "boolean"},
    "required_fields": ["form_submitted"],
    "required_artifacts": [],
    "read_only": False,
    "submit": "Save",
    "confirmation": "Badge ordered",
    "approve": "writes",
    "secrets": ["Pin"],
}
FORM = """<!doctype html><title>Badge {name}</title><h1>Badge {name}</h1>
<form method="post" action="/save/{name}">
  <label>Name <input name="name"></label>
  <label>Pin <input name="pin" type="password"></label><button>Save</button>
</form>"""
BY_ITSELF = """<script>
  const send = (what) => fetch(`/own/${what}`, {method: 'POST', body: 'x'}).catch(() => {});
  send('opened');
  document.querySelector('input').onblur = () => send('blur');
  document.querySelector('form').onsubmit = (event) => {
    event.preventDefault();
    fetch('/save/sneaky', {method: 'POST'}).then((answer) => {
      document.body.textContent = answer.ok ? 'Badge ordered' : 'Refused';
      send('second');
    });
  };
</script>"""
ATTACK = """<form id="popup" method="post" target="_blank" action="/own/popup"></form>
<iframe></iframe><script>
  const post = (from, what) =>
    from.fetch(`${location.origin}/own/${what}`, {method: 'POST', keepalive: true}).catch(() => {});
  const attempts = [
    () => post(frames[0], 'frame'),
    () => frames[0].navigator.sendBeacon('/own/beacon-of-frame', 'x'),
    () => navigator.sendBeacon('/own/beacon', 'x'),
    () => new Worker(URL.createObjectURL(new Blob([`(${post})(self, 'worker')`]))),
    () => new SharedWorker('/worker.js'),
    () => navigator.serviceWorker.register('/worker.js').catch(() => {}),
    () => { new WebSocket('SOCKET').onopen = ({target}) => target.send('x'); },
    () => post(window.open('about:blank'), 'blank'),
    () => window.open('/opened'),
    () => window.open('/opened', '', 'noopener'),
    () => document.getElementById('popup').submit(),
    () => document.body.insertAdjacentHTML('beforeend',
      '<iframe sandbox="allow-scripts allow-forms" src="/opened"></iframe>'),
    () => addEventListener('pagehide', () => [self, frames[0]].forEach((w) => post(w, 'left'))),
  ];
  document.querySelector('form').onsubmit = (event) => {
    event.preventDefault();
    const body = new URLSearchParams(new FormData(event.target));
    fetch('/save/attacked', {method: 'POST', body}).then(() => {
      for (const attempt of attempts) try { attempt(); } catch { /* the next one */ }
      location = '/left';
    });
  };
</script>"""
OPENED = """<form method="post" action="/own/form"></form><script>
  fetch('/own/opened', {method: 'POST'}).catch(() => {}); document.forms[0].submit();
</script>"""
WORKER = "fetch('/own/apart', {method: 'POST', body: 'x'}).catch(() => {});"
NAMES = ("kept", "refused", "alike-1", "alike-2", "sneaky", "attacked", "late")


@dataclass
class Approver:
    """Decides what waits in the runs of a folder, and keeps what it was shown."""

    evidence: Path
    seen: list[Question] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    pictures: list[bytes | None] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        thread = threading.Thread(target=self._work)
        thread.start()
        try:
            yield
        finally:
            self.ended.set()
            thread.join()

    def _work(self) -> None:
        while not self.ended.is_set():
            for run in self.evidence.glob("run_*"):
                self._decide(ApprovalDesk(run), run)
            time.sleep(0.05)

    def _decide(self, desk: ApprovalDesk, run: Path) -> None:
        for question in desk.waiting():
            if question.id not in [known.id for known in self.seen]:
                self.seen.append(question)
                paths = (run / ".live" / "approvals").glob("*.json")
                self.files += [path.read_text() for path in paths if path.exists()]
                self.pictures.append(desk.picture(question.id))
            name = question.sample_id
            if name == "late":
                continue
            is_good = "/own/" not in question.to and name != "refused"
            decision = "approved" if is_good else "rejected"
            answer = Answer(
                decision=decision, by="Ada L.", at=utc_now(), alike=name.startswith("alike"),
                comment="not in June" if name == "refused" else "",
            )  # fmt: skip
            desk.decide(question.id, answer)


@dataclass
class ApprovedRun:
    audit_folder: AuditFolder
    ran: FinishedRun
    approver: Approver
    sockets: SocketServer

    def result(self, name: str) -> dict[str, Any]:
        return self.audit_folder.result(name)

    def approvals(self, name: str) -> list[dict[str, Any]]:
        log = json.loads((self.audit_folder.folder / name / "action_log.json").read_text())
        return [approval for step in log for approval in step["approvals"]]

    @property
    def site_url(self) -> str:
        return self.audit_folder.site.url

    def sent(self, path: str) -> list[str]:
        received = self.audit_folder.site.received
        return [r.body for r in received if r.method == "POST" and r.path.startswith(path)]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApprovedRun]:
    site = Site()
    folder = AuditFolder(tmp_path_factory.mktemp("approvals"), site)
    folder.spec(**SPEC)
    with (folder.path / "samples.csv").open("w", newline="") as stream:
        rows = [[name, f"{site.url}/{name}", f"Ann {name}", PIN] for name in NAMES]
        csv.writer(stream).writerows([["sample_id", "url", "Name", "Pin"], *rows])
    for name in NAMES:
        site.pages[f"/{name}"] = FORM.format(name=name)
        site.pages[f"/save/{name}"] = "<h1>Badge ordered</h1>"
    site.pages["/sneaky"] += BY_ITSELF
    sockets = SocketServer()
    site.pages["/attacked"] += ATTACK.replace("SOCKET", sockets.url)
    site.pages["/opened"] = OPENED
    site.pages["/left"] = "<h1>Badge ordered</h1>"
    site.pages["/worker.js"] = (200, {"Content-Type": "text/javascript"}, WORKER.encode())
    approver = Approver(folder.path / "evidence")
    with approver.at_work():
        ran = folder.audit("--policy=rules", "--approve-timeout=12", "-n2")
    yield ApprovedRun(folder, ran, approver, sockets)
    sockets.close()
    site.close()


def test_what_is_approved_is_sent_and_what_is_rejected_is_not(run):
    assert {name: run.result(name)["status"] for name in NAMES} == {
        "kept": "done", "refused": "failed", "alike-1": "done", "alike-2": "done",
        "sneaky": "failed", "attacked": "failed", "late": "needs_review",
    }  # fmt: skip
    assert run.sent("/save/kept") == [f"name=Ann+kept&pin={PIN}"]
    assert run.sent("/save/refused") == run.sent("/save/late") == []
    assert run.result("refused")["reason"] == "rejected by Ada L.: not in June; nothing was sent"
    assert "nobody decided within 12 s" in run.result("late")["reason"]


def test_a_person_sees_what_would_be_sent_and_no_secrets(run):
    asked = {question.sample_id: question for question in run.approver.seen}
    kept = asked["kept"]
    assert (kept.what, kept.to) == ('click button "Save"', f"POST {run.site_url}/save/kept")
    assert kept.fields == [("Name", "Ann kept"), ("Pin", "***")]
    picture = run.approver.pictures[run.approver.seen.index(kept)]
    (approval,) = run.approvals("kept")
    evidence = run.audit_folder.folder / "kept" / approval["picture"]
    assert picture == evidence.read_bytes()
    assert kept.box is not None
    assert approval["box"] == asdict(kept.box)
    assert PIN not in "".join(run.approver.files)


def test_the_log_says_who_approved_what(run):
    (approval,) = run.approvals("kept")
    assert (approval["decision"], approval["by"], approval["sent"]) == (
        "approved", "Ada L.", [f"POST {run.site_url}/save/kept"],
    )  # fmt: skip
    assert verify(run.audit_folder.folder).faults == ()
    page = html.unescape((run.audit_folder.folder / "kept" / "index.html").read_text())
    section = page.partition("Approval by people")[2].partition("<h2>")[0]
    address = f"POST {run.site_url}/save/kept"
    for text in ("approved by Ada L.", address, "Ann kept"):
        assert text in section
    assert section.count(address) == 2, "where it was to go, and what was sent"
    assert 'class="crop"' in section


def test_all_alike_are_approved_at_once(run):
    """Whichever of the two came first, the other one asked nobody."""
    asked = [question.sample_id for question in run.approver.seen]
    assert len({"alike-1", "alike-2"} & set(asked)) == 1
    for name in ("alike-1", "alike-2"):
        (approval,) = run.approvals(name)
        assert (approval["by"], approval["alike"]) == ("Ada L.", True)
        assert len(run.sent(f"/save/{name}")) == 1


def test_what_a_page_sends_by_itself_is_not_sent(run):
    """Nor is what it would send beside what was approved: the person is asked about that, too."""
    assert run.sent("/save/sneaky") == [""]
    assert run.sent("/own/") == []
    words = {approval["to"]: approval["decision"] for approval in run.approvals("sneaky")}
    assert words == {
        f"POST {run.site_url}/save/sneaky": "approved",
        f"POST {run.site_url}/own/second": "rejected",
    }  # fmt: skip
    blocked = {
        r["url"].rpartition("/")[2]: r["reason"] for r in run.result("sneaky")["blocked_requests"]
    }
    assert blocked == {
        **dict.fromkeys(("opened", "blur"), "nobody approved it"), "second": "it was rejected",
    }  # fmt: skip


def test_nothing_else_gets_through_where_a_person_approved_something(run):
    assert run.sent("/save/attacked") == [f"name=Ann+attacked&pin={PIN}"]
    assert run.sent("/own/") == []
    assert (run.sockets.opened, run.sockets.received) == (0, set())


def test_what_a_recipe_repeats_is_asked_about_too(tmp_path: Path):
    row = ["Mei Tanaka", "Sales", "SAL-60 South", "2026-09-30", "10.20", "Taxi"]
    with (tmp_path / "form.csv").open("w", newline="") as stream:
        rows = [["sample_id", *FIELDS], ["kept", *row], ["refused", *row]]
        csv.writer(stream).writerows(rows)
    form = ROOT / "tasks" / "practice" / "form.yaml"
    approver = Approver(tmp_path / "evidence")
    with serve() as url, approver.at_work():
        ran = run_in_repository(
            "workflows/test_audit.py", f"--task={form}", f"--samples={tmp_path / 'form.csv'}",
            f"--recipe={form.with_suffix('.recipe.yaml')}", "--policy=rules", "--approve=writes",
            f"--base-url={url}", f"--evidence={tmp_path / 'evidence'}",
        )  # fmt: skip
    assert [question.sample_id for question in approver.seen] == ["kept", "refused"]
    assert ("Amount", "10.20") in approver.seen[0].fields
    (run,) = (tmp_path / "evidence").glob("run_*")
    kept, refused = (json.loads((run / n / "result.json").read_text()) for n in ("kept", "refused"))
    assert (kept["status"], kept["recipe"]["kind"]) == ("done", "gathered"), ran.text
    assert refused["status"] == "failed"
    assert refused["reason"] == "rejected by Ada L.: not in June; nothing was sent"
    assert refused["writes"] == []


def test_a_model_is_told_what_was_rejected_and_goes_on(audit_folder: AuditFolder):
    """The same is not asked twice of a sample, and a script that the model runs sends nothing."""
    audit_folder.spec(read_only=False, approve="writes")
    record = RECORD.format(name="refused", department="Finance refused")
    audit_folder.site.pages["/refused"] = record + FORM.format(name="refused")
    write = "fetch('/own/script', {method: 'POST'}).then(() => 'sent', () => 'kept back')"
    shown = {"department": ("Department", "Finance"), "start_date": ("Start", "2025-11-03")}
    values = {"department": "Finance refused", "start_date": "2025-11-03"}

    def model(number: int, request: Request) -> Reply:
        acts = [
            tool_use("click", selector="Save"),
            tool_use("click", selector="Save"),
            tool_use("evaluate", script=write),
            tool_use("screenshot", label="record"),
        ]
        if number <= len(acts):
            return acts[number - 1]
        return tool_use("done", extracted=values, sources=sources_in(request.prompt, shown))

    approver = Approver(audit_folder.path / "evidence")
    with approver.at_work():
        played = play(audit_folder, {"refused": model})
    rejected = "rejected by Ada L.: not in June; nothing was sent"
    assert rejected in played.prompts("refused")[1]
    assert len(approver.seen) == 1
    log = played.log("refused")
    clicks = [(step["success"], step["result"]) for step in log if step["action"] == "click"]
    assert clicks == [(False, rejected)] * 2
    assert played.result("refused")["status"] == "done", played.ran.text
    assert {r.method for r in audit_folder.site.received} == {"GET"}
