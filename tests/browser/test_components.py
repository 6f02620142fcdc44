"""Screens in the shapes of component libraries: shadow roots, closed parts, numbers as texts."""

from __future__ import annotations

import pytest

DEVICE = """<script>
const define = (name, html) => customElements.define(name, class extends HTMLElement {
  connectedCallback() {
    this.attachShadow({mode: "open"}).innerHTML = html.replace("@", this.dataset.text || "");
  }
});
define("x-value", "@");
define("x-row", "<div>Battery</div><x-value data-text='81 %'></x-value>");
define("x-card", `<header><button>Reload</button></header><slot></slot><x-row></x-row>
  <footer><button>Close</button></footer>`);
define("x-dialog", `<style>.panel { display: none } :host([open]) .panel { display: block }</style>
  <div class=panel role=dialog aria-label=Settings><slot></slot></div>`);
</script>
<header><a href=/shop>Shop</a></header><h1>Lamp</h1><x-card>Living room</x-card>
<x-dialog><p>Delete the lamp?</p></x-dialog>"""


def lines(agent):
    return [line.split("] ", 1)[-1] for line in agent.lines()]


def test_nested_shadow_roots_are_read_and_their_headers_are_their_own(agent):
    agent.load_html(DEVICE)
    assert lines(agent) == [
        '[link] "Shop" → /shop',
        '[heading] "Lamp" (level=1)',
        '[button] "Reload"',
        '[text] "Living room"',
        '[text] "Battery"',
        '[text] "81 %"',
        '[button] "Close"',
        "7 elements, all.",
    ]
    agent.page.evaluate("document.querySelector('x-dialog').setAttribute('open', '')")
    agent.observation = agent.observer.observe()
    assert '[text] "Delete the lamp?"' in lines(agent)


def test_a_value_that_changes_in_a_nested_shadow_root_is_observed(agent):
    agent.load_html(DEVICE)
    state = agent.observation.state
    agent.page.evaluate(
        """() => { const root = (el, name) => el.querySelector(name).shadowRoot;
        root(root(root(document, "x-card"), "x-row"), "x-value").textContent = "79 %"; }"""
    )
    agent.observation = agent.observer.observe()
    assert '[text] "79 %"' in lines(agent)
    assert agent.observation.state != state


@pytest.mark.parametrize(
    "style",
    ["height:0;overflow:hidden", "width:0;padding:0;overflow:hidden", "display:none"],
)
def test_what_is_folded_away_is_not_listed(agent, style):
    agent.load_html(
        f"""<button aria-expanded=false>Filters</button><ul style="{style}"><li>Red</li>
        <li><a href=/b>Blue</a></li></ul><div style="height:0">Overflowing</div>"""
        + "<button>Go</button>" * 5
    )
    names = [e.name for e in agent.observation.elements]
    assert names == ["Filters", "Overflowing", *["Go"] * 5]


@pytest.mark.parametrize(
    ("around", "place"),
    [
        ("body{overflow:hidden;margin:0}", "position:absolute"),
        ("#root{overflow:hidden}", "position:absolute"),
        ("#root{overflow:hidden}", "position:fixed"),
    ],
)
def test_what_is_placed_outside_of_a_box_without_height_is_not_folded_away(agent, around, place):
    agent.load_html(
        f"""<style>{around}</style><div id=root><main style="{place};inset:0">
        <h1>Flow</h1><table><tr><th>Class</th><td>Internal</td></tr></table></main></div>"""
    )
    assert lines(agent)[:2] == ['[heading] "Flow" (level=1)', '[row] "Class | Internal"']


def test_what_a_box_without_height_places_itself_is_folded_away(agent):
    agent.load_html(
        """<div style="overflow:hidden;height:0;position:relative">
        <p style="position:absolute;top:0">Old</p></div>"""
        + "<button>Go</button>" * 5
    )
    assert {e.name for e in agent.observation.elements} == {"Go"}


def test_marks_of_templates_are_no_names(agent):
    agent.load_html("<button aria-label='Close ?lit$0134$'>x</button><p>Hi ?lit$99$</p>" + "<hr>")
    assert lines(agent)[:2] == ['[button] "Close" (text="x")', '[text] "Hi"']


DAYS = "".join(
    f"<button onclick='document.title=this.textContent'>{n}</button>" for n in range(3, 9)
)


def test_a_bare_number_is_the_number_of_an_element_and_the_result_says_so(agent):
    agent.load_html(DAYS)
    result = agent.act("click", selector="4")
    assert agent.page.title() == "7"
    assert 'button "7", the element [4] (the text “4” is [1])' in result.description
    result = agent.act("click", selector="[4]")
    assert "the text" not in result.description


ROW = """<div style='position:absolute;top:{}px' role=row aria-rowindex={}>
<div role=cell>{}</div></div>"""
CELLS = "<span role=gridcell aria-colindex=2>b</span><span role=gridcell aria-colindex=1>a</span>"


@pytest.mark.parametrize(
    ("html", "names"),
    [
        ("<div style='display:flex;flex-direction:row-reverse'><p>3<p>2<p>1</div>", "1 2 3"),
        ("<div style='display:grid'><p style='order:2'>3<p>1<p style='order:1'>2</div>", "1 2 3"),
        (
            "<div style='position:relative'>"
            + "".join(f"<p style='position:absolute;top:{n}0px'>{n}</p>" for n in (4, 2, 3))
            + "</div>",
            "2 3 4",
        ),
        (
            "<div role=grid>" + "".join(ROW.format(60 - n, n, n) for n in (5, 3, 4)) + "</div>",
            "3 4 5",
        ),
        ("<div role=grid><div role=row>" + CELLS + "</div></div>", "a | b"),
        ("<div style='display:flex'><p>1<p>2<p>3</div>", "1 2 3"),
    ],
)
def test_neighbours_are_listed_in_the_order_of_the_screen(agent, html, names):
    agent.load_html(html + "<hr>")
    assert " ".join(element.name for element in agent.observation.elements) == names


BOX = "<div style='position:relative'><input><div id=h style='position:{};top:0'>{}</div></div>"


@pytest.mark.parametrize(
    ("html", "is_busy"),
    [
        (BOX.format("absolute", "Select..."), False),
        (BOX.format("static", "Select...").replace("<input", "<input aria-describedby=h"), False),
        (BOX.format("static", "Searching…"), True),
        ("<div role=combobox tabindex=0>Select…</div>", False),
    ],
)
def test_a_hint_in_a_field_is_no_sign_of_loading(agent, html, is_busy):
    agent.load_html("<h1>Orders</h1><p>One</p>" + html)
    assert agent.observation.busy == is_busy


def test_no_number_is_given_twice_and_a_value_is_said_once(agent):
    agent.load_html(
        """<button role=combobox aria-label=Owner>Erika</button>
        <div role=spinbutton aria-label=Month aria-valuetext=April contenteditable>04</div>
        <label><input type=checkbox> <span>Agreed</span></label>
        <button><img alt=close src=x.png></button><p>1<p>2"""
    )
    assert lines(agent)[:4] == [
        '[combobox] "Owner" (value="Erika")',
        '[spinbutton] "Month" (value="April", text="04")',
        '[checkbox] "Agreed" (checked=false)',
        '[button] "close"',
    ]


def test_what_a_label_says_beyond_its_field_is_listed(agent):
    agent.load_html(
        """<label><input type=checkbox aria-label=Agreed> Terms of 3 May</label>
        <span aria-label="Leave at the door">Note</span><p>1<p>2<p>3"""
    )
    assert '[text] "Terms of 3 May"' in lines(agent)
    assert '[text] "Note" (note="Leave at the door")' in lines(agent)


def test_a_box_that_is_scrolled_out_of_the_window_is_a_box(agent):
    agent.load_html(
        """<div id=s style="height:100px;overflow:auto"><label><input type=checkbox
        style="opacity:0"> One</label><p style="height:900px">Two</div>"""
    )
    agent.page.evaluate("s.scrollTop = 500")
    agent.observation = agent.observer.observe()
    assert '[checkbox] "One" (checked=false)' in lines(agent)


def test_the_lines_of_a_text_area_and_the_words_before_a_button_are_kept(agent):
    agent.load_html(
        "<textarea aria-label=Note>a\n  b</textarea><p><b>Ida</b> joined <button>Ask</button></p>"
    )
    assert lines(agent)[:3] == [
        '[textbox] "Note" (value="a ⏎   b", multi-line)',
        '[text] "Ida joined"',
        '[button] "Ask"',
    ]


def test_the_edge_of_a_column_is_no_control_and_a_cross_hidden_from_readers_is_one(agent):
    agent.load_html(
        """<div style="cursor:col-resize;width:9px;height:9px" onclick="1"></div>
        <span role=button tabindex=0>Bergen<svg aria-hidden=true class=cancel-icon onclick="1"
        width=9 height=9><path d="M0 0h9v9z"/></svg></span><p>1<p>2<p>3"""
    )
    assert lines(agent)[:2] == ['[button] "Bergen"', '[clickable] "" (icon: cancel)']
