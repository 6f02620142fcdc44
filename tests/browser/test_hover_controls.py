"""Buttons that are painted only under the pointer take no lines of the list, and what all of an
application is called is no hint."""

from __future__ import annotations

import pytest

STYLE = """<style>button { border: none; background: none; min-width: 23px; height: 20px }
.row:not(:hover) .quiet { display: none } .bar button { background: #eee }
i { display: inline-block; width: 9px; height: 9px; background: black }</style>"""
BUTTONS = "<button><i class='fa fa-ban quiet'></i></button>" * 3
ROWS = {
    "a tree": "<ul role=tree><li class=row><div role=treeitem tabindex=0>Flow 1</div>{}</li></ul>",
    "labels beside them": "<div class=row><div><span>Flow 1</span></div><div>{}</div></div>",
    "a table": "<table><tr class=row><td>Flow 1<td>Anna<td>{}</table>",
    "links": "<div class=row><a href=/1>Flow 1</a>{}</div>",
}


def _states(agent, name):
    found = next(e for e in agent.observation.elements if name in e.name)
    return [state for state in found.states if "hover" in state]


def _buttons(agent):
    return [e for e in agent.observation.elements if e.role == "button"]


@pytest.mark.parametrize("kind", ROWS)
def test_buttons_that_only_the_pointer_shows_are_counted_in_the_line_before(agent, kind):
    agent.load_html(STYLE + ROWS[kind].format(BUTTONS))
    assert _buttons(agent) == []
    assert _states(agent, "Flow 1") == ["3 more on hover"]
    agent.act("hover", selector="Flow 1")
    assert len(_buttons(agent)) == 3
    assert _states(agent, "Flow 1") == []


@pytest.mark.parametrize(
    "button",
    [
        "<button title=Delete><i class='fa quiet'></i></button>",
        "<button style='background:#eee'><i class='fa quiet'></i></button>",
        "<button style='border:1px solid'><i class='fa quiet'></i></button>",
        "<button><i class='fa quiet'></i><i class='fa fa-eye'></i></button>",
        "<button class=empty></button>",
    ],
    ids=["a name", "a colour", "a border", "another picture", "no picture at all"],
)
def test_a_button_that_is_seen_or_has_a_name_keeps_its_line(agent, button):
    agent.load_html(f"{STYLE}<div class=row><span>Flow 1</span>{button}</div>")
    assert len(_buttons(agent)) == 1
    assert _states(agent, "Flow 1") == []


def test_of_buttons_beside_nothing_the_first_keeps_its_line(agent):
    agent.load_html(
        f"{STYLE}<h1>Flows</h1><div><div><div><div class=row>{BUTTONS}</div></div></div></div>"
    )
    assert [e.states for e in _buttons(agent)] == [("2 more on hover",)]
