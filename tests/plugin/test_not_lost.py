"""Models that loop, stall or forget, each with a sample of its own on real pages: how the samples
end, and that no saved data is lost."""

from __future__ import annotations

import re

import pytest
from local_site import Site
from scripted_samples import Model, PlayedRun, play
from wire.messages_server import Answer, Request, tool_use

pytestmark = pytest.mark.slow
STEPS = 14
RECORD = "<p>Department: Finance</p><ul><li>ID: 1</li><li>ID: 2</li></ul>"
PLAIN = f"<title>Plain</title><h1>Record</h1><button>Idle</button>{RECORD}"
FIELDS = {"department": "string", "start_date": "date | null", "items": "array"}
ANSWER = {"department": "Finance", "start_date": None, "items": [{"id": 1}, {"id": 2}]}


def index(request: Request, name: str) -> str:
    """The index of the element named ``name`` on the page that the prompt shows."""
    match = re.search(rf'\[(\d+)\] \[\w+\] "{re.escape(name)}"', page_state(request))
    assert match, f"{name} is not in {request.prompt[:2000]}"
    return match[1]


def page_state(request: Request) -> str:
    return request.prompt.split("**Step ")[0]


def items_shown(request: Request) -> dict[str, list[int]]:
    """The numbers of the lines that show the items."""
    return {
        "items": [int(line) for line in re.findall(r'\[(\d+)\] .*"ID: \d"', page_state(request))]
    }


def looping(n: int, request: Request) -> Answer:
    return tool_use("click", selector=index(request, "Idle"))


def restless(n: int, request: Request) -> Answer:
    """Never repeats an action directly, and no action has an effect."""
    name = ("Idle", "Dull", "Mute")[n % 3]
    return tool_use("click", selector=index(request, name))


def stalling(n: int, request: Request) -> Answer:
    if "only done and fail are left" in request.prompt:
        return tool_use("fail", note="there is nothing new")
    return tool_use("extract", selector="h1" if n % 2 else "p")


def ignoring(n: int, request: Request) -> Answer:
    """Keeps stalling when it is told to end."""
    return tool_use("extract", selector="h1" if n % 2 else "p")


def turning(n: int, request: Request) -> Answer:
    """Needs more pages than the task has steps."""
    if '"Next"' in page_state(request):
        return tool_use("click", selector=index(request, "Next"))
    return tool_use("done", extracted=ANSWER, sources=items_shown(request))


def collecting(n: int, request: Request) -> Answer:
    if n <= 2:
        return tool_use("save_progress", extracted={"items": [{"id": n}]}, note=f"item {n}")
    return tool_use("done", extracted={"department": "Finance"})


def unplugged(n: int, request: Request) -> Answer:
    return tool_use("goto", url=f"http://127.0.0.1:9/{n}")


def clumsy(n: int, request: Request) -> Answer:
    """Uses many wrong selectors, which are not network errors."""
    if n <= 7:
        return tool_use("click", selector=f"No such button {n}")
    return tool_use("done", extracted=ANSWER)


def forgetful(n: int, request: Request) -> Answer:
    """Saves once and then clicks without a goal until the steps are used up."""
    if n == 1:
        return tool_use("save_progress", extracted={"department": "Finance"})
    return tool_use("click", selector=index(request, "Up" if n % 2 else "Down"))


MODELS: dict[str, Model] = {
    f.__name__: f
    for f in (
        looping, restless, stalling, ignoring, turning, collecting, unplugged, clumsy, forgetful,
    )
}  # fmt: skip


def pages(site: Site) -> None:
    site.pages |= {f"/{name}": PLAIN for name in MODELS}
    site.pages["/restless"] = PLAIN + "<button>Dull</button><button>Mute</button>"
    site.pages["/forgetful"] = (
        '<button onclick="n.textContent=++c">Up</button>'
        '<button onclick="n.textContent=--c">Down</button><p id=n>0</p><script>c=0</script>'
    )
    for number in range(1, STEPS + 3):
        link = f'<a href="/turning{number + 1}">Next</a>' if number < STEPS + 2 else RECORD
        site.pages[f"/turning{number}"] = f"<h1>Page {number}</h1>{link}"
    site.pages["/turning"] = '<h1>Page 0</h1><a href="/turning1">Next</a>'


@pytest.fixture(scope="module")
def run(new_audit_folder) -> PlayedRun:
    audit_folder = new_audit_folder()
    pages(audit_folder.site)
    audit_folder.spec(
        output_schema=FIELDS, required_artifacts=[], required_fields=["department"],
        expected_items=2, max_steps=STEPS, allowed_domains=["127.0.0.1"],
    )  # fmt: skip
    return play(audit_folder, MODELS, BWA_FINALIZE_ON_FAILURE="false")


def notices(run: PlayedRun, name: str) -> list[str]:
    """The notices of each prompt as one text; empty if there were none."""
    return [
        p.split("## Notices\n")[1].split("\n## ")[0] if "## Notices" in p else ""
        for p in run.prompts(name)
    ]


def offered(run: PlayedRun, name: str) -> list[list[str]]:
    return [[tool["name"] for tool in r.body["tools"]] for r in run.requests[name]]


def test_the_third_repeat_gives_a_notice_and_the_fourth_is_refused(run):
    assert "click [" in notices(run, "looping")[3]
    assert "3 times on this page with the same result" in notices(run, "looping")[3]
    refused = [s for s in run.log("looping") if s["step"] == 4]
    assert "was not executed again" in refused[0]["error"]


def test_on_a_page_that_never_changes_recovery_scrolls_and_then_one_decision_is_left(run):
    for name in ("looping", "restless"):
        log = run.log(name)
        recovery = [(s["action"], s["step"]) for s in log if s["intent"] == "recovery"]
        assert recovery == [("scroll", 3)]
        result = run.result(name)
        assert result["status"] == "failed"
        assert f"stuck at {run.audit_folder.site.url}/{name}" in result["reason"]
        assert "scrolling did not help" in result["reason"]
        assert result["steps"] == 10
        assert "It was scrolled down once. You can try" in notices(run, name)[3]
        assert offered(run, name)[9] == ["done", "fail"]
        assert "This is the last decision of the sample: stuck at" in notices(run, name)[9]
        assert log[-1]["action"] == "screenshot"  # shows a person what the page looked like


def test_stalling_gives_a_notice_then_a_warning_then_only_done_and_fail(run):
    given = notices(run, "stalling")
    positions = {
        part: next(n for n, text in enumerate(given) if part in text)
        for part in (
            "nothing new from this page",
            "After 8 such steps",
            "only done and fail are left",
        )
    }
    assert list(positions.values()) == sorted(positions.values())
    last = positions["only done and fail are left"]
    assert positions["After 8 such steps"] == last - 3
    assert offered(run, "stalling")[last] == ["done", "fail"]
    assert len(offered(run, "stalling")[last - 1]) > 2
    assert run.result("stalling")["reason"] == "there is nothing new"


def test_a_model_that_ignores_the_demand_to_end_is_ended_with_a_diagnosis(run):
    result = run.result("ignoring")
    assert result["status"] == "failed"
    assert result["reason"].startswith("stuck at ")
    assert len(run.requests["ignoring"]) < STEPS + 5


def test_each_page_of_a_list_grants_steps(run):
    result = run.result("turning")
    assert result["status"] == "done", result["reason"]
    assert result["steps"] == STEPS + 3
    assert f"of {STEPS + 3}**" in run.requests["turning"][1].prompt
    checkpoint = run.file("turning", "checkpoint")
    assert checkpoint["max_steps"] == 2 * STEPS  # the upper limit


def test_one_notice_when_all_expected_items_are_saved(run):
    assert "All expected items are saved: items has 2." in notices(run, "collecting")[2]
    result = run.result("collecting")
    assert result["status"] == "done", result["reason"]
    assert result["extracted"]["items"] == [{"id": 1}, {"id": 2}]


def test_five_network_errors_in_a_row_end_the_sample(run):
    result = run.result("unplugged")
    assert result["status"] == "failed"
    assert "5 network or browser errors in a row" in result["reason"]
    assert result["broken"] is True
    assert result["steps"] == 6  # the last one was left for done or fail
    assert offered(run, "unplugged")[5] == ["done", "fail"]


def test_wrong_selectors_never_end_it_and_three_list_the_elements_of_the_page(run):
    assert run.result("clumsy")["status"] == "done"
    assert 'button "Idle"' in notices(run, "clumsy")[3]
    assert "The last 3 actions failed" in notices(run, "clumsy")[3]


def test_saved_data_is_in_every_file_when_the_steps_are_used_up(run):
    result = run.result("forgetful")
    assert result["status"] == "partial_success"
    assert result["extracted"]["department"] == "Finance"
    checkpoint = run.file("forgetful", "checkpoint")
    log = run.log("forgetful")
    assert checkpoint["accumulated_data"] == {"department": "Finance"}
    assert checkpoint["status"] == "partial_success"
    assert checkpoint["steps_logged"] == len(log)
    assert checkpoint["step"] == result["steps"] == STEPS


def test_one_notice_at_three_quarters_and_nine_tenths_and_the_last_step_ends(run):
    given = notices(run, "forgetful")[:STEPS]  # the model is asked twice on the last step
    assert [n + 1 for n, text in enumerate(given) if "3 steps are left; the last" in text] == [12]
    assert [n + 1 for n, text in enumerate(given) if "1 step is left; it is only" in text] == [14]
    assert offered(run, "forgetful")[STEPS - 1] == ["done", "fail"]
    assert "Step 14 of 14" in run.requests["forgetful"][STEPS - 1].prompt


def test_the_files_of_every_sample_agree(run):
    for name in MODELS:
        result, log = run.result(name), run.log(name)
        checkpoint = run.file(name, "checkpoint")
        assert checkpoint["status"] == result["status"]
        assert checkpoint["steps_logged"] == len(log) == len(result["mode"])
        accumulated = checkpoint["accumulated_data"].items()
        extracted = {k: v for k, v in result["extracted"].items() if v is not None}
        assert {k: v for k, v in accumulated if v is not None} == extracted
