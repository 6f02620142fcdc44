"""Which elements survive a cut, and what the list says about itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_bwa.page.perception.gaps import cut_line, gaps_in
from pytest_bwa.page.perception.prune import MAX_NODES, Node, choose, choose_around
from pytest_bwa.page.perception.rows import without_repeats
from pytest_bwa.page.perception.task_words import TaskWords, words_of
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.observation import Element, Observation
from pytest_bwa.steps.step import Place

GOAL = "Open the release notes of the project and report the licence."


def node(number: int, name: str, role: str = "text", **changes: object) -> Node:
    box, states = (0.0, 0.0, 1.0, 1.0), ()
    plain = Node((0, number), role, name, None, states, None, box, True, "", Place(), "", False)
    return replace(plain, **changes)  # type: ignore[arg-type]


def names(nodes: list[Node], words: TaskWords = TaskWords()) -> list[str]:  # noqa: B008 - frozen
    return [n.name for n in choose(nodes, words)]


def test_links_that_the_goal_names_are_never_cut():
    words = TaskWords(goal=GOAL)
    plain = [node(n, f"Entry {n}") for n in range(MAX_NODES)]
    hidden = {"in_viewport": False, "url": "/notes"}
    links = [
        node(500, "Release notes", "link", **hidden),
        node(501, "Release", "link", landmark="navigation", in_viewport=False, url="/r"),
        node(502, "Notes of 2019", "link", **hidden),
    ]
    kept = names([*plain, *links], words)
    assert {"Release notes", "Release", "Notes of 2019"} <= set(kept), "no link is cut"
    many = [node(n, "Licence", "link", url=f"/{n}") for n in range(MAX_NODES + 30)]
    assert len(choose(many, words)) == MAX_NODES + 30
    repeats = [node(n, "Licence", "link", url="/1") for n in range(MAX_NODES + 30)]
    assert len(choose(repeats, words)) == MAX_NODES


def test_controls_that_the_goal_names_and_the_text_fields_of_a_header_are_never_cut():
    words = TaskWords(goal="Look under Payments, then press “Close case” and edit it.")
    around = {"landmark": "banner", "place": Place(regions=("banner",))}
    buttons = [node(n, f"Entry {n}", "button") for n in range(MAX_NODES * 2)]
    menu = [node(300 + n, f"Menu {n}", "link", url=f"/{n}", **around) for n in range(40)]
    far = [
        node(400, "Pay\u00adments (3)", "tab", in_viewport=False),
        node(401, "Close case", "button", in_viewport=False),
        node(402, "Search", "textbox", **around),
        *(node(410 + n, "Edit", "button", in_viewport=False) for n in range(90)),
    ]
    kept = names([*menu, *buttons, *far], words)
    assert {"Pay\u00adments (3)", "Close case", "Search"} <= set(kept)
    assert "Edit" not in kept, "which every row has"


def test_what_the_sample_and_the_fields_speak_of_comes_before_the_rest():
    task = TaskSpec(
        task_id="t", goal="Report it.", output_schema={"due_date": "string"}, secrets=["pin"]
    )
    columns = {"sample_id": "1", "ticket": "REQ-77", "pin": "<secret:pin>"}
    words = words_of(task, Sample("1", columns, secrets={"pin": "4711"}))
    rows = [node(n, f"Row {n}", in_viewport=n < MAX_NODES) for n in range(300)]
    far = [node(500 + i, name, in_viewport=False) for i, name in enumerate(
        ("Due date: 1 May", "Ticket REQ-77", "Pin 4711"))]  # fmt: skip
    kept = names([*rows, *far], words)
    assert "Due date: 1 May" in kept
    assert "Ticket REQ-77" in kept
    assert "Pin 4711" not in kept, "a secret of the sample is no word of the task"


def test_headings_and_links_survive_before_plain_repeats():
    repeats = [node(n, "–") for n in range(MAX_NODES * 2)]
    far = [node(500, "Licence", "heading", in_viewport=False), node(501, "Fork", "link", url="/f")]
    assert names([*repeats, *far])[-2:] == ["Licence", "Fork"]
    buttons = [node(n, "Like", "button") for n in range(MAX_NODES)]
    kept = names([*buttons, *far])
    assert (len(kept), kept[-2:]) == (MAX_NODES, ["Licence", "Fork"])


def test_what_can_be_acted_on_stays_and_texts_take_the_room_that_is_left():
    """They are spread over a long page, between texts in view."""
    links = [
        node(n, f"Entry {n}", "link", url=f"/{n}", in_viewport=n < 20) for n in range(0, 800, 8)
    ]
    texts = [node(n, f"Text {n}", in_viewport=n < 400) for n in range(800) if n % 8 > 4]
    item = node(801, "Open me", "clickable", in_viewport=False)
    due = [node(802 + n, f"Due date {n}", in_viewport=False) for n in range(40)]
    task = TaskSpec(task_id="t", goal="g", output_schema={"due_date": "string"})
    words = words_of(task, Sample("1", {"sample_id": "1"}))
    nodes = sorted([*links, *texts, item], key=lambda n: n.ref)
    kept = choose(nodes, words)
    assert len(kept) == MAX_NODES
    assert set(kept) > {*links, item}
    assert kept == sorted(kept, key=lambda n: n.ref)
    kept = choose([*links, *texts, item, *due], words)
    assert set(kept) > {*links, item}
    assert sum(n in kept for n in due) >= 30


def test_if_too_much_can_be_acted_on_the_words_of_the_task_decide_and_texts_keep_a_third():
    links = [node(n, f"Entry {n}", "link", url=f"/{n}", in_viewport=n < 200) for n in range(300)]
    texts = [node(400 + n, f"Text {n}", in_viewport=False) for n in range(100)]
    item = node(600, "Open me", "clickable", in_viewport=False)
    named = node(601, "Invoices of the year", "link", url="/i", in_viewport=False)
    nodes = [*links, *texts, item, named]
    kept = choose(nodes, TaskWords(keywords=["invoice"]))
    assert len(kept) == MAX_NODES
    assert {item, named} <= set(kept)
    assert sum(n.role == "text" for n in kept) == MAX_NODES // 3
    line = cut_line(nodes, {n.ref for n in kept}, 0)
    assert line.startswith("120 of 402 elements. Not listed")
    assert "60 texts, 222 links" in line


def test_texts_survive_before_the_nameless_cells_of_a_grid():
    cells = [node(n, "", "link", url=f"/runs/{n}") for n in range(MAX_NODES)]
    icons = [node(300 + n, "", "clickable", states=("icon: trash",)) for n in range(20)]
    texts = [node(400 + n, f"Value {n}", in_viewport=False) for n in range(80)]
    kept = choose([*cells, *icons, *texts], TaskWords())
    assert [n for n in kept if n.role == "text"] == texts
    assert [n for n in kept if n.role == "clickable"] == icons
    assert sum(n.role == "link" for n in kept) == MAX_NODES - len(texts) - len(icons)


def test_a_text_after_another_label_is_no_repeat():
    far = [node(n, f"Line {n}", in_viewport=False) for n in range(MAX_NODES)]
    said = ["Owner", "Ada", "Approver", "Ada", "–", "–", "–", "–"]
    kept = names([*far, *(node(500 + n, name) for n, name in enumerate(said))])
    assert kept[-6:] == ["Owner", "Ada", "Approver", "Ada", "–", "–"]


def test_a_header_after_the_menu_is_the_one_of_a_record_and_listed_whole():
    menu = [node(n, name, "button") for n, name in enumerate("ABCDE")]
    place = Place(regions=("banner",))
    crumbs = Place(regions=("banner", "navigation"))
    header = [
        node(20, "Runs", "link", url="/runs", landmark="navigation", place=crumbs),
        node(21, "Cancelled", landmark="banner", place=place),
        node(22, "prod", "link", url="/prod", landmark="banner", place=place),
    ]
    rest = [node(30 + n, f"Entry {n}") for n in range(50)]
    assert {"Runs", "Cancelled", "prod"} <= set(names([*menu, *header, *rest]))
    # The site's own header begins the page, after links to skip it, or stands beside its menu: only
    # a few controls of it are listed.
    in_nav = [replace(n, landmark="navigation", place=Place(regions=("navigation",))) for n in menu]
    in_frame = [replace(n, place=Place(frame="https://a.org")) for n in menu]
    for before in ([], menu[:4], in_nav, in_frame):
        assert not {"Runs", "Cancelled"} & set(names([*before, *header, *rest]))
    many = [node(100 + n, f"{n}", landmark="banner", place=place) for n in range(40)]
    assert "Cancelled" not in names([*menu, *header, *many, *rest])


@pytest.mark.parametrize("role", ["alert", "status"])
@pytest.mark.parametrize("landmark", ["", "banner", "contentinfo"])
def test_what_the_site_says_of_the_last_action_is_always_listed(role, landmark):
    plain = [node(n, f"Entry {n}", "link", url=f"/{n}") for n in range(MAX_NODES * 2)]
    message = node(900, "Modified device rtm-db-01", role, landmark=landmark, in_viewport=False)
    assert names([*plain, message])[-1] == "Modified device rtm-db-01"
    marks = [replace(message, ref=(0, 1000 + n), name=f"Mark {n}") for n in range(30)]
    assert not any(name.startswith("Mark") for name in names([*plain, *marks])), "one for each row"


def test_the_list_says_what_kinds_are_missing():
    listed = [node(0, "A"), node(1, "B", "link")]
    nav = [node(10 + n, f"P{n}", "link", landmark="navigation") for n in range(43)]
    boxes = [node(60, "Q", "searchbox"), node(61, "R", "searchbox", in_viewport=False)]
    refs = {n.ref for n in listed}
    assert cut_line(listed, refs, 0) == ""
    assert cut_line([*listed, *nav], refs, 0) == (
        "2 of 45 elements. Not listed: 43 links in the navigation. Find a text to reach them."
    )
    assert cut_line([*listed, *nav, *boxes], refs, 7) == (
        "2 of 54 elements. Not listed, 8 of them out of view: 2 searchboxes, "
        "43 links in the navigation, 7 others. Scroll, or find a text, to reach them."
    )


def test_what_is_missing_of_the_content_is_named_before_what_all_pages_have():
    many = [
        *(node(10 + n, f"P{n}", "button", landmark="navigation") for n in range(17)),
        *(node(40 + n, f"L{n}", "link", landmark="contentinfo") for n in range(7)),
        *(node(50 + n, f"M{n}", "link") for n in range(6)),
        *(node(60 + n, f"T{n}") for n in range(2)),
        node(70, "H", "heading"),
        *(node(80 + n, f"R{n}", "row", landmark="") for n in range(3)),
    ]
    assert "Not listed: 3 table rows, 1 heading, 2 texts, 6 links, 17 buttons in the nav" in (
        cut_line(many, set(), 0)
    )


def test_a_few_links_of_the_navigation_are_named():
    """They may be the tabs of the record, on the only pages that have its values."""
    called = ["Summary", "Financials", "Financials"]
    tabs = [node(n, name, "link", landmark="navigation") for n, name in enumerate(called)]
    assert cut_line([node(9, "A"), *tabs], {(0, 9)}, 0) == (
        '1 of 4 elements. Not listed: 3 links in the navigation ("Summary", "Financials"). '
        "Find a text to reach them."
    )


def test_a_complete_list_says_so():
    element = Element(0, (0, 0), "text", "A")
    lines = Observation(url="/", title="", elements=(element, element)).lines()
    assert lines[-1] == "2 elements, all."
    assert Observation(url="/", title="").lines() == []


def test_the_paging_of_a_list_is_kept_and_the_menu_of_the_site_is_not():
    inside = {"landmark": "navigation"}
    paging = [
        node(n, name, "button", **inside)
        for n, name in enumerate(["Back one", "Go to page 1", "page 2", "Go to page 3", "On one"])
    ]
    assert len(names(paging)) == 5
    menu = [node(20 + n, name, "link", **inside) for n, name in enumerate(["News 3", "Mail 12"])]
    entries = [node(40 + n, "Entry") for n in range(60)]
    assert set(names([*paging, *entries, *menu])[5:]) == {"Entry"}
    archive = [node(30 + n, f"Year {1990 + n}", "link", **inside) for n in range(30)]
    assert names([node(10, "Entry"), *archive]) == ["Entry"]


def test_a_small_page_lists_the_texts_and_a_few_buttons_of_its_header_and_footer():
    around = [
        node(500, "Client: Harbour AG", landmark="banner"),
        node(501, "Publish", "button", landmark="banner"),
        node(502, "Home", "link", landmark="navigation"),
        node(503, "Valid until 3 May", landmark="contentinfo"),
        node(504, "Language", "combobox", landmark="contentinfo"),
    ]
    few, many = ([node(n, f"Entry {n}") for n in range(count)] for count in (9, 60))
    assert names([*few, *around])[9:] == [n.name for n in around]
    assert names([*many, *around])[60:] == ["Publish"]
    menu = [node(600 + n, x, "button", landmark="navigation") for n, x in enumerate("ABCDEFGHIJK")]
    assert names([*few, *menu, node(700, "© Us", landmark="contentinfo")])[9:] == ["© Us"]
    header = [node(800 + n, x, "button", landmark="banner") for n, x in enumerate(["Save", "Back"])]
    assert names([*many, *menu, *header])[60:] == ["Save", "Back"], "a menu does not count for them"
    title = node(900, "Contract 7", "heading", landmark="banner", states=("level=1",))
    brand = node(901, "Our site", "text", landmark="banner")
    assert names([*many, *menu, brand, title])[60:] == ["Contract 7"]
    assert names(around[2:]) == [], "a page that shows nothing of its own is as good as empty"
    assert choose_around(around) == around


ICON = {"states": ("icon: add",)}


def test_a_few_links_of_a_header_and_what_shows_only_an_icon_are_listed_with_its_buttons():
    """The link that makes a new record may be one, and without a text nothing can find it."""
    entries = [node(n, f"Entry {n}") for n in range(70)]
    new = node(500, "", "link", url="/risks/+", landmark="banner", **ICON)
    header = [node(501, "Risks", "link", url="/risks", landmark="banner"), new]
    assert choose([*header, *entries], TaskWords())[:2] == header
    menu = [node(600 + n, f"M{n}", "link", url=f"/{n}", landmark="banner") for n in range(20)]
    assert choose([*menu, new, *entries], TaskWords())[:1] == [new]
    module = replace(new, landmark="navigation")
    assert choose([module, *entries], TaskWords())[:1] == [module]
    icons = [replace(module, ref=(0, 700 + n)) for n in range(20)]
    assert choose([*icons, *entries], TaskWords()) == entries


def test_a_small_page_leaves_out_no_control_of_few():
    icons = [node(10 + n, "", "clickable", landmark="navigation", **ICON) for n in range(5)]
    links = [node(20 + n, x, "link", landmark="navigation") for n, x in enumerate("ABCDEFG")]
    header = [node(30 + n, f"B{n}", "button", landmark="banner") for n in range(8)]
    page = [*icons, *links, *header, *(node(100 + n, f"Entry {n}") for n in range(20))]
    assert choose(page, TaskWords()) == page
    more = [node(200 + n, f"More {n}") for n in range(40)]
    assert choose([*page, *more], TaskWords())[0] == header[0]


def test_a_link_that_is_not_listed_is_named_by_its_icon():
    icon = node(1, "", "link", landmark="navigation", **ICON)
    assert "1 link in the navigation (icon: add)." in cut_line([node(9, "A"), icon], {(0, 9)}, 0)


def test_a_list_says_where_something_is_left_out_in_between():
    """A ticket of two rows stood before the second row of another one, whose first was left out."""
    page = [
        node(1, "20 | Call centre", "row"),
        node(2, "| Kjersti Moen", "row"),
        node(3, "Menu", "text", landmark="navigation"),
        node(4, "24 | Card lost", "row"),
        node(5, "24", "link"),
        node(6, "| Anna Lindqvist", "row"),
        node(7, "Mark all", "button"),
        node(8, "Totals", "text"),
    ]
    assert gaps_in(page, {(0, 1), (0, 6), (0, 7)}) == {(0, 6): "2 table rows"}
    assert gaps_in(page, {(0, 1), (0, 2), (0, 4), (0, 6), (0, 7)}) == {}
    assert gaps_in(page, {(0, 8)}) == {}
    row = Element(0, (0, 1), "row", "20"), Element(1, (0, 6), "row", "| Anna", gap="2 table rows")
    assert Observation(url="", title="", elements=row).lines()[:3] == [
        '[0] [row] "20"',
        "… 2 table rows not listed",
        '[1] [row] "| Anna"',
    ]


def test_a_text_behind_a_label_that_the_task_names_is_kept_with_it():
    """“Decided on:” stood in a list without its value, as if it were empty."""
    task = TaskSpec(task_id="t", goal="Report it.", output_schema={"decided_on": "date"})
    words = words_of(task, Sample("1", {"sample_id": "1"}))
    rows = [node(n, f"Entry {n}", in_viewport=True) for n in range(MAX_NODES)]
    far = [node(500, "Decided on:"), node(501, "3 May 2026"), node(502, "Other"), node(503, "x")]
    kept = names([*rows, *(replace(n, in_viewport=False) for n in far)], words)
    assert kept[-2:] == ["Decided on:", "3 May 2026"]


def test_of_the_links_of_a_row_to_one_address_the_one_that_says_most_is_listed():
    row = node(1, "20 | Call centre | open", "row")
    links = [
        node(2, "20", "link", url="/t/20", row=(0, 1)),
        node(3, "Call centre", "link", url="/t/20", row=(0, 1)),
        node(4, "open", "link", url="/t/20#state", row=(0, 1)),
        node(5, "", "link", url="/t/20", row=(0, 1)),
    ]
    outside = node(6, "20", "link", url="/t/20")
    assert [n.ref[1] for n in without_repeats([row, *links, outside])] == [1, 3, 4, 6]


def test_a_menu_that_was_opened_as_a_dialog_in_the_navigation_is_listed():
    place = Place(regions=("navigation", "dialog"))
    menu = [node(n, f"Page {n}", "link", landmark="navigation", place=place) for n in range(12)]
    links = [node(n, f"Site {n}", "link", landmark="navigation") for n in range(20, 40)]
    kept = names([*(node(n, f"Entry {n}") for n in range(60, 120)), *menu, *links])
    assert {f"Page {n}" for n in range(12)} <= set(kept)
    assert "Site 20" not in kept
