"""Options are chosen only from the list that belongs to the element."""

from __future__ import annotations

import pytest

OTHER = """<ul role=listbox aria-label=Other onclick="document.title = 'wrong'">
<li role=option>Berlin<li role=option>Paris</ul>"""
SHOW = "document.querySelector('#c').textContent = event.target.textContent"


@pytest.mark.parametrize("relation", ["aria-controls=l", "aria-owns='x l'", ""])
def test_the_option_of_another_list_is_never_chosen(agent, relation):
    agent.load_html(
        f"""{OTHER}<div role=combobox tabindex=0 aria-label=City id=c {relation}
        onclick="l.hidden = !l.hidden">None</div>
        <ul role=listbox id=l hidden onclick="{SHOW}; l.hidden = true"><li role=option>Paris
        <li role=option>Rome</ul>"""
    )
    city = agent.index("City")
    assert agent.act("select_option", selector=city, value="Paris").success
    assert agent.page.inner_text("#c").strip() == "Paris"
    assert agent.observation.title == ""
    missing = agent.act("select_option", selector=city, value="Berlin")
    assert 'the options are: "Paris", "Rome"' in (missing.error or "")
    assert agent.observation.title == ""


def test_a_list_that_is_open_already_is_recognized(agent):
    agent.load_html(
        f"""{OTHER}<div role=combobox tabindex=0 aria-label=City id=c
        onclick="l.hidden = !l.hidden">None</div>
        <ul role=listbox id=l hidden onclick="{SHOW}; l.hidden = true"><li role=option>Paris</ul>"""
    )
    agent.act("click", selector=agent.index("City"))
    assert agent.act("select_option", selector=agent.index("City"), value="Paris").success
    assert agent.observation.title == ""


def test_the_options_inside_the_element_are_its_own(agent):
    agent.load_html(
        f"""{OTHER}<div role=listbox aria-label=Mine onclick="this.title = event.target.innerText">
        <div role=option onclick="this.textContent += ' (chosen)'">Paris</div></div>"""
    )
    assert agent.act("select_option", selector=agent.index("Mine"), value="Paris").success
    assert agent.observation.title == ""
    assert agent.page.get_by_text("Paris (chosen)").is_visible()


def test_lists_that_cannot_be_told_apart_are_left_alone(agent):
    agent.load_html(f"{OTHER}<div role=combobox tabindex=0 aria-label=City id=c>None</div>")
    result = agent.act("select_option", selector=agent.index("City"), value="Paris")
    assert "it is not clear which" in (result.error or "")
    assert agent.observation.title == ""


def test_two_lists_that_appear_at_once_are_left_alone(agent):
    agent.load_html(
        f"""<div role=combobox tabindex=0 aria-label=City id=c onclick="both.hidden = false">None
        </div><div id=both hidden>{OTHER}{OTHER}</div>"""
    )
    result = agent.act("select_option", selector=agent.index("City"), value="Paris")
    assert "it is not clear which" in (result.error or "")
    assert agent.observation.title == ""


def test_options_in_the_frame_of_the_element_are_found(agent):
    agent.load_html(
        f"""{OTHER}<iframe srcdoc="<div role=combobox tabindex=0 aria-label=City id=c
        onclick='l.hidden = false'>None</div><ul role=listbox id=l hidden><li role=option
        onclick='c.textContent = this.textContent; l.hidden = true'>Paris</ul>"></iframe>"""
    )
    agent.page.frames[1].wait_for_selector("[role=combobox]")
    agent.observation = agent.observer.observe()
    assert agent.act("select_option", selector=agent.index("City"), value="Paris").success
    assert agent.observation.title == ""
