"""No secret of a run is in anything that it writes, prints or sends, in any encoding."""

from __future__ import annotations

import base64
import csv
import html
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote, quote_plus, unquote

import pytest
from audit_folder import AuditFolder
from PIL import Image, ImageColor
from scripted_samples import PlayedRun
from typer.testing import CliRunner
from wire.messages_server import Answer, MessagesServer, Request, call, message, text_only, tool_use

from pytest_bwa.cli import app
from pytest_bwa.evidence.trajectory.schema import unpack
from pytest_bwa.page.covered_secrets import COLOUR

PASSWORD, PIN, KEY = 'tr0ub4dor & "three"', "9F column/canary!", "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
TYPED, TOKEN = "typed-canary-77", "t0ken-canary-42"
TEST = """
import logging, os

def test_sample(browser_agent, sample):
    secret = os.environ["BWA_TEST_PASSWORD"]
    result = browser_agent.run(sample)
    if sample == "zoe":
        logging.getLogger("canary").warning("logged %s", secret)
        raise RuntimeError(f"refused {secret}")
    result.assert_done()
"""
PAGE = """<!doctype html><title>Record</title><style>input { position: absolute; left: 300px;
  width: 200px; height: 20px } div { height: 40px; position: relative }</style>
<h1>Record adam</h1><p>Department: Finance</p>
<div><label>Password <input type=password></label></div><div><label>Pin <input></label></div>
<div><label>Code <input></label></div><div><label>Other <input type=password></label></div>
<a href="/next?token=t0ken-canary-42&page=2">Next</a>
<a href="//me:t0ken-canary-42@a.example">Me</a>
<pre id=out></pre><script>
document.oninput = ({ target }) => {
  const text = target.value;
  const bytes = new TextEncoder().encode(text);
  const binary = String.fromCharCode(...bytes);
  const hex = [...bytes].map(byte => byte.toString(16).padStart(2, "0")).join("");
  const lines = [text, JSON.stringify([text]), encodeURIComponent(text), encodeURI(text), hex,
    ...["", "u:", "me:", "you:"].map(user => btoa(user + binary)), document.title];
  document.title = text;
  out.textContent = lines.join(" \\n");
  out.setAttribute("aria-label", text);
  history.replaceState(0, "", "/adam?token=t0ken-canary-42#" + encodeURIComponent(text));
  fetch("/seen?" + encodeURIComponent(text));
};
</script>"""


def encoded(secret: str) -> set[bytes]:
    """Written here anew: the redactor's own list would miss what it misses."""
    raw = secret.encode()
    texts = {
        secret,
        json.dumps(secret)[1:-1],
        html.escape(secret),
        html.escape(secret, quote=False),
    }
    texts |= {
        quote(secret, safe=""),
        quote(secret),
        quote_plus(secret),
        quote(secret, safe="!'()*"),
    }
    texts |= {raw.hex(), raw.hex().upper(), secret.replace("&", "&amp;")}
    for before in range(3):  # the part of base64 that no neighbour changes
        whole = base64.b64encode(b"x" * before + raw).decode()
        texts.add(whole[(0, 2, 3)[before] : (before + len(raw)) * 8 // 6])
    return {text.encode() for text in texts}


def model(n: int, request: Request) -> Answer:
    """Types every secret, says what it can of them, and reports them as values."""
    numbers = dict(re.findall(r'\[(\d+)\] \[textbox\] "(\w+)"', request.prompt))
    field = {name: number for number, name in numbers.items()}
    texts = {
        "Password": "<secret:password>",
        "Pin": "<secret:pin>",
        "Code": "<secret:code>",
        "Other": TYPED,
    }
    if n <= len(texts):
        name = list(texts)[n - 1]
        return message(call("type", {"selector": field[name], "text": texts[name]}))
    answers = [
        tool_use("screenshot", label=f"record {PIN}"),
        tool_use("save_progress", extracted={"department": PASSWORD}, note=f"{PIN} {PASSWORD}"),
        tool_use("goto", url="/next?token=***"),
        tool_use("done", extracted={"department": "Finance", "start_date": None}),
        tool_use("fail", note=f"no {PASSWORD} and {PIN}"),
    ]
    return answers[min(n - len(texts), len(answers)) - 1]


class Watched:
    """What stands on disk and in the process list while the run lasts."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.seen: list[tuple[str, bytes]] = []

    def look(self) -> None:
        for path in [*self._folder.rglob("*"), *Path("/proc").glob("[0-9]*/cmdline")]:
            try:
                self.seen.append((str(path), path.read_bytes()))
            except OSError:
                continue


@pytest.fixture(scope="module")
def run(new_audit_folder) -> tuple[PlayedRun, Watched]:
    audit_folder: AuditFolder = new_audit_folder()
    site, path = audit_folder.site, audit_folder.path
    site.pages |= {"/adam": PAGE, "/zoe": PAGE, "/seen": ""}
    (path / "test_audit.py").write_text(TEST)
    audit_folder.spec(
        goal="Log in with {pin} and <secret:password>.",
        secrets={"password": "BWA_TEST_PASSWORD", "pin": {"column": "pin"}},
        totp={"code": "BWA_TEST_KEY"},
        redact=[r"Fin(?=ance)"],
        input_schema={"pin": "string"},
        required_artifacts=[],
    )
    with (path / "samples.csv").open("w", newline="") as stream:
        rows = [(name, f"{site.url}/{name}?token={TOKEN}", PIN) for name in ("adam", "zoe")]
        csv.writer(stream).writerows([("sample_id", "url", "pin"), *rows])
    requests: dict[str, list[Request]] = {"adam": [], "zoe": [], "others": []}
    watched = Watched(path / "evidence")

    def script(request: Request) -> Answer:
        watched.look()
        found = re.search(r'the sample "(\w+)"', str(request.body["system"]))
        received = requests[found[1] if found else "others"]
        received.append(request)
        if found is None:
            return text_only()
        return model(len(received), request)

    with MessagesServer(script) as server:
        ran = audit_folder.audit(
            "-v", "-s", "-l", "-n1", "--alluredir=allure", "--junitxml=junit.xml", "--tracing=on",
            "--screenshot=on", BWA_TEST_PASSWORD=PASSWORD, BWA_TEST_KEY=KEY, BWA_RATE_LIMITS="{}",
            ANTHROPIC_API_KEY="sk-canary", ANTHROPIC_BASE_URL=server.url,
        )  # fmt: skip
    return PlayedRun(audit_folder, ran, requests), watched


def everything(run: PlayedRun, watched: Watched) -> Iterator[tuple[str, bytes]]:
    """Whatever was written, printed or sent, by what it is."""
    path, folder = run.audit_folder.path, run.audit_folder.folder
    yield "terminal", run.ran.text.encode()
    for requests in run.requests.values():
        for request in requests:
            yield "model server", request.raw
            yield "headers", str(request.headers).encode()
    yield from watched.seen
    for name in ("evidence", "allure", "test-results"):
        yield from ((str(p), p.read_bytes()) for p in (path / name).rglob("*") if p.is_file())
    yield "junit", (path / "junit.xml").read_bytes()
    yield from ((str(p), str(p).encode()) for p in path.rglob("*"))
    with closing(sqlite3.connect(folder / "trajectory.db")) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (table,) in tables:
            for row in database.execute(f"SELECT * FROM {table}").fetchall():
                yield f"trajectory.db {table}", repr(row).encode()
        for (body,) in database.execute("SELECT body FROM texts").fetchall():
            yield "trajectory.db texts", unpack(body).encode()
    runner = CliRunner()
    for command in (["export"], ["show"], ["view"]):
        arguments = [str(folder), "adam"] if command == ["show"] else [str(folder)]
        done = runner.invoke(app, [*command, *arguments])
        assert done.exit_code == 0, done.output
        yield " ".join(command), done.output.encode()
    yield "view", folder.with_name(f"{folder.name}.html").read_bytes()


def test_every_byte_of_a_run_is_free_of_its_secrets(run):
    played, watched = run
    site = played.audit_folder.site
    typed = {unquote(path.partition("?")[2]) for path in site.requests if "/seen?" in path}
    codes = {text for text in typed if re.fullmatch(r"\d{6}", text)}
    assert {PASSWORD, PIN, TYPED} <= typed, "all of them were typed"
    assert codes
    assert any(f"token={TOKEN}" in path for path in site.requests), "the address was opened"
    sought = {s: encoded(s) for s in (PASSWORD, PIN, KEY, TYPED, TOKEN, *codes)}
    parts = list(everything(played, watched))
    assert len([name for name, _ in parts if name.endswith("cmdline")]) > 5
    assert any("/.live/" in name for name, _ in parts), "the live files were there"
    found = {
        (secret, name, content[max(0, content.find(form) - 60) : content.find(form) + 60])
        for name, content in parts
        for secret, forms in sought.items()
        for form in forms
        if form in content
    }
    assert not found, "\n".join(map(str, sorted(found)))


def test_names_stand_in_place_of_the_secrets(run):
    played, _ = run
    result = played.result("zoe")
    assert "no <secret:password> and <secret:pin>" in result["reason"] or result["status"] == "done"
    rows = {row["sample_id"]: row for row in played.audit_folder.combined()}
    assert rows["adam"]["pin"] == "<secret:pin>"
    assert rows["adam"]["url"].endswith("/adam?token=***")
    copy = (played.audit_folder.folder / "samples.csv").read_text()
    assert "<secret:pin>" in copy
    assert "token=***" in copy
    texts = [step["params"].get("text") for step in played.log("adam")]
    assert [t for t in texts if t] == ["<secret:password>", "<secret:pin>", "<secret:code>", "***"]
    assert "Log in with <secret:pin> and <secret:password>." in played.prompts("adam")[0]
    assert "a part that you are not shown" in str(played.log("adam"))
    assert "Title: <secret:password>" in played.prompts("adam")[1]
    text = played.ran.text
    assert "RuntimeError: refused <secret:password>" in text
    assert "logged <secret:password>" in text
    recordings = played.audit_folder.path / "test-results"
    assert [p for p in recordings.rglob("*") if p.is_file()] == []
    assert "--tracing, --screenshot is off: recordings would show them" in text


def test_the_pictures_have_no_secret_field(run):
    played, _ = run
    folder = played.audit_folder.folder / "adam"
    (name,) = [
        a["filename"] for a in played.result("adam")["artifacts"] if "record" in a["filename"]
    ]
    assert "secret_pin" in name
    image = Image.open(folder / name).convert("RGB")
    grey = ImageColor.getrgb(COLOUR)
    rows = [image.crop((310, y, 490, y + 1)).getcolors() for y in range(image.height)]
    covered = [y for y, colours in enumerate(rows) if colours == [(180, grey)]]
    beginnings = [y for y in covered if y - 1 not in covered]
    assert len(beginnings) >= 4, "each of the four fields is one colour"
    assert all(set(range(y, y + 18)) <= set(covered) for y in beginnings[:4])
