"""A number stands for the record that was seen: nothing is done to another one that has come into
the same elements."""

from __future__ import annotations

from dataclasses import replace

import pytest

BUTTON = "<button onclick='document.title += this.closest(\"[data-r]\").dataset.r'>Close</button>"
TABLE = "<table><tr><th>Order<th>State<th>", "<tr data-r='{0}'><td>{0}<td>{1}<td>{b}", "</table>"
LIST = "<ul>", "<li data-r='{0}'><b>{0}</b> <span>{1}</span> {b}</li>", "</ul>"
CARDS = (
    "<div>",
    "<div class='card' data-r='{0}'><div><b>{0}</b></div><div>{1} <span>{b}</span></div></div>",
    "</div>",
)
PLAIN = "<section>", "<div data-r='{0}'><p>{0}</p><p>{1}</p>{b}</div>", "</section>"
GRID = (
    "<div role=grid>",
    "<div role=row data-r='{0}'><div role=gridcell>{0}</div><div role=gridcell>{1}</div>"
    "<div role=gridcell>{b}</div></div>",
    "</div>",
)
SHAPES = {"table": TABLE, "list": LIST, "cards": CARDS, "plain": PLAIN, "grid": GRID}
# Writes the records anew into the same elements.
REUSE = """records => [...document.querySelectorAll('[data-r]')].forEach((el, at) => {
  const texts = []; const walk = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) if (walk.currentNode.data.trim() && !walk.currentNode.parentNode
    .closest('button')) texts.push(walk.currentNode);
  const [name, state] = records[at];
  texts.forEach((text, n) => { text.data = n ? state + ' ' : name });
  el.dataset.r = name;
})"""
ORDERS = [("OR-1", "Open"), ("OR-2", "Open"), ("OR-3", "Paid")]


def load(agent, shape, records=ORDERS):
    start, entry, end = SHAPES[shape]
    entries = "".join(entry.format(*record, b=BUTTON) for record in records)
    agent.load_html(f"<h1>Orders</h1>{start}{entries}{end}")
    return [str(e.index) for e in agent.observation.elements if e.name == "Close"]


@pytest.mark.parametrize("shape", SHAPES)
def test_what_was_seen_in_one_record_is_not_pressed_in_another(agent, shape):
    _, second, third = load(agent, shape)
    agent.page.evaluate(REUSE, [("OR-0", "Open"), ("OR-1", "Open"), ("OR-2", "Open")])
    result = agent.act("click", selector=second)
    assert not result.success
    assert "OR-2" in result.error
    assert "OR-1" in result.error
    assert agent.observation.title == ""
    assert agent.act("click", selector=third).success  # it has been listed anew
    assert agent.observation.title == "OR-2"


@pytest.mark.parametrize("shape", SHAPES)
def test_what_ticks_in_a_record_refuses_nothing(agent, shape):
    records = [("OR-1", "12:00:01"), ("OR-2", "3 minutes ago"), ("OR-3", "1 view")]
    _, second, third = load(agent, shape, records)
    later = [("OR-1", "12:00:02"), ("OR-2", "4 minutes ago"), ("OR-3", "2 views")]
    agent.page.evaluate(REUSE, later)
    assert agent.act("click", selector=second).success
    agent.page.evaluate(REUSE, [*later[:2], ("OR-3", "3 views")])
    assert agent.act("click", selector=third).success
    assert agent.observation.title == "OR-2OR-3"


@pytest.mark.parametrize(
    ("action", "params"),
    [("type", {"text": "9"}), ("press", {"key": "Enter"}), ("select_option", {"value": "Two"}),
     ("click", {"count": 2})],
)  # fmt: skip
def test_nothing_is_typed_or_chosen_for_another_record(agent, action, params):
    fields = {"type": "<input>", "press": "<input>", "click": "<button>Add</button>"}
    field = fields.get(action, "<select><option>One<option>Two</select>")
    agent.load_html(f"<table><tr><td>Ann<td>{field}<tr><td id=b>Bob<td>{field}</table>")
    number = [e.index for e in agent.observation.elements if e.role not in ("row", "text")][-1]
    agent.page.evaluate("b.textContent = 'Eve'; b.title = 'Eve'")
    result = agent.act(action, selector=f"[{number}]", **params)
    assert "“Bob" in result.error
    assert "“Eve" in result.error
    assert agent.act(action, selector=str(number), **params).success


def test_a_number_of_an_earlier_list_is_compared_too(agent):
    _, second, _ = load(agent, "cards")
    agent.act("wait", selector="Orders")
    agent.observation = replace(agent.observation, elements=())
    agent.page.evaluate(REUSE, [("OR-0", "Open"), ("OR-1", "Open"), ("OR-2", "Open")])
    assert "OR-1" in agent.act("click", selector=second).error


def test_names_and_headings_are_compared_where_there_is_no_record(agent):
    agent.load_html(
        """<h1>Queue</h1><h2 id=h>OR-2</h2><button>Close</button>
        <aside><h2>More</h2><button id=b aria-label="Reply to Ann">R</button>
        <button id=n>Inbox (3)</button></aside>"""
    )
    close, reply, inbox = (agent.index(n) for n in ("Close", "Reply to Ann", "Inbox (3)"))
    agent.page.evaluate("h.textContent = 'OR-1'; b.ariaLabel = 'Reply to Bob'")
    agent.page.evaluate("n.textContent = 'Inbox (4)'")
    before = agent.observation
    assert (
        "stood under “OR-2” and now stands under “OR-1”" in agent.act("click", selector=close).error
    )
    agent.observation = before
    assert (
        "was “Reply to Ann” and is “Reply to Bob” now" in agent.act("click", selector=reply).error
    )
    agent.observation = before
    assert agent.act("click", selector=inbox).success


def test_what_only_the_pointer_or_a_tick_shows_refuses_nothing(agent):
    agent.load_html(
        """<style>td i { display: none } tr:hover i { display: inline }</style><table>
        <tr><td>Ann <i>Edit</i><td><input type=checkbox><td><button>Open</button>
        <tr><td>Bob <i>Edit</i><td><input type=checkbox><td><button>Open</button></table>"""
    )
    boxes = [str(e.index) for e in agent.observation.elements if e.role == "checkbox"]
    buttons = [str(e.index) for e in agent.observation.elements if e.name == "Open"]
    before = agent.observation
    for number in (boxes[0], buttons[0], boxes[1], buttons[1], boxes[0]):
        agent.observation = before
        assert agent.act("click", selector=number).success


def test_a_refused_number_that_ticks_again_is_pressed(agent):
    agent.load_html("<ul><li><b>Ann</b> <i id=v>compiles</i> <button>Stop</button></ul>")
    number = agent.index("Stop")
    agent.page.evaluate("v.textContent = 'links'")
    assert not agent.act("click", selector=number).success
    agent.page.evaluate("v.textContent = 'tests'")
    assert agent.act("click", selector=number).success


OWN_WORDS = {
    "a panel": (
        "<div><p><b id=x>OR-2</b></p><p>Open</p><button>Close</button></div>",
        "textContent",
    ),
    "a dialog": ("<div role=dialog><p id=x>OR-2?</p><button>Close</button></div>", "textContent"),
    "a title": (
        "<div role=dialog aria-label=OR-2 id=x><p>Sure?</p><button>Close</button></div>",
        "ariaLabel",
    ),
    "a picture": (
        "<ul><li><img id=x alt=OR-2 width=9 height=9><button>Close</button><li>OR-3</ul>",
        "alt",
    ),
    "a fixed field": (
        "<table><tr><td><input id=x value=OR-2 readonly><td><button>Close</button></table>",
        "value",
    ),
    "an address": ("<a id=x href=/OR-2>Close</a>", "href"),
}


@pytest.mark.parametrize(("html", "part"), OWN_WORDS.values(), ids=OWN_WORDS)
def test_whatever_names_the_record_is_compared(agent, html, part):
    agent.load_html(f"<main><h1>Queue</h1>{html}<p>End</p></main>")
    number = agent.index("Close")
    agent.page.evaluate(f"x.{part} = 'OR-1'")
    result = agent.act("click", selector=number)
    assert not result.success
    assert "OR-2" in result.error
    assert "OR-1" in result.error
    agent.settler.limit(1)  # the link leads nowhere from a blank page, and its page never comes
    assert agent.act("click", selector=number).success
