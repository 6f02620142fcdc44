"""Doubts about words that are painted otherwise than the values around them."""

from __future__ import annotations

import pytest
from label_reading import found, one

from pytest_bwa.evidence.labels.page_doubts import IN_ITALICS, IS_WEAK

GREY = "style='color: #777'"


def terms(**values: str) -> str:
    return "".join(f"<dl><dt>{label}<dd>{html}</dd></dl>" for label, html in values.items())


@pytest.mark.parametrize(
    ("html", "doubt"),
    [
        ("<em>None</em>", IN_ITALICS),
        ("<i><b>not set</b></i>", IN_ITALICS),
        (f"<span {GREY}>Not set</span>", IS_WEAK),
        ("<span style='color: #64748b'>Not set</span>", IS_WEAK),
        ("<span style='color: oklch(0.551 0.027 264.364)'>Not set</span>", IS_WEAK),
        ("<span style='color: rgba(0, 0, 0, 0.5)'>Not set</span>", IS_WEAK),
        ("<div style='opacity: 0.6'><span>Not set</span></div>", IS_WEAK),
        ("plain", ""),
        ("<i>HB</i> plain", ""),
        ("<i>12 May</i>", IN_ITALICS),
        (f"<span {GREY}>12 May</span>", ""),
        ("<span style='color: #444'>Ann</span>", ""),
        ("<span style='color: #c33'>Overdue</span>", ""),
        ("<span style='color: oklch(0.6 0.2 25)'>Overdue</span>", ""),
        ("<span style='color: #555; background: #ddd'>Closed</span>", ""),
        ("<a href=/ann>Ann</a>", ""),
        ("<input value=Ann disabled aria-label=Name>", ""),
    ],
)
def test_words_that_are_set_apart_may_be_no_value(page, html, doubt):
    body = terms(Team="Core", Name=html, Site="Riga")
    assert one(page, f"<body style='color: #111'>{body}", "Name").doubt == doubt


@pytest.mark.parametrize("html", ["<i>{}</i>", f"<span {GREY}>{{}}</span>"])
def test_a_page_that_writes_most_values_so_sets_none_apart(page, html):
    own = {label: html.format(label) for label in ("Team", "Name", "Site")}
    assert [v.doubt for v in found(page, terms(**own, Plan="Basic"))] == [""] * 4


def test_plain_words_are_not_weaker_than_links_and_badges(page):
    coloured = ["<a href=/a>Core</a>", "<b style='color: #fff; background: #080'>New</b>"]
    html = terms(Team=coloured[0], Lead=coloured[0], State=coloured[1], Name="Ann")
    assert one(page, html, "Name").doubt == ""


def test_a_cell_is_compared_with_those_of_its_column(page):
    rows = (
        f"<tr><td><b>{n}</b><td {GREY}>Ann<td>{owner}"
        for n, owner in enumerate(["Ben", "Eva", f"<i {GREY}>nobody</i>", "Max"])
    )
    html = f"<table><tr><th>No<th>Author<th>Owner{''.join(rows)}</table>"
    doubted = [(v.label, v.value) for v in found(page, html) if v.doubt]
    assert doubted == [("Owner", "nobody")]


def test_what_a_slot_would_say_without_a_text_says_nothing_of_the_text(page):
    shadow = "<template shadowrootmode=open><slot name=l></slot><b><slot><em>None</em></slot></b>"
    row = f"<p><x-row>{shadow}</template><span slot=l>Name: </span>Ann</x-row>"
    assert one(page, row + terms(Team="Core", Site="Riga"), "Name").doubt == ""


RED = "it is painted red in a table, as a loss may be"


@pytest.mark.parametrize(
    ("cell", "doubt"),
    [
        ("<td style='color: #c00'>4,210", RED),
        ("<td><b style='color: #c00'>$ 4,210</b>", RED),
        ("<td style='color: #c00'>(4,210)", ""),
        ("<td style='color: #c00'>−4,210", ""),
        ("<td style='color: #080'>4,210", ""),
        ("<td style='color: #c00'>3 May 2026", ""),
        ("<td style='color: #c00'>Late", ""),
    ],
)
def test_a_red_number_in_a_table_may_be_a_loss(page, cell, doubt):
    row = f"<tr><th>Result{cell}"
    assert one(page, f"<table>{row}<tr><th>Tax<td>310</table>", "Result").doubt == doubt
    red = f"<table style='color: #c00'>{row}<tr><th>Tax<td>310</table>"
    assert one(page, red, "Result").doubt == ""
    price = cell.replace("<td", "<dd")
    assert one(page, f"<dl><dt>Result{price}</dl>", "Result").doubt == ""


@pytest.mark.parametrize(
    ("lead", "reporter", "is_repeated"),
    [
        ("<a>Edit</a>", "<a>Edit</a>", True),
        ("<a href=/lead/form>Edit</a>", "<a href=/reporter/form>Edit</a>", True),
        ("<a href=/ann>Ann</a>", "<a href=/ann>Ann</a>", False),
        ("<a>Ann</a>", "<a>Eve</a>", False),
        ("<a href=/lead>12</a>", "<a href=/reporter>12</a>", False),
        ("Edit", "Edit", False),
    ],
)
def test_a_link_beside_several_labels_is_no_value(page, lead, reporter, is_repeated):
    said = {value.label: value.doubt for value in found(page, terms(Lead=lead, Reporter=reporter))}
    doubt = "a link of that name stands beside other labels" if is_repeated else ""
    assert (said["Lead"], said["Reporter"]) == (doubt, doubt)
