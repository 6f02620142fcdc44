"""An element's number and reference belong to one document of one frame, and to nothing else."""

from __future__ import annotations

import re

import pytest

FRAME = """<iframe id={id} srcdoc="<button onclick='top.document.title = &quot;{title}&quot;'>
{button}</button>"></iframe>"""
FRAMES = (
    "<h1>Three forms</h1>"
    + FRAME.format(id="first", title="deleted", button="Delete")
    + FRAME.format(id="second", title="saved", button="Save")
    + FRAME.format(id="third", title="sent", button="Send")
)


def _load_frames(agent):
    agent.load_html(FRAMES)
    for frame in agent.page.frames[1:]:
        frame.wait_for_selector("button")
    agent.observation = agent.observer.observe()


def _title(agent):
    return agent.page.evaluate("document.title")


def test_a_button_is_the_same_one_after_a_frame_before_it_was_removed(agent):
    _load_frames(agent)
    save, delete = agent.index("Save"), agent.index("Delete")
    agent.page.evaluate("first.remove()")
    assert agent.act("click", selector=save).success
    assert _title(agent) == "saved"
    assert agent.index("Save") == save
    assert delete not in {str(e.index) for e in agent.observation.elements}


def test_an_element_of_a_removed_frame_is_no_longer_on_the_page(agent):
    _load_frames(agent)
    delete = agent.index("Delete")
    agent.page.evaluate("first.remove()")
    result = agent.act("click", selector=delete)
    assert "no longer on the page" in (result.error or "")
    assert _title(agent) == ""


def test_an_element_of_a_replaced_document_is_no_longer_on_the_page(agent):
    _load_frames(agent)
    save = agent.index("Save")
    agent.page.evaluate(
        """() => new Promise(loaded => { second.onload = loaded; second.srcdoc =
        '<button onclick="top.document.title = &quot;other&quot;">Other</button>' })"""
    )
    result = agent.act("click", selector=save)
    assert "no longer on the page" in (result.error or "")
    assert _title(agent) == ""
    assert agent.index("Other") != save


def test_a_number_from_find_stays_with_its_frame(agent):
    _load_frames(agent)
    found = re.search(r"\[(\d+)\]", agent.act("find", text="Save").description)
    removed = re.search(r"\[(\d+)\]", agent.act("find", text="Delete").description)
    assert found
    assert removed
    agent.page.evaluate("first.remove()")
    assert "no longer" in (agent.act("click", selector=removed[0]).error or "")
    assert agent.act("click", selector=found[0]).success
    assert _title(agent) == "saved"


def test_a_listed_element_of_the_page_before_is_not_clicked_in_the_next_one(agent, site):
    site.pages |= {"/a": "<button>Go on</button>", "/b": "<button>Delete all</button>"}
    agent.act("goto", url=site.url + "/a")
    old = agent.observation
    agent.act("goto", url=site.url + "/b")
    agent.observation = old
    assert "no longer on the page" in (agent.act("click", selector="0").error or "")


def test_elements_keep_their_numbers_when_only_the_address_changes(agent, site):
    site.pages["/list"] = "<h1>List</h1><button id=one>One</button><button>Two</button>"
    agent.act("goto", url=site.url + "/list")
    before = {e.name: e.index for e in agent.observation.elements}
    agent.page.evaluate("one.remove(); history.pushState({}, '', '/list/2?page=2')")
    agent.observation = agent.observer.observe()
    after = {e.name: e.index for e in agent.observation.elements}
    assert agent.observation.url.endswith("/list/2?page=2")
    assert after == {name: before[name] for name in ("List", "Two")}


def _numbers(agent) -> dict[int, str]:
    return {e.index: e.name for e in agent.observation.elements}


def test_no_number_is_given_again_in_a_new_document(agent, site):
    site.pages |= {"/list": "<button>One</button><button>Two</button>", "/b": "<h1>B</h1>"}
    agent.act("goto", url=site.url + "/list")
    first = _numbers(agent)
    agent.act("goto", url=site.url + "/b")
    second = _numbers(agent)
    agent.act("goto", url=site.url + "/list")
    third = _numbers(agent)
    assert list(first.values()) == list(third.values()) == ["One", "Two"]
    assert len({*first, *second, *third}) == 5


def test_no_number_is_given_again_in_another_tab_or_frame(agent, site):
    site.pages |= {
        "/": "<a href=/two target=_blank>Open</a><iframe id=inner src=/in></iframe>",
        "/in": "<button onclick=\"location.href='/on'\">Go on</button>",
        "/on": "<h2>Went on</h2>",
        "/two": "<h1>Two</h1>",
    }
    agent.act("goto", url=site.url + "/")
    seen = _numbers(agent)
    go_on = agent.index("Go on")
    agent.act("click", selector=agent.index("Open"))
    agent.act("switch_tab", tab=1)
    assert not seen.keys() & _numbers(agent).keys()
    seen |= _numbers(agent)
    said = agent.act("click", selector=go_on).error or ""
    assert f"[{go_on}] is in [tab 0] ({site.url}/): switch to it to press it" in said
    agent.act("switch_tab", tab=0)
    agent.act("click", selector=go_on)
    assert int(agent.index("Went on")) not in seen


def test_a_number_of_a_page_that_was_left_presses_nothing_and_can_still_be_cited(agent, site):
    site.pages |= {"/a": "<button>Go on</button>", "/b": "<button>Go on</button>"}
    agent.act("goto", url=site.url + "/a")
    number = agent.index("Go on")
    agent.act("goto", url=site.url + "/b")
    said = agent.act("click", selector=number).error or ""
    assert f"[{number}] is on a page that you left ({site.url}/a): go back to press it" in said
    assert "it can still be cited as a source" in said


def test_what_comes_back_beside_what_replaced_it_has_a_number_of_its_own(agent):
    agent.load_html("<h1>R</h1><div id=a><button>One</button></div>")
    number = agent.index("One")
    agent.page.evaluate("window.first = a.firstChild; a.innerHTML = '<button>One</button>'")
    agent.observation = agent.observer.observe()
    assert agent.index("One") == number
    agent.page.evaluate("a.prepend(window.first)")
    agent.observation = agent.observer.observe()
    first, second = (e.index for e in agent.observation.elements if e.name == "One")
    assert int(number) == second != first


def test_a_tab_keeps_its_numbers_while_another_is_the_current_one(agent, site):
    site.pages |= {"/": "<p>Text</p><a href=/two target=_blank>Open</a>", "/two": "<h1>Two</h1>"}
    agent.act("goto", url=site.url + "/")
    agent.page.evaluate("document.querySelector('p').remove()")
    agent.observation = agent.observer.observe()
    before = agent.index("Open")
    agent.act("click", selector=before)
    agent.act("switch_tab", tab=1)
    agent.act("switch_tab", tab=0)
    assert agent.index("Open") == before


CALENDAR = """<h1>Due date</h1><b id=chosen>none</b><div id=days></div><script>
function paint(first) {{
  const names = Array.from({{ length: 28 }}, (_, n) => n + first);
  days.innerHTML = {rows};
  for (const day of days.querySelectorAll(".day"))
    day.onclick = () => {{ chosen.textContent = day.textContent; paint(first); }};
}}
paint(1)</script>"""
IN_A_TABLE = """"<table>" + [0, 7, 14, 21].map((n) => "<tr>" + names.slice(n, n + 7).map(
  (day) => `<td class=day>${day}</td>`).join("") + "</tr>").join("") + "</table>\""""
IN_A_GRID = 'names.map((day) => `<div class=day>${day}</div>`).join("")'


@pytest.mark.parametrize("rows", [IN_A_TABLE, IN_A_GRID])
def test_what_is_painted_anew_keeps_its_numbers(agent, rows):
    agent.load_html(CALENDAR.format(rows=rows))
    before = {e.name: e.index for e in agent.observation.elements if e.role == "clickable"}
    assert len(before) == 28
    agent.act("click", selector=str(before["12"]))
    after = {e.name: e.index for e in agent.observation.elements if e.role == "clickable"}
    assert after == before
    assert agent.act("click", selector=str(before["13"])).success
    assert agent.page.inner_text("#chosen") == "13"
    agent.page.evaluate("paint(5)")
    agent.observation = agent.observer.observe()
    later = {e.name: e.index for e in agent.observation.elements if e.role == "clickable"}
    assert len(set(later.values())) == 28
    moved = [name for name, n in later.items() if n in before.values() and before.get(name) != n]
    assert moved == []


def test_only_what_is_gone_and_was_alone_gives_its_number_to_an_equal_element(agent):
    one, two = "<button>One</button>", "<button>Two</button>"
    agent.load_html(f"<h1>R</h1><div id=a>{one}</div><div id=b>{two}{two}</div>")
    numbers = lambda: [(e.name, e.index) for e in agent.observation.elements[1:]]  # noqa: E731
    assert numbers() == [("One", 1), ("Two", 2), ("Two", 3)]
    agent.page.evaluate("a.innerHTML += a.innerHTML; b.innerHTML += ''")
    agent.observation = agent.observer.observe()
    # Which of two equal buttons is the old one, nobody knows.
    assert numbers() == [("One", 4), ("One", 5), ("Two", 6), ("Two", 7)]
    agent.page.evaluate("a.insertAdjacentHTML('beforebegin', '<button>Two</button>')")
    agent.observation = agent.observer.observe()
    assert numbers()[0] == ("Two", 8)
