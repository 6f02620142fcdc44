"""The action that searches the whole page, and what it adds to the list of elements."""

from __future__ import annotations

import re

import pytest

SPREAD = """<h1>Project</h1><dl><dt>License:</dt><dd>BSD-3-Clause</dd></dl>
<p><b>Lic</b>ense of <i>the</i>&nbsp;docs:<br>CC&#8209;BY</p>
<p><span>Owner:</span><span>Ann</span></p>
<p>It&rsquo;s   open</p><p>unre<wbr>lated&shy;ness</p>"""


def find(agent, text: str) -> str:
    result = agent.act("find", text=text)
    assert result.success, result.error
    return result.description


@pytest.mark.parametrize(
    "text",
    [
        *(
            "License: BSD-3-Clause",
            "license  of the docs",
            "docs: CC-BY",
            "Owner: Ann",
            "it's open",
        ),
        *("unrelatedness", "License: [7] BSD-3-Clause", "“License: | BSD-3-Clause”"),
    ],
)
def test_text_is_read_as_a_person_reads_it(agent, text):
    agent.load_html(SPREAD)
    assert find(agent, text).startswith("1 hit: ")


@pytest.mark.parametrize("text", ["BSD-3-ClauseLicense", "Ann Lic", "BSD.3"])
def test_what_is_not_there_is_not_found(agent, text):
    agent.load_html(SPREAD)
    result = agent.act("find", text=text)
    assert result.success, "a search without a hit is an answer"
    assert result.description == f"0 hits on the whole page for “{text}”"
    assert result.found == ()


def test_what_was_found_joins_the_list_with_its_number(agent):
    rows = "".join(f"<tr><td>REQ-{n}<td><span>Person {n}</span></tr>" for n in range(300))
    agent.load_html(
        f"""<h1>Requests</h1><table>{rows}</table>
        <h2>Old ones</h2><p onclick='document.title=1'>Gone</p>"""
    )
    number = re.search(
        r"\[(\d+)\] text “Person 299” in the row “REQ-299 \| Person 299”", find(agent, "person 299")
    )
    assert number
    listed = agent.observation.element(int(number[1]))
    assert listed
    assert listed.name == "Person 299"
    assert agent.act("extract", selector=number[1]).read_text == "Person 299"
    gone = re.search(r"\[(\d+)\] \w+ “Gone” under “Old ones” \(out of view\)", find(agent, "gone"))
    assert gone
    assert agent.act("click", selector=gone[1]).success
    assert agent.page.title() == "1"
    listed = [e.name for e in agent.observation.elements]
    assert "Person 299" in listed, "it stays in the list"
    assert "Gone" in listed


def test_an_element_that_is_listed_already_keeps_its_number(agent):
    agent.load_html("<h1>Page</h1><p>Paid by Ann</p><button>Save <i>all</i></button>")
    before = agent.lines()
    assert f"[{agent.index('Save all')}] button “Save all”" in find(agent, "all")
    assert f"[{agent.index('Paid by Ann')}] text “Paid by Ann”" in find(agent, "ann")
    assert agent.lines() == before


@pytest.mark.parametrize(
    ("html", "text", "said"),
    [
        ("<abbr title='Annabel Lee-Smith'>Ann</abbr>", "lee-smith", "(tooltip)"),
        ("<button aria-label='Delete it'>x</button>", "delete it", "(label)"),
        ("<img alt='All passed' src='data:,' width=9 height=9>", "all passed", "(picture)"),
        ("<input placeholder='Your name'>", "your name", "(placeholder)"),
        (
            "<input style='width:0;opacity:0' placeholder='Look up'>",
            "look up",
            "(placeholder, hidden)",
        ),
        ("<select><option>Low<option>Very high</select>", "very high", "(option)"),
        ("<input value='typed in'>", "typed in", "“typed in”"),
        ("<details><summary>More</summary><p>Secret sauce</p></details>", "sauce", "(hidden, [1]"),
        ("<div style='display:none'><p>Kept <b>back</b></p></div>", "kept back", "(hidden)"),
    ],
)
def test_tooltips_labels_fields_and_hidden_parts_are_searched(agent, html, text, said):
    agent.load_html(f"<h1>Page</h1>{html}")
    found = find(agent, text)
    assert found.startswith("1 hit: ")
    assert said in found


def test_of_many_hits_the_first_ten_are_named_and_all_are_counted(agent):
    agent.load_html("".join(f"<p>Row {n}</p>" for n in range(50)))
    found = find(agent, "row")
    assert found.startswith("50 hits, the first 10: ")
    assert found.count("; ") == 9


ICON_LINK = """<style>i::before { content: attr(data-icon) }</style><header><a href="/a">Risks</a>
<a href="/risks/+" class=button><i data-icon=add></i></a></header><h1>Risks</h1><p>One</p>"""


def test_a_link_without_a_text_is_listed_with_its_icon_and_found_by_its_address(agent):
    agent.load_html(ICON_LINK)
    link = next(e for e in agent.observation.elements if e.url and "+" in e.url)
    assert '[link] "" (icon: add) → ' in link.line(agent.observation.url)
    assert f"[{link.index}] link “" in find(agent, "risks/+")
    assert find(agent, "risks/+").endswith("/risks/+” (address)")
    assert "(address)" not in find(agent, "risks"), "what the page says comes before where it leads"


def test_an_address_that_was_found_proves_no_value(agent):
    agent.load_html(ICON_LINK)
    found = agent.act("find", text="risks/+")
    assert found.found == found.lines == ()


def test_a_hit_has_the_number_of_its_element_and_what_it_says(agent):
    agent.load_html("<h1>Stock</h1><p>Shelf 7</p><p hidden>Shelf 8</p>")
    shown, hidden = agent.act("find", text="shelf").lines
    assert (shown.text, shown.index) == ("Shelf 7", int(agent.index("Shelf 7")))
    assert hidden.text == "Shelf 8"
    assert {shown.source, hidden.source} == {"find"}
    assert hidden.index not in {e.index for e in agent.observation.elements}


LONG = "This goes on and on. " * 30
CARD = f"<div onclick='1' style='cursor:pointer'><p>{LONG}</p><p>Seat 77</p></div>"


@pytest.mark.parametrize(
    ("html", "text", "said", "line"),
    [
        ("<p>See <a href=/a>Terms</a> and <a href=/b>Fees</a></p>", "fees", "link “Fees”", "Fees"),
        (CARD, "seat 77", "text “Seat 77”", "Seat 77"),
        (f"<p>{LONG}Due 3 May.</p>", "3 may", "on. Due 3 May.”", 'on. Due 3 May.")'),
        ("<p aria-hidden=true>Gate 9</p>", "gate 9", "text “Gate 9”", "Gate 9"),
    ],
)
def test_a_hit_is_the_smallest_element_and_is_listed_with_what_was_found(
    agent, html, text, said, line
):
    agent.load_html(f"<h1>Page</h1>{html}")
    found = find(agent, text)
    assert said in found
    listed = agent.observation.element(int(re.search(r"\[(\d+)\]", found)[1]))
    assert line in listed.line()


@pytest.mark.parametrize(
    "html",
    [
        "<button>More</button><div style='height:0;overflow:hidden'><p>Fee: 12</p></div>",
        "<h2><button aria-controls=c>More</button></h2><div id=c hidden><p>Fee: 12</p></div>",
        "<ul><li role=treeitem>More<ul hidden><li role=treeitem>Fee: 12</li></ul></li></ul>",
    ],
)
def test_a_hit_that_is_folded_away_has_its_own_number_and_is_listed_once_it_is_shown(agent, html):
    agent.load_html(f"<h1>Page</h1>{html}")
    found = find(agent, "fee")
    number, opener = map(int, re.findall(r"\[(\d+)\]", found))
    assert "Fee: 12” (hidden, [" in found.replace(" under “Page”", "").replace(" under “More”", "")
    assert "More" in agent.observation.element(opener).name
    assert agent.observation.element(number) is None
    agent.page.evaluate(
        "for (const e of document.querySelectorAll('[hidden], div')) "
        "{ e.hidden = false; e.style = '' }"
    )
    agent.observation = agent.observer.observe()
    assert agent.observation.element(number).name == "Fee: 12"


def test_each_line_of_a_log_is_a_hit_of_its_own(agent):
    lines = (f"10:{n:02} {'FAILED' if n % 20 == 7 else 'ok'}" for n in range(60))
    agent.load_html(f"<h1>Log</h1><pre>{chr(10).join(lines)}</pre>")
    found = find(agent, "failed")
    assert found.startswith("3 hits: ")
    assert re.findall("“(10:.+?)”", found) == ["10:07 FAILED", "10:27 FAILED", "10:47 FAILED"]


# -- extract ---------------------------------------------------------------------------------------


def test_extract_reads_all_that_match_and_says_how_many(agent):
    agent.load_html("<h1>Prices</h1><ul><li class=p>10<li class=p>20<li class=p hidden>30</ul>")
    read = agent.act("extract", selector=".p")
    said = r"read 5 characters of 2 elements that match: \[(\d+)\] 10 ⏎ \[(\d+)\] 20"
    numbers = re.fullmatch(said, read.description)
    assert numbers
    assert [(line.index, line.text) for line in read.lines] == [
        (int(numbers[1]), "10"),
        (int(numbers[2]), "20"),
    ]
    title = agent.act("extract", selector="h1")
    assert re.fullmatch(r"read 6 characters: \[\d+\] Prices", title.description)


def test_the_lines_that_extract_reads_have_numbers_of_their_own(agent):
    agent.load_html("<h1>Notes</h1><div id=all>Fee: 7<br><br>Place: Bergen</div>")
    listed = {e.index: e.ref for e in agent.observation.elements}
    read = agent.act("extract", selector="#all")
    assert [line.text for line in read.lines] == ["Fee: 7", "Place: Bergen"]
    assert {line.source for line in read.lines} == {"extract"}
    assert not {line.index for line in read.lines} & listed.keys()
    assert agent.act("extract", selector="#all").lines == read.lines
    (title,) = agent.act("extract", selector="h1").lines
    assert title.ref == agent.observation.elements[0].ref


def test_extract_says_that_it_cuts(agent):
    agent.load_html(f"<p>{'y' * 4321}</p>")
    read = agent.act("extract", selector="p")
    assert re.match(r"read the first 4000 of 4321 characters: \[\d+\] yyy", read.description)
    assert read.read_text == "y" * 4000
    assert read.lines[0].text == "y" * 4000 + "…"


def test_extract_shows_no_more_lines_than_the_history_does(agent):
    agent.load_html(f"<pre>{chr(10).join(str(n) for n in range(400))}</pre>")
    read = agent.act("extract", selector="pre")
    assert len(read.lines) == 150
    assert read.description.startswith("read the first 489 of 1489 characters: ")


def test_extract_reads_shadow_roots_and_what_is_checked(agent):
    agent.load_html(
        """<h1>Page</h1><my-value id=host></my-value><input type=checkbox id=box checked>
        <script>host.attachShadow({mode: 'open'}).innerHTML = '<b>21</b> °C'</script>"""
    )
    assert agent.act("extract", selector="#host").read_text == "21 °C"
    assert agent.act("extract", selector="#box").read_text == "checked"


def test_a_hidden_link_is_named_and_not_its_paragraph(agent):
    agent.load_html("<p>Reports of the year <a href=/q3 hidden>Third quarter</a></p>")
    result = agent.act("find", text="Third quarter")
    assert " a “Third quarter” (hidden)" in result.description


def test_what_may_show_a_hidden_text_is_named_and_listed(agent):
    icon = "<b class='fa fa-cog' style='padding:9px'></b>"
    menu = f"<nav><ul><li><a href='#' onclick='m.hidden=!m.hidden'>{icon}</a>"
    many = "".join(f"<a href='/{n}'>Page {n}</a>" for n in range(60))
    agent.load_html(
        f"{menu}<ul id=m hidden><li><a href='#e'>Edit</a></ul></ul>{many}</nav><h1>A</h1>"
    )
    found = re.search(r"\(hidden, \[(\d+)\] first, which may show it\)$", find(agent, "edit"))
    assert found
    assert any(line.startswith(f"[{found[1]}] [link]") for line in agent.element_lines())
    agent.act("click", selector=found[1])
    assert agent.page.get_by_text("Edit").is_visible()


CODE = "<b>def</b><u> </u><b>fee</b>(x):"
CODE_ROW = "<tr><th><a href='#L{0}'>{0}</a></th><td style='white-space:pre'>{1}</td></tr>"
CODE_PAGES = [
    ("<table>" + CODE_ROW.format(1, CODE) + CODE_ROW.format(2, "    return 5") + "</table>", "\t"),
    (f"<table><td><pre>1\n2</pre><td><pre>{CODE}\n    return 5\n</pre></table>", "\t"),
    (
        "<style>b[data-n]::before { content: attr(data-n) } code { white-space: pre }</style>"
        f"<table><tr><td><b data-n=1></b><td><code>{CODE}</code><tr><td><b data-n=2></b><td>"
        "<code>    return 5</code></table>",
        "\t",
    ),
    (f"<style>i {{ display: block }}</style><pre><i>1 {CODE}</i><i>2     return 5</i></pre>", " "),
]


@pytest.mark.parametrize(("html", "between"), CODE_PAGES)
def test_the_lines_of_code_stay_lines_with_their_numbers_in_the_list_and_in_extract(
    agent, html, between
):
    agent.load_html(f"<main>{html}</main>")
    listed = " ⏎ ".join(re.findall(r'\[(?:row|text)\] "(.+)"$', "\n".join(agent.lines()), re.M))
    said = re.sub(r"\[\d+\] ", "", listed).replace(" | ", between)
    read = agent.act("extract", selector="main").read_text
    whole = f"1{between}def fee(x):\n2{between}    return 5"
    assert (said.replace(" ⏎ ", "\n"), read) == (whole, whole)


def test_words_with_a_gap_between_them_are_not_glued_by_extract(agent):
    agent.load_html("<p><b style='margin-right:9px'>def</b><b>fee</b>(x)</p>")
    assert agent.act("extract", selector="p").read_text == "def fee(x)"
