"""How often an invented value is caught, and how often a true one is sent back or doubted.

The pages are read by the browser; the loop then runs on what was read, with a scripted policy.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from grounding_pages import SHAPES, AuditedPage, audited_pages

from pytest_bwa.agent.outcome import Outcome
from pytest_bwa.audit.composition import loop_of
from pytest_bwa.evidence.grounding import Grounding, plain_values
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.page.perception.observer import Observer
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.policy.base import ModelHelpers, Turn
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Action, ActionResult, Decision, Observation, Picture, Usage

TRUE_SAMPLES, LYING_SAMPLES = 200, 50
"""Of the benchmark; the tests read four pages of each shape."""


def sources_in(observation: Observation, written: Mapping[str, Any]) -> dict[str, Any]:
    """The lines that a reader of the prompt would cite."""
    return {name: _source(observation, texts) for name, texts in written.items()}


def _source(observation: Observation, texts: Any) -> Any:
    if isinstance(texts, list):
        return [_source(observation, parts) for parts in texts]
    patterns = [re.compile(rf"(?<![\w.,]){re.escape(text)}(?!\w)") for text in texts]
    lines = {e.index: f"{e.name} {e.value or ''} {e.note} {e.row_line}" for e in
             observation.elements}  # fmt: skip
    found = [n for n, line in lines.items() if all(p.search(line) for p in patterns)]
    assert found, f"no line has {texts}"
    return min(found, key=lambda n: len(lines[n]))


class OnePage:
    """A model that sees one page, and gives these answers one after the other, the last again and
    again."""

    is_beside = False

    name, model, reads_labelled_values = "scripted", "", False
    helpers = ModelHelpers()

    def __init__(self, observation: Observation, folder: Path, *answers: Action) -> None:
        self.observation, self.answers = observation, answers
        self.turns: list[Turn] = []
        fields: dict[str, Any] = {name: {} for name in answers[0].extracted or {}}
        self.loop = loop_of(
            TaskSpec(task_id="t", goal="g", output_schema=fields),
            Sample("s", {"sample_id": "s"}), policy=self, observer=self, executor=self,
            vision=self, writer=SampleWriter(folder, "s", 9), on_step=lambda *_: None,
            on_state=lambda _: None,
        )  # fmt: skip

    def run(self) -> Outcome:
        return self.loop.run(None)

    def records(self, answer: Mapping[str, Any]) -> list[Grounding]:
        found = plain_values(answer, self.loop.pictures.ground(answer))
        return [record for _, _, record in found]

    def decide(self, turn: Turn) -> Decision:
        self.turns.append(turn)
        return Decision((self.answers[min(len(self.turns), len(self.answers)) - 1],))

    def observe(self) -> Observation:
        return self.observation

    def look(self, observation: Observation, *_: object) -> tuple[Observation, Usage]:
        return observation, Usage()

    def act(self, action: Action, *_: object) -> ActionResult:
        assert action.action == "screenshot", "the policy only reports"
        return ActionResult(True, "a picture for the person who must review it")

    def unclear(self, *_: object) -> str:
        return ""

    def take_picture(self, reveal: object = ()) -> Picture:
        return Picture(b"png", self.observation.url, self.observation.state)

    def close(self) -> None: ...


def done(values: Mapping[str, Any], sources: Mapping[str, Any] | None = None) -> Action:
    return Action(action="done", extracted=dict(values), sources=dict(sources or {}))


def read_pages(browser: Any, number: int = TRUE_SAMPLES) -> list[tuple[AuditedPage, Observation]]:
    """The pages as the observer reads them, in one tab."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    observer = Observer(Tabs(page), lambda seconds, what: nullcontext(), reads_labels=True)
    read = []
    for audited in audited_pages(number):
        page.set_content(audited.html)
        read.append((audited, observer.observe()))
    page.context.close()
    return read


@pytest.fixture(scope="module")
def observed(browser: Any) -> list[tuple[AuditedPage, Observation]]:
    return read_pages(browser, 4 * len(SHAPES))


def test_a_true_answer_with_its_sources_is_done_at_once_and_nothing_speaks_against_it(
    observed, tmp_path, capsys
):
    sent_back, doubted, how = [], [], Counter[str]()
    for number, (page, observation) in enumerate(observed):
        sources = sources_in(observation, page.written)
        sample = OnePage(observation, tmp_path / str(number), done(page.truth, sources))
        outcome = sample.run()
        if (outcome.status, len(sample.turns)) != ("done", 1):
            sent_back.append(f"{page.shape}: {outcome.reason}")
        records = sample.records(page.truth)
        how.update(record.how for record in records)
        doubted += [f"{page.shape}: {record.against}" for record in records if record.doubts]
    with capsys.disabled():
        print(f"\n{len(sent_back)} of {len(observed)} true answers were sent back, {len(doubted)} "
              f"values doubted; {dict(how)}")  # fmt: skip
    assert (sent_back, doubted) == ([], [])
    assert how.keys() == {"verbatim", "normalised", "counted", "state", "joined"} & how.keys()


def test_a_true_answer_without_sources_is_at_most_asked_for_them(observed, tmp_path, capsys):
    refused, asked, doubted = [], 0, []
    for number, (page, observation) in enumerate(observed):
        sources = sources_in(observation, page.written)
        answers = done(page.truth), done(page.truth, sources)
        sample = OnePage(observation, tmp_path / str(number), *answers)
        outcome = sample.run()
        asked += len(sample.turns) > 1
        if outcome.status != "done":
            refused.append(f"{page.shape}: {outcome.reason}")
        records = sample.records(page.truth)
        doubted += [f"{page.shape}: {record.against}" for record in records if record.doubts]
    with capsys.disabled():
        print(f"\n{asked} of {len(observed)} true answers were asked for a source; "
              f"{len(doubted)} values doubted")  # fmt: skip
    assert (refused, doubted) == ([], [])


@pytest.mark.parametrize("cites", [True, False], ids=["the line of the truth", "nothing"])
def test_an_invented_value_is_always_caught(observed, tmp_path, capsys, cites):
    missed, lies = [], 0
    for number, (page, observation) in enumerate(observed[:LYING_SAMPLES]):
        (lie,) = (name for name in page.lie if page.lie[name] != page.truth[name])
        if not cites and _stands_elsewhere(page, lie):
            continue  # only many alike samples could tell that it is a neighbour's
        lies += 1
        sources = sources_in(observation, page.written) if cites else {}
        sample = OnePage(observation, tmp_path / str(number), done(page.lie, sources))
        outcome = sample.run()
        notice = sample.turns[-1].notices[-1] if sample.turns[-1].notices else ""
        is_named = lie in outcome.reason and lie in notice
        is_caught = outcome.status == "needs_review" and len(sample.turns) == 2 and is_named
        # One line of prose has the numbers of two fields: both answers are read from one of them.
        is_doubted = any(record.doubts for record in sample.records(page.lie))
        if not is_caught and not is_doubted:
            missed.append(f"{page.shape}: {page.lie} {outcome.status} {outcome.reason}")
    with capsys.disabled():
        print(f"\n{lies - len(missed)} of {lies} invented values were caught")
    assert missed == []


def _stands_elsewhere(page: AuditedPage, field: str) -> bool:
    return (
        isinstance(page.lie[field], int | float)
        and re.search(rf"\b{abs(page.lie[field])}\b", page.html) is not None
    )
