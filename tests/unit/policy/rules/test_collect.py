"""Walking a listing: which links are collected, how the list goes on, and when the walk ends."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from rules_audit import Audit, control, link, page, row, value

from pytest_bwa.agent.progress import deep_merge
from pytest_bwa.audit.discovery import ENTRIES
from pytest_bwa.steps.step import Action, Box, Element, LabelledValue, Observation

FIELDS = {"samples": ENTRIES, "total": "integer | null"}
MAIN = {"regions": ("main",)}


class Walk(Audit):
    """Joins what is saved, and takes every move for one that changed the page, as the loop does."""

    def act(self, observation: Observation, **more: Any) -> Action:
        before = dict(self.collected)
        decided = self.decide(observation)
        is_move = decided.action in ("goto", "click", "scroll")
        action = super().act(observation, changed=is_move, **more)
        if action.action == "save_progress":
            self.collected = deep_merge(before, action.extracted or {})
        return action


def walk(**discover: Any) -> Walk:
    spec = {"phase": "discovery", "discover": discover, "keywords": []}
    return Walk(FIELDS, spec=spec, max_steps=60)


def card(name: str, path: str, *others: LabelledValue) -> list[LabelledValue]:
    """An entry of a list that is called what its first link is called."""
    return row(name, link(name, path), *others, **MAIN)


def members(*names: str) -> list[LabelledValue]:
    return [v for name in names for v in card(name, f"/members/{name.lower()}")]


def listing(*parts: Any, path: str = "/orgs/x/members", **more: Any) -> Observation:
    return page(path, "Members", *parts, **more)


def paged(n: int, *names: str) -> Observation:
    onward = link("Next", f"/orgs/x/members?page={n + 1}")
    return listing(*members(*names), onward, path=f"/orgs/x/members?page={n}")


def urls(audit: Walk) -> list[str]:
    return [entry["url"].removeprefix("https://x.org") for entry in audit.collected["samples"]]


def test_the_links_by_which_the_entries_are_called_are_collected_and_nothing_else():
    audit = walk()
    entries = {"Ada": "ledger", "Bo": "portal", "Cy": "ledger"}
    shown = listing(
        *(v for name, team in entries.items() for v in card(
            name, f"/members/{name.lower()}", link(team, f"/teams/{team}"),
            link("+", f"/members/{name.lower()}/follow"),
        )),
        *row("Eve", link("Eve", "/members/eve"), regions=("main", "complementary")),
        *row("Sue", link("Sue", "/members/sue"), regions=("navigation",)),
        link("the founder", "/members/zoe", **MAIN),
    )  # fmt: skip
    assert audit.names(shown, 2) == ["screenshot", "save_progress"]
    assert urls(audit) == ["/members/ada", "/members/bo", "/members/cy"]
    assert [e["sample_id"] for e in audit.collected["samples"]] == ["ada", "bo", "cy"]


def two_lists(*names: str) -> Observation:
    repositories = [v for n in "123" for v in card(f"Repo {n}", f"/repos/{n}")]
    return listing(*members(*names), *repositories)


def test_with_two_plausible_lists_it_is_silent_and_names_them():
    end = walk().end(two_lists("Ada", "Bo", "Cy"))
    assert end.action == "fail"
    assert "/members/* (3 links), /repos/* (3 links)" in end.note


@pytest.mark.parametrize("spec", [{"discover": {"links": "/repos/*"}}, {"keywords": ["repos"]}])
def test_the_spec_can_name_the_list(spec):
    audit = Walk(FIELDS, spec={"phase": "discovery", **spec})
    audit.names(two_lists("Ada", "Bo", "Cy"), 2)
    assert urls(audit) == ["/repos/1", "/repos/2", "/repos/3"]


def test_a_form_that_the_spec_names_counts_for_two_entries_and_without_a_list():
    audit = walk(links="/item?id=*")
    audit.names(listing(link("One", "/item?id=1&from=list"), link("Two", "/item?id=2")), 2)
    assert urls(audit) == ["/item?id=1&from=list", "/item?id=2"]


def test_two_entries_without_a_named_form_are_no_list():
    assert "no list of links was found" in (walk().end(listing(*members("Ada", "Bo"))).note or "")


def test_pages_are_turned_until_there_is_no_next_one_and_each_entry_is_kept_once():
    audit = walk()
    first = listing(
        *members("Ada", "Bo", "Cy"),
        value("members", "4", "count"),
        link("Next", "/orgs/x/members?page=2"),
    )
    assert audit.names(first, 3) == ["screenshot", "save_progress", "goto"]
    last = listing(*members("Dan", "Ada", "Bo"), path="/orgs/x/members?page=2")
    assert audit.names(last, 2) == ["screenshot", "save_progress"]
    saved = audit.history[-1].params["extracted"]["samples"]
    assert [entry["url"] for entry in saved] == ["https://x.org/members/dan"]
    assert audit.act(last).action == "done"


def test_the_pages_own_count_is_kept():
    audit = walk()
    audit.names(listing(*members("Ada", "Bo", "Cy"), value("members", "1,204", "count")), 2)
    assert audit.collected["total"] == 1204


def test_the_next_page_is_found_in_any_language_if_the_page_says_which_it_is():
    audit = walk()
    onward = value("next", "", "next", url="https://x.org/orgs/x/members/page/2")
    shown = listing(*members("Ada", "Bo", "Cy"), link("Weiter", "/orgs/x/members/page/2"), onward)
    audit.names(shown, 2)
    assert audit.act(shown).url == "https://x.org/orgs/x/members/page/2"


def test_a_page_without_a_new_entry_ends_the_walk_although_it_has_a_next_page():
    audit = walk()
    audit.names(paged(1, "Ada", "Bo", "Cy"), 3)
    assert audit.end(paged(2, "Ada", "Bo", "Cy")).action == "done"


def test_an_endless_pagination_ends_at_the_limit_and_says_so():
    audit = walk(max_pages=2)
    audit.names(paged(1, "Ada", "Bo", "Cy"), 3)
    assert "after 2 pages, the limit" in (audit.end(paged(2, "Dan", "Eli", "Fay")).note or "")
    audit = walk(max_samples=3)
    assert "after 3 samples, the limit" in (audit.end(paged(1, "Ada", "Bo", "Cy")).note or "")


def test_of_a_list_that_is_asked_for_in_part_only_the_first_entries_are_kept():
    audit = walk(first=4)
    audit.names(paged(1, "Ada", "Bo", "Cy"), 3)
    assert audit.end(paged(2, "Dan", "Eli", "Fay")).action == "done"
    assert [e["text"] for e in audit.collected["samples"]] == ["Ada", "Bo", "Cy", "Dan"]


def test_a_busy_page_is_opened_again_and_then_given_up_as_incomplete():
    audit = walk()
    audit.names(paged(1, "Ada", "Bo", "Cy"), 3)
    busy = listing(path="/orgs/x/members?page=2", status=429)
    end = audit.end(busy)
    assert [step.action for step in audit.history].count("goto") == 5, "with the first page"
    assert (end.action, end.kind) == ("fail", "blocked")
    assert "incomplete" in (end.note or "")


@pytest.mark.parametrize(
    ("shown", "kind"),
    [
        (listing(status=500), "other"),
        (listing(status=401), "access_denied"),
        (listing(status=403), "access_denied"),
        (listing(status=404), "other"),  # never not_found, which a spec may take for an answer
        (
            page("/login", "Sign in", control(0, "textbox", "Password", states=("password",))),
            "access_denied",
        ),
    ],
)
def test_a_page_that_is_closed_later_makes_the_list_incomplete(shown, kind):
    audit = walk()
    audit.names(paged(1, "Ada", "Bo", "Cy"), 3)
    end = audit.end(shown)
    assert "the list is incomplete" in (end.note or "")
    assert end.kind == kind


def test_a_growing_list_is_scrolled_to_its_end_and_kept_as_a_whole():
    audit, names = walk(), ["Ada", "Bo", "Cy"]
    assert audit.names(listing(*members(*names)), 3) == ["screenshot", "save_progress", "scroll"]
    for name in ("Dan", "Eli"):
        names.append(name)
        assert audit.act(listing(*members(*names))).action == "scroll"
    whole = listing(*members(*names))
    audit.history[-1] = audit.history[-1].model_copy(update={"success": False})
    assert audit.act(whole).action == "wait"
    audit.act(whole, success=False)
    assert audit.names(whole, 3) == ["screenshot", "save_progress", "done"]
    assert audit.history[-1].params["extracted"]["samples"][-1]["text"] == "Eli"


def test_a_list_that_drops_what_it_showed_is_not_called_complete():
    audit = walk()
    audit.names(listing(*members("Ada", "Bo", "Cy")), 3)
    assert "drops entries" in (audit.end(listing(*members("Dan", "Eli", "Fay"))).note or "")


def test_a_button_for_more_is_not_pressed_and_the_list_is_called_incomplete():
    audit = walk()
    more = control(3, "button", "Load more", place=value("", "", **MAIN).place)
    seen = listing(*members("Ada", "Bo", "Cy"), more)
    while (end := audit.decide(seen)).action != "fail":
        audit.act(seen, success=end.action != "scroll")
    assert "what “Load more” does at https://x.org/orgs/x/members is not certain: the list" in (
        end.note or ""
    )
    assert "click" not in {step.action for step in audit.history}


def below(name: str, y: float = 900) -> Element:
    return control(3, "button", name, place=value("", "", **MAIN).place, box=Box(0, y, 9, 9))


@pytest.mark.parametrize(
    ("parts", "is_named"),
    [
        ([below("Mehr laden")], True),
        ([below("Mehr laden"), value("members", "3", "count", **MAIN)], False),
        ([below("Filter", 5)], False),
    ],
)
def test_a_button_below_the_list_that_may_show_more_is_named(parts, is_named):
    entries = [replace(v, box=Box(0, 100, 9, 9)) for v in members("Ada", "Bo", "Cy")]
    audit, seen = walk(), listing(*entries, *parts)
    while (end := audit.decide(seen)).action != "done":
        audit.act(seen, success=end.action != "scroll")
    assert ("“Mehr laden”" in (end.note or "")) == is_named
