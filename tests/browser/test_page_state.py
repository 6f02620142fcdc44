"""What counts as a change of the page: for reading it again, and as another state of it."""

from __future__ import annotations

import pytest

PAGE = """<html lang=de><h1 id=h>Order</h1><input id=t aria-label=t value=1>
<input id=c type=checkbox aria-label=c><textarea id=a aria-label=a></textarea>
<select id=s aria-label=s><option>S<option>M</select><input id=p type=password value=hunter2>
<progress id=bar value=30 max=100></progress><svg id=d><title>Passed</title></svg>
<i id=dial role=slider aria-valuenow=1></i>
<div id=host><template shadowrootmode=open><p>Inside</p><input value=x aria-label=x></template>
</div><iframe srcdoc="<p>Frame</p><input value=f>"></iframe></html>"""
CHANGES = [
    "t.value = 2", "c.checked = true", "a.value = 'new'", "s.value = 'M'", "s.selectedIndex = 0",
    "s.options[1].selected = true", "host.shadowRoot.querySelector('input').value = 'y'",
]  # fmt: skip


@pytest.fixture
def read(agent, site):
    site.pages["/"] = PAGE
    agent.act("goto", url=site.url + "/")
    return lambda: agent.observer.observe()


def test_a_value_that_a_script_sets_is_read_again(agent, site):
    site.pages["/"] = PAGE.split("<iframe")[0]  # a page with frames is always read again
    agent.act("goto", url=site.url + "/")
    for change in CHANGES:
        before = agent.observer.observe()
        assert agent.observer.observe().elements is before.elements
        agent.page.evaluate(change)
        after = agent.observer.observe()
        assert after.elements != before.elements, change
        assert after.state != before.state, change


def test_a_reset_form_is_read_again(agent):
    agent.load_html("<form id=f><input aria-label=t value=1></form>")
    agent.page.evaluate("f[0].value = 2")
    assert agent.observer.observe().elements[0].value == "2"
    agent.page.evaluate("HTMLFormElement.prototype.reset.call(f)")
    assert agent.observer.observe().elements[0].value == "1"


def test_a_secret_that_a_script_sets_changes_the_stamp_but_not_the_state(agent):
    agent.load_html("<h1>Login</h1><input type=password value=hunter2 id=p>")
    before = agent.observation
    frame, readers = agent.page.main_frame, agent.tabs.readers
    stamp = readers.ask(frame, "stamp")
    agent.page.evaluate("p.value = 'swordfish'")
    assert readers.ask(frame, "stamp") != stamp
    assert agent.observer.observe().state == before.state
    agent.page.evaluate("p.value = ''")
    assert agent.observer.observe().state != before.state


TEXTS = [
    "h.textContent = 'Ordee'",
    "h.style.display = 'none'",
    "bar.value = 40",
    "d.querySelector('title').textContent = 'Failed'",
    "dial.setAttribute('aria-valuenow', '9')",
    "history.pushState({}, '', '/other')",
    "host.shadowRoot.querySelector('p').textContent = 'Other'",
    "frames[0].document.querySelector('p').textContent = 'Other'",
    "frames[0].document.querySelector('input').value = 'other'",
    "document.body.append('x'.repeat(3000)); document.body.append('y')",
]


def test_another_text_or_value_is_another_state(agent, read):
    for change in (*CHANGES, *TEXTS):
        before = read().state
        assert before
        assert read().state == before
        agent.page.evaluate(change)
        assert read().state != before, change


def test_a_state_does_not_depend_on_when_and_how_often_a_page_was_read(agent, read, site):
    before = read().state
    agent.page.evaluate("h.textContent = 'Other'")
    assert read().state != before
    agent.page.evaluate("h.textContent = 'Order'; h.dataset.seen = 1")
    assert read().state == before
    agent.act("scroll", direction="down")
    assert read().state == before
    agent.act("goto", url=site.url + "/")
    assert agent.observation.state == before


def test_the_language_is_what_the_page_says(agent, read):
    assert read().language == "de"
    agent.load_html("<h1>No language</h1><img name=documentElement alt=x>")
    assert agent.observation.language == ""
