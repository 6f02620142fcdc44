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
        '[heading] "Lamp" (level=1)',
        '[button] "Reload"',
        '[text] "Living room"',
        '[text] "Battery"',
        '[text] "81 %"',
        '[button] "Close"',
        "6 of 7 elements. Not listed: 1 link in the page's header. Find a text to reach them.",
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
