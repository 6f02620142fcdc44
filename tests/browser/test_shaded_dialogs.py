"""A box in front of a shade over the whole page is listed as a dialog is, whatever it is made of;
what only looks a little like one leaves the list as it is."""

from __future__ import annotations

import pytest

BODY = "<h2>Delete REQ-7?</h2><button>Yes</button><span onclick='1'>No</span>"
ORDERS = "<h1>Orders</h1>" + "".join(f"<p>Order {n} <a href=#{n}>open</a></p>" for n in range(40))
APP = f"<header><a href=/home>Home</a></header><main>{ORDERS}</main>"
STYLE = """<style>body { margin: 0 } .shade { position: fixed; inset: 0; background: #0008 }
.box { background: white; width: 300px; height: 200px; margin: 120px auto }
.fixed { position: fixed; left: 300px; top: 100px; z-index: 5 } .abs { position: absolute }
.whole { position: fixed; inset: 0; overflow: auto } .middle { left: 400px; top: 150px }
.drawer { position: fixed; top: 0; right: 0; bottom: 0; width: 360px; background: white }
.chat { position: fixed; right: 8px; bottom: 8px; width: 50px; height: 50px; z-index: 9 }</style>"""
DIALOGS = {
    "a box in the shade": f"{APP}<div class=shade><div class=box>{BODY}</div></div>",
    "a box beside the shade": f"{APP}<div class=shade></div><div class='box fixed'>{BODY}</div>",
    "a box within the page": f"<main>{ORDERS}<div><div class=shade></div>"
    f"<section><div class='box fixed'>{BODY}</div></section></div></main>",
    "a clear layer over a shade of black that is made transparent": (
        f"{APP}<div class=shade style='background:#000;opacity:.5'></div>"
        f"<div class=whole><div><div class=box>{BODY}</div></div></div>"
    ),
    "a clear frame with the shade and the box": (
        f"{APP}<div class=whole><div class='shade abs'></div>"
        f"<div style='position:relative' class=box>{BODY}</div></div>"
    ),
    "a box that scrolls with the page": (
        f"{APP}<div class='box abs middle' style='z-index:9'>{BODY}</div><div class=shade></div>"
    ),
    "a page that is one fixed box": (
        f"<div class=whole style='background:white'>{APP}"
        f"<div class=shade><div class=box>{BODY}</div></div></div>"
    ),
    "a drawer": f"{APP}<div class=shade><div class=drawer>{BODY}</div></div>",
    "a role that says nothing of the page": (
        f"{APP}<div class=shade></div><div class='box fixed' role=dialog>{BODY}</div>"
    ),
    "a blurred page": (
        f"{APP}<div class=shade style='background:none;backdrop-filter:blur(3px)'>"
        f"<div class=box>{BODY}</div></div>"
    ),
}
IN_ROOT = f"""{STYLE}{APP}<my-dialog></my-dialog><script>
document.querySelector("my-dialog").attachShadow({{ mode: "open" }}).innerHTML =
  `{STYLE}<div class=shade><div class=box>{BODY}</div></div>`;</script>"""
BAR = "<div style='position:fixed;left:0;right:0;{};background:white;padding:9px'>{}</div>"
COOKIES = "We use cookies <button>Accept</button>"
OTHERS = {
    "a header that stays and a cookie bar": (
        BAR.format("top:0", "<button>Menu</button>") + APP + BAR.format("bottom:0", COOKIES)
    ),
    "a cookie bar in front of a shade": (
        f"{APP}<div class=shade>{BAR.format('bottom:0', COOKIES)}</div>"
    ),
    "a menu over the whole screen": (
        f"{APP}<div class=shade style='background:#000d'><ul class=box style='background:none'>"
        "<li><a href=/a>News</a><li><a href=/b>Team</a></ul></div>"
    ),
    "a background behind a page": (
        f"<div class=shade></div><div class='box fixed'>{BODY}</div>"
        "<footer style='position:absolute;top:2000px'>Imprint</footer>"
    ),
    "a page in front of its background": (
        f"<p>News</p><div class=shade></div><div class=whole><div class=box>{BODY}</div>"
        "<div style='height:3000px'></div><footer>Imprint</footer></div>"
    ),
    "a picture with its words": (
        "<section style='position:relative;height:100vh'><div class='shade' style='position:"
        f"absolute'><div class=box>{BODY}</div></div></section>{APP}"
    ),
    "a page that is loading": f"{APP}<div class=shade><div class=box>Please wait</div></div>",
    "a list that opens in front of what closes it": (
        f"{APP}<div class=shade style='background:#0000'><div class=box>{BODY}</div></div>"
    ),
    "a shade that lets the pointer through": (
        f"{APP}<div class=shade style='pointer-events:none'></div>"
        f"<div class='box fixed'>{BODY}</div>"
    ),
    "a shade over a part of the page": (
        f"{APP}<div class=shade style='top:100px'><div class=box>{BODY}</div></div>"
    ),
}


def _names(agent):
    return [(e.role, e.name) for e in agent.observation.elements]


DIALOG = [("heading", "Delete REQ-7?"), ("button", "Yes"), ("clickable", "No")]


@pytest.mark.parametrize("kind", DIALOGS)
def test_a_box_in_front_of_a_shade_is_listed_and_the_page_behind_it_is_one_line(agent, kind):
    agent.load_html(STYLE + DIALOGS[kind])
    assert [e for e in _names(agent) if e[0] not in ("dialog", "scroller")] == DIALOG
    assert "elements of the page behind the dialog are not listed." in agent.lines()[-1]
    assert "Order 39 open" in {e.name for e in agent.observation.unlisted}


def test_a_dialog_in_a_shadow_root_is_one_too(agent):
    agent.load_html(IN_ROOT)
    assert _names(agent) == DIALOG


def test_what_stands_in_front_of_the_shade_stays_in_the_list(agent):
    chat = "<button class=chat>Chat</button>"
    agent.load_html(STYLE + DIALOGS["a box in the shade"] + chat)
    assert _names(agent) == [*DIALOG, ("button", "Chat")]


@pytest.mark.parametrize("kind", OTHERS)
def test_what_may_be_no_dialog_leaves_the_list_as_it_is(agent, kind):
    agent.load_html(STYLE + OTHERS[kind])
    assert not any("behind the dialog" in line for line in agent.lines())
    assert {e.name for e in agent.observation.unlisted} <= {"Home"}  # of the header
