"""Models that loop, stall, over-claim and forget: one run of them all, each in a sample of its own
on real pages, and what became of it."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest
from audit_folder import AuditFolder, FinishedRun
from local_site import Site
from wire.messages_server import Answer, MessagesServer, Request, tool_use

pytestmark = pytest.mark.slow
STEPS = 14
PLAIN = "<title>Plain</title><h1>Record</h1><button>Idle</button><p>Department: Finance</p>"
FOUND = {"department": "Finance", "start_date": None}


def index(prompt: str, name: str) -> str:
    """The number of the element called ``name`` on the page that the prompt shows."""
    found = re.search(rf'\[(\d+)\] \[\w+\] "{re.escape(name)}"', seen(prompt))
    assert found, f"{name} is not in {prompt[:2000]}"
    return found[1]


def seen(prompt: str) -> str:
    return prompt.split("**Step ")[0]


def looping(n: int, prompt: str) -> Answer:
    return tool_use("click", selector=index(prompt, "Idle"))


def restless(n: int, prompt: str) -> Answer:
    """Never the same action twice in a row, and never an effect."""
    name = ("Idle", "Dull", "Mute")[n % 3]
    return tool_use("click", selector=index(prompt, name))


def stalling(n: int, prompt: str) -> Answer:
    if "only done and fail are left" in prompt:
        return tool_use("fail", note="nothing new is to be had")
    return tool_use("extract", selector="h1" if n % 2 else "p")


def deaf(n: int, prompt: str) -> Answer:
    """Goes on stalling when it is told to end."""
    return tool_use("extract", selector="h1" if n % 2 else "p")


def turning(n: int, prompt: str) -> Answer:
    """Needs more pages than the spec has steps."""
    if '"Next"' in seen(prompt):
        return tool_use("click", selector=index(prompt, "Next"))
    return tool_use("done", extracted=FOUND)


def collecting(n: int, prompt: str) -> Answer:
    if n <= 2:
        return tool_use("save_progress", extracted={"items": [{"id": n}]}, note=f"item {n}")
    return tool_use("done", extracted=FOUND)


def unplugged(n: int, prompt: str) -> Answer:
    return tool_use("goto", url=f"http://127.0.0.1:9/{n}")


def clumsy(n: int, prompt: str) -> Answer:
    """Wrong selectors, many of them, are no fault of the network."""
    if n <= 7:
        return tool_use("click", selector=f"No such button {n}")
    return tool_use("done", extracted=FOUND)


def forgetful(n: int, prompt: str) -> Answer:
    """Saves once and then only wanders, until the steps are spent."""
    if n == 1:
        return tool_use("save_progress", extracted={"department": "Finance"})
    return tool_use("click", selector=index(prompt, "Up" if n % 2 else "Down"))


CHARACTERS: dict[str, Callable[[int, str], Answer]] = {
    f.__name__: f
    for f in (
        looping, restless, stalling, deaf, turning, collecting, unplugged, clumsy, forgetful,
    )
}  # fmt: skip


def pages(site: Site) -> None:
    site.pages |= {f"/{name}": PLAIN for name in CHARACTERS}
    site.pages["/restless"] = PLAIN + "<button>Dull</button><button>Mute</button>"
    site.pages["/forgetful"] = (
        '<button onclick="n.textContent=++c">Up</button>'
        '<button onclick="n.textContent=--c">Down</button><p id=n>0</p><script>c=0</script>'
    )
    for number in range(1, STEPS + 3):
        link = f'<a href="/turning{number + 1}">Next</a>' if number < STEPS + 2 else "<p>The end"
        site.pages[f"/turning{number}"] = f"<h1>Page {number}</h1>{link}"
    site.pages["/turning"] = '<h1>Page 0</h1><a href="/turning1">Next</a>'


class Played:
    """The run, and what each model was asked."""

    def __init__(
        self, audit_folder: AuditFolder, ran: FinishedRun, asked: dict[str, list[Request]]
    ) -> None:
        self.audit_folder, self.ran, self.asked = audit_folder, ran, asked

    def result(self, name: str) -> dict[str, Any]:
        return self.audit_folder.result(name)

    def log(self, name: str) -> list[dict[str, Any]]:
        steps: list[dict[str, Any]] = json.loads(
            (self.audit_folder.folder / name / "action_log.json").read_text()
        )
        return steps

    def notices(self, name: str) -> list[str]:
        """The notices of each prompt, as one text each; empty where there were none."""
        prompts = [request.prompt for request in self.asked[name]]
        return [
            p.split("## Notices\n")[1].split("\n## ")[0] if "## Notices" in p else ""
            for p in prompts
        ]

    def offered(self, name: str) -> list[list[str]]:
        return [[tool["name"] for tool in r.body["tools"]] for r in self.asked[name]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    asked: dict[str, list[Request]] = defaultdict(list)

    def script(request: Request) -> Answer:
        found = re.search(r'the sample "(\w+)"', request.body["system"][1]["text"])
        assert found
        asked[found[1]].append(request)
        return CHARACTERS[found[1]](len(asked[found[1]]), request.prompt)

    site = Site()
    pages(site)
    audit_folder = AuditFolder(tmp_path_factory.mktemp("not_lost"), site)
    audit_folder.spec(required_artifacts=[], required_fields=["department"], expected_items=2,
              max_steps=STEPS)  # fmt: skip
    audit_folder.samples(*CHARACTERS)
    with MessagesServer(script) as server:
        ran = audit_folder.audit(
            "-n", "2", ANTHROPIC_BASE_URL=server.url, BWA_RATE_LIMITS="{}",
            BWA_FINALIZE_ON_FAILURE="false",
        )  # fmt: skip
    site.close()
    return Played(audit_folder, ran, asked)


def test_the_third_repeat_is_told_and_the_fourth_is_not_done(played):
    assert "click [" in played.notices("looping")[3]
    assert "3 times on this page with the same outcome" in played.notices("looping")[3]
    refused = [s for s in played.log("looping") if s["step"] == 4]
    assert "was not done again" in refused[0]["error"]


def test_a_page_that_never_moves_is_scrolled_loaded_anew_and_then_given_up(played):
    for name in ("looping", "restless"):
        log = played.log(name)
        own = [(s["action"], s["step"]) for s in log if s["thinking"].startswith("Recovery")]
        assert own == [("scroll", 3), ("goto", 6)]
        result = played.result(name)
        assert result["status"] == "failed"
        assert f"stuck at {played.audit_folder.site.url}/{name}" in result["reason"]
        assert "scrolling and loading the page anew did not help" in result["reason"]
        assert result["steps"] == 9
        assert "was tried for you" in played.notices(name)[3]
        assert log[-1]["action"] == "screenshot"  # what it looked like, for a person


def test_stalling_is_nudged_then_demanded_then_only_the_endings_are_offered(played):
    notices = played.notices("stalling")
    told = {
        words: next(n for n, text in enumerate(notices) if words in text)
        for words in ("try a different", "change your strategy", "only done and fail are left")
    }
    assert list(told.values()) == sorted(told.values())
    last = told["only done and fail are left"]
    assert told["change your strategy"] == last - 3
    assert played.offered("stalling")[last] == ["done", "fail"]
    assert len(played.offered("stalling")[last - 1]) > 2
    assert played.result("stalling")["reason"] == "nothing new is to be had"


def test_who_does_not_end_when_told_is_ended_with_a_diagnosis(played):
    result = played.result("deaf")
    assert result["status"] == "failed"
    assert result["reason"].startswith("stuck at ")
    assert len(played.asked["deaf"]) < STEPS + 5


def test_pages_of_a_list_grant_steps(played):
    result = played.result("turning")
    assert result["status"] == "done", result["reason"]
    assert result["steps"] == STEPS + 3
    assert f"of {STEPS + 3}**" in played.asked["turning"][1].prompt
    checkpoint = json.loads((played.audit_folder.folder / "turning/checkpoint.json").read_text())
    assert checkpoint["max_steps"] == 2 * STEPS  # bounded


def test_as_many_saves_as_expected_items_are_told(played):
    assert "2 times, once for each expected item" in played.notices("collecting")[2]
    result = played.result("collecting")
    assert result["status"] == "done", result["reason"]
    assert result["extracted"]["items"] == [{"id": 1}, {"id": 2}]


def test_five_faults_of_the_network_in_a_row_end_the_sample(played):
    result = played.result("unplugged")
    assert result["status"] == "failed"
    assert "5 network or browser errors in a row" in result["reason"]
    assert result["steps"] == 5


def test_wrong_selectors_never_do_and_three_list_what_is_there(played):
    assert played.result("clumsy")["status"] == "done"
    assert 'button "Idle"' in played.notices("clumsy")[3]
    assert "The last 3 actions failed" in played.notices("clumsy")[3]


def test_what_was_saved_is_in_every_file_when_the_steps_are_spent(played):
    result = played.result("forgetful")
    assert result["status"] == "partial_success"
    assert result["extracted"]["department"] == "Finance"
    checkpoint = json.loads((played.audit_folder.folder / "forgetful/checkpoint.json").read_text())
    log = played.log("forgetful")
    assert checkpoint["accumulated_data"] == {"department": "Finance"}
    assert checkpoint["status"] == "partial_success"
    assert checkpoint["steps_logged"] == len(log)
    assert checkpoint["step"] == result["steps"] == STEPS


def test_three_quarters_and_nine_tenths_are_told_once_and_the_last_step_ends(played):
    notices = played.notices("forgetful")[:STEPS]  # the last step is asked twice
    assert [n + 1 for n, text in enumerate(notices) if "start to wrap up" in text] == [12]
    assert [n + 1 for n, text in enumerate(notices) if "call done now" in text] == [14]
    assert played.offered("forgetful")[STEPS - 1] == ["done", "fail"]
    assert "Step 14 of 14" in played.asked["forgetful"][STEPS - 1].prompt


def test_every_sample_ended_and_its_files_agree(played):
    for name in CHARACTERS:
        folder = played.audit_folder.folder / name
        result, log = played.result(name), played.log(name)
        checkpoint = json.loads((folder / "checkpoint.json").read_text())
        assert checkpoint["status"] == result["status"]
        assert checkpoint["steps_logged"] == len(log) == len(result["mode"])
        kept = {k: v for k, v in result["extracted"].items() if v is not None}
        assert {k: v for k, v in checkpoint["accumulated_data"].items() if v is not None} == kept
