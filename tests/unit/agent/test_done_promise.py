"""What docs/judgments.md promises of ``done``, phrase by phrase: what breaks one is not done."""

from __future__ import annotations

from typing import Any

import pytest
from unit.agent.stage import Stage
from unit.agent.transitions import PAGE, page

from pytest_bwa.steps.step import Action, Picture

SEEN = page("name: Ann; staff: 37; items: Annabel Lee")
JUDGED = {"judgment_required": True, "judgment_question": "?"}


class Pictured(Stage):
    """A stage whose pictures show this state of the page; None if none can be taken."""

    state: str | None = SEEN.state

    def take_picture(self, reveal: object = ()) -> Picture | None:
        return None if self.state is None else Picture(b"png", PAGE, self.state)


def ending(
    folder, answer: dict[str, Any], task: dict[str, Any], state: str | None = SEEN.state
) -> str:
    fields = {**{key: {} for key in answer}, "name": "string", "items": "array"}
    spec = {"output_schema": fields, "required_fields": [], **task}
    sample = Pictured(folder, [Action(action="done", extracted=answer)], task=spec, max_steps=3)
    sample.observations, sample.state = [SEEN], state
    return sample.run().status


def promise(repository) -> str:
    text = (repository / "docs/judgments.md").read_text("utf-8")
    begin = text.index("A sample is `done` only if")
    return " ".join(text[begin : text.index("A **source**", begin)].split())


@pytest.mark.parametrize(
    ("phrase", "answer", "task"),
    [
        ("every required field has a value", {"age": None}, {"required_fields": ["age"]}),
        ("every required field has a value", {}, {"required_fields": ["name"]}),
        ("every value has its type", {"staff": 37}, {"output_schema": {"staff": "string"}}),
        ("the pictures", {"name": "Ann"}, {"required_artifacts": ["first", "second"]}),
        ("the judgment that the spec requires", {"name": "Ann"}, JUDGED),
        ("no array has too few items", {"items": ["Annabel Lee"]}, {"expected_items": 2}),
        ("no array has too few items", {"items": ["Annabel Lee", None]}, {"expected_items": 2}),
        ("every value was seen at its source", {"name": "Ben Okoro"}, {}),
        ("every value was seen at its source", {"items": ["Annabel Lee", "Ben Okoro"]}, {}),
        ("every value was seen at its source", {"staff": 38}, {}),
        ("every value was seen at its source", {"is_large": True}, {}),
        ("every value was seen at its source", {"names": ["Annabel Lee"], "count": 1}, {}),
    ],
)
def test_what_breaks_a_phrase_is_not_done(phrase, answer, task, repository, tmp_path):
    assert phrase in promise(repository)
    assert ending(tmp_path, answer, task) != "done"


@pytest.mark.parametrize("state", ["another state", None])
def test_a_value_without_a_picture_of_its_state_is_not_done(state, repository, tmp_path):
    assert "a picture or a downloaded file shows that state of the page" in promise(repository)
    assert ending(tmp_path / "without", {"name": "Ann"}, {}, state) != "done"
    assert ending(tmp_path / "with", {"name": "Ann", "items": ["Annabel Lee"]}, {}) == "done"


@pytest.mark.parametrize(
    ("phrase", "answer", "task"),
    [
        ("not null; an empty text or list is one", {"name": ""}, {"required_fields": ["name"]}),
        ("not null; an empty text or list is one", {"items": []}, {"required_fields": ["items"]}),
        ("Only an empty text or list needs no source", {"name": ""}, {}),
        ("Only an empty text or list needs no source", {"items": []}, {}),
        ("what the spec lists under `derived`", {"total": 9999}, {"derived": ["total"]}),
    ],
)
def test_what_needs_no_proof_is_done(phrase, answer, task, repository, tmp_path):
    assert phrase in promise(repository)
    assert ending(tmp_path, answer, task) == "done"
