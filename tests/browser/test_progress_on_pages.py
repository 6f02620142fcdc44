"""The loop with a scripted policy on real pages: what is progress draws no notice, a form is one
decision, and so is a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from local_site import Site

from pytest_bwa.audit.composition import loop_of
from pytest_bwa.policy.base import ModelHelpers, Turn
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Action, Decision, Observation, Usage


@pytest.fixture
def site() -> Iterator[Site]:
    served = Site()
    yield served
    served.close()


class Play:
    """A loop on the page of ``agent``; each decision names its elements as the page does."""

    name, model, reads_labelled_values = "scripted", "none", False
    helpers = ModelHelpers()

    def __init__(self, agent: Any, decisions: Sequence[Sequence[Action]], **task: Any) -> None:
        self.decisions, self.turns = list(decisions), list[Turn]()
        spec = {"task_id": "t", "goal": "g", "output_schema": {"state": "string | null"}}
        self.writer = agent.writer
        self.loop = loop_of(
            TaskSpec.model_validate({**spec, "max_steps": 40, **task}),
            Sample("s", {"sample_id": "s"}),
            policy=self, observer=agent.observer, executor=agent.executor, vision=self,
            writer=agent.writer, on_step=lambda *_: None, on_state=lambda *_: None,
        )  # fmt: skip

    def decide(self, turn: Turn) -> Decision:
        self.turns.append(turn)
        numbers = {element.name: str(element.index) for element in turn.observation.elements}
        actions = self.decisions.pop(0)
        chosen = [numbers.get(action.selector or "", action.selector) for action in actions]
        return Decision(
            tuple(
                action.model_copy(update={"selector": selector})
                for action, selector in zip(actions, chosen, strict=True)
            )
        )

    def look(self, observation: Observation, *_: object) -> tuple[Observation, Usage]:
        return observation, Usage()

    def close(self) -> None: ...

    @property
    def notices(self) -> list[str]:
        return [notice for turn in self.turns for notice in turn.notices]


def act(name: str, selector: str | None = None, **more: Any) -> Action:
    return Action(action=name, selector=selector, **more)


DONE = act("done", extracted={"state": None})
BOXES = "<h1>Topics</h1>" + "".join(
    f"<p><label><input type=checkbox> Topic {n}</label></p>" for n in range(10)
)
LIKES = "<h1>Feed</h1>" + "".join(
    f"<p>Post {n} <button onclick=\"this.setAttribute('aria-pressed', true)\">Like {n}</button></p>"
    for n in range(4)
)
LONG = "<h1>Log</h1>" + "".join('<p style="height:80px">Entry</p>' for _ in range(150))
CALENDAR = """<h1>Dates</h1><button onclick="show(1)">Next month</button><h2 id=m></h2><table
id=days></table><script>let at = new Date(2026, 0, 1); function show(by) {
at = new Date(at.getFullYear(), at.getMonth() + by, 1);
m.textContent = at.getFullYear() + '-' + (at.getMonth() + 1); days.replaceChildren();
for (let d = 1; d < 29; d += 1) { days.insertRow().insertCell().textContent = d; } } show(0);
</script>"""
TERMINAL = """<h1>Shell</h1><label>Command <input id=c onkeydown="if (event.key === 'Enter') {
out.textContent += '\\n$ ' + this.value; this.value = ''; }"></label><pre id=out>$</pre>"""


def commands() -> list[list[Action]]:
    names = ("ls", "cd src", "ls", "cat a", "cat b", "ls", "cd ..", "ls")
    return [[act("type", "Command", text=name), act("press", key="Enter")] for name in names]


SESSIONS: dict[str, tuple[str, list[list[Action]]]] = {
    "ten boxes": (BOXES, [[act("click", f"Topic {n}")] for n in range(10)]),
    "four likes": (LIKES, [[act("click", f"Like {n}")] for n in range(4)]),
    "a long scroll": (LONG, [[act("scroll", direction="down")] for _ in range(14)]),
    "a year of a calendar": (CALENDAR, [[act("click", "Next month")] for _ in range(12)]),
    "a terminal": (TERMINAL, commands()),
}


@pytest.mark.parametrize("name", SESSIONS)
def test_a_changed_state_is_progress_and_draws_no_notice(agent, site, name):
    site.pages["/"], decisions = SESSIONS[name]
    play = Play(agent, [*decisions, [DONE]])
    outcome = play.loop.run(f"{site.url}/")
    assert play.notices == []
    assert [s.action for s in play.writer.steps if not s.success or s.intent == "recovery"] == []
    assert outcome.status == "done", outcome.reason


def test_what_changes_nothing_still_draws_notices(agent, site):
    site.pages["/"] = "<h1>Dull</h1><button>Idle</button>"
    play = Play(agent, [*[[act("click", "Idle")]] * 3, [DONE]])
    play.loop.run(f"{site.url}/")
    assert any("brought nothing new" in n or "changed nothing" in n for n in play.notices)


FORM = """<h1>Order</h1><label>City <input oninput="list.hidden = false"></label>
<ul id=list role=listbox hidden><li role=option>Aachen</li><li role=option>Ahlen</li>
<li role=option>Aurich</li></ul><label>Name <input></label>
<label><input type=checkbox onclick="more.hidden = false"> Gift</label>
<p id=more hidden><label>Card <input></label><label>Paper <input></label></p>
<button onclick="document.body.innerHTML = '<p>State: sent</p>'">Send</button>"""


def test_a_reply_goes_on_with_what_its_words_name_alone_and_says_what_they_do_not(agent, site):
    site.pages["/"] = """<h1>Case</h1><button onclick="box.hidden = false">Close</button>
        <div id=box hidden><p>Reason</p><button>Late</button><button>Done</button>
        <p><button onclick="s.textContent = 'State: sent'">Confirm</button></p>
        <button>Back</button><button>Back</button></div><p id=s>State: open</p>"""
    first = [act("click", "Close"), act("click", "Confirm"), act("click", "Back"), DONE]
    play = Play(agent, [first, [DONE]])
    play.loop.run(f"{site.url}/")
    assert agent.page.inner_text("#s") == "State: sent"
    why = 'because 2 elements match "Back"'
    assert play.notices == [f"click Back and 1 more action were not executed, {why}."]


def test_a_form_with_suggestions_and_fields_that_appear_is_one_decision(agent, site):
    site.pages["/"] = FORM
    form = [
        act("type", "City", text="Aachen"),
        act("type", "Name", text="Ann"),
        act("click", "Gift"),
        act("click", "Send"),
    ]
    done = act("done", extracted={"state": "sent"})
    play = Play(agent, [[*form, done]], required_artifacts=["receipt"])
    outcome = play.loop.run(f"{site.url}/")
    assert (outcome.status, len(play.turns), play.notices) == ("done", 1, [])
    # The required picture was taken when done came, of the page that shows the value.
    assert "receipt" in [artifact.label for artifact in play.writer.artifacts]


def test_a_record_page_is_one_decision_with_its_required_picture(agent, site):
    site.pages["/1"] = "<title>Ticket</title><h1>Ticket 1</h1><p>State: in review</p>"
    done = act("done", extracted={"state": "in review"})
    play = Play(agent, [[done]], required_artifacts=["ticket"], required_fields=["state"])
    outcome = play.loop.run(f"{site.url}/1")
    assert (outcome.status, len(play.turns)) == ("done", 1), outcome.reason
    (picture,) = play.writer.artifacts
    assert picture.label == "ticket"
    assert picture.page_state == play.turns[0].observation.state


def test_what_each_of_several_required_pictures_shows_only_who_answers_knows(agent, site):
    site.pages["/ticket"] = "<h1>Ticket 1</h1><p>State: in review</p><a href=/checks>Checks</a>"
    site.pages["/checks"] = "<h1>Checks of 1</h1><p>Result: 2 failed</p>"
    done = act("done", extracted={"state": "in review", "result": "2 failed"})
    schema = {"state": "string", "result": "string"}
    decisions = [
        [act("screenshot", label="ticket"), act("click", "Checks")],
        [done],
        [act("screenshot", label="checks")],
        [done],
    ]
    labels = ["ticket", "checks"]
    play = Play(agent, decisions, required_artifacts=labels, output_schema=schema)
    outcome = play.loop.run(f"{site.url}/ticket")
    assert (outcome.status, len(play.turns)) == ("done", 4), outcome.reason
    (notice,) = play.notices
    assert "screenshot checks" in notice
    assert "screenshot ticket" not in notice
    pictures = [(a.source_url.rsplit("/", 1)[1], a.labels) for a in play.writer.artifacts]
    taken = {label: page for page, labels in pictures for label in labels}
    assert (taken["ticket"], taken["checks"]) == ("ticket", "checks")
    # What the first page showed was offered when it had been left.
    seen = play.turns[1].run_state["Seen so far"]
    assert seen == [f"“State: in review” [1] on {site.url}/ticket"]
