"""A whole run within its hosts: what the model learns, and what the result and the summary say."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from audit_folder import AuditFolder
from canary import Canary
from forked_pytest import forked_pytest
from local_site import Site
from scripted_samples import PlayedRun, play
from wire.messages_server import Answer, Request, tool_use

PAGE = """<!doctype html><title>Record out</title><h1>Record out</h1>
<link rel="stylesheet" href="CANARY/style.css">
<dl><dt>Department</dt><dd>Finance out</dd></dl>
<a href="/leave">Leave</a>
<button onclick="window.open('/leave'); this.textContent = 'Opened'">Open</button>
<button onclick="fetch('/save', {method: 'POST', body: 'x'}).catch(() => {})">Save</button>
<button onclick="fetch('/find', {method: 'POST', body: 'x'})">Find</button>
<script>fetch('/visit?token=secret', {method: 'POST'}).catch(() => {});</script>"""


def script(addresses: dict[str, str], number: int, request: Request) -> Answer:
    actions = [
        ("goto", {"url": addresses["other"]}),
        ("goto", {"url": "file:///etc/passwd"}),
        ("goto", {"url": addresses["redirect"]}),
        ("goto", {"url": addresses["own"]}),
        ("click", {"selector": "Save"}),
        ("click", {"selector": "Find"}),
        ("click", {"selector": "Open"}),
        ("click", {"selector": "Leave"}),
    ]
    if number > len(actions):
        return tool_use("fail", reason="The record could not be left.", kind="other")
    name, params = actions[number - 1]
    return tool_use(name, **params)


@pytest.fixture(scope="module")
def canary() -> Iterator[Canary]:
    canary = Canary()
    yield canary
    canary.close()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, canary: Canary) -> Iterator[PlayedRun]:
    site = Site()
    outside = f"http://localhost:{canary.port}"
    audit_folder = AuditFolder(tmp_path_factory.mktemp("audit"), site)
    audit_folder.spec(read_only=True, allow_requests=[{"path": "/find"}])
    leave = (302, {"Location": f"{outside}/left"}, b"")
    site.pages = {
        "/out": PAGE.replace("CANARY", outside), "/leave": leave, "/away": leave,
        "/find": "found", "/save": "saved", "/visit": "",
    }  # fmt: skip
    addresses = {
        "other": f"http://me:word@localhost.:{canary.port}/other",
        "redirect": f"{site.url}/away",
        "own": f"{site.url}/out",
    }
    yield play(audit_folder, {"out": lambda number, request: script(addresses, number, request)})
    site.close()


def test_the_model_learns_what_was_refused(played: PlayedRun) -> None:
    log = played.log("out")
    results = {step["step"]: (step["success"], step["result"]) for step in log}
    assert [results[n][0] for n in range(9)] == [
        True, False, False, False, True, True, True, True, False,
    ]  # fmt: skip
    assert "not in allowed_domains (allowed: 127.0.0.1:" in results[1][1]
    assert "is not a web address" in results[2][1]
    assert "/left was not opened: the host is not in allowed_domains" in results[3][1]
    assert "/away led there" in results[3][1]
    assert "not sent, because the task is read_only: POST" in results[5][1]
    assert "/save" in results[5][1]
    assert "not sent" not in results[6][1]
    assert "/left was not opened" in results[7][1]
    assert "/left was not opened" in results[8][1]
    assert "word" not in str(log[1]["result"])


def test_nothing_reached_another_host_or_wrote(played: PlayedRun, canary: Canary) -> None:
    assert canary.hits == set()
    received = played.audit_folder.site.received
    assert {r.path for r in received if r.method != "GET"} == {"/find"}


def test_the_result_lists_what_was_blocked_and_what_was_written(played: PlayedRun) -> None:
    result = played.result("out")
    blocked = {(r["url"].rpartition("/")[2], r["step"]): r for r in result["blocked_requests"]}
    assert {
        ("visit?…", 0),
        ("style.css", 0),
        ("left", 3),
        ("save", 5),
        ("left", 7),
        ("left", 8),
    } <= set(blocked)
    assert blocked["visit?…", 0]["reason"] == "the task is read_only"
    assert blocked["left", 3]["resource_type"] == "document"
    assert result["blocked_requests_total"] == sum(r["count"] for r in result["blocked_requests"])
    [write] = result["writes"]
    assert write == {
        "step": 6, "method": "POST", "url": f"{played.audit_folder.site.url}/find",
        "resource_type": "fetch", "count": 1, "after_action": True,
    }  # fmt: skip


def test_the_summary_names_what_to_add_to_the_spec(played: PlayedRun, canary: Canary) -> None:
    own = played.audit_folder.site.url.removeprefix("http://")
    assert f"bwa: hosts {own}; nothing that may write is sent\n" in played.ran.text
    lines = [line for line in played.ran.text.splitlines() if line.startswith("blocked ")]
    assert f"allowed_resources: [localhost:{canary.port}] in the spec" in lines[0]
    assert "requests that may write, because the task is read_only" in lines[1]


NEEDY = """<!doctype html><title>Needy</title><link rel="stylesheet" href="OTHER/style.css">
<script>
  const ask = (path, method, content) =>
    fetch(path, {method, body: JSON.stringify(content)}).catch(() => {});
  ask('/graphql', 'POST', {operationName: 'Read', query: 'query Read { a }'});
  ask('/graphql', 'POST', {operationName: 'Visit', query: 'mutation Visit { a }'});
  ask('/known', 'POST', {});
  ask('/search', 'PUT', {});
  for (const name of ['a', 'b']) new Worker(`/${name}.js`);
</script>"""


def test_doctor_prints_what_the_page_of_a_spec_needs(site: Site, tmp_path: Path) -> None:
    other, third = Site(), Site()
    style = f"@font-face {{ font-family: F; src: url({third.url}/font) }} body {{ font: 9px F }}"
    other.pages = {"/style.css": (200, {"Content-Type": "text/css"}, style.encode())}
    site.pages = {"/": NEEDY.replace("OTHER", other.url) + "Text", "/known": "known"}
    (tmp_path / "spec.yaml").write_text(
        f"{{task_id: t, goal: g, output_schema: {{a: string}}, start_url: '{site.url}', "
        "allow_requests: [{path: /known}]}"
    )
    ran = subprocess.run(
        [forked_pytest().commands / "bwa", "doctor", "--spec", str(tmp_path / "spec.yaml")],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    hosts = [address.url.removeprefix("http://") for address in (other, third)]
    assert yaml.safe_load(ran.stdout) == {
        "allowed_resources": hosts,
        "allow_requests": [
            {"method": "POST", "path": "/graphql", "operation": "Read"},
            {"method": "PUT", "path": "/search"},
        ],
    }
    assert "# not proposed, because it may write: POST /graphql" in ran.stdout
    line = "# allow_requests: [{method: CONNECT, path: /, host: 127.0.0.1}]"
    assert ran.stdout.count(line) == 1
    assert {r.path for r in site.received if r.method != "GET"} == {"/known"}
    other.close()
    third.close()
