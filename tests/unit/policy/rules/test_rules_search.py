"""Samples without an address: searched for by name, never mistaken for a namesake."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rules_audit import SITE, Audit, control, page

from pytest_bwa.steps import LabelledValue, Observation

FIELDS = {"company": "string"}
BOX = control(1, "searchbox", "Search people")
BUTTON = control(2, "button", "Search")


def found(*people: tuple[str, str, str]) -> Observation:
    rows = []
    for n, (name, path, about) in enumerate(people):
        rows += [control(10 + 2 * n, "link", name, path), control(11 + 2 * n, "text", about)]
    return page("/people?q=x", "People", BOX, BUTTON, *rows)


def searched(**columns: str) -> Audit:
    """An audit that has typed the name and pressed the button."""
    spec = {"required_fields": ["company"]}
    audit = Audit(FIELDS, columns={"name": "Maria Garcia", **columns}, spec=spec)
    start = page("/people", "People", BOX, BUTTON)
    assert audit.act(start).action == "screenshot"
    typed = audit.act(start)
    assert (typed.action, typed.selector, typed.text) == ("type", "1", "Maria Garcia")
    assert audit.act(start).selector == "2"
    return audit


def opens(audit: Audit, seen: Observation, path: str) -> None:
    """The page is pictured, the entry at ``path`` opened, and its record read."""
    assert audit.act(seen).action == "screenshot"
    assert audit.act(seen).url == SITE + path
    profile = page(path, "Maria Garcia", company="Contoso")
    audit.act(profile)
    assert audit.act(profile).extracted == {"company": "Contoso"}


def test_the_one_match_is_opened_and_read():
    audit = searched()
    opens(
        audit, found(("Maria Garcia", "/p/1", "Lawyer"), ("Mario Garcia", "/p/2", "Cook")), "/p/1"
    )


def test_a_name_with_more_behind_a_mark_is_the_name():
    audit = searched()
    results = found(("Maria Garcia · Lawyer", "/p/1", ""), ("Maria Garcia-Lopez", "/p/2", ""))
    audit.act(results)
    assert audit.act(results).url == "https://x.org/p/1"


NAMESAKES = (("Maria Garcia", "/p/1", "at Contoso"), ("Maria Garcia", "/p/2", "at Tailspin"))


def test_a_namesake_is_told_by_another_column():
    audit = searched(company="Tailspin")
    audit.act(found(*NAMESAKES))
    assert audit.act(found(*NAMESAKES)).url == "https://x.org/p/2"


@pytest.mark.parametrize("columns", [{}, {"company": "Fabrikam"}, {"city": "o"}])
def test_nobody_is_chosen_where_nothing_decides(columns):
    audit = searched(**columns)
    audit.act(found(*NAMESAKES))
    failed = audit.act(found(*NAMESAKES))
    assert failed.action == "fail"
    assert "ambiguous" in failed.note


def test_the_only_match_is_refused_where_its_page_contradicts_the_list():
    audit = searched(company="Tailspin")
    one = found(("Maria Garcia", "/p/1", "Lawyer"))
    audit.act(one)
    audit.act(one)
    profile = page("/p/1", "Maria Garcia", company="Contoso")
    audit.act(profile)
    failed = audit.act(profile)
    assert failed.action == "fail"
    assert '"Contoso"' in failed.note
    assert '"Tailspin"' in failed.note


def test_nobody_of_the_name_is_said():
    audit = searched()
    audit.act(found())
    assert "no match" in audit.act(found()).note


def test_a_search_that_opens_the_profile_by_itself_is_read():
    audit = searched()
    profile = page("/p/1", "Maria Garcia", company="Contoso")
    audit.act(profile)
    assert audit.act(profile).action == "done"


@pytest.mark.parametrize("path", ["/users/maria-garcia", "/find?q=Maria%20Garcia"])
def test_a_page_that_is_the_samples_own_is_not_searched(path):
    audit = Audit(FIELDS, columns={"name": "Maria Garcia"}, spec={"required_fields": ["company"]})
    seen = page(path, "Maria", BOX, BUTTON)
    assert audit.names(seen, 2) == ["screenshot", "fail"]


# -- lists without a search ----------------------------------------------------------------------


def listed(*links: tuple[str, str], text: str = "") -> Observation:
    rows = [control(10 + n, "link", name, path) for n, (name, path) in enumerate(links)]
    return page("/", "Vendors", *rows, control(90, "text", text))


def from_list(**columns: str) -> Audit:
    spec = {"required_fields": ["company"], "keywords": ["vendor"]}
    return Audit(FIELDS, columns=columns, spec=spec)


def test_the_link_of_the_samples_name_is_followed_before_any_other():
    audit = from_list(name="Maria Garcia")
    start = listed(("Vendor help", "/help"), ("Mario Garcia", "/p/1"), ("Maria Garcia", "/p/2"))
    opens(audit, start, "/p/2")


def test_a_list_of_ids_is_followed_by_the_sample_id():
    audit = from_list()
    audit.sample_id = "ENG-7"
    start = listed(("ENG-6", "/p/1"), ("ENG-7", "/p/2"))
    assert audit.act(start).action == "screenshot"
    assert audit.act(start).url == "https://x.org/p/2"
    audit = from_list()
    audit.sample_id = "2"
    assert audit.names(listed(("1", "/"), ("2", "/?page=2")), 2) == ["screenshot", "fail"]


def test_on_the_page_that_was_chosen_nothing_is_searched():
    audit = from_list(name="Maria Garcia")
    opens_at = listed(("Maria Garcia", "/p/2"))
    audit.act(opens_at)
    audit.act(opens_at)
    profile = page("/p/2", "Maria Garcia", control(1, "searchbox", "Search metrics"))
    assert audit.names(profile, 2) == ["screenshot", "goto"], "back to the list, if anything"


def test_of_namesakes_in_a_list_none_is_followed_unless_a_column_tells():
    links = (("Maria Garcia", "/p/1"), ("Maria Garcia", "/p/2"))
    audit = from_list(name="Maria Garcia")
    audit.act(listed(*links))
    assert 'ambiguous: 2 entries are called "Maria Garcia"' in audit.act(listed(*links)).note
    audit = from_list(name="Maria Garcia", city="Oslo")
    start = listed(*links, text="at Oslo")
    assert audit.act(start).action == "screenshot"
    assert audit.act(start).url == "https://x.org/p/2"


def test_of_namesakes_in_a_table_the_row_tells_which():
    audit = from_list(name="Maria Garcia", country="Chile")
    cells = [
        LabelledValue("Name", "Maria Garcia", "table", row=f"Maria Garcia | {c}", url=f"{SITE}/{c}")
        for c in ("Peru", "Chile")
    ]
    # In the tree a row stands before its links, so that a link is followed by the next row.
    rows = [control(10, "row", "Maria Garcia | Peru"), control(11, "link", "Maria Garcia", "/Peru")]
    rows += [control(12, "row", "Maria Garcia | Chile")]
    rows += [control(13, "link", "Maria Garcia", "/Chile")]
    start = replace(page("/", "Vendors", *rows), labelled=tuple(cells))
    assert audit.act(start).action == "screenshot"
    assert audit.act(start).url == f"{SITE}/Chile"


def test_a_listed_page_that_contradicts_the_list_is_refused():
    audit = from_list(name="Maria Garcia", company="Tailspin")
    start = listed(("Maria Garcia", "/p/1"))
    audit.act(start)
    audit.act(start)
    profile = page("/p/1", "Maria Garcia", company="Contoso")
    audit.act(profile)
    assert "ambiguous" in audit.act(profile).note


def test_a_page_that_never_names_the_sample_is_not_its_answer():
    audit = from_list(name="Maria Garcia")
    seen = page("/", "Vendors", company="Contoso")
    audit.act(seen)
    failed = audit.act(seen)
    assert failed.action == "fail"
    assert 'nothing that was seen names "Maria Garcia"' in failed.note
    number = from_list(name="5")
    assert number.names(seen, 2) == ["screenshot", "done"], "a number need not be a name"
    named = from_list(name="Maria Garcia")
    seen = page("/", "Vendors", company="Contoso", contact="Garcia, Maria")
    assert named.names(seen, 2) == ["screenshot", "done"]


def test_nothing_is_kept_of_a_page_that_does_not_name_the_sample():
    spec = {"required_fields": ["company", "owner"]}
    audit = Audit({**FIELDS, "owner": "string"}, columns={"name": "Maria Garcia"}, spec=spec)
    seen = page("/", "Vendors", control(1, "link", "Owners", "/all"), company="Contoso")
    assert audit.names(seen, 2) == ["screenshot", "goto"]
    audit = Audit({**FIELDS, "owner": "string"}, columns={"name": "Vendors"}, spec=spec)
    assert audit.names(seen, 2) == ["screenshot", "save_progress"]


def test_a_filter_of_the_navigation_is_no_search():
    audit = Audit(FIELDS, columns={"name": "Maria Garcia"}, spec={"required_fields": ["company"]})
    filtering = control(3, "searchbox", "Filter navigation items")
    seen = page("/people", "People", filtering, BOX, BUTTON)
    audit.act(seen)
    assert audit.act(seen).selector == "1"


@pytest.mark.parametrize(
    ("name", "said", "named"),
    [
        ("Slow search", "#4: defect: Slow search (closed: fixed)", True),
        ("Slow search", "[ENG-4] Slow search", True),
        ("Slow search", "Slow search in reports", False),
        ("#2", "#2", True),
        ("#2", "2", False),
    ],
)
def test_a_number_in_front_of_a_links_name_is_none_of_it(name, said, named):
    audit = from_list(ticket=name)
    audit.goal = f"Read {name}"
    audit.act(listed((said, "/t/4")))
    assert (audit.act(listed((said, "/t/4"))).url == f"{SITE}/t/4") is named


@pytest.mark.parametrize(
    ("names", "turned", "chosen"),
    [
        (("»", "›"), 0, "›"),
        (("1", "2", "Next"), 0, "Next"),
        (("1", "2", "3"), 0, "2"),
        (("1", "2", "3"), 1, "3"),
        (("", "1"), 0, None),
    ],
)
def test_the_next_page_of_a_list_is_the_one_after_this(names, turned, chosen):
    steps = [control(n, "link", name, "/list?page=x") for n, name in enumerate(names)]
    rows = [LabelledValue("Team", "Core", "table", row=f"{n} | Core") for n in range(2)]
    seen = replace(page("/list", "List", *steps), labelled=tuple(rows))
    audit = Audit(FIELDS, columns={"name": "Maria Garcia"})
    audit.act(seen)
    for _ in range(turned):
        audit.act(seen, changed=True)
    action = audit.act(seen)
    assert action.selector == (str(names.index(chosen)) if chosen else None)
