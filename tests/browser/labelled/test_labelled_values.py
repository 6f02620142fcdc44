"""What a page labels: kinds of values, their texts, and what speaks against taking them."""

from __future__ import annotations

import re

import pytest
from label_reading import found, labels, observe, one, read_labelled, values_of

from pytest_bwa.page.perception.labelled_values import MAX_VALUES

KINDS: dict[str, tuple[str, dict[tuple[str, str], str]]] = {
    "terms and descriptions": (
        """<dl><dt>Owner<dd>Ann<dt>Due:<dd>Monday<dt>Empty<dd></dd><dt>A<dt>B<dd>both</dl>
        <dl><div><dt>Team<dd>Core</div></dl>""",
        {
            ("definition", "Owner"): "Ann", ("definition", "Due"): "Monday",
            ("definition", "Empty"): "", ("definition", "B"): "both",  # A may have lost its own
            ("definition", "Team"): "Core",
        },
    ),
    "what can be done beside a description": (
        "<dl><dt>Born<dd>13/08/1980<dd><a href=/c>Change</a> <button>x</button></dl>",
        {("definition", "Born"): "13/08/1980"},
    ),
    "a table of labels and values": (
        """<table><tr><th>Owner<td>Ann<th>Due<td>Monday<tr><td><b>Grade</b><td>7
        <tr><td>Room<td>12</table><table><tr><td>Name<td>Team<tr><td>Size<td>M</table><table><tr><td>plain<td>cells</table>
        <table><tr><td>Team<tr class=odd><td>Office</table>""",
        {
            ("definition", "Owner"): "Ann", ("definition", "Due"): "Monday",
            ("definition", "Grade"): "7",
            ("definition", "Room"): "12", ("definition", "Size"): "M",
            ("definition", "Name"): "Team", ("definition", "plain"): "cells",  # both doubted
        },
    ),
    "label and value side by side": (
        """<div><span>one</span><span>look</span></div>
        <p><i class=k>Price</i><i class=v>$49.90</i></p><p><i>Tax</i><i>9</i></p>
        <p class=s>Client<b style="display:block">Contoso</b></p>
        <div><small>Note</small><p>short</p></div>""",
        {("pair", "Price"): "$49.90", ("pair", "Note"): "short"},
    ),
    "labels and values in turn": (
        """<div><i class=k>Status</i><i class=v>Active</i><i class=k>Owner</i><i class=v>Ann</i>
        </div><div><b>City</b><b>Town</b><b>Riga</b><b>Old Town</b></div>""",
        {("pair", "Status"): "Active", ("pair", "Owner"): "Ann"},
    ),
    "a label before a colon": (
        """<p>SKU: KT-9</p><p>Fax : 7</p><p><b>Desk:</b>14<br><b>Post:</b> 9</p>
        <p>全名：山田 太郎</p><p>Sum： 4</p><p>Zip: 1<br>Box: 2</p>
        <div><span>by</span><span>: kim</span></div><p>log (parent: 8c0)</p>""",
        {
            ("text", "SKU"): "KT-9", ("text", "Fax"): "7", ("text", "Sum"): "4",
            ("text", "Zip"): "1", ("text", "Box"): "2",
            ("text", "Desk"): "14", ("text", "Post"): "9",
            ("text", "by"): "kim", ("text", "log (parent"): "8c0)",
        },
    ),
    "what a field is for": (
        """<label><input type=radio name=t><b>Goods</b><div><p>Examples: mugs</p></div></label>
        <label><p>SKU: 9</p></label>""",
        {("text", "SKU"): "9"},
    ),
    "two labels in one line are none, and nothing of a sentence is one": (
        """<p>Lead: Max Reviewer: Tim</p><p><b>Email:</b> a@b.c <b>Phone:</b> 12</p>
        <p>Title: plain: words</p><p>some <b>bold</b> words</p>
        <p>It was so and it is so since then: nobody knows</p><p>See 10:30 or http://x.org/a</p>
        <div>some <b>bold</b> and <i>slanted</i> words</div>""",
        {},
    ),
    "counts": (
        """<p>12 followers</p><div><b>231k</b><span>stars</span></div><p>3 May</p>
        <p>about 7 forks</p><b>8<!-- from a template -->tags</b><b>12345</b><b>10:30</b>""",
        {
            ("count", "followers"): "12",
            ("count", "stars"): "231k",
            ("count", "May"): "3",
            ("count", "tags"): "8",
        },
    ),
    "a heading is no label": ("<h1>Title</h1><h3>Due date</h3><p>Dec 1</p>", {}),
    "buttons are no part of a value": (
        "<dl><dt>City<dd>Riga <button>Edit</button> <span role=button>Map</span></dl>",
        {("definition", "City"): "Riga"},
    ),
    "what is not painted is not there": (
        """<div hidden><p>A: b</p></div><p style="display:none">B: c</p>
        <p style="visibility:hidden">C: d</p><p style="opacity:0">D: e</p>
        <p aria-hidden=true>E: f</p><details><summary>More</summary><p>F: g</p></details>
        <template><p>G: h</p></template><noscript><p>H: i</p></noscript>
        <dl><dt>Face<dd><i aria-hidden=true>face</i> Kim</dl>""",
        {("definition", "Face"): "Kim"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_what_a_page_labels(page, name):
    html, expected = KINDS[name]
    assert labels(page, html) == expected


def test_headings_and_links_are_read_with_their_names(page):
    values = found(
        page,
        """<h1>Kettle</h1><h2><a href=/1>One</a></h2><div role=heading aria-level=3>Deep</div>
        <a href=/2>Two <b>words</b></a><a href=/3><svg><title>Pic</title></svg></a>
        <a href=/4 aria-label=Icon></a><a href=/5></a><a>none</a>""",
    )
    assert [(v.label, v.value) for v in values if v.kind == "heading"] == [
        ("h1", "Kettle"), ("h2", "One"), ("h3", "Deep"),
    ]  # fmt: skip
    links = [(v.value, v.url) for v in values if v.kind == "link"]
    names = ("One", "Two words", "Pic", "Icon")
    assert links == [(name, f"http://x.org/{n}") for n, name in enumerate(names, 1)]


# -- texts ---------------------------------------------------------------------------------------


SEEN = {
    "1 Road<br>Riga": "1 Road\nRiga",
    "<div>1 Road</div><div>Riga</div>": "1 Road\nRiga",
    "<pre>1 Road\n\nRiga  LV</pre>": "1 Road\nRiga LV",
    "1 Road\n Riga": "1 Road Riga",
    "A<i>n</i>n": "Ann",
    "<s>10</s> 8": "8",
    "<del>10</del> 8": "8",
    "<strike>10</strike> 8": "8",
    "<span style='text-decoration: line-through red'><b>10</b></span> 8": "8",
    "<img alt=Passed src='data:,'>": "Passed",
    "<img title=Passed src='data:,'>": "Passed",
    "<svg aria-label=Passed></svg>": "Passed",
    "<svg><title>Passed</title></svg>": "Passed",
    "<b id=n hidden>Passed</b><svg aria-labelledby=n></svg>": "Passed",
    "<i class=icon aria-label=Passed></i>": "Passed",
    "<img alt=High src='data:,'> High": "High",
    "<svg><title>In review</title></svg><b>In review</b>": "In review",
    "<i class=icon title=Passed></i>": "Passed",
    "30% <span style='position:absolute;width:1px;height:1px'>30 percent</span>": "30%",
    "<span style='position:absolute;left:-9999px'>Passed</span>": "Passed",
    "<svg aria-hidden=true><title>x</title></svg> ok": "ok",
    "<span style='display:contents'>Ann</span>": "Ann",
}


def test_the_text_of_a_value_is_what_a_person_sees(page):
    read = values_of(page, "<dl><dt>Value</dt><dd>{}</dd></dl>", SEEN)
    assert {html: value.value for html, value in read.items()} == SEEN
    assert {html for html, value in read.items() if value.cut or value.doubt} == set()


def test_shadow_roots_and_slots_are_read_where_they_are_painted(page):
    html = """<x-card><b slot=who>Ann</b><i>unslotted</i></x-card><script>
      document.querySelector("x-card").attachShadow({mode: "open"}).innerHTML =
      "<dl><dt>Owner</dt><dd><slot name=who></slot></dd><dt>Team</dt><dd><slot name=no>Core</dl>"
      </script>"""
    assert labels(page, html) == {("definition", "Owner"): "Ann", ("definition", "Team"): "Core"}


def test_a_value_has_the_address_the_time_and_the_entries_inside_it(page):
    html = """<dl><dt>Site<dd><a href=/s>here</a><dt>Two<dd><a href=/s>a</a>, <a href=/t>b</a>, c
      <dt>Due<dd><time datetime=2026-11-03>Tuesday</time>
      <dt>Span<dd><time datetime=2026-11-03>x</time> <time datetime=2026-11-04>y</time>
      <dt>Tags<dd><ul><li>red, blue<li><a href=/g>green</a></ul><dt>Authors<dd>Ann<dd>Bo</dl>"""
    values = {v.label: v for v in found(page, html) if v.kind == "definition"}
    assert {k: v.url for k, v in values.items() if v.url} == {
        "Site": "http://x.org/s", "Tags": "http://x.org/g",
    }  # fmt: skip
    assert {k: v.datetime for k, v in values.items() if v.datetime} == {"Due": "2026-11-03"}
    assert {k: v.items for k, v in values.items() if v.items} == {
        "Span": ("x", "y"),
        "Tags": ("red, blue", "green"), "Authors": ("Ann", "Bo"),
    }  # fmt: skip
    assert {k for k, v in values.items() if v.doubt} == {"Two", "Tags"}


# -- doubts --------------------------------------------------------------------------------------

STYLES = """<style>.percent::after {content: "%"} .quote::before {content: "“"}
  .minus::before {content: "-"} .not::before {content: "not "}
  .old, .link {position: relative} .old::after, .link::after {content: ""; position: absolute;
  left: 0; right: 0; bottom: 0; border-top: 2px solid red} .old::after {bottom: 50%}
  .unseen {position: absolute; width: 1px; height: 1px; overflow: hidden}</style>"""
CROSSED = "painted_over"
BESIDE, ADDED = "link_beside", "added_by_style"


DOUBTED = {
    "<dd>Ann <a href=/e>Edit</a>": BESIDE,
    "<dd><a href=/a>Ann</a> <a href=/e>Edit</a>": BESIDE,
    "<dd><a class=user href=/a>Ann</a> <a class=edit href=/e>Edit</a>": BESIDE,
    "<dd><a class=l href=/a><img alt=ann></a> <a class=l href=/b>Ann</a>": BESIDE,
    "<dd><a class=l href=/a>Ann</a> <a class=l href=/b>Ann</a>": BESIDE,
    "<dd>of <a class=l href=/a>Ann</a> <a class=l href=/b>Bo</a>": BESIDE,
    "<dd>Ann<div><a href=/e>Edit</a></div>": BESIDE,
    "<dd><div>Ann</div><div><a href=/e>Edit</a></div>": BESIDE,
    "<dd><ul><li>Ann <a href=/e>Edit</a><li>Bo</ul>": BESIDE,
    "<dd><button>Unassigned</button> for 3 days": BESIDE,
    "<dd>Ann <button>Edit</button>": "",
    "<dd><a href=/a>Ann</a>": "",
    "<dd>BUG-<a href=/a>7</a>": BESIDE,
    "<dd><a href=/a>7</a> of <a href=/b>9</a>": BESIDE,
    "<dd><ul><li><a href=/a>Ann</a><li><a href=/b>Bo</a></ul>": "",
    "<dd><a href=/a>Ann</a><dd><a href=/b>Bo</a>": "",
    "<dd class=percent>20": ADDED,
    "<dd class=minus>20": ADDED,
    "<dd><b class=not>paid</b>": ADDED,
    "<dd class=quote>so": ADDED,
    "<dd><span class=old>12.50</span>": CROSSED,
    "<dd><span class=link>12.50</span>": "",
    "<dd>30% <span class=unseen>30 percent</span>": "",
    "<dd><svg><title>Red</title></svg> Late": "",
    "<dd><svg aria-hidden=true><title>Red</title></svg> Late": "",
    "<dd><span title='in full'>12 m</span>": "",
    "<dd><del>Ann</del> <ins>Bo</ins>": "",
    "<dd><ul><li><s>Ann</s><li>Bo</ul>": "",
    "<dd aria-busy=true>Ann": "still_loading",
    "<dd><span aria-busy=true>Ann</span>": "still_loading",
}


def test_what_speaks_against_a_value(page):
    read = values_of(page, "<dl><dt>Value</dt>{}</dl>", DOUBTED, STYLES)
    assert {html: value.doubt or "" for html, value in read.items()} == DOUBTED
    assert {html for html, value in read.items() if not value.value} == set()


@pytest.mark.parametrize(
    "html",
    [
        "",
        "<span></span>",
        "<svg></svg>",
        "<img src='data:,'>",
        "<input type=password value=hunter2>",
    ],
)
def test_what_has_no_text_has_no_value(page, html):
    value = one(page, f"<dl><dt>Value</dt><dd>{html}</dd></dl>", "Value")
    assert (value.value, "hunter2" in repr(value)) == ("", False)


PAINTED = {
    "<b class=not></b>": True,
    "<i class=dot></i>": True,
    "<progress value=30 max=100></progress>": True,
    "<span aria-busy=true></span>": True,
    "<button></button>": True,
    "<iframe></iframe>": True,
    "<b></b>": False,
    "<b class=old></b>": False,
    "<i class=dot style='display: none'></i>": False,
}


def test_what_is_painted_or_still_to_come_is_not_nothing(page):
    style = f"{STYLES}<style>.dot {{display: inline-block; padding: 5px; background: red}}</style>"
    read = values_of(page, "<dl><dt>Value</dt><dd>{}</dd></dl>", PAINTED, style)
    assert {html: value.doubt == "sign_only" for html, value in read.items()} == PAINTED
    assert {value.value for value in read.values()} == {""}


LINES = {
    "<p>Value: 1 Road<br>Riga<br>Latvia</p>": True,
    "<p><b>Phone:</b> 12 34<br><b>Value:</b> 1 Road<br>Riga</p>": True,
    "<ul><li>Value: 1 Road<br>Riga</ul>": True,
    "<p>Value: 1 Road<br>Owner: Ann</p>": False,
    "<p><b>Value:</b> 1 Road<br><b>Owner:</b> Ann</p>": False,
    "<p>Value: 1 Road</p><p>Riga</p>": False,
}


def test_a_line_without_a_label_may_belong_to_the_one_above(page):
    read = values_of(page, "{}", LINES)
    assert {html: value.cut for html, value in read.items()} == LINES
    assert {value.value for value in read.values()} == {"1 Road"}


MISSING = {
    "x" * 4000: False,
    "x" * 4001: True,
    "a tale…": True,
    "a tale...": True,
    "a.": False,
    "the pump failed on Monday <button>Show more</button>": True,
    "<p>the pump failed on Monday <button>more</button></p>": True,
    "Ann Lee <button>Edit</button>": False,
    "<ul><li>red<li>blue</ul>": False,
    "<ul style='height: 20px; overflow: auto'><li>red<li>blue</ul>": True,
}


def test_a_value_of_which_a_part_is_missing_says_so(page):
    read = values_of(page, "<dl><dt>Value</dt><dd>{}</dl>", MISSING)
    assert {text: value.cut for text, value in read.items()} == MISSING
    shown = {text: re.sub(r"</?(p|ul).*?>| <button.*", "", text) for text in MISSING}
    shown = {text: line.replace("<li>", "\n").strip()[:4000] for text, line in shown.items()}
    assert {text: value.value for text, value in read.items()} == shown


# -- whole pages ---------------------------------------------------------------------------------


def test_a_page_that_is_xml_is_read_as_well(browser):
    page = browser.new_page()
    page.goto(
        "data:application/xhtml+xml,<html xmlns='http://www.w3.org/1999/xhtml'><body>"
        "<table><tr><th>Owner</th><td>Ann</td></tr></table><dl><dt>Due</dt><dd>soon</dd></dl>"
        "<p>Team: Core<br/>Room: 7</p></body></html>"
    )
    found = {v.label: (v.kind, v.value) for v in read_labelled(page)}
    page.close()
    assert found == {
        "Owner": ("definition", "Ann"), "Due": ("definition", "soon"),
        "Team": ("text", "Core"), "Room": ("text", "7"),
    }  # fmt: skip


def test_visible_frames_are_read_and_what_is_below_the_fold(page):
    page.set_content("""<div style="height:4000px"></div><p>Owner: Ann</p>
      <iframe srcdoc="<h1>In</h1><p>Team: Core</p>"></iframe>
      <iframe style="display:none" srcdoc="<p>Ghost: yes</p>"></iframe>""")
    page.frame_locator("iframe >> nth=0").locator("p").wait_for()
    values = {v.label: v for v in read_labelled(page) if v.kind == "text"}
    assert set(values) == {"Owner", "Team"}
    assert (values["Owner"].in_viewport, values["Owner"].place.frame) == (False, "")
    assert values["Owner"].box.y >= 4000
    assert values["Team"].place.frame == "about:srcdoc"
    assert values["Team"].place.headings == ("In",), "the page's own headings end at a frame"


def test_sizes_are_capped(page):
    cells = "".join(f"<td>{n}</td>" for n in range(9))
    rows = f"<tr>{cells}</tr>" * 600
    head = "<tr>" + "".join(f"<th>c{n}</th>" for n in range(9)) + "</tr>"
    page.set_content(f"<p>Long: {'x' * 5000}</p><table><thead>{head}</thead>{rows}</table>")
    assert len(read_labelled(page)) == MAX_VALUES


@pytest.mark.parametrize(
    "html",
    ["<a rel='nofollow next' href=/list?p=2>Weiter</a>", "<link rel=next href=/list?p=2><p>List"],
)
def test_the_page_that_the_page_itself_calls_the_next_one(page, html):
    assert [v.url for v in found(page, html) if v.kind == "next"] == ["http://x.org/list?p=2"]


def test_links_of_one_class_are_the_entries_of_a_list(page):
    links = "<a class=label href=/a>bug</a> <a class=label href=/b><b>good first</b></a>"
    value = one(page, f"<dl><dt>Labels<dd><div>{links}</div></dl>", "Labels")
    assert (value.value, value.items, value.doubt or "") == (
        "bug\ngood first",
        ("bug", "good first"),
        "",
    )


def test_a_value_is_named_by_the_element_of_the_list_that_shows_its_text(page):
    html = """<dl><dt>Owner<dd><b><a href=/ann>Ann</a></b><dt>Team<dd>Core</dl>
      <label>City <input value=Riga></label><table><tr><th>Size<td>M</table>"""
    page.set_content(html)
    observation = observe(page)
    listed = {element.ref: element for element in observation.elements}
    values = {v.label: v for v in observation.labelled if v.kind != "link"}
    roles = {label: listed[v.ref].role for label, v in values.items() if v.ref in listed}
    assert (roles["Owner"], roles["City"]) == ("link", "textbox")
    assert all(v.ref is not None and v.box.width > 0 for v in values.values())
    assert values["Size"].box.x > 0
