"""What a page allows to be concluded about its sample: a login, a refusal, an empty page, another
page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from unit.agent.stage import Stage, save
from unit.agent.transitions import PAGE, page

from pytest_bwa.steps.step import Action, ActionResult, Element, Observation, Place

OTHER = "http://site.test/other"
SEARCH = "http://site.test/search?q=s"
LOGIN = "http://site.test/login"


def fail(kind: str = "not_found") -> list[Action]:
    return [Action.model_validate({"action": "fail", "kind": kind, "note": "it says so"})]


def goto(url: str) -> list[Action]:
    return [Action(action="goto", url=url)]


LOOK = [Action(action="screenshot", label="home")]


def login(url: str = LOGIN, region: Any = "main", **more: Any) -> Observation:
    field = Element(1, (0, 1), "textbox", "Password", states=("password, empty",))
    seen = page("Log in", url=url, http_status=200, **more)
    return replace(seen, elements=(replace(field, place=Place(regions=(region,))),))


class Browsing(Stage):
    """A stage that shows the page of each address that is opened."""

    here = ""

    def __init__(self, folder: Path, pages: dict[str, Observation], *decisions: Any, **more: Any):
        super().__init__(folder, *decisions, **{"url": PAGE, **more})
        self.pages = {OTHER: page("Home", url=OTHER), SEARCH: page("0", url=SEARCH), **pages}

    def observe(self) -> Observation:
        return self.pages[self.here]

    def act(self, action: Action, observation: Observation, step: int) -> ActionResult:
        self.here = action.url or self.here
        return super().act(action, self.observe(), step)

    def refusals(self) -> list[str]:
        return [step.error or "" for step in self.writer.steps if not step.success]


def pictures(sample: Stage) -> list[str]:
    return [artifact.source_url for artifact in sample.writer.artifacts]


EMPTY = replace(page("", http_status=200), elements=())


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        (page(http_status=401), "the page answered HTTP 401"),
        (page(http_status=403), "the page answered HTTP 403"),
        (login(PAGE), "the page asks for a password"),
        (login(PAGE, "dialog"), "the page asks for a password"),
        (EMPTY, "the page is empty"),
        (page(http_status=200), ""),
        (page(http_status=404), ""),
        (replace(login(PAGE), http_status=404), ""),
        (login(PAGE, "banner"), ""),
        (replace(EMPTY, canvases=1), ""),
    ],
)
def test_a_page_that_says_nothing_of_the_sample_is_no_proof_that_it_does_not_exist(
    tmp_path, seen, why
):
    sample = Browsing(tmp_path, {PAGE: seen}, fail())
    outcome = sample.run()
    assert outcome.kind == (None if why else "not_found")
    assert outcome.status == ("needs_review" if why else "failed")
    assert pictures(sample) == [PAGE]
    assert len(sample.refusals()) == bool(why)
    if why:
        assert sample.refusals()[0].startswith(f"fail was refused because {why}. ")
        assert list(sample.turns[1].notices)[:1] == sample.refusals()[:1]
        assert outcome.reason == f"it says so; but {why}"


def test_a_kind_that_fits_is_accepted_after_not_found_was_sent_back(tmp_path):
    sample = Browsing(tmp_path, {PAGE: page(http_status=403)}, fail(), fail("access_denied"))
    outcome = sample.run()
    assert (outcome.status, outcome.kind, outcome.broken) == ("failed", "access_denied", False)


@pytest.mark.parametrize(
    ("seen", "kind", "broken"),
    [
        (login(), "access_denied", True),
        (login(), "not_found", True),
        (login(PAGE), "access_denied", False),
        (login(region="banner"), "access_denied", False),
        (page("Locked", url=OTHER), "access_denied", False),
    ],
)
@pytest.mark.parametrize("url", [PAGE, ""], ids=["own address", "start"])
def test_a_login_in_place_of_the_page_says_nothing_of_the_sample(tmp_path, seen, kind, broken, url):
    outcome = Browsing(tmp_path, {PAGE: seen}, fail(kind), url=url).run()
    assert (outcome.status, outcome.broken) == ("failed", broken)
    assert (f"its page led to a login ({LOGIN})" in outcome.reason) is broken
    assert outcome.kind == ("other" if broken else kind)


def test_what_was_saved_before_a_server_failed_is_known(tmp_path):
    sample = Browsing(tmp_path, {PAGE: page(http_status=429)}, [save(name="Ann")], fail("blocked"))
    outcome = sample.run()
    assert (outcome.broken, outcome.extracted) == (True, {"name": "Ann"})
    assert outcome.reason == "it says so; its server answered HTTP 429"


GONE, MOVED = page("no such record", http_status=404), page("Home", url=OTHER, http_status=200)


@pytest.mark.parametrize("own", [GONE, MOVED])
@pytest.mark.parametrize("way", [[], [goto(OTHER)], [goto(SEARCH)], [LOOK, goto(SEARCH)]])
def test_a_missing_record_is_reported_from_whatever_page_says_so(tmp_path, own, way):
    sample = Browsing(tmp_path, {PAGE: own}, *way, fail())
    outcome = sample.run()
    assert (sample.refusals(), outcome.kind, outcome.status) == ([], "not_found", "failed")
    assert sample.here in pictures(sample) or not way
    assert (PAGE in pictures(sample)) >= (own is GONE), "the first page answered with an error"


@pytest.mark.parametrize(
    ("status", "kind", "ending"),
    [
        (503, "not_found", "failed True"),
        (503, "other", "failed True"),
        (403, "not_found", "needs_review False"),
        (403, "other", "failed False"),
    ],
)
def test_what_the_own_page_answered_counts_on_other_pages_too(tmp_path, status, kind, ending):
    own = page("Sorry", http_status=status)
    outcome = Browsing(tmp_path, {PAGE: own}, LOOK, goto(OTHER), fail(kind)).run()
    assert f"{outcome.status} {outcome.broken}" == ending
