"""Fifty steps of one sample: every prompt stays in its token budget, and no saved data is lost."""

from __future__ import annotations

import json
import re

import pytest
from audit_folder import AuditFolder
from local_site import Site
from wire.messages_server import Answer, MessagesServer, Request, text_only, tool_use

from pytest_bwa.policy.claude.cost import prompt_budget, tokens

pytestmark = pytest.mark.slow
PAGES = 12
SUMMARY = "FOUND: some\nGAPS: more\nNEXT: go on"


def page(number: int) -> str:
    rows = "".join(f"<tr><td>Row {n}<td>{'words of a long page ' * 12}" for n in range(150))
    link = f'<a href="/p{number + 1}">Next</a>' if number < PAGES else ""
    return (
        # Small letters: what is long is the text, and not the pictures.
        f"<title>Page {number}</title><style>#t, table {{font-size: 4px}}</style>"
        f"<h1>Page {number}</h1>{link}"
        f"<div id=t><p>ID: {number}</p><p>Title {number}</p><p>Page {number}: seen</p>"
        f"<p>Total: {PAGES}</p><p>{number} {'x ' * 2500}</p></div>"
        f"<button onclick=\"this.textContent='Shown {number}'\">Show</button><table>{rows}</table>"
    )


def shown(request: Request, text: str) -> int:
    """The number of the line that shows a text, in the list or as it was extracted."""
    return int(re.search(rf'\[(\d+)\] (\[text\] ")?{text}\b', request.prompt)[1])  # type: ignore[index]


def marathon(request: Request) -> Answer:
    """On each page: read, save, take a screenshot, click; then go to the next page."""
    if request.body["model"] == "claude-haiku-5-5":
        return text_only(SUMMARY)
    step = int(re.search(r"\*\*Step (\d+) of", request.prompt)[1])  # type: ignore[index]
    number, part = (step - 1) // 4 + 1, (step - 1) % 4
    if number > PAGES:
        sources = {"total": shown(request, f"Total: {PAGES}")}
        return tool_use("done", extracted={"total": PAGES}, sources=sources)
    if part == 0:
        return tool_use("extract", selector="#t", memory_update=f"page {number} was read")
    if part == 1:
        lines = {"id": f"ID: {number}", "title": f"Title {number}"}
        extracted = {
            "items": [{"id": number, "title": f"Title {number}"}],
            f"page_{number}": "seen",
        }
        sources = {"items": [{name: shown(request, text) for name, text in lines.items()}]}
        return tool_use(
            "save_progress", extracted=extracted, sources=sources, note=f"page {number}"
        )
    if part == 2:
        return tool_use("screenshot", label=f"page {number}")
    return tool_use("click", selector="Next" if number < PAGES else "Show")


def test_fifty_steps_stay_in_budget_and_lose_no_data(tmp_path):
    site = Site()
    site.pages |= {f"/p{n}": page(n) for n in range(1, PAGES + 1)}
    audit_folder = AuditFolder(tmp_path, site)
    audit_folder.spec(
        required_fields=["items", "total"], required_artifacts=[], max_steps=60,
        output_schema={"items": "array", "total": "number"},
    )  # fmt: skip
    (tmp_path / "samples.csv").write_text(f"sample_id,url\nlong,{site.url}/p1\n")
    with MessagesServer(marathon) as server:
        ran = audit_folder.audit(ANTHROPIC_BASE_URL=server.url, BWA_RATE_LIMITS="{}")
        requests = [r for r in server.requests if r.body["model"] != "claude-haiku-5-5"]
        summaries = len(server.requests) - len(requests)
    site.close()
    assert ran.status == 0, ran.text
    assert len(requests) == 4 * PAGES + 1
    assert summaries >= 2
    budget = prompt_budget(200_000)
    for number, request in enumerate(requests, start=1):
        system = sum(tokens(block["text"]) for block in request.body["system"])
        assert system + tokens(request.prompt) <= budget, number
        # What has no room any more is condensed, and nothing is left out in silence.
        assert "earlier steps are not shown" not in request.prompt, number
        is_condensed = "## Earlier steps (condensed)" in request.prompt
        assert is_condensed != ("Step 1: " in request.prompt.split("## Action history")[-1]) or (
            number == 1
        )
        data = request.prompt.split("## Data collected so far")[-1]
        for saved_page in range(1, (number - 2) // 4 + 1):
            assert f"page_{saved_page}" in data
    # The prompt shows the last three summaries.
    assert requests[-1].prompt.count("FOUND: some") == min(summaries, 3)
    result = audit_folder.result("long")
    assert [item["id"] for item in result["extracted"]["items"]] == list(range(1, PAGES + 1))
    assert all(result["extracted"][f"page_{n}"] == "seen" for n in range(1, PAGES + 1))
    assert result["usage"]["calls"] == len(requests) + summaries
    log = json.loads((audit_folder.folder / "long/action_log.json").read_text())
    # The log has the cache reads of every step.
    assert all(step["usage"]["cache_read"] == 3000 for step in log[1:])
    assert log[1]["memory_update"] == "page 1 was read"
