"""A required picture that is missing is supplied only where it is clear what it is to show: a
single one, of the one page that the values come from."""

from __future__ import annotations

from typing import Any

import pytest
from unit.agent.ending.test_own_page import Browsing, goto
from unit.agent.test_cited_answers import answer, lines
from unit.agent.transitions import PAGE

from pytest_bwa.steps.step import Action, Picture

OTHER = "http://site.test/other"
PAGES = {
    PAGE: lines("Owner | Annabel Lee", url=PAGE, http_status=200),
    OTHER: lines("Buyer | Bo Ekberg", first=50, url=OTHER, http_status=200),
}


class Model(Browsing):
    """Its pictures of pages that are left are held back."""

    def __init__(self, *arguments: Any, labels: list[str]) -> None:
        fields = {"output_schema": {"owner": {}, "buyer": {}}, "required_fields": []}
        super().__init__(*arguments, task={**fields, "required_artifacts": labels}, max_steps=4)
        self.loop.pictures._holds = True

    def take_picture(self, reveal: object = ()) -> Picture:
        seen = self.observe()
        return Picture(seen.url.encode(), seen.url, seen.state)


OWNER = answer(owner="Annabel Lee")
BOTH = answer(owner="Annabel Lee", buyer="Bo Ekberg")
BUYER = answer(buyer="Bo Ekberg")


def ends(folder: Any, *decisions: list[Action], labels: list[str]) -> tuple[str, list[str]]:
    sample = Model(folder, PAGES, *decisions, labels=labels)
    outcome = sample.run()
    pictures = sample.writer.artifacts
    return outcome.status, [a.source_url for a in pictures if a.label in labels]


@pytest.mark.parametrize(
    ("decisions", "labels", "status", "supplied"),
    [
        ([OWNER], ["record"], "done", [PAGE]),
        ([goto(OTHER), BUYER], ["record"], "done", [OTHER]),
        ([goto(OTHER), OWNER], ["record"], "done", [PAGE]),  # of a page that was left
        ([goto(OTHER), BOTH], ["record"], "needs_review", []),
        ([OWNER], ["record", "history"], "needs_review", []),
        ([answer(owner=None)], ["record"], "needs_review", []),
    ],
)
def test_only_a_single_picture_of_one_page_is_supplied(
    tmp_path, decisions, labels, status, supplied
):
    assert ends(tmp_path, *decisions, labels=labels) == (status, supplied)


def test_the_agent_takes_what_is_not_supplied_where_it_shows_that(tmp_path):
    def look(label: str) -> list[Action]:
        return [Action(action="screenshot", label=label)]

    way = (look("record"), goto(OTHER), look("history"), BUYER)
    sample = Model(tmp_path, PAGES, *way, labels=["record", "history"])
    outcome = sample.run()
    assert outcome.status == "done", outcome.reason
