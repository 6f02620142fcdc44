"""Names and texts are what the page paints: in shadow roots, with pictures, not crossed out."""

from __future__ import annotations

import pytest

HOST = "<{tag}><template shadowrootmode=open>{inside}</template>{light}</{tag}>"
SLOTTED = HOST.format(tag="x-value", inside="<b>Value: <slot></slot></b>", light="42")
PAINTED = {
    "cell in a shadow root": (
        "<table><tr><th>Build<td>"
        + HOST.format(tag="x-badge", inside="<i>Passed</i>", light="")
        + "<tr><th>Lint<td>-</table>",
        'row "Build | Passed"',
    ),
    "slot": (f"<p>{SLOTTED}</p>", 'text "Value: 42"'),
    "heading": (f"<h2>Order {SLOTTED}</h2>", 'heading "Order Value: 42"'),
    "link": (f"<a href=/x>{SLOTTED}</a>", 'link "Value: 42"'),
    "unused default of a slot": (
        HOST.format(tag="x-a", inside="<p><slot>Default</slot></p>", light="Real"),
        'text "Real"',
    ),
    "deleted": ("<h2>Price <del>10</del> 8</h2>", 'heading "Price 8"'),
    "struck row": ("<table><tr><td><s>10</s> 8<td>x</table>", 'row "8 | x"'),
    "struck by a style": (
        "<style>.old { text-decoration: line-through }</style><h2>8 <b class=old>10</b></h2>",
        'heading "8"',
    ),
    "struck by a style attribute": (
        "<h2>8 <b style='text-decoration:line-through'>10</b></h2>",
        'heading "8"',
    ),
    "struck by a constructed sheet": (
        "<h2>8 <b class=old>10</b></h2><script>const s = new CSSStyleSheet();"
        "s.replaceSync('.old{text-decoration:line-through}');"
        "document.adoptedStyleSheets = [s]</script>",
        'heading "8"',
    ),
    "picture in a cell": (
        "<table><tr><td>Build<td><svg aria-label=Passed width=9 height=9></svg></table>",
        'row "Build | Passed"',
    ),
    "titled drawing in a cell": (
        "<table><tr><td>Build<td><svg width=9 height=9><title>Passed</title></svg></table>",
        'row "Build | Passed"',
    ),
    "image in a cell": (
        "<table><tr><td>Build<td><img alt=Passed src=x></table>",
        'row "Build | Passed"',
    ),
    "styled element in a cell": (
        "<table><tr><td>Build<td><i title=Passed style='display:block;height:9px'></i></table>",
        'row "Build | Passed"',
    ),
    "labelled by another": (
        "<span id=l style='display:none'>Passed</span><table><tr><td>Build<td>"
        "<i aria-labelledby=l style='display:block;height:9px'></i></table>",
        'row "Build | Passed"',
    ),
    "styled element alone": (
        "<div><i class=icon aria-label=Passed style='display:block;height:9px'></i></div>",
        'img "Passed"',
    ),
    "icon in a link": (
        "<a href=/x>Build <svg aria-label=failed width=9 height=9></svg></a>",
        'link "Build failed"',
    ),
    "margin in a heading": (
        "<h1><span>Pump leaks</span><span style='margin-left:8px'>#42</span></h1>",
        'heading "Pump leaks #42"',
    ),
    "padding in a link, around a word of another element": (
        "<a href=/x><b><i style='padding-right:.3em'>Ann</i></b><u><i>admin</i></u></a>",
        'link "Ann admin"',
    ),
    "margin in a page that is read from right to left": (
        "<h2 dir=rtl><b style='margin-left:8px'>سامي</b><i>مدير</i></h2>",
        'heading "سامي مدير"',
    ),
    "margin in a cell": (
        "<table><tr><td>Owner<td><b>Ann Lee</b><i style='margin-left:6px'>admin</i></table>",
        'row "Owner | Ann Lee admin"',
    ),
    "edge too thin to be seen": (
        "<h2><b>Git</b><i style='margin-left:1px'>Hub</i></h2>",
        'heading "GitHub"',
    ),
    "boxes around a word between signs": (
        "<h2>Set (<code style='padding:0 6px'>retries</code>), then go</h2>",
        'heading "Set (retries), then go"',
    ),
    "boxes that may hold one number": (
        "<h2><b>12</b><b style='margin-left:6px'>480</b></h2>",
        'heading "12480"',
    ),
    "number raised by a style": (
        "<h2>8,210<b style='vertical-align:super;font-size:9px'>1</b></h2>",
        'heading "8,210¹"',
    ),
    "raised numbers in cells": (
        "<table><tr><td>A<td>8,210<sup>1</sup><td>9<b style='vertical-align:super'>2</b></table>",
        'row "A | 8,210¹ | 9²"',
    ),
    "drawing labelled by another": (
        "<span id=l style='display:none'>Passed</span>"
        "<svg aria-labelledby=l width=9 height=9></svg>",
        'img "Passed"',
    ),
}


def _elements(observation):
    return [f'{e.role} "{e.name}"' for e in observation.elements]


def test_a_name_is_what_is_painted(agent):
    read = {name: _elements(agent.load_html(html)) for name, (html, _) in PAINTED.items()}
    assert {name: read[name] for name, (_, line) in PAINTED.items() if line not in read[name]} == {}


@pytest.mark.parametrize(
    "html",
    [
        "<p><del>Old</del></p>",
        "<p style='text-decoration:line-through'>Old <b>Old</b><span><b>Old</b></span></p>",
        "<div style='text-decoration:line-through'><p>Old</p><h2>Old</h2></div>",
        "<div><s>Old</s><p>New</p></div>",
    ],
)
def test_struck_out_text_is_not_listed(agent, html):
    observation = agent.load_html(f"<h1>R</h1>{html}")
    assert "Old" not in repr([e.name for e in observation.elements])


def test_what_is_struck_out_but_can_be_pressed_keeps_a_name_and_says_so(agent):
    agent.load_html("<h1>R</h1><s><button aria-label=Undo>u</button></s>")
    button = agent.observation.elements[-1]
    assert (button.name, "struck out" in button.states) == ("Undo", True)


def test_a_cut_name_or_value_says_so(agent):
    long = "word " * 100
    agent.load_html(
        f"<h1>Short…</h1><p>{long}</p><a href=/x>{long}</a><input aria-label=a value='{long}'>"
        f"<table><tr><td>{long}<td>x</table><input aria-label=b value=short>"
    )
    cut = {(e.role, e.cut) for e in agent.observation.elements}
    assert cut >= {("heading", False), ("text", True), ("link", True), ("row", True)}
    assert [e.cut for e in agent.observation.elements if e.role == "textbox"] == [True, False]


def test_a_note_is_what_describes_an_element_beyond_its_name(agent):
    agent.load_html(
        "<h1>R</h1><p id=d>Until 2027</p><button title='Opens it'>Open</button>"
        "<button aria-describedby=d>Book</button><button>Plain</button>"
    )
    notes = {e.name: e.note for e in agent.observation.elements if e.role == "button"}
    assert notes == {"Open": "Opens it", "Book": "Until 2027", "Plain": ""}


def test_what_is_not_listed_was_still_read(agent):
    rows = "".join(f"<p>Row {n}</p>" for n in range(400))
    observation = agent.load_html(f"<nav><a href=/a>Products</a></nav>{rows}<h1>End</h1>")
    listed = {e.name for e in observation.elements}
    unlisted = {e.name for e in observation.unlisted}
    assert listed | unlisted == {"Products", "End", *(f"Row {n}" for n in range(400))}
    assert not listed & unlisted
    assert {e.index for e in observation.unlisted} == {-1}
    assert "Row 399" not in "".join(observation.lines())


# -- boxes behind a styled twin --------------------------------------------------------------------

SR_ONLY = "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)"
TWINS = {
    "transparent": "<label style='position:relative'><input {i} style='opacity:0'>"
    "<span style='display:inline-block;width:16px;height:16px;border:1px solid'></span> Urgent"
    "</label>",
    "clipped": f"<input {{i}} id=u style='{SR_ONLY}'><label for=u>Urgent</label>",
    "no size": "<label><input {i} style='appearance:none;width:0;height:0;position:absolute'>"
    "<b>Urgent</b></label>",
    "not rendered": "<input {i} id=u style='display:none'><label for=u>Urgent</label>",
    "off the page": "<input {i} id=u style='position:absolute;left:-9999px'>"
    "<label for=u>Urgent</label>",
    "without a label": "<span style='position:relative;display:inline-block;width:40px;"
    "height:20px;background:#ccc'><input {i} aria-label=Urgent style='opacity:0;"
    "position:absolute;inset:0;width:40px;height:20px;margin:0'></span>",
    "with a link": "<input {i} id=u style='opacity:0;position:absolute'>"
    "<label for=u>Ok <a href=#x aria-hidden=true>Terms of the whole long thing</a></label>",
}


@pytest.mark.parametrize("name", TWINS)
@pytest.mark.parametrize("kind", ["checkbox", "radio"])
def test_a_box_behind_a_styled_twin_is_listed_and_can_be_clicked(agent, name, kind):
    agent.load_html(f"<h1>R</h1>{TWINS[name].replace('{i}', f'type={kind}')}")
    (box,) = (e for e in agent.observation.elements if e.role == kind)
    assert "checked=false" in box.states
    assert box.box.width > 1
    assert box.box.x >= 0
    result = agent.act("click", selector=str(box.index))
    assert result.success, result.error
    assert "checked=true" in next(e for e in agent.observation.elements if e.role == kind).states
    assert agent.page.url == "about:blank"


def test_a_box_behind_a_styled_twin_in_a_frame_can_be_clicked(agent):
    twin = TWINS["clipped"].replace("{i}", "type=checkbox").replace('"', "'")
    agent.load_html(f'<iframe srcdoc="{twin}"></iframe>')
    agent.page.frames[-1].wait_for_selector("label")
    agent.observation = agent.observer.observe()
    result = agent.act("click", selector=agent.index("Urgent"))
    assert result.success, result.error


@pytest.mark.parametrize(
    "html",
    [
        "<div style='opacity:0'><label><input type=checkbox> Closed menu</label></div>",
        "<label style='display:none'><input type=checkbox> Gone</label>",
        "<input type=checkbox style='display:none' aria-label=Alone>",
        "<input style='opacity:0' aria-label='Text trap'>",
    ],
)
def test_a_box_that_nobody_can_see_is_not_listed(agent, html):
    agent.load_html(f"<h1>R</h1>{html}")
    assert [e.name for e in agent.observation.elements] == ["R"]


def test_a_raised_digit_is_no_digit_of_the_number_before_it(agent):
    agent.load_html(
        """<table><tr><td>Nordic<td>12,480<sup>1</sup><td>(88)<sup><a href=#f>12</a></sup></table>
        <p>Ann Ray<sup>2</sup> had 10<sup>th</sup> place on 25 m<sup>2</sup></p>"""
    )
    texts = [e.name for e in agent.observation.elements if e.role in ("row", "text")]
    assert texts == ["Nordic | 12,480¹ | (88)¹²", "Ann Ray² had 10th place on 25 m²"]
