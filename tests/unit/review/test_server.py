"""What the reviewer's server lets in, what it writes, and what two people at once see."""

from __future__ import annotations

import json
import os
from http.client import HTTPConnection
from pathlib import Path
from time import perf_counter
from urllib.parse import urlencode

from simulated_run import end_run, open_run, write_samples
from unit.review.conftest import Visit

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.reviews import REVIEWS, read_reviews
from pytest_bwa.reports.review.reviewed import update_reviewed
from pytest_bwa.reports.verify.verify import verify

OPENING, DECIDING = 1.0, 0.1
"""Seconds, of the quickest of some: the machine may do other things, too."""


def test_attacks_get_nothing(leases, visit: Visit):
    ada = visit(leases)
    first = ada.get("/api/queue").json["groups"][0]
    shown, name = first["shown"][0], first["shown"][0]["sample_id"]
    wish = {key: shown[key] for key in ("sample_id", "subject", "field")}
    wish |= {"decision": "accepted", "text": "", "comment": ""}
    (leases.parent / "secret.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 40)
    picture = ada.get(f"/api/entry?{urlencode({'sample': name, **_subject(shown)})}").json[
        "picture"
    ]
    file = leases / name / picture["name"]
    content = file.read_bytes()
    attacks = {
        "no cookie": (ada.get("/api/queue", Cookie=""), 403),
        "a cookie of another": (ada.get("/", Cookie=f"bwa_review_{ada.server.port}=x"), 403),
        "a wrong token": (ada.get("/?token=x", Cookie=""), 403),
        "another name": (ada.get("/api/queue", Host="evil.example"), 421),
        "another port's name": (ada.get("/api/queue", Host="127.0.0.1:1"), 421),
        "another origin": (ada.post("/api/decide", wish, Origin="https://evil.example"), 403),
        "no origin": (ada.post("/api/decide", wish, Origin=""), 403),
        "another site reads": (ada.get(picture["url"], Sec_Fetch_Site="cross-site"), 403),
        "a form": (ada.post("/api/decide", wish, Content_Type="text/plain"), 415),
        "a huge body": (ada.post("/api/decide", wish, Content_Length=str(1 << 21)), 413),
        "another method": (ada.ask("PUT", "/api/decide", b"{}"), 405),
        "out of the folder": (ada.get(_picture(name, "../../secret.png")), 404),
        "another folder": (ada.get(_picture("..", "secret.png")), 404),
        "no picture": (ada.get(_picture(name, "result.json")), 404),
        "out of static": (ada.get("/static/..%2Fserver.py"), 404),
        "a field of its own": (ada.post("/api/decide", {**wish, "reviewer": "Bo"}), 400),
        "a verdict of its own": (ada.post("/api/decide", {**wish, "decision": "withdrawn"}), 400),
    }
    assert {what: got.status for what, (got, _) in attacks.items()} == {
        what: status for what, (_, status) in attacks.items()
    }
    assert not (leases / REVIEWS).exists()
    assert not [what for what, (got, _) in attacks.items() if content in got.body]
    if hasattr(os, "symlink"):
        file.unlink()
        file.symlink_to(leases.parent / "secret.png")
        assert ada.get(picture["url"]).status == 404, "a link leads out of the folder"
    page = ada.get("/")
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert "unsafe" not in page.headers["content-security-policy"]
    assert "access-control-allow-origin" not in page.headers
    assert ada.get("/", Cookie=ada.cookie).status == 200
    cookie = ada.get(f"/?token={ada.token}").headers["set-cookie"]
    assert cookie.endswith("; HttpOnly; SameSite=Strict")


def test_two_decide_at_once_undo_and_sign_and_the_chain_holds(leases, visit: Visit):
    ada, bo = visit(leases), visit(leases, "Bo")
    before = ada.get("/api/queue").json
    group = before["groups"][0]
    out = group["shown"][0]["sample_id"]
    done = ada.post(
        "/api/decide", {"group": group["id"], "decision": "accepted", "except": [out]}
    ).json
    assert len(done["decisions"]) == group["values"] - 1
    assert {line["reviewer"] for line in done["decisions"]} == {"Ada"}

    wish = _subject(group["shown"][0]) | {"sample_id": out, "decision": "corrected"}
    wrong = ada.post("/api/check", {**_named(wish), "text": "[1]"})
    assert wrong.json["ok"] is False, "a list is no value of that field"
    as_shown = ada.post("/api/check", {**_named(wish), "text": "2.220,00 €"})
    assert as_shown.json["value"] == 2220, "as the page would write it"
    either = ada.post("/api/check", {**_named(wish), "text": "2.220"}).json
    assert "write it as 1325" in either["problem"], either
    corrected = ada.post("/api/decide", {**wish, "text": "77"})
    assert corrected.status == 200, corrected.body
    rejected = {**wish, "decision": "rejected", "comment": "no"}
    second = bo.post("/api/decide", rejected)
    assert (second.status, second.json["decision"]["reviewer"]) == (409, "Ada")
    again = bo.post("/api/decide", {**rejected, "seen": second.json["decision"]["hash"]})
    assert again.status == 200
    assert ada.post("/api/undo", {"hashes": again.json["undo"]}).status == 409, "it is Bo's"
    assert bo.post("/api/undo", {"hashes": again.json["undo"]}).status == 200
    entry = ada.get(f"/api/entry?{urlencode({'sample': out, **_subject(wish)})}").json
    assert entry["decision"]["decision"] == "corrected", "what was decided before holds again"
    assert [line["decision"] for line in entry["history"]] == [
        "corrected", "rejected", "withdrawn",
    ]  # fmt: skip
    assert ada.post("/api/undo", {"hashes": done["undo"]}).status == 200
    after = ada.get("/api/queue").json["groups"]
    assert next(g for g in after if g["id"] == group["id"])["values"] == group["values"] - 1

    drawn = ada.post("/api/random", {"number": 3, "seed": "7"}).json
    entries = ada.get(f"/api/queue?draw={drawn['hash']}").json["entries"]
    assert {entry["sample_id"] for entry in entries} == set(drawn["samples"])
    first, *others = drawn["samples"]
    for name in others:
        assert ada.post("/api/decide", {"sample": name, "decision": "accepted"}).status == 200
    field = next(e["field"] for e in entries if e["sample_id"] == first)
    bad = {"sample_id": first, "subject": "value", "field": field, "decision": "rejected"}
    ada.post("/api/decide", {"sample": first, "decision": "accepted", "except": [field]})
    assert "2 reviewed so far" in bo.get("/api/random").json["draws"][0]["statement"]
    assert ada.post("/api/decide", bad).status == 200
    statement = ada.get("/api/random").json["draws"][0]["statement"]
    assert statement.startswith(f"3 of {drawn['of']} drawn at random and reviewed by Ada on ")
    assert statement.endswith(": 1 wrong; at most 86.5 % are, at 95 %")

    assert ada.post("/api/sign-off", {"name": " "}).status == 400
    head = read_reviews(leases).last_hash
    signed = ada.post("/api/sign-off", {"name": "Ada L.", "role": "<b>IA</b>"}).json
    assert signed["head"] == head
    assert signed["decided"]["not_asked"] > 0, "of samples that nothing speaks against"
    lines = (leases / REVIEWS).read_text().splitlines()
    assert json.loads(lines[-1])["previous"] == head
    found = verify(leases)
    assert found.ok, found.faults
    made = update_reviewed(RunFolder(leases))
    assert made
    page = (made / "index.html").read_text()
    assert statement in page
    assert " not asked, by Ada" in page
    assert "<b>Ada L.</b>, &lt;b&gt;IA&lt;/b&gt;, signed on " in page


def test_a_run_of_1000_that_goes_on_is_watched_and_decided_at_once(tmp_path: Path, visit: Visit):
    run = open_run(tmp_path, 1000).folder
    assert run is not None
    write_samples(run, range(990))
    openings = []
    for _ in range(3):
        started = perf_counter()
        watching = visit(run.path, "", can_decide=False)
        assert watching.get("/api/queue").status == 200
        openings.append(perf_counter() - started)
    assert min(openings) < OPENING, openings
    assert next(_events(watching, lambda data: data.get("is_read")))["finished"] == 990
    assert watching.post("/api/sign-off", {"name": "Ada"}).status == 403
    ada = visit(run.path)
    assert ada.post("/api/random", {"number": 3}).status == 409, "the run still goes on"
    entries = ada.get("/api/queue").json["entries"][:10]
    decisions = []
    for entry in entries:
        started = perf_counter()
        assert ada.post("/api/decide", {**_named(entry), "decision": "accepted"}).status == 200
        decisions.append(perf_counter() - started)
    assert min(decisions) < DECIDING, decisions
    write_samples(run, range(990, 1000))
    end_run(run)
    ended = _events(ada, lambda data: data.get("finished") == 1000 and data["is_over"])
    assert next(ended)["decided"] == {"accepted": 10}
    drawing = visit(run.path, random=3)
    assert drawing.get("/api/random").json["draws"][0]["of"] == 950, "of all, read or not"
    assert verify(run.path).ok


def _events(visitor, is_meant):
    """The data of what the page is sent, as far as it is meant."""
    connection = HTTPConnection("127.0.0.1", visitor.server.port, timeout=30)
    headers = {"Host": visitor.host, "Cookie": visitor.cookie}
    connection.request("GET", "/api/events", headers=headers)
    response = connection.getresponse()
    while line := response.readline():
        if line.startswith(b"data: "):
            data = json.loads(line[6:])
            if is_meant(data):
                yield data


def _picture(sample: str, name: str) -> str:
    return f"/picture?{urlencode({'sample': sample, 'name': name})}"


def _subject(entry: dict[str, str]) -> dict[str, str]:
    return {key: entry[key] for key in ("subject", "field")}


def _named(entry: dict[str, str]) -> dict[str, str]:
    return {"sample_id": entry["sample_id"], **_subject(entry)}
