"""What a run may cost, and what it would cost: ``--max-cost`` and ``--dry-run``."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from wire.messages_server import MessagesServer, Request, tool_use

pytestmark = pytest.mark.slow
KEY = {"ANTHROPIC_API_KEY": "sk-test"}
MODEL = "--model=claude-sonnet-5-5"
SAMPLES = ("adam", "eve", "cain", "abel")


def read_record(request: Request):
    """The answer of a model that reads the page which it is shown."""
    department = re.search(r"Finance \w+", request.prompt).group()
    return tool_use("done", extracted={"department": department, "start_date": "2025-11-03"})


def asked_about(server: MessagesServer, after: int = 0) -> Counter[str]:
    """The samples that the model was asked about, each with how often: on a busy machine, an answer
    may be sent back."""
    prompts = [request.prompt for request in server.requests[after:]]
    return Counter(name for name in SAMPLES for text in prompts if f"Finance {name}" in text)


def test_a_run_stops_when_it_has_cost_what_it_may_and_is_resumed(audit_folder):
    audit_folder.samples(*SAMPLES)
    with MessagesServer(read_record) as server:
        environment = {**KEY, "ANTHROPIC_BASE_URL": server.url}
        first = audit_folder.audit(MODEL, "--max-cost=0.000001", "-n2", **environment)
        begun = asked_about(server)
        assert first.status == 2, first.text
        assert 1 <= len(begun) <= 2, "no sample begins after the limit is reached"
        assert first.counts()["passed"] == len(begun), "what had begun went on to its end"
        record = audit_folder.record()
        assert record["not_run"] == len(SAMPLES) - len(begun)
        assert re.match(r"\$0\.\d{4} spent of --max-cost 1e-06", record["exit_reason"])
        assert f"{len(SAMPLES) - len(begun)} not run" in first.text
        assert "--resume=" in first.text
        again = audit_folder.run("--resume", MODEL, "--max-cost=5", "-n0", **environment)
        assert again.status == 0, again.text
        assert asked_about(server, after=sum(begun.values())).keys() == set(SAMPLES) - begun.keys()
        assert audit_folder.record()["not_run"] == 0
    departments = {row["department"] for row in audit_folder.combined()}
    assert departments == {f"Finance {name}" for name in SAMPLES}


def test_a_dry_run_shows_the_first_prompt_and_asks_no_model(audit_folder):
    audit_folder.samples(*SAMPLES)
    with MessagesServer(read_record) as server:
        environment = {**KEY, "ANTHROPIC_BASE_URL": server.url}
        dry = audit_folder.audit("--dry-run", MODEL, "-n", "3", "--check=75")
        assert dry.status == 0, dry.text
        assert re.search(r"first sample adam: http://.*/adam, \d+ elements are listed", dry.text)
        assert "bwa: message | " in dry.text
        assert "Finance adam" in dry.text, "the page as the model would see it"
        assert "4 samples and 3 checks × 2.2 calls = 15 calls" in dry.text
        assert re.search(r"estimate: \$\d+\.\d\d with claude-sonnet-5-5 \(prices of", dry.text)
        assert "minutes with 3 workers" in dry.text
        assert audit_folder.folders == [], "nothing is kept"
        audit_folder.samples("adam", "eve")
        real = audit_folder.audit(MODEL, "--run-id=run_real", **environment)
        assert real.status == 0, real.text
        sent = server.requests[0]
    shown = "\n".join(re.findall(r"bwa: message \| (.*)", dry.text))
    assert shown.strip() == sent.prompt.strip(), "word for word what the model was sent"
    (audit_folder.path / "samples.csv").write_text("sample_id,url\nadam,/adam\neve,/eve\n")
    base_url = f"[pytest]\nbase_url = {audit_folder.site.url}\n"
    (audit_folder.path / "pytest.ini").write_text(base_url)
    after = audit_folder.audit("--dry-run", MODEL)
    assert f"first sample adam: {audit_folder.site.url}/adam" in after.text
    assert "as 2 samples of run_real took on average" in after.text
    assert "2 samples × 1.0 calls = 2 calls" in after.text


def test_a_dry_run_says_why_the_first_page_cannot_be_read(audit_folder):
    audit_folder.site.pages["/other"] = "x"
    audit_folder.spec(start_url="http://127.0.0.1:9/{sample_id}", allowed_domains=["127.0.0.1"])
    (audit_folder.path / "samples.csv").write_text("sample_id\nadam\n")
    dry = audit_folder.audit("--dry-run", MODEL)
    assert dry.status == 4
    assert "the first sample, adam, comes to no decision: " in dry.text
