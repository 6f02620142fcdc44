"""What an answer cites is checked, answered once, and photographed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from unit.agent.ending.test_own_page import LOGIN, Browsing, fail, goto, login, pictures
from unit.agent.stage import Stage
from unit.agent.transitions import PAGE, page

from pytest_bwa.steps.step import Action, Element, Observation

OTHER = "http://site.test/other"
FIELDS = {"output_schema": {"owner": {}, "buyer": {}, "count": {}}, "required_fields": []}
LINES = ("Owner | Annabel Lee", "Buyer | Bo Ekberg", "Step 1", "Step 1 of 7")


def lines(*texts: str, first: int = 0, **more: Any) -> Observation:
    elements = tuple(Element(n, (0, n), "text", text) for n, text in enumerate(texts, first))
    seen = page("x", **more)
    return Observation(
        **{name: getattr(seen, name) for name in ("url", "title", "state", "dom_hash")},
        http_status=seen.http_status, elements=elements,
    )  # fmt: skip


def answer(name: str = "done", sources: Any = None, **extracted: Any) -> list[Action]:
    return [Action.model_validate({"action": name, "extracted": extracted, "sources": sources})]


class Reading(Stage):
    """A stage with one page; its policy may be a model, for which pictures are held back."""

    def __init__(self, folder: Path, *decisions: Any, **more: Any) -> None:
        super().__init__(folder, *decisions, **{"task": FIELDS, **more})
        self.observations = [lines(*LINES)]

    def notices(self) -> list[str]:
        return [step.error or "" for step in self.writer.steps if not step.success]


def records(sample: Stage, outcome: Any) -> dict[str, Any]:
    return sample.loop.pictures.ground(outcome.extracted)


# -- done ------------------------------------------------------------------------------------------


def test_an_answer_with_its_sources_is_one_decision(tmp_path):
    sample = Reading(
        tmp_path, answer(owner="Annabel Lee", count=1, sources={"owner": 0, "count": 2})
    )
    outcome = sample.run()
    assert (outcome.status, len(sample.turns), outcome.reason) == ("done", 1, "")
    found = records(sample, outcome)
    assert [(r.how, r.cited, r.doubts) for r in found.values()] == [
        ("verbatim", True, ()), ("verbatim", True, ()),
    ]  # fmt: skip
    assert all(record.artifact for record in found.values())


def test_a_wrong_source_is_answered_with_what_stands_there_and_only_it_is_sent_again(tmp_path):
    wrong = {"owner": 0, "buyer": 0, "count": 9}
    sample = Reading(
        tmp_path,
        answer(owner="Annabel Lee", buyer="Bo Ekberg", count=7, sources=wrong),
        answer(buyer="Bo Ekberg", count=7, sources={"buyer": 1, "count": 3}),
    )
    outcome = sample.run()
    (notice,) = sample.notices()
    assert 'buyer="Bo Ekberg": [0] says “Owner | Annabel Lee”' in notice
    assert "count=7: no line that was shown has the number 9" in notice
    assert "owner" not in notice
    assert (outcome.status, outcome.extracted) == (
        "done", {"owner": "Annabel Lee", "buyer": "Bo Ekberg", "count": 7},
    )  # fmt: skip
    assert all(record.cited for record in records(sample, outcome).values())


def test_a_source_alone_corrects_what_was_not_proven(tmp_path):
    """The value need not be sent again with its line."""
    first = answer(owner="Annabel Lee", sources={"owner": 1})
    sample = Reading(tmp_path, first, answer(owner="Annabel Lee", sources={"owner": 0}))
    assert sample.run().status == "done"


def test_a_model_that_insists_is_reviewed_by_a_person(tmp_path):
    sample = Reading(tmp_path, answer(owner="Bo Ekberg", buyer="Bo Ekberg", sources={"owner": 0}))
    outcome = sample.run()
    assert (outcome.status, len(sample.turns)) == ("needs_review", 2)
    assert outcome.extracted == {"owner": "Bo Ekberg", "buyer": "Bo Ekberg"}
    assert outcome.reason == (
        'the line that the answer cites does not show owner ("Bo Ekberg"): '
        "[0] says “Owner | Annabel Lee”"
    )
    found = records(sample, outcome)
    assert (found["owner"].how, found["buyer"].how) == ("unseen", "verbatim")


def test_a_short_value_in_several_lines_is_asked_for_once_and_then_cited(tmp_path):
    sample = Reading(tmp_path, answer(count=1), answer(count=1, sources={"count": 2}))
    outcome = sample.run()
    (notice,) = sample.notices()
    assert "count=1: give the line (" in notice
    assert "[2] says “Step 1”" in notice
    assert "[3] says “Step 1 of 7”" in notice
    assert (outcome.status, records(sample, outcome)["count"].cited) == ("done", True)


def test_a_null_instead_of_what_no_page_shows_is_done(tmp_path):
    sample = Reading(tmp_path, answer(owner="Annabel Lee", buyer="nobody"), answer(buyer=None))
    outcome = sample.run()
    assert (outcome.status, outcome.extracted) == ("done", {"owner": "Annabel Lee", "buyer": None})


# -- save_progress ---------------------------------------------------------------------------------


@pytest.mark.parametrize("source", [1, 9])
def test_a_wrong_source_of_what_is_saved_is_answered_once(tmp_path, source):
    saving = answer(
        "save_progress", owner="Annabel Lee", buyer="Bo Ekberg",
        sources={"owner": source, "buyer": 1},
    )  # fmt: skip
    sample = Reading(tmp_path, saving, saving, answer())
    sample.run()
    first, second = (step for step in sample.writer.steps if step.action == "save_progress")
    assert first.result.endswith("not saved: owner")
    assert "not saved" not in second.result
    (notice,) = (n for n in sample.turns[1].notices if n.startswith("Not saved: "))
    assert notice.startswith('Not saved: owner="Annabel Lee": ')
    assert "buyer" not in notice
    assert "Call save_progress again with these fields alone" in notice
    assert not any(n.startswith("Not saved") for n in sample.turns[2].notices)
    assert sample.loop.progress.collected == {"owner": "Annabel Lee", "buyer": "Bo Ekberg"}


def test_where_nothing_is_saved_the_call_has_failed(tmp_path):
    saving = answer("save_progress", owner="Annabel Lee", sources={"owner": 1})
    sample = Reading(tmp_path, saving, saving, answer())
    sample.run()
    steps = [step for step in sample.writer.steps if step.action == "save_progress"]
    assert [step.success for step in steps] == [False, True]
    assert any(n.startswith("Not saved: ") for n in sample.turns[1].notices)


def test_what_was_saved_with_its_line_keeps_it_in_the_answer(tmp_path):
    saving = answer("save_progress", count=1, sources={"count": 2})
    sample = Reading(tmp_path, saving, answer(owner="Annabel Lee"))
    outcome = sample.run()
    assert (outcome.status, outcome.extracted) == ("done", {"count": 1, "owner": "Annabel Lee"})
    found = records(sample, outcome)
    assert (found["count"].cited, found["owner"].cited) == (True, False)


def test_what_is_saved_without_a_line_is_not_asked_for(tmp_path):
    sample = Reading(tmp_path, answer("save_progress", count=1), answer(sources={"count": 2}))
    sample.run()
    saved = next(step for step in sample.writer.steps if step.action == "save_progress")
    assert "not saved" not in saved.result


# -- fail ------------------------------------------------------------------------------------------


def missing(source: Any) -> list[Action]:
    (action,) = fail()
    return [action.model_copy(update={"source": source})]


@pytest.mark.parametrize(
    "seen",
    [login(PAGE), page("0 results for REQ-9999", http_status=403)],
    ids=["password", "403"],
)
@pytest.mark.parametrize("source", [0, "[0]", None, 99])
def test_the_line_that_says_that_there_is_no_such_record_is_enough(tmp_path, seen, source):
    numbered = Observation(
        url=PAGE, title="", state="s", dom_hash="d", http_status=seen.http_status,
        elements=(Element(0, (0, 7), "text", "0 results for REQ-9999"), *seen.elements[1:],
                  *(e for e in seen.elements if e.states)),
    )  # fmt: skip
    sample = Browsing(tmp_path, {PAGE: numbered}, missing(source))
    outcome = sample.run()
    is_cited = source in (0, "[0]")
    assert (outcome.kind, len(sample.refusals())) == (("not_found", 0) if is_cited else (None, 1))
    assert PAGE in pictures(sample)


def test_the_line_is_photographed_on_the_page_that_says_it(tmp_path):
    """It was seen on a list that was left: its picture was held back."""
    listed = lines("0 results for REQ-9999", url=PAGE, http_status=200)
    other = lines("Home", first=50, url=OTHER, http_status=200)
    sample = Browsing(tmp_path, {PAGE: listed, OTHER: other}, goto(OTHER), missing(0))
    sample.loop.pictures._holds = True
    outcome = sample.run()
    assert outcome.kind == "not_found"
    assert [a.source_url for a in sample.writer.artifacts if "not_found" in a.label] == [PAGE]


@pytest.mark.parametrize(
    ("status", "labels"), [(404, ["first_page"]), (500, ["first_page"]), (200, [])]
)
def test_a_first_page_that_answers_with_an_error_is_photographed(tmp_path, status, labels):
    sample = Browsing(
        tmp_path, {PAGE: page("x", http_status=status)}, goto(OTHER), fail("other")
    )  # fmt: skip
    sample.run()
    assert [a.label for a in sample.writer.artifacts if a.label == "first_page"] == labels


class BehindLogin(Browsing):
    """The sample's own address led to a login, and a click on its button leads back there."""

    def act(self, action: Action, observation: Observation, step: int) -> Any:
        if action.action == "click":
            self.pages[PAGE] = page("Not found", http_status=404)
        return super().act(action, observation, step)


def test_the_own_page_behind_a_login_is_photographed_when_it_is_opened(tmp_path):
    click = [Action(action="click", selector="1")]
    sample = BehindLogin(tmp_path, {PAGE: login(LOGIN)}, click, goto(OTHER), fail("other"))
    sample.run()
    (first, *_) = sample.writer.artifacts
    assert (first.label, first.source_url) == ("first_page", PAGE)
