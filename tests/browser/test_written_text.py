"""Texts are listed once, with their lines, and addresses as short as they can be."""

from __future__ import annotations

import pytest

MANY = "<button>Go</button>" * 5
"""With fewer elements the accessibility tree is read too."""


def lines(agent, html):
    agent.load_html(html + MANY)
    return [line.split("] ", 1)[1] for line in agent.element_lines()[:-5]]


def test_bold_words_and_spans_are_no_elements_of_their_own(agent):
    html = "<p>The <b>total</b> is <span><i>12</i> EUR</span>, <a href=#>see <b>all</b></a></p>"
    assert lines(agent, html) == ['[text] "The total is 12 EUR, see all"', '[link] "see all"']


def test_what_comes_after_a_cut_is_listed(agent):
    found = lines(agent, f"<p>{'long ' * 70} <b>the total is 12</b></p>")
    assert found[0].endswith('…"')
    assert found[1:] == ['[text] "the total is 12"']


def test_line_breaks_and_indentation_of_code_and_messages_are_kept(agent):
    found = lines(
        agent,
        "<pre><code><span>def f():</span>\n<span>    return 1</span></code></pre>"
        "<div style='white-space:pre-wrap'>Hello Ann,\nsee you</div><p>Folded\ntext</p>",
    )
    assert found == [
        '[text] "def f(): ⏎     return 1"',
        '[text] "Hello Ann, ⏎ see you"',
        '[text] "Folded text"',
    ]
    assert agent.observation.elements[0].name == "def f(): return 1"


def test_additions_and_deletions_say_so(agent):
    html = """<p>It costs <del>10</del> <ins>12</ins> EUR</p>
    <div><del>An old line</del></div><div><ins>A new line</ins></div>"""
    assert lines(agent, html) == [
        '[text] "It costs 12 EUR" (deleted="10", added="12")',
        '[text] "" (deleted="An old line")',
        '[text] "A new line" (added)',
    ]


VOID = "<style>.void { text-decoration: line-through }</style>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul><li><s>Milk</s></li><li>Bread</li></ul>", ['""', "Milk"]),
        ("<ul><li class=void>Milk</li><li>Bread</li></ul>", ['""', "Milk"]),
        ("<ul><li class=void><span>Milk</span></li><li>Bread</li></ul>", ['""', "Milk"]),
        ("<ul><li class=void>Milk, <b>2 l</b></li><li>Bread</li></ul>", ['""', "Milk, 2 l"]),
        ("<div class=void><p>Milk</p></div><p>Bread</p>", ['""', "Milk"]),
        ("<div class=void><h2>Milk</h2></div><p>Bread</p>", ['""', "Milk"]),
    ],
)
def test_what_is_struck_out_as_a_whole_says_so(agent, html, expected):
    name, text = expected
    found = lines(agent, VOID + html)
    assert found == [f'[text] {name} (struck out="{text}")', '[text] "Bread"']


def test_what_is_struck_out_in_a_text_a_heading_or_a_control_says_so(agent):
    html = """<p>It costs <s>10</s> 12 EUR</p><h2>Price <b class=void>10</b> 8</h2>
    <a href=/a>Plan <s>B</s> C</a><a href=/b class=void>Plan A</a><s><a href=/c>Plan 9</a></s>"""
    assert lines(agent, VOID + html) == [
        '[text] "It costs 12 EUR" (struck out="10")',
        '[heading] "Price 8" (struck out="10", level=2)',
        '[link] "Plan C" (struck out="B") → /a',
        '[link] "Plan A" (struck out) → /b',
        '[link] "Plan 9" (struck out) → /c',
    ]


@pytest.mark.parametrize(
    ("html", "states"),
    [
        ("<input id=a type=checkbox checked><label for=a class=void>Milk</label>", "struck out"),
        ("<s><label for=a>Milk</label></s><input id=a type=checkbox checked>", "struck out"),
        ("<label><input type=checkbox checked> <s>Milk</s></label>", "struck out"),
        ("<label class=void><input type=checkbox checked> Milk</label>", "struck out"),
        (
            "<input id=a type=checkbox checked><label for=a><del>Milk</del></label>",
            'deleted="Milk"',
        ),
        (
            "<label><input type=checkbox checked> <b class=void>Milk</b> Bread</label>",
            'struck out="Milk"',
        ),
        ("<label><input type=checkbox checked> Milk</label><s>Bread</s>", ""),
        ("<s>Bread</s><input id=a type=checkbox checked><label for=a>Milk</label>", ""),
    ],
)
def test_a_checkbox_says_that_its_label_is_struck_out(agent, html, states):
    agent.load_html(VOID + html)
    (box,) = [e for e in agent.observation.elements if e.role == "checkbox"]
    assert box.states == ("checked=true", *filter(None, [states]))


def test_a_row_says_which_of_its_cells_are_struck_out(agent):
    html = """<table><tr><th>Part<th>Price<tr><td>Valve<td><s>10.00</s> 9.00
    <tr><td class=void>Gasket<td><a href=/g>3.00</a>
    <tr class=void><td>Pump<td>7.00</table>"""
    assert lines(agent, VOID + html) == [
        '[row] "Part | Price"',
        '[row] "Valve | (struck out: 10.00) 9.00"',
        '[row] "(struck out: Gasket) | [3] 3.00"',
        '[link] "3.00" → /g',
        '[row] "Pump | 7.00" (struck out)',
    ]
    assert [e.name for e in agent.observation.elements if e.role == "row"][1:] == [
        "Valve | 9.00", "| 3.00", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("href", "shown"),
    [
        ("/orders/7?tab=a#top", " → /orders/7?tab=a#top"),
        ("{origin}/", " → /"),
        ("https://other.test/x", " → https://other.test/x"),
        ("#notes", " → #notes"),
        ("#", ""),
        ("javascript:void(0)", ""),
        ("mailto:ann@x.org", " → mailto:ann@x.org"),
    ],
)
def test_addresses_of_the_site_itself_are_relative(agent, site, href, shown):
    site.pages["/list"] = f"<a href='{href.format(origin=site.url)}'>Go</a>"
    agent.act("goto", url=site.url + "/list")
    assert agent.element_lines() == [f'[0] [link] "Go"{shown}']
    site.close()


def test_an_address_of_the_site_stays_whole_for_the_code(agent, site):
    site.pages["/list"] = "<a href=/orders/7>Go</a>"
    site.pages["/orders/7"] = "<h1>Order 7</h1>"
    agent.act("goto", url=site.url + "/list")
    assert agent.observation.elements[0].url == site.url + "/orders/7"
    assert agent.act("goto", url="/orders/7").success
    assert agent.observation.elements[0].name == "Order 7"
    site.close()


def test_a_text_that_its_source_breaks_into_lines_keeps_them(agent):
    """A long cause of seven lines came as one, and was cut after 300 characters."""
    broken = "<br>".join(f"{n}. the deed says 3.41 of what was offered" for n in range(1, 13))
    cause = broken.replace("<br>", " ⏎ ")
    assert lines(agent, f"<div>{broken}</div><p>Rua 1 <b>B</b><br>Lisboa</p>") == [
        f'[text] "{cause}"',
        '[text] "Rua 1 B ⏎ Lisboa"',
    ]
