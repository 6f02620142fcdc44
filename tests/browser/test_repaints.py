"""A page may paint an element anew while the policy decides: an equal one, alone, is meant."""

from __future__ import annotations

import pytest
from test_progress_on_pages import Play, act, site

__all__ = ["site"]

PAGE = """<title>Log</title><h1>Log</h1><div id=app>{app}</div><p id=state>State: open</p>
<script>const set = (text) => {{ state.textContent = `State: ${{text}}`; }};</script>"""
BUTTON = "<button onclick=\"set('sent')\">Send</button>"
ROW = "<tr><td>{0}<td><button onclick=\"set('{0}')\">Send</button>"
TABLE = f"<table>{ROW.format('Ann')}{ROW.format('Bob')}</table>"
RELOAD = "reload"
ANEW = "app.innerHTML += ''"


MONTHS = """<title>-</title><div id=box></div><script>
let month = 9;
function draw() {
  box.innerHTML = `<h2>Month ${month}</h2><button onclick="month--; draw()">Prev</button>` +
    (month === END ? "" : "<p>more</p>");
  if (month === END) box.lastChild.remove();
}
draw();
</script>"""


@pytest.mark.parametrize(
    ("end", "month", "said"),
    [
        ("-1", 4, 'clicked button "Prev", 5 times'),
        ("7", 7, "2 of 5 clicks landed: then it was gone"),
    ],
)
def test_more_clicks_than_one_gesture_has_follow_what_is_painted_anew(
    agent, site, end, month, said
):
    site.pages["/"] = MONTHS.replace("END", end)
    play = Play(agent, [[act("click", selector="Prev", count=5)], [act("done", extracted={})]])
    play.loop.run(f"{site.url}/")
    assert agent.page.inner_text("h2") == f"Month {month}"
    assert said in play.writer.steps[1].result


class Repainted(Play):
    """The page runs a script after each observation."""

    script = ""

    def decide(self, turn):
        decision = super().decide(turn)
        if self.decisions:
            page = self.loop.step_runner.eyes.observer.page
            page.reload() if self.script == RELOAD else page.evaluate(self.script)
        return decision


def _state(agent, site, app, script, selector):
    site.pages["/"] = PAGE.format(app=app)
    play = Repainted(agent, [[act("click", selector=selector)], [act("done", extracted={})]])
    play.script = script
    play.loop.run(f"{site.url}/")
    return agent.page.inner_text("#state"), play.writer.steps


@pytest.mark.parametrize(
    ("app", "script", "selector"),
    [
        (BUTTON, ANEW, "Send"),
        (BUTTON, "app.replaceChildren(app.firstChild.cloneNode(true))", "Send"),
        (f"<a href=/x>Help</a>{BUTTON}", f"{ANEW}; app.firstChild.remove()", "Send"),
    ],
)
def test_what_was_painted_anew_is_pressed(agent, site, app, script, selector):
    assert _state(agent, site, app, script, selector)[0] == "State: sent"


@pytest.mark.parametrize(("number", "name"), [("2", "Ann"), ("4", "Bob")])
def test_of_equal_buttons_the_one_of_the_same_row_is_pressed(agent, site, number, name):
    assert _state(agent, site, TABLE, ANEW, number)[0] == f"State: {name}"


@pytest.mark.parametrize(
    "script",
    [
        "app.innerHTML = ''",
        "app.innerHTML = app.innerHTML.replace('>Send<', '>Delete<')",
        "app.innerHTML = app.innerHTML + app.innerHTML",
        RELOAD,
    ],
    ids=["it is gone", "it has another name", "there are two of them", "another document"],
)
def test_what_is_not_surely_the_same_is_not_pressed(agent, site, script):
    state, steps = _state(agent, site, BUTTON, script, "Send")
    assert state == "State: open"
    assert any("no longer on the page" in (step.error or "") for step in steps)
