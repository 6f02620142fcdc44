"""How often an invented value is caught, and how often a true one is taken for invented.

The pages are read by the browser; the loop then runs on what was read, with a scripted policy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from grounding_pages import AuditedPage, audited_pages

from pytest_bwa.agent.loop import Loop
from pytest_bwa.agent.outcome import Outcome
from pytest_bwa.evidence.grounding import plain_values
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.perception.observer import Observer
from pytest_bwa.policy.base import ModelHelpers, Turn
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Action, ActionResult, Decision, Observation, Picture, Usage

TRUE_SAMPLES, LYING_SAMPLES = 200, 50


class OnePage:
    """A model that reports the same answer again and again, and the one page that it sees."""

    name, model, reads_labelled_values = "scripted", "", False
    helpers = ModelHelpers()

    def __init__(self, observation: Observation, answer: Mapping[str, Any], folder: Path) -> None:
        self.observation, self.answer = observation, dict(answer)
        self.turns: list[Turn] = []
        task = TaskSpec(task_id="t", goal="g", output_schema={name: {} for name in answer})
        self.loop = Loop(
            task, Sample("s", {"sample_id": "s"}), policy=self, observer=self, executor=self,
            vision=self, writer=SampleWriter(folder, "s", 9), on_step=lambda *_: None,
            on_state=lambda _: None,
        )  # fmt: skip

    def run(self) -> Outcome:
        return self.loop.run(None)

    def decide(self, turn: Turn) -> Decision:
        self.turns.append(turn)
        return Decision((Action(action="done", extracted=self.answer),))

    def observe(self) -> Observation:
        return self.observation

    def look(self, observation: Observation, *_: object) -> tuple[Observation, Usage]:
        return observation, Usage()

    def act(self, action: Action, *_: object) -> ActionResult:
        assert action.action == "screenshot", "the policy only reports"
        return ActionResult(True, "a picture for the person who must review it")

    def take_picture(self, reveal: object = ()) -> Picture:
        return Picture(b"png", self.observation.url, self.observation.state)

    def close(self) -> None: ...


@pytest.fixture(scope="module")
def observed(browser: Any) -> list[tuple[AuditedPage, Observation]]:
    """The pages as the observer reads them, in one tab."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    observer = Observer(Tabs(page), lambda seconds, what: nullcontext())
    read = []
    for audited in audited_pages(TRUE_SAMPLES):
        page.set_content(audited.html)
        read.append((audited, observer.observe()))
    page.context.close()
    return read


def test_a_true_answer_is_never_sent_back(observed, tmp_path, capsys):
    sent_back, how = [], Counter[str]()
    for number, (page, observation) in enumerate(observed):
        sample = OnePage(observation, page.truth, tmp_path / str(number))
        outcome = sample.run()
        if (outcome.status, len(sample.turns)) != ("done", 1):
            sent_back.append(f"{page.shape}: {outcome.reason}")
        found = plain_values(page.truth, sample.loop.pictures.ground(page.truth))
        how.update(record.how for _, _, record in found)
    with capsys.disabled():
        print(f"\n{len(sent_back)} of {len(observed)} true answers were sent back; {dict(how)}")
    assert sent_back == []
    assert how["derived"] < how["verbatim"]


def test_an_invented_value_is_always_caught(observed, tmp_path, capsys):
    missed = []
    for number, (page, observation) in enumerate(observed[:LYING_SAMPLES]):
        sample = OnePage(observation, page.lie, tmp_path / str(number))
        outcome = sample.run()
        was_sent_back = len(sample.turns) == 2 and "done was refused" in sample.turns[1].notices[-1]
        (lie,) = (name for name in page.lie if page.lie[name] != page.truth[name])
        is_named = lie in outcome.reason and lie in sample.turns[-1].notices[-1]
        if not (was_sent_back and is_named and outcome.status == "needs_review"):
            missed.append(f"{page.shape}: {page.lie}")
    with capsys.disabled():
        print(f"\n{LYING_SAMPLES - len(missed)} of {LYING_SAMPLES} invented values were caught")
    assert missed == []
