"""Finding a sample that has no address: by a link of its name, a search, or the pages of a list."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from rules_audit import SITE, Audit, control, link, page, row, value

from pytest_bwa.steps.step import LabelledValue, Observation

MARIA = "Maria Garcia"
SEARCH = value("Search", "", "search", url=f"{SITE}/people?kind=1&q=%7B%7D")


def of_maria(name: str = MARIA, **more: Any) -> Audit:
    columns = {"name": name, **more.pop("columns", {})}
    return Audit({"team": "string"}, columns=columns, **more)


def next_page(seen: Observation, audit: Audit | None = None) -> str | None:
    """The path that is opened next, or None."""
    url = (audit or of_maria()).act(seen).url
    return url.removeprefix(SITE) if url else None


def why(seen: Observation, audit: Audit) -> tuple[str, str | None]:
    end = audit.end(seen)
    assert end.action == "fail"
    return end.note or "", end.kind


# -- links of the name ---------------------------------------------------------------------------


def test_the_link_of_the_samples_name_is_opened_and_its_page_read():
    audit = of_maria()
    assert next_page(page("/", "All", link("Mario", "/1"), link(MARIA, "/2")), audit) == "/2"
    profile = page("/2", MARIA, team="Core")
    assert audit.act(profile).action == "save_progress"
    assert audit.act(profile).extracted == {"team": "Core"}


@pytest.mark.parametrize("text", ["Maria", "Maria Garcias", "Garcia, Maria", "Ask Maria Garcia"])
def test_a_link_that_is_called_otherwise_is_not_opened(text):
    assert next_page(page("/", "All", link(text, "/2"))) is None


@pytest.mark.parametrize("path", ["https://y.org/2", "/2/delete", "mailto:maria@x.org"])
def test_a_link_of_the_name_that_leads_away_or_acts_is_not_opened(path):
    assert next_page(page("/", "All", link(MARIA, path))) is None


def test_links_around_the_content_are_no_entries():
    assert next_page(page("/", "All", link(MARIA, "/2", regions=("navigation",)))) is None


def test_two_links_to_one_page_are_one_entry():
    assert next_page(page("/", "All", link(MARIA, "/2/#pay"), link(MARIA, "/2"))) == "/2"


def test_of_two_of_one_name_none_is_opened():
    note, kind = why(page("/", "All", link(MARIA, "/1"), link(MARIA, "/2")), of_maria())
    assert note == f'ambiguous: 2 entries are called "{MARIA}" and nothing tells which'
    assert kind == "other"


def namesakes(*cities: str) -> Observation:
    rows = [row(MARIA, link(MARIA, f"/{n}"), value("City", c)) for n, c in enumerate(cities)]
    return page("/", "All", *(one for cells in rows for one in cells))


@pytest.mark.parametrize(
    ("cities", "opened"),
    [
        (("Oslo", "Rome"), "/1"),
        (("Oslo", "Oslo"), None),
        (("Rome", "Rome"), None),
        (("Oslo", "Romeo"), None),
    ],
)
def test_of_two_of_one_name_the_other_columns_tell_which(cities, opened):
    spec = {"input_schema": {"name": "string", "city": "string"}}
    audit = of_maria(columns={"city": "Rome"}, spec=spec)
    assert next_page(namesakes(*cities), audit) == opened


def test_an_entry_that_leads_to_somebody_else_is_opened_once_and_never_read():
    audit = of_maria()
    seen = page("/", "All", link(MARIA, "/2"))
    audit.act(seen)
    note, kind = why(page("/2", "Mario Garcia", team="Core"), audit)
    assert note == f'the page that "{MARIA}" led to does not name it: it says “Mario Garcia”'
    assert kind == "other"
    again = of_maria()
    again.act(seen)
    assert next_page(seen, again) is None


def test_a_row_of_the_sample_that_says_only_a_part_leads_to_its_page():
    audit = Audit({"team": "string", "city": "string"}, columns={"name": MARIA})
    cells = row(MARIA, value("Team", "Core", "table"), link(MARIA, "/2"))
    seen = page("/", "All", *cells)
    assert audit.act(seen).action == "save_progress"
    assert next_page(seen, audit) == "/2"
    back = replace(audit, history=list(audit.history))
    assert back.act(seen).action == "done", "its page leads back to the list"
    behind = page("/2", MARIA, city="Oslo")
    assert audit.act(behind).action == "save_progress"
    assert audit.act(behind).extracted == {"team": "Core", "city": "Oslo"}


def test_on_its_own_page_a_link_of_its_name_is_no_entry():
    audit = Audit({"team": "string", "city": "string"}, columns={"name": MARIA})
    profile = page("/2", MARIA, link(MARIA, "/2/photo"), team="Core")
    assert audit.names(profile, 2) == ["save_progress", "done"]


# -- searches ------------------------------------------------------------------------------------


def test_a_search_is_opened_as_an_address_and_only_once():
    audit = of_maria("Ann Ólafs & Co")
    seen = page("/people", "People", SEARCH)
    assert next_page(seen, audit) == "/people?kind=1&q=Ann%20%C3%93lafs%20%26%20Co"
    found = page("/people?q=Ann", "0 results", SEARCH)
    note, kind = why(found, audit)
    assert note == 'not found: the search names no "Ann Ólafs & Co"'
    assert kind == "not_found"


@pytest.mark.parametrize("address", ["https://y.org/?q=%7B%7D", f"{SITE}/subscribe?mail=%7B%7D"])
def test_a_form_that_leads_away_or_acts_is_no_search(address):
    assert next_page(page("/", "All", replace(SEARCH, url=address))) is None


def test_a_link_of_the_name_goes_before_a_search():
    assert next_page(page("/", "All", SEARCH, link(MARIA, "/2"))) == "/2"


# -- pages of a list -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (("»", "›"), "›"),
        (("1", "2", "Next"), "Next"),
        (("Older posts", "2"), "Older posts"),
        (("1", "2", "3"), "2"),
        (("«", "1", "Previous"), None),
        (("Next of kin", "Newer"), None),
    ],
)
def test_the_next_page_of_a_list_is_the_one_after_this(names, chosen):
    links = [link(name, f"/all?page={n + 2}") for n, name in enumerate(names)]
    opened = next_page(page("/all", "All", *links))
    assert opened == (f"/all?page={names.index(chosen) + 2}" if chosen else None)


def test_pages_are_turned_until_one_names_the_sample():
    audit = of_maria()
    first = page("/all", "All", link("2", "/all?page=2"), link("3", "/all?page=3"))
    assert audit.act(first, changed=True).url == f"{SITE}/all?page=2"
    second = replace(first, url=f"{SITE}/all?page=2")
    assert audit.act(second, changed=True).url == f"{SITE}/all?page=3"
    last = page("/all?page=3", "All", link(MARIA, "/2"))
    assert next_page(last, audit) == "/2"


def test_a_list_that_ends_without_the_sample_says_how_far_it_was_seen():
    audit = of_maria()
    audit.act(page("/all", "All", link("Next", "/all?page=2")), changed=True)
    note, kind = why(page("/all?page=2", "All"), audit)
    assert note == f'not found: the list (2 pages seen) names no "{MARIA}"'
    assert kind == "not_found"


@pytest.mark.parametrize(
    ("here", "path", "is_turned"),
    [
        ("/all", "/all?page=2", True),
        ("/all", "/all/page/2", True),
        ("/all/page/2", "/all/page/3", True),
        ("/all?q=1&start=25", "/all?start=50&q=1", True),
        ("/all", "/other?page=2", False),
        ("/all", "/all", False),
        ("/all", "/all#slide-2", False),
        ("/all", "https://y.org/all?p=2", False),
        ("/all", "/all?advance=1", False),
        ("/all", "/all?take=next", False),
        ("/all", "/all?page=2&take=7", False),
        ("/all?page=2", "/all?page=1", False),
    ],
)
def test_next_is_turned_only_if_it_changes_one_number(here, path, is_turned):
    assert next_page(page(here, "All", link("Next", path))) == (path if is_turned else None)


def test_what_the_page_itself_calls_the_next_one_may_have_any_query():
    onward = value("next", "", "next", url=f"{SITE}/all?after=b")
    assert next_page(page("/all", "All", onward)) == "/all?after=b"
    elsewhere = replace(onward, url=f"{SITE}/other?after=b")
    assert next_page(page("/all", "All", elsewhere)) is None


@pytest.mark.parametrize("name", ["Load more", "Next"])
def test_a_button_turns_no_page(name):
    assert of_maria().act(page("/all", "All", control(5, "button", name))).action == "fail"


def test_a_list_is_turned_twenty_times_at_most():
    audit = of_maria(max_steps=40)
    for n in range(1, 21):
        here = page(f"/all?page={n}", "All", link("Next", f"/all?page={n + 1}"))
        assert audit.act(here, changed=True).url == f"{SITE}/all?page={n + 1}"
    note, kind = why(page("/all?page=21", "All", link("Next", "/all?page=22")), audit)
    assert note == f'the list (21 pages seen) names no "{MARIA}" yet, and may go on'
    assert kind == "other", "whether it is on a later page is not known"


# -- samples that are not searched for -----------------------------------------------------------


@pytest.mark.parametrize(
    ("audit", "reason"),
    [(of_maria(asked="/1"), "to https://x.org/all, which does not show the record: it says “All”"),
     (Audit({"team": "string"}), "nothing says what pages call the sample")],
)  # fmt: skip
def test_a_sample_with_an_address_or_without_a_name_is_not_searched_for(audit, reason):
    seen: list[LabelledValue] = [SEARCH, link(MARIA, "/2"), link("Next", "/all?page=2")]
    note, kind = why(page("/all", "All", *seen), audit)
    assert reason in note
    assert kind == "other"


def test_where_a_dead_tab_leads_does_not_hide_that_the_record_was_there():
    audit = Audit({"owner": "string"}, sample_id="T-7", asked="/t/T-7")
    record = page("/t/T-7", "T-7", control(1, "tab", "People", unfolds=True))
    assert audit.act(record).action == "click"
    note, kind = why(page("/people", "Not found", status=404), audit)
    asked = f"{SITE}/t/T-7"
    assert note.startswith(f"{asked} has nothing certain, and leads to {SITE}/people, which")
    assert kind == "other"
    fresh = Audit({"owner": "string"}, sample_id="T-7", asked="/t/T-7")
    note, _ = why(page("/login", "Welcome"), fresh)
    assert note.startswith(f"{asked} leads to {SITE}/login, which")


@pytest.mark.parametrize("entry", ["Maria Garcia 7 tasks", "Team of Maria Garcia"])
def test_an_entry_that_has_the_name_among_other_words_may_be_the_sample(entry):
    """It is neither opened nor taken for a proof that there is none."""
    audit = of_maria()
    audit.act(page("/people", "People", SEARCH))
    note, kind = why(page(f"/people?kind=1&q={MARIA}", "1 found", link(entry, "/7")), audit)
    assert (kind, note) == (
        "other", f'the search has no entry called "{MARIA}", but “{entry}”'
    )  # fmt: skip


def test_a_search_that_led_back_to_the_list_does_not_say_that_there_is_none():
    go = value("Order code", "", "search", url=f"{SITE}/orders/go?code=%7B%7D")
    audit = of_maria()
    assert next_page(page("/orders/", "Orders", go), audit) == "/orders/go?code=Maria%20Garcia"
    note, kind = why(page("/orders/", "Orders", go), audit)
    assert (note, kind) == (f'not found: the list (1 page seen) names no "{MARIA}"', "other")


def test_an_entry_that_names_the_sample_in_a_column_is_no_proof_of_its_absence():
    cells = [value("Code", "AB-1", "table"), value("User", f"m@x.org {MARIA}", "table")]
    listed = [*row("AB-1", *cells), link("Next", "/orders?page=2")]
    note, kind = why(page("/orders", "Orders", *listed), of_maria())
    assert kind == "other"
    assert f"says “m@x.org {MARIA}”" in note


@pytest.mark.parametrize("text", [f"{MARIA} | Oslo | ←", f"{MARIA} | " + "long " * 30])
def test_a_row_that_names_the_sample_and_was_not_read_is_no_proof_of_its_absence(text):
    """Its list ends there, though it has a next page: no later one can say that there is none."""
    listed = control(3, "row", text.strip()), link("Next", "/people?page=2")
    note, kind = why(page("/people", "People", *listed), of_maria())
    said = text if len(text) <= 100 else f"{text[:100]}…"
    assert kind == "other"
    assert note == (
        f"a row says “{said}”, but it is not certain which column each of its cells belongs to"
    )


@pytest.mark.parametrize("text", [f"Ask {MARIA} | Oslo", f"↑ {MARIA} | Oslo"])
def test_a_row_that_has_the_name_among_other_words_says_nothing_of_it(text):
    listed = control(3, "row", text), link("Next", "/people?page=2")
    assert next_page(page("/people", "People", *listed)) == "/people?page=2"
