"""The memory of one worker: what it tells a sample, what it keeps, and what it survives."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_bwa.agent.memory.lessons import LessonStore
from pytest_bwa.agent.memory.run_memory import Pattern
from pytest_bwa.agent.memory.worker_memory import EndedSample, WorkerMemory
from pytest_bwa.errors import ModelFailed
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.run_record import FileRecord, RunRecord
from pytest_bwa.spec.redaction import Redactor
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Element, ModelAnswer, Observation, Step, Target, Usage

TASK = TaskSpec(task_id="t", goal="Read the ticket {sample_id}.")
SAMPLE = Sample("ann", {"sample_id": "ann"})
COVERED = "something else on the page covers it"
PAGE = "https://a.org/tickets/ann"


def step(action: str, error: str | None = None, **changes: Any) -> Step:
    fields = {
        "step": 1, "action": action, "result": "", "success": error is None, "error": error,
        "url": PAGE, "target": Target(role="button", name="Show"), "changed": True,
        "started_at": "", "timestamp": "",
    }  # fmt: skip
    return Step(**{**fields, **changes})


def page(*names: str, url: str = PAGE) -> Observation:
    elements = (
        Element(n, (0, n), "button", name) for n, name in enumerate(names or ("Show", "Log"))
    )
    return Observation(url=url, title="", elements=tuple(elements))


STEPS = [step("click", COVERED), step("press", target=None, params={"key": "Tab"}), step("click")]


class Distiller:
    def __init__(self, *answers: ModelAnswer | Exception) -> None:
        self.answers, self.asked = list(answers), 0

    def distill(
        self, goal: str, worked: Sequence[str], failed: Sequence[str], seconds_left: float | None
    ) -> ModelAnswer:
        self.asked += 1
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    folder = RunFolder.create(tmp_path, "run_1")
    file = FileRecord(path="x", sha256="x")
    record = RunRecord(
        run_id="run_1", task_id="t", policy="claude", spec=file, samples=file, started_at="",
        samples_in=2,
    )  # fmt: skip
    folder.write_inputs(record, {}, "")
    return folder


def worker(folder: RunFolder, home: Path | None) -> WorkerMemory:
    store = LessonStore(home) if home else None
    return WorkerMemory(folder, TASK, store=store)


def learn(memory: WorkerMemory, steps: Sequence[Step] = STEPS, **changes: Any) -> Usage:
    ended = EndedSample(steps, **{"is_done": True, "ending": "done", **changes})
    return memory.learn(memory.for_sample(TASK, SAMPLE), SAMPLE, TASK, ended)


def events(folder: RunFolder) -> list[dict[str, Any]]:
    path = folder.path / "memory_events.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_hints_are_shown_in_the_first_three_steps_and_logged_once(folder):
    memory = worker(folder, None)
    covered = step("click", COVERED, target=Target(role="tab", name="Log"))
    learn(memory, [covered, step("click")])
    sample = memory.for_sample(TASK, Sample("bob"))
    shown_in = [n for n in range(1, 6) if sample.advice_for(n, page()).hints]
    assert shown_in == [1, 2, 3]
    assert sample.advice_for(1, page(url="https://b.org/")).hints == ()
    assert sample.advice_for(1, page(url="about:blank")).hints == ()
    other = sample.advice_for(1, page("Show all", "Print"))
    assert other.hints == ('Worked: click button "Show"',), "this page has no tab of that name"
    (event,) = events(folder)
    assert (event["event"], event["domain"], event["count"]) == ("hints_shown", "a.org", 2)
    assert event["hints"] == [
        'Worked: click button "Show"', f'Avoid: click tab "Log" ({COVERED})',
    ]  # fmt: skip


def test_all_workers_of_a_run_use_the_lessons_of_its_start(folder, tmp_path):
    first = worker(folder, tmp_path).for_sample(TASK, SAMPLE)
    for _ in range(2):
        learn(worker(folder, tmp_path))
    assert len(LessonStore(tmp_path).open()[0]) == 4
    again = worker(folder, tmp_path).for_sample(TASK, SAMPLE)
    assert list(again.book) == list(first.book)
    assert [event["event"] for event in events(folder)].count("tier1_loaded") == 1
    assert len(folder.record().lessons) == 3
    folder.remove_live_files()  # the end of the run; a resumed one begins with what was learnt
    resumed = worker(folder, tmp_path).for_sample(TASK, SAMPLE)
    assert len(resumed.book) == 4
    assert resumed.advice_for(1, page()).hints, "run memory stays for a resumed run"


def test_a_site_recalls_its_lessons_once_and_an_error_its_own(folder, tmp_path):
    learn(worker(folder, tmp_path))
    folder.remove_live_files()
    memory = worker(folder, tmp_path)
    sample = memory.for_sample(TASK, Sample("bob"))
    (notice,) = sample.notices_on("https://www.a.org/x")
    assert notice.startswith("Lesson of earlier runs on www.a.org: On this site, click may fail")
    assert sample.notices_on("https://www.a.org/y") == []
    assert sample.notices_on("https://b.org/") == []
    recalled = sample.notices_after_error("click", COVERED, "https://b.org/")
    assert recalled == [
        "click failed. Lesson of earlier runs: If something covers an element, press Escape first."
    ]
    assert sample.notices_after_error("click", "no such thing", "https://b.org/") == []
    found = {e["event"]: e for e in events(folder) if e.get("sample_id") == "bob"}
    assert {*found["domain_recall"]} == {
        "time", "sample_id", "event", "domain", "matched", "lessons",
    }  # fmt: skip
    assert {*found["error_recall"]} == {
        "time", "sample_id", "event", "command", "error_snippet", "matched", "lessons",
    }  # fmt: skip


def test_a_model_is_asked_only_about_what_was_overcome_and_is_not_known(folder):
    """Several workers share what is known, and how often a model was asked."""
    answer = ModelAnswer("TIP: press Tab for ann\nAVOID: b", Usage(calls=1))
    distiller = Distiller(answer, ModelFailed("no", Usage(calls=2)), *[answer] * 9)
    asking = partial(learn, worker(folder, None), distiller=distiller)
    assert asking([step("click")]).calls == 0, "it worked at once"
    assert asking().calls == 1
    assert asking().calls == 0, "the same way again"
    assert asking([*STEPS, step("hover")]).calls == 0, "what it overcame is known"
    covered = [step("click", COVERED, target=Target(role="tab", name=name)) for name in "abcdefg"]
    assert asking([covered[0], step("back")]).calls == 2, "a failed call costs; the log is taken"
    assert asking([*STEPS, covered[1]], is_done=False).calls == 0
    longer = [step("drag", usage=Usage(calls=1)), step("press", usage=Usage(calls=1))]
    assert asking(longer[1:]).calls == 0, "others took no decisions that are known"
    assert asking(longer).calls == 1, "it took more decisions than they"
    others = partial(learn, worker(folder, None), distiller=distiller)
    ways = zip(covered[2:], map(step, ("upload", "extract", "find", "scroll")), strict=False)
    asked = [others([failed, worked]).calls for failed, worked in ways]
    assert (asked, distiller.asked) == ([1, 1, 0, 0], 5), "five times for one domain"
    content = json.loads((folder.path / "memory/patterns.json").read_text())
    patterns = content["domains"]["a.org"]
    assert ["press", 'click button "Show"'] in [p["actions"] for p in patterns]
    assert next(p["tips"] for p in patterns if p["actions"][0] == "press") == [
        "press Tab for {sample_id}"
    ]
    failures = json.loads((folder.path / "memory/failures.json").read_text())["domains"]["a.org"]
    assert f'click button "Show" ({COVERED})' in failures[0]["failed_targets"]


def test_events_hide_secrets(folder, tmp_path):
    redactor = Redactor({"pin": "s3cret"})
    sample = worker(folder, tmp_path).for_sample(TASK, Sample("bob"), redactor)
    sample.notices_after_error("select_option", 'there is no option "s3cret"', PAGE)
    assert events(folder)[-1]["error_snippet"] == 'there is no option "<secret:pin>"'


def test_without_lessons_the_home_is_not_touched(folder, home):
    memory = worker(folder, None)
    learn(memory)
    assert memory.for_sample(TASK, SAMPLE).advice_for(9, page()).lessons == ()
    assert not home.exists()


def test_a_broken_file_of_either_kind_is_a_note_of_the_run(folder, tmp_path):
    (tmp_path / "memory.json").write_text("{")
    (folder.path / "memory").mkdir()
    (folder.path / "memory/patterns.json").write_text("[")
    memory = worker(folder, tmp_path)
    learn(memory)
    learn(memory)
    notes = folder.record().notes
    assert len(notes) == 2
    assert "memory.json.broken-" in notes[0]
    assert "patterns.json.broken-" in notes[1]
    assert isinstance(memory._run.hints("a.org", []), list)


def test_nothing_that_goes_wrong_reaches_the_sample(folder, monkeypatch):
    (folder.path / "memory").write_text("a file")
    memory = worker(folder, None)
    assert learn(memory) == Usage()
    broken = SimpleNamespace(url="http://[", params={}, intent="", success=True)
    assert learn(memory, [broken]) == Usage()  # type: ignore[list-item]
    assert memory.for_sample(TASK, SAMPLE).advice_for(1, page()).hints == ()
    assert len(folder.record().notes) >= 1
    assert Pattern().samples == 1
