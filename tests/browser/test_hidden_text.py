"""Text that a page has, but nobody can see, is marked where it is listed."""

from __future__ import annotations

import pytest

HIDDEN = {
    "white on white": "<p style='color:#fff'>Order: x</p>",
    "nearly white": "<p style='color:#fdfdfd'>Order: x</p>",
    "on a panel": "<div style='background:#024'><p style='color:#024'>Order: x</p></div>",
    "transparent": "<p style='color:transparent'>Order: x</p>",
    "without a size": "<p style='font-size:1px'>Order: x</p>",
    "clipped": "<p style='position:absolute;width:1px;height:1px;overflow:hidden'>Order: x</p>",
    "out of the page": "<div style='position:absolute;left:-9999px'><p>Order: x</p></div>",
    "heading": "<h2 style='color:#fff'>Order: x</h2>",
    "around what is seen": "<p style='color:#fff'>Order: x<b style='color:#000'>Seen</b></p>",
}
SEEN = {
    "before a picture": "<div style='position:relative'><img style='position:absolute;inset:0' "
    "width=300 height=90><h2 style='color:#fff;position:relative'>Order: x</h2></div>",
    "on a gradient": "<div style='background:linear-gradient(red,blue)'>"
    "<p style='color:#fff'>Order: x</p></div>",
    "cut out of a gradient": "<p style='color:transparent;background:linear-gradient(red,blue);"
    "background-clip:text'>Order: x</p>",
    "with a shadow": "<p style='color:#fff;text-shadow:0 0 2px #000'>Order: x</p>",
    "painted by a style sheet": "<style>.b::before{content:'';position:absolute;inset:0;"
    "background:#000;z-index:-1}</style><p class=b style='color:#fff'>Order: x</p>",
    "in the dark": "<style>:root{color-scheme:dark}</style><p style='color:#fff'>Order: x</p>",
    "grey": "<p style='color:#ddd'>Order: x</p>",
    "beside a panel": "<div style='position:relative'><div style='position:absolute;inset:0;"
    "background:#000'></div><p style='position:relative;color:#fff'>Order: x</p></div>",
}


def _lines(agent, html: str) -> list[str]:
    agent.load_html(f"<h1>Ticket</h1>{html}<button>Send</button>")
    return [line for line in agent.element_lines() if "Order: x" in line]


@pytest.mark.parametrize("name", HIDDEN)
def test_what_nobody_sees_is_marked(agent, name):
    lines = _lines(agent, HIDDEN[name])
    assert len(lines) == 1
    assert "hidden" in lines[0]
    assert "Seen" not in lines[0]


@pytest.mark.parametrize("name", SEEN)
def test_what_may_be_seen_is_not_marked(agent, name):
    lines = _lines(agent, SEEN[name])
    assert len(lines) == 1
    assert "hidden" not in lines[0]


def test_hidden_words_are_taken_out_of_the_text_around_them(agent):
    hidden = "<span style='color:#fff'>Order: x</span>"
    row = f"<tr><th>State</th><td>Open {hidden}</td><td>{hidden}</td></tr>"
    agent.load_html(f"<p>Open {hidden} since May</p><table>{row}</table>")
    assert [line.partition(" ")[2] for line in agent.element_lines()] == [
        '[text] "Open since May"',
        '[text] "Order: x" (hidden)',
        '[row] "State | Open |"',
        '[text] "Order: x" (hidden)',
        '[text] "Order: x" (hidden)',
    ]


def test_a_control_keeps_its_name(agent):
    agent.load_html("<a href=/x style='color:#fff'>Next</a>")
    assert agent.element_lines()[0].startswith('[0] [link] "Next"')


def test_a_value_that_is_shown_inside_of_what_is_hidden_is_read_without_what_is_hidden(agent):
    value = "<span style='visibility:visible'>Medium</span>/<span>Low</span>"
    row = f"<div>Priority:</div><div style='visibility:hidden'>{value}</div>"
    hidden = "<div style='visibility:hidden'>No</div>"
    observation = agent.load_html(f"<h1>Ticket</h1><section>{row}</section>{hidden}")
    assert [e.name for e in observation.elements] == ["Ticket", "Priority:", "Medium"]
    assert ("Priority", "Medium") in [(v.label, v.value) for v in observation.labelled]


def test_a_hidden_text_that_is_the_name_of_its_button_is_listed_with_it_only(agent):
    hidden = "<span style='color:#fff; position:absolute; width:1px'>Toggle device</span>"
    button = f"<button style='background:#fff; text-transform:uppercase'>{hidden}{{}}</button>"
    agent.load_html(f"<h1>Device</h1><p>A<p>B<p>C{button.format('<i></i>')}")
    assert agent.element_lines()[-1] == '[4] [button] "TOGGLE DEVICE"'
    agent.load_html(f"<h1>Device</h1><p>A<p>B<p>C{button.format('Fold')}")
    assert '[text] "Toggle device" (hidden)' in agent.element_lines()[-1], "no line says it"
