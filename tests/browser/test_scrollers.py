"""What scrolls says where it stands."""

from __future__ import annotations

import pytest

LOG = "".join(f"<p>Line {n}</p>" for n in range(60))
PAGE = f"""<style>body {{ margin: 0 }} p {{ margin: 0; height: 20px }}</style><h1>Log</h1>
<div id=log aria-label=Output style="height:200px;overflow:auto">{LOG}</div>
<div id=wide style="width:200px;overflow-x:auto"><div style="width:500px">Wide</div></div>
<div style="height:40px;overflow:auto"><p>All of it</p></div>
<textarea aria-label=Notes rows=2>{"word " * 400}</textarea>"""


# The browser reports a scroll in the next frame that it paints.
PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def scrollers(agent) -> list[str]:
    return [line.partition(" ")[2] for line in agent.lines() if "scrolled" in line]


def test_inner_areas_say_where_they_stand(agent):
    agent.load_html(PAGE)
    output, wide, notes = scrollers(agent)
    assert output == '[scroller] "Output" (scrolled 0 of 1,000)'
    assert wide == '[scroller] "" (scrolled 0 of 300 across)'
    assert notes.startswith('[textbox] "Notes"')
    agent.page.evaluate("log.scrollTop = 250; wide.scrollLeft = 40")
    agent.page.evaluate(PAINTED)
    agent.observation = agent.observer.observe()
    assert scrollers(agent)[:2] == [
        '[scroller] "Output" (scrolled 250 of 1,000)',
        '[scroller] "" (scrolled 40 of 300 across)',
    ]


def test_the_page_says_where_it_stands(agent):
    agent.load_html("<body style='margin:0'><h1>Top</h1><div style='height:3000px'>Long</div>")
    most = agent.page.evaluate("document.documentElement.scrollHeight - innerHeight")
    assert agent.lines()[-1] == f"2 elements, all. The page is scrolled 0 of {most:,} pixels."
    agent.page.evaluate("scrollTo(0, 600)")
    agent.page.evaluate(PAINTED)
    agent.observation = agent.observer.observe()
    assert agent.lines()[-1].endswith(f"The page is scrolled 600 of {most:,} pixels.")
    agent.load_html("<h1>Short</h1>")
    assert agent.lines()[-1].endswith(", all.")


def test_a_picture_that_shows_a_part_says_so(agent):
    agent.load_html(PAGE)
    number = agent.index("Output")
    said = agent.act("screenshot", label="log").description
    assert f'; it shows only part of [{number}] scroller "Output" (scrolled 0 of 1,000)' in said
    agent.load_html("<h1>Short</h1>")
    assert "part" not in agent.act("screenshot", label="short").description


@pytest.mark.parametrize(
    ("root", "is_area"), [("", False), ("overflow-x: hidden", True)], ids=["window", "body"]
)
def test_the_body_is_an_area_of_its_own_only_where_the_window_does_not_scroll(agent, root, is_area):
    agent.load_html(
        f"<!doctype html><style>html, body {{ height: 100% }} html {{ {root} }} "
        "body { overflow: hidden auto }</style><h1>Record</h1>"
        "<div style='height:3000px'>Long</div><p>Last audit: 2026-05-03</p>"
    )
    assert any("[scroller]" in line for line in agent.lines()) is is_area
    said = agent.act("screenshot", label="record").description
    assert ("it shows only part of" in said) is is_area
