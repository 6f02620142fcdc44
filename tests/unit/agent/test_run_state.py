"""The run state and the summaries of older steps that a prompt shows."""

from __future__ import annotations

from dataclasses import replace

from unit.agent.transitions import page, transition
from unit.policy.claude.long_run import SAMPLE, TASK, step

from pytest_bwa.agent.progress import Progress
from pytest_bwa.agent.run_state import RunState, SeenFields
from pytest_bwa.agent.summaries import MechanicalSummarizer, Summaries
from pytest_bwa.errors import ModelFailed
from pytest_bwa.policy.base import Turn
from pytest_bwa.steps.step import Action, Artifact, ModelAnswer, Observation, Usage


def run_state(progress: Progress) -> RunState:
    return RunState(progress, SeenFields(TASK, progress))


def lines(state: RunState) -> dict[str, str]:
    return {name: ", ".join(entries) for name, entries in state.lists().items()}


def test_each_list_has_the_entries_its_name_promises():
    progress = Progress()
    state = run_state(progress)
    assert state.lists() == {}
    progress.save(Action(action="save_progress", extracted={"title": "x", "author": None}))
    state.add_visit(page())
    state.update(transition("goto", url="http://dead.test/", success=False, description="no"))
    state.update(
        transition("scroll", direction="down", success=False, description="already at the end")
    )
    assert "exhausted_pages" not in state.lists(), "its data may not be taken yet"
    state.update(replace(transition("save_progress"), saved=True))
    file = Artifact(
        filename="downloads/r.csv", sha256="", source_url="", timestamp="", label="", step=1
    )
    state.update(transition("download", selector="4", artifact=file, after=page("saved")))
    for _ in range(2):
        state.update(
            transition(selector="9", success=False, description="gone", after=page("other"))
        )
    for _ in range(3):
        state.update(transition(selector="3"))
    assert lines(state) == {
        "fields_found": "title, author: null, confirmed",
        "pages_visited": page().url,
        "failed_urls": "http://dead.test/",
        "exhausted_pages": page().url,
        "artifacts": "downloads/r.csv",
        "blocked_selectors": f"click [9] on {page().url}",
        "dead_ends": f"click [3] on {page().url}",
    }


def test_every_list_is_limited_to_its_latest_entries():
    state = run_state(Progress())
    for number in range(25):
        state.add_visit(page(url=f"http://site.test/{number}"))
    state.add_visit(page(url="http://site.test/20"))
    visited = lines(state)["pages_visited"].split(", ")
    assert len(visited) == 10
    assert state.totals() == {"pages_visited": 25}
    assert visited[-1].endswith("/20")
    assert visited.count("http://site.test/20") == 1


def test_every_page_that_came_was_visited_whoever_opened_it_and_no_other():
    state = run_state(Progress())
    for url, status in (("/a", 200), ("/gone", 404), ("/b", None)):
        after = replace(page(url=f"http://site.test{url}"), http_status=status)
        state.update(transition("goto", url=url, after=after))
    state.update(transition("click", selector="1", after=page(url="http://site.test/c")))
    state.update(transition("goto", url="/x", after=page(url="chrome-error://chromewebdata/")))
    assert [url[-2:] for url in state.lists()["pages_visited"]] == ["/a", "/b", "/c"]


def test_a_long_address_that_is_visited_again_is_listed_once():
    state = run_state(Progress())
    for _ in range(3):
        state.add_visit(page(url=f"http://site.test/{'x' * 400}"))
    (visited,) = state.lists()["pages_visited"]
    assert len(visited) == 300


# -- summaries ---------------------------------------------------------------------------------


def turn(number: int) -> Turn:
    return Turn(
        observation=Observation(url="u", title=""), task=TASK, sample=SAMPLE, step=number,
        max_steps=60, history=[step(n) for n in range(1, number)], collected={"prs": [1]},
    )  # fmt: skip


class ScriptedSummarizer:
    """Has room for twelve steps."""

    def __init__(self, *answers: ModelAnswer | ModelFailed) -> None:
        self.answers, self.requested = list(answers), []

    def is_needed(self, turn):
        return len(turn.history) > 12

    def summarize(self, turn, steps):
        self.requested.append([s.step for s in steps])
        answer = self.answers.pop(0)
        if isinstance(answer, ModelFailed):
            raise answer
        return answer


def test_what_the_prompt_has_no_room_for_is_summarized_and_replaced():
    summarizer = ScriptedSummarizer(*(ModelAnswer(f"FOUND: {n}", Usage(calls=1)) for n in range(4)))
    summaries = Summaries(summarizer)
    usages, shown = [], {}
    for number in range(1, 45):
        seen = turn(number)
        history = summaries.without_condensed(seen.history)
        if summaries.is_due(replace(seen, history=history)):
            usages.append(summaries.add(replace(seen, history=history)))
        shown[number] = [s.step for s in summaries.without_condensed(seen.history)]
    assert summarizer.requested == [
        list(range(1, 9)), list(range(9, 17)), list(range(17, 25)), list(range(25, 33)),
    ]  # fmt: skip
    assert shown[13] == list(range(1, 13))  # everything fits
    assert shown[14] == [9, 10, 11, 12, 13]
    assert shown[21] == list(range(9, 21))
    assert summaries.latest == ("FOUND: 1", "FOUND: 2", "FOUND: 3")
    assert [usage.calls for usage in usages] == [1, 1, 1, 1]


def test_if_the_model_fails_the_summary_is_mechanical_and_the_cost_still_counts():
    usage = Usage(calls=1, input_tokens=7)
    summaries = Summaries(ScriptedSummarizer(ModelFailed("garbage", usage)))
    assert summaries.add(turn(16)) == usage
    assert summaries.latest[0].startswith("FOUND: steps 1 to 10; saved prs")


def test_the_mechanical_summary_has_found_gaps_and_next():
    history = [step(1), step(2).model_copy(update={"success": False, "error": "x"})]
    lines = MechanicalSummarizer().summarize(turn(3), history).text.splitlines()
    assert [line.split(":")[0] for line in lines] == ["FOUND", "GAPS", "NEXT"]
    assert "failed: save_progress" in lines[1]
    assert lines[2] == "NEXT: go on from 2"
    assert Summaries(None).is_due(turn(60)) is False
