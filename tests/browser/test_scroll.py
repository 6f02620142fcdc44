"""Scrolling the page, areas in it, and to elements."""

from __future__ import annotations

from pytest_bwa.agent.verification import verify

AREAS = """<style>.area { overflow: auto; width: 200px; height: 100px }</style>
<div class=area id=small><p style="height: 400px">Small</p></div>
<div class=area id=large style="height: 300px; width: 400px">
<p style="height: 2000px; width: 1000px">Large</p></div>"""


def test_the_largest_area_is_scrolled_where_the_page_has_nothing_to_scroll(agent):
    agent.load_html(AREAS)
    assert agent.act("scroll", direction="down").description == (
        "scrolled div “large” to 270 of 1,732 pixels, 0 of 600 pixels across"
    )
    assert "360 of 600 pixels across" in agent.act("scroll", direction="right").description
    assert "div “large” to 0 of" in agent.act("scroll", direction="top").description
    assert "already at the top of div “large”" in agent.act("scroll", direction="up").description


def test_the_area_under_the_pointer_comes_first_until_it_is_at_its_end(agent):
    agent.load_html(AREAS)
    agent.act("hover", selector="#small")
    assert "div “small” to" in agent.act("scroll", direction="bottom").description
    assert "div “large” to" in agent.act("scroll", direction="down").description


def test_a_selector_names_the_area_or_something_in_it(agent):
    agent.load_html(AREAS + "<div style='height: 3000px'>Tall page</div>")
    assert (
        "div “small” to 90" in agent.act("scroll", direction="down", selector="#small").description
    )
    assert (
        "div “small” to 180" in agent.act("scroll", direction="down", selector="Small").description
    )
    assert "scrolled to 600" in agent.act("scroll", direction="down", selector="Tall").description


def test_a_disabled_text_area_is_scrolled(agent):
    agent.load_html(f"<textarea disabled rows=3>{'line ' * 400}</textarea>")
    result = agent.act("scroll", direction="bottom", selector="textarea")
    assert result.success
    assert agent.page.evaluate("document.querySelector('textarea').scrollTop") > 100
    assert "already at the end" in agent.act("scroll", direction="down", selector="textarea").error


def test_an_element_is_scrolled_into_view(agent):
    agent.load_html("<div style='height: 3000px'>Tall</div><button>Last</button>")
    result = agent.act("scroll", selector=agent.index("Last"))
    assert result.description.startswith('scrolled to button "Last": the page is at ')
    assert agent.observation.elements[-1].in_viewport


def test_a_scrolled_place_is_a_change_and_said_once(agent):
    agent.load_html(AREAS)
    before = agent.observation
    result = agent.act("scroll", direction="down")
    verdict = verify(before, agent.observation, result.effects)
    assert verdict.changed
    assert verdict.summary == "nothing else changed"


OUTER = """<div id=main style="overflow: auto; height: 400px"><p style="height: 900px">A
<div style="overflow: auto; height: 200px"><p style="height: 500px">B<p id=dora>DORA</div>
<p style="height: 900px">C</div>"""


def test_what_was_scrolled_to_an_element_is_said_once_and_what_moved_around_it_too(agent):
    agent.load_html(OUTER)
    before, result = agent.observation, agent.act("scroll", selector="DORA")
    verdict = verify(before, agent.observation, result.effects)
    assert verdict.changed
    assert result.description.startswith('scrolled to "DORA": div is at ')
    assert verdict.summary.startswith("div “main” is scrolled to ")
    assert verdict.summary.count("scrolled") == 1
    agent.act("scroll", direction="top", selector="#main")
    before, result = agent.observation, agent.act("scroll", selector="B")
    verdict = verify(before, agent.observation, result.effects)
    assert "div “main”" in result.description + verdict.summary
    again = agent.act("scroll", selector="B")
    assert not again.effects.is_change


def test_a_scroll_of_one_area_that_moves_nothing_else_says_where_it_is_once(agent):
    agent.load_html(OUTER.replace("<div style", "<section").replace("</div>\n", "</section>\n"))
    before, result = agent.observation, agent.act("scroll", selector="DORA")
    verdict = verify(before, agent.observation, result.effects)
    assert result.description.startswith('scrolled to "DORA": div “main” is at ')
    assert verdict.changed
    assert verdict.summary == "nothing else changed"


def test_the_area_of_a_frame_is_scrolled_where_the_page_has_none(agent):
    agent.load_html("<iframe srcdoc='<p style=\"height: 900px\">Inside'></iframe>")
    agent.page.frames[1].wait_for_selector("p")
    assert agent.act("scroll", direction="down").success
    assert agent.page.frames[1].evaluate("scrollY") > 0
