"""Answers with one lie, made of what the pages of ``lies.yaml`` say elsewhere: how many end as done
without a mark for a person, and that truthful ones are at most asked for their lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from pytest_bwa.audit.composition import loop_of
from pytest_bwa.evidence.grounding import plain_values
from pytest_bwa.evidence.writer import SampleWriter
from pytest_bwa.page.perception.observer import Observer
from pytest_bwa.page.tabs import Tabs
from pytest_bwa.policy.base import ModelHelpers, Turn
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Action, ActionResult, Decision, Observation, Picture, Usage

CASES: dict[str, dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("lies.yaml").read_text())
MIN_LIES, MAX_MISSED, MIN_CAUGHT_BARE = 100, 0.1, 0.4
FAIL = "fail"
"""The key of a case's answer that says with which kind the model gives up."""


_ASKED = re.compile(r"(?:^|[ ;] ?)(\w+)(\S*)=[^;]*?: give the line(?: \(\[(\d+)\])?")


class Reporter:
    """A model that looks at each page once and reports an answer. Where it is asked for the lines,
    it gives the first ones that it is offered; else it insists."""

    is_beside = False

    name, model, reads_labelled_values = "scripted", "scripted", False
    helpers = ModelHelpers()

    def __init__(
        self,
        pages: list[Observation],
        answer: dict[str, Any],
        case: dict[str, Any],
        folder: Path,
        sources: Mapping[str, Any] | None = None,
    ) -> None:
        self.pages, self.answer, self.at = pages, answer, 0
        self.sources = dict(sources or {})
        fields, derived = {name: {} for name in answer if name != FAIL}, case.get("derived", ())
        fields |= case.get("schema", {})
        derived = [name for name in derived if name in fields]
        aliases = {name: known for name, known in case.get("aliases", {}).items() if name in fields}
        task = TaskSpec(
            task_id="t", goal="g", output_schema=fields, derived=derived, aliases=aliases
        )
        columns = case["sample"]
        self.loop = loop_of(
            task, Sample(columns["sample_id"], columns), policy=self, observer=self, executor=self,
            vision=self, writer=SampleWriter(folder, "s", 9), on_step=lambda *_: None,
            on_state=lambda _: None,
        )  # fmt: skip

    def run(self) -> str:
        """The status, with a star if the sample asks a person to look."""
        outcome = self.loop.run(None)
        extracted = outcome.extracted or {}
        records = plain_values(extracted, self.loop.pictures.ground(extracted))
        is_marked = any(record.doubts for _, _, record in records)
        if outcome.kind == "not_found":  # which an option takes as a pass
            return "done"
        return f"{outcome.status}{'*' if is_marked else ''} {outcome.reason}".strip()

    def decide(self, turn: Turn) -> Decision:
        if self.at < len(self.pages) - 1:
            return Decision((Action(action="goto", url=self.pages[self.at + 1].url),))
        if kind := self.answer.get(FAIL):
            return Decision((Action(action="fail", kind=kind, note="it is nowhere"),))
        every = [element.index for element in self.pages[-1].elements]
        for field, part, number in _ASKED.findall(" ".join(turn.notices)):
            self.sources[field] = every if part else int(number or every[0])
        done = Action(action="done", extracted=self.answer, sources=self.sources)
        return Decision((done,))

    def observe(self) -> Observation:
        return self.pages[self.at]

    def look(self, observation: Observation, *_: object) -> tuple[Observation, Usage]:
        return observation, Usage()

    def act(self, action: Action, *_: object) -> ActionResult:
        if action.action == "screenshot":
            artifact = self.loop.pictures.take("last", self.pages[self.at], 1)
            return ActionResult(True, "taken", artifact=artifact)
        self.at += 1
        return ActionResult(True, "opened")

    def unclear(self, *_: object) -> str:
        return ""

    def take_picture(self, reveal: object = ()) -> Picture:
        page = self.pages[self.at]
        return Picture(b"png", page.url, page.state)

    def close(self) -> None: ...


def read_cases(browser: Any) -> dict[str, list[Observation]]:
    """The pages of each case as the observer reads them."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    html: dict[str, str] = {}

    def answer(route: Any) -> None:
        body = html.get(urlsplit(route.request.url).path, "")
        route.fulfill(body=body, content_type="text/html; charset=utf-8")

    page.route("**/*", answer)
    observer = Observer(Tabs(page), lambda seconds, what: nullcontext(), reads_labels=True)
    read: dict[str, list[Observation]] = {}
    for name, case in CASES.items():
        html = case["pages"]
        read[name] = []
        for path in html:
            page.goto(f"https://desk.test{path}")
            read[name].append(observer.observe())
        if "presses" in case:
            page.get_by_role("button", name=case["presses"]).click()
            read[name].append(observer.observe())
    page.context.close()
    return read


@pytest.fixture(scope="module")
def observed(browser: Any) -> dict[str, list[Observation]]:
    return read_cases(browser)


DOUBTED = {
    "units": "two fields are read from one text",
    "own_names_of_two_fields": "two fields are read from one text",
    "form_of_the_parent": "the page has two forms with the same labels, and nothing between them",
    "counts": "a count stands nowhere: it cites what was counted",
}
"""Why a true answer without sources is sent back or marked."""


@pytest.mark.parametrize("name", [name for name in CASES if name not in DOUBTED])
def test_a_true_answer_without_sources_is_done_and_has_no_mark(name, observed, tmp_path):
    case, refused = CASES[name], []
    for number, truth in enumerate(case["truths"]):
        ended = Reporter(observed[name], truth, case, tmp_path / str(number)).run()
        if ended != "done":
            refused.append((truth, ended))
    assert refused == []


def lines_of(reporter: Reporter) -> dict[str, Any]:
    """Where the values of an answer stand, as a policy cites it."""
    observed, found = reporter.loop.step_runner.observed, {}
    for number, page in enumerate(reporter.pages):
        observed.add_observation(page, number)
    for name, shown in reporter.loop.pictures._grounder.seen_values(reporter.answer):
        fact = shown.places[0].fact
        number, ref = observed.lines.number_of(fact), fact.element
        line = number if number is not None or ref is None else f"{ref[0]}.{ref[1]}"
        found.update({name: line} if line is not None else {})
    return found


def test_a_lie_that_cites_the_line_of_the_truth_is_not_done_without_a_mark(
    observed, tmp_path, capsys
):
    lies, missed = 0, []
    for name, case in CASES.items():
        truth = case["truths"][0] if case["truths"] else {}
        sources = lines_of(Reporter(observed[name], truth, case, tmp_path / name)) if truth else {}
        for number, lie in enumerate(case["lies"]):
            if not lie.keys() <= sources.keys() or None in lie.values():
                continue
            lies += 1
            folder = tmp_path / f"{name}_{number}"
            if Reporter(observed[name], {**truth, **lie}, case, folder, sources).run() == "done":
                missed.append(f"{name}: {lie}")
    with capsys.disabled():
        print(f"\n{lies - len(missed)} of {lies} lies were caught; not: {missed}")
    assert lies >= MIN_LIES
    assert len(missed) <= MAX_MISSED * lies


def test_most_lies_without_a_line_of_their_own_are_caught_too(observed, tmp_path, capsys):
    """Every other one, which is enough for a share. Those that are not are values of a neighbour:
    the other samples of a run tell that."""
    lies = caught = 0
    for name, case in CASES.items():
        truth = case["truths"][0] if case["truths"] else {}
        for number, lie in enumerate(case["lies"][::2]):
            lies += 1
            folder = tmp_path / f"{name}_{number}"
            answer = {**truth, **lie}
            caught += Reporter(observed[name], answer, case, folder).run() != "done"
    with capsys.disabled():
        print(f"\n{caught} of {lies} lies without sources were caught")
    assert caught >= MIN_CAUGHT_BARE * lies
