"""What the agent sees of a page."""

from __future__ import annotations

import time

import pytest


def test_lines_are_index_role_name_state_and_url(agent):
    agent.show(
        """<h1>Linus</h1><a href="https://x.org/linux">linux</a>
        <label>Search <input value="hello"></label><button disabled>Go</button>
        <label><input type=checkbox checked> Mine</label>
        <div role=tab aria-selected=true>Overview</div>
        <select aria-label=Size><option>S<option selected>M</select><p>Plain text</p>"""
    )
    assert agent.lines() == [
        '[0] [heading] "Linus" (level=1)',
        '[1] [link] "linux" → https://x.org/linux',
        '[2] [textbox] "Search" (value="hello")',
        '[3] [button] "Go" (disabled)',
        '[4] [checkbox] "Mine" (checked=true)',
        '[5] [tab] "Overview" (selected=true)',
        '[6] [combobox] "Size" (value="M")',
        '[7] [text] "Plain text"',
    ]


def test_fields_called_like_what_every_element_has_hide_no_form(agent):
    """A booking form has "children"; its field then stands in place of form.children."""
    agent.show(
        """<form><label>Children <input name=children value=1></label>
        <label>Title <input name=title></label><label>Hidden <input name=hidden></label>
        <button type=button>Book</button></form>"""
    )
    assert [e.name for e in agent.seen.elements] == ["Children", "Title", "Hidden", "Book"]
    assert agent.act("click", selector=agent.index("Book")).success
    assert agent.act("find", text="Title").success


def test_hidden_and_presentational_things_and_site_frames_are_left_out(agent):
    agent.show(
        """<header><nav><a href=/a>Products</a></nav></header>
        <div style="display:none">Secret</div><p aria-hidden=true>Decoration</p>
        <p style="visibility:hidden">Invisible</p><main><h1>Here</h1></main>
        <footer><a href=/imprint>Imprint</a></footer>"""
    )
    assert agent.lines() == [
        '[0] [heading] "Here" (level=1)',
        "… 2 more elements are not listed: find a text to reach them.",
    ]


def test_keywords_tabs_and_paging_are_kept_even_in_navigation(agent_with):
    agent = agent_with(keywords=["checks"])
    agent.show(
        """<nav><a href=/a>Products</a><a href=/c>Checks 3</a><a href=/2>Next page</a>
        <button role=tab>Files</button></nav><h1>Pull</h1>"""
    )
    names = [e.name for e in agent.seen.elements]
    assert names == ["Checks 3", "Next page", "Files", "Pull"]


def test_passwords_are_never_seen(agent):
    agent.show('<label>Password <input type=password value="hunter2"></label>')
    agent.act("type", selector=agent.index("Password"), text="swordfish")
    shown = repr(agent.seen)
    assert "hunter2" not in shown
    assert "swordfish" not in shown
    assert "password, filled" in shown
    read = agent.act("extract", selector=agent.index("Password"))
    assert "swordfish" not in repr(read)


def test_shadow_roots_frames_and_pointers_are_seen(agent):
    agent.show(
        """<div id=host></div><div style="cursor:pointer" onclick="document.title='hit'">Card</div>
        <iframe srcdoc="<button>Inside frame</button>"></iframe>
        <script>host.attachShadow({mode: 'open'}).innerHTML = '<button>In shadow</button>'
        </script>"""
    )
    agent.page.frames[-1].wait_for_selector("button")
    agent.seen = agent.eyes.observe()
    names = {e.name: e.role for e in agent.seen.elements}
    assert names == {"In shadow": "button", "Card": "clickable", "Inside frame": "button"}
    assert agent.act("click", selector=agent.index("Card")).success
    assert agent.page.title() == "hit"
    assert agent.act("click", selector=agent.index("Inside frame")).success


def test_the_viewport_and_keywords_come_first_and_what_was_cut_is_said(agent_with):
    agent = agent_with(keywords=["needle"])
    rows = "".join(f"<p>Row {n}</p>" for n in range(400))
    agent.show(f"<h1>Long</h1>{rows}<p>The needle</p>")
    names = [e.name for e in agent.seen.elements]
    assert len(names) == 120
    assert "The needle" in names
    assert names[:2] == ["Long", "Row 0"]
    assert "282 more elements are not listed" in agent.lines()[-1]


def test_an_element_keeps_its_index_while_it_is_there(agent):
    agent.show("<button id=a>A</button><button>B</button><button>C</button>")
    before = {e.name: e.index for e in agent.seen.elements}
    agent.page.evaluate("a.remove(); document.body.prepend(document.createElement('hr'))")
    after = {e.name: e.index for e in agent.eyes.observe().elements}
    assert after == {name: before[name] for name in ("B", "C")}


def test_an_unchanged_page_is_not_read_twice_but_every_change_is_seen(agent):
    agent.show("<h1>One</h1><input aria-label=field>")
    assert agent.eyes.observe().elements is agent.seen.elements
    agent.page.evaluate("document.querySelector('h1').textContent = 'Two'")
    assert agent.eyes.observe().elements[0].name == "Two"
    agent.page.locator("input").fill("typed")
    assert agent.eyes.observe().elements[1].value == "typed"


HOVERED = """<style>p { display: none } button:hover + p, input:focus + p { display: block }
a { position: absolute; left: -999px } i:hover + a { left: 0 }</style><i>Aside</i><a href=/>Off</a>
<button>Plain</button><i></i><button>Menu</button><p>Under the pointer</p><input aria-label=x>
<p>At the focus</p>"""


def test_the_pointer_and_the_focus_make_another_page_only_where_they_show_something(agent):
    seen = agent.show(HOVERED)
    agent.page.get_by_text("Plain").click()
    assert agent.eyes.observe().elements is seen.elements
    agent.page.get_by_text("Menu").hover()
    assert "Under the pointer" in {e.name for e in agent.eyes.observe().elements}
    agent.page.locator("input").focus()
    assert "At the focus" in {e.name for e in agent.eyes.observe().elements}
    agent.page.get_by_text("Aside").hover()
    assert next(e for e in agent.eyes.observe().elements if e.name == "Off").in_viewport
    agent.page.get_by_text("Plain").click()
    names = {e.name for e in agent.eyes.observe().elements}
    assert names == {"Aside", "Off", "Plain", "Menu", "x"}


def test_what_the_pointer_shows_in_a_shadow_root_is_seen_and_so_are_its_changes(agent, site):
    site.pages["/"] = f"<div><template shadowrootmode=open>{HOVERED}</template></div>"
    agent.act("goto", url=site.url + "/")
    agent.page.get_by_text("Menu").hover()
    assert "Under the pointer" in {e.name for e in agent.eyes.observe().elements}
    agent.page.evaluate(
        "document.querySelector('div').shadowRoot.querySelector('button').append('New')"
    )
    assert "PlainNew" in {e.name for e in agent.eyes.observe().elements}


def test_a_reloaded_page_is_a_new_page(agent, site):
    answers = iter(["<h1>First</h1>", "<h1>Second</h1>"])
    site.pages["/"] = next(answers)
    agent.act("goto", url=site.url + "/")
    assert agent.seen.elements[0].name == "First"
    site.pages["/"] = (429, {}, next(answers).encode())
    agent.act("goto", url=site.url + "/")
    assert agent.seen.elements[0].name == "Second"
    assert agent.seen.http_status == 429


@pytest.mark.parametrize(
    ("html", "score"),
    [
        ("<h1>A</h1>" + "<p>text</p>" * 12 + "<button>Go</button>", 1.0),
        ("<h1>A</h1>", 0.7),
        ("<p>text</p>" * 12 + "<button><svg width=9 height=9></svg></button>" * 9, 0.7),
    ],
)
def test_confidence_falls_where_the_tree_tells_little(agent, html, score):
    seen = agent.show(html)
    assert seen.dom_confidence == pytest.approx(score)


def test_a_large_page_is_observed_quickly(agent):
    agent.page.set_content("<main></main>")
    agent.page.evaluate(
        """() => { const m = document.querySelector('main');
        for (let i = 0; i < 5000; i++) { const d = document.createElement('div');
          d.innerHTML = `<a href="/x${i}">Link ${i}</a><span>text ${i}</span>`; m.append(d); } }"""
    )
    began = time.perf_counter()
    seen = agent.eyes.observe()
    assert time.perf_counter() - began < 5
    assert len(seen.elements) == 120
