"""What the agent sees of a page."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from playwright.sync_api import CDPSession
from relative_time import READ_SIMPLY, fastest_seconds

from pytest_bwa.page.perception.observer import Observer
from pytest_bwa.page.perception.task_words import TaskWords
from pytest_bwa.page.readers import INIT_SCRIPT
from pytest_bwa.page.tabs import Tabs


def test_a_line_has_index_role_name_state_and_url(agent):
    agent.load_html(
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
        '[6] [combobox] "Size" (value="M", options: S | M)',
        '[7] [text] "Plain text"',
        "8 elements, all.",
    ]


def test_entries_of_a_list_of_tabs_are_tabs_and_the_shown_panel_says_which_is_open(agent):
    agent.load_html(
        """<ul role=tablist><li tabindex=0 id=logs>Logs<li tabindex=0 id=parts>Parts
        <li><a role=tab href="#c" aria-selected=false>Costs</a></ul>
        <section role=tabpanel aria-labelledby=logs hidden>Line 1</section>
        <section role=tabpanel aria-labelledby=parts>Wheel</section>"""
    )
    tabs = [line.split("] ", 1)[1] for line in agent.element_lines() if "[tab]" in line]
    assert [tab.partition(" →")[0] for tab in tabs] == [
        '[tab] "Logs"',
        '[tab] "Parts" (selected=true)',
        '[tab] "Costs" (selected=false)',
    ]


def test_a_panel_without_text_is_no_picture_of_its_tab(agent):
    agent.load_html(
        """<div role=tablist><button role=tab id=files>Files</button></div>
        <div role=tabpanel aria-labelledby=files style="height: 90px"></div>
        <div role=group aria-label=Map style="height: 90px"></div>"""
    )
    assert [line.split("] ", 1)[1] for line in agent.element_lines()] == [
        '[tab] "Files" (selected=true)',
        '[img] "Map"',
    ]


def test_fields_named_like_dom_properties_do_not_hide_a_form(agent):
    """A field named "children" shadows form.children in the DOM."""
    agent.load_html(
        """<form><label>Children <input name=children value=1></label>
        <label>Title <input name=title></label><label>Hidden <input name=hidden></label>
        <button type=button>Book</button></form>"""
    )
    assert [e.name for e in agent.observation.elements] == ["Children", "Title", "Hidden", "Book"]
    assert agent.act("click", selector=agent.index("Book")).success
    assert agent.act("find", text="Title").success


def test_the_hidden_words_of_a_label_are_no_part_of_a_field_s_name(agent):
    agent.load_html(
        """<label for=a><span>Password</span><span style="display:none">Token</span></label>
        <input id=a><label for=b style="display:none">Reference</label><input id=b>"""
    )
    assert [e.name for e in agent.observation.elements if e.role == "textbox"] == [
        "Password",
        "Reference",
    ]


MENU = "<nav>" + "".join(f"<a href=/{x}>Menu {x}</a>" for x in "ABCDEFGHIJKLMNO") + "</nav>"


def test_hidden_elements_and_a_long_navigation_are_left_out(agent):
    agent.load_html(
        f"""<header>{MENU}</header>
        <div style="display:none">Secret</div><p aria-hidden=true>Decoration</p>
        <p style="visibility:hidden">Invisible</p><main><h1>Here</h1></main>
        <footer><a href=/imprint>Imprint</a></footer>"""
    )
    assert agent.lines() == [
        '[0] [heading] "Here" (level=1)',
        '[1] [link] "Imprint" → /imprint',
        "2 of 17 elements. Not listed: 15 links in the navigation. Find a text to reach them.",
    ]


def test_keywords_tabs_and_page_links_are_kept_even_in_navigation(agent_with):
    agent = agent_with(words=TaskWords(["checks"]))
    agent.load_html(
        f"""{MENU}<nav><a href=/a>Products</a><a href=/c>Checks 3</a><a href=/2>Next page</a>
        <button role=tab>Files</button></nav><h1>Pull</h1>"""
    )
    names = [e.name for e in agent.observation.elements]
    assert names == ["Checks 3", "Next page", "Files", "Pull"]


def test_passwords_are_never_in_an_observation(agent):
    agent.load_html('<label>Password <input type=password value="hunter2"></label>')
    agent.act("type", selector=agent.index("Password"), text="swordfish")
    text = repr(agent.observation)
    assert "hunter2" not in text
    assert "swordfish" not in text
    assert "password, filled" in text
    result = agent.act("extract", selector=agent.index("Password"))
    assert "swordfish" not in repr(result)


def test_shadow_roots_frames_and_clickable_elements_are_observed(agent):
    agent.load_html(
        """<div id=host></div><div style="cursor:pointer" onclick="document.title='hit'">Card</div>
        <iframe srcdoc="<button>Inside frame</button>"></iframe>
        <script>host.attachShadow({mode: 'open'}).innerHTML = '<button>In shadow</button>'
        </script>"""
    )
    agent.page.frames[-1].wait_for_selector("button")
    agent.observation = agent.observer.observe()
    names = {e.name: e.role for e in agent.observation.elements}
    assert names == {"In shadow": "button", "Card": "clickable", "Inside frame": "button"}
    assert agent.act("click", selector=agent.index("Card")).success
    assert agent.page.title() == "hit"
    assert agent.act("click", selector=agent.index("Inside frame")).success


def test_viewport_and_keywords_have_priority_and_a_cut_is_reported(agent_with):
    agent = agent_with(words=TaskWords(["needle"]))
    rows = "".join(f"<p>Row {n}</p>" for n in range(400))
    agent.load_html(f"<h1>Long</h1>{rows}<p>The needle</p>")
    names = [e.name for e in agent.observation.elements]
    assert len(names) == 120
    assert "The needle" in names
    assert names[:2] == ["Long", "Row 0"]
    assert agent.lines()[-1].startswith(
        "120 of 402 elements. Not listed, 282 of them out of view: "
    )
    assert "282 texts. Scroll, or find a text," in agent.lines()[-1]


def test_what_the_task_names_is_listed_even_at_the_end_of_a_page_too_long_to_be_read(agent_with):
    agent = agent_with(words=TaskWords(goal="Follow Seiteninformationen."))
    links = "<a href=/i>Seiteninformationen</a><a href=/z>Zitieren</a>"
    agent.load_html(f"<h1>Long</h1>{'<p>Row</p>' * 3100}{links}")
    assert [e.name for e in agent.observation.elements if e.role == "link"] == [
        "Seiteninformationen"
    ]


def test_an_element_keeps_its_index_while_it_exists(agent):
    agent.load_html("<button id=a>A</button><button>B</button><button>C</button>")
    before = {e.name: e.index for e in agent.observation.elements}
    agent.page.evaluate("a.remove(); document.body.prepend(document.createElement('hr'))")
    after = {e.name: e.index for e in agent.observer.observe().elements}
    assert after == {name: before[name] for name in ("B", "C")}


def test_an_unchanged_page_is_not_read_twice_but_every_change_is_observed(agent):
    agent.load_html("<h1>One</h1><input aria-label=field>")
    assert agent.observer.observe().elements is agent.observation.elements
    agent.page.evaluate("document.querySelector('h1').textContent = 'Two'")
    assert agent.observer.observe().elements[0].name == "Two"
    agent.page.locator("input").fill("typed")
    assert agent.observer.observe().elements[1].value == "typed"


HOVERED = """<style>p { display: none } button:hover + p, input:focus + p { display: block }
a { position: absolute; left: -999px } i:hover + a { left: 0 }</style><i>Aside</i><a href=/>Off</a>
<button>Plain</button><i></i><button>Menu</button><p>Under the pointer</p><input aria-label=x>
<p>At the focus</p>"""


def test_hover_and_focus_change_the_observation_only_if_they_show_something(agent):
    first = agent.load_html(HOVERED)
    agent.page.get_by_text("Plain").click()
    assert agent.observer.observe().elements is first.elements
    agent.page.get_by_text("Menu").hover()
    assert "Under the pointer" in {e.name for e in agent.observer.observe().elements}
    agent.page.locator("input").focus()
    assert "At the focus" in {e.name for e in agent.observer.observe().elements}
    agent.page.get_by_text("Aside").hover()
    assert next(e for e in agent.observer.observe().elements if e.name == "Off").in_viewport
    agent.page.get_by_text("Plain").click()
    names = {e.name for e in agent.observer.observe().elements}
    assert names == {"Aside", "Off", "Plain", "Menu", "x"}


def test_hover_content_and_changes_in_a_shadow_root_are_observed(agent, site):
    site.pages["/"] = f"<div><template shadowrootmode=open>{HOVERED}</template></div>"
    agent.act("goto", url=site.url + "/")
    agent.page.get_by_text("Menu").hover()
    assert "Under the pointer" in {e.name for e in agent.observer.observe().elements}
    agent.page.evaluate(
        "document.querySelector('div').shadowRoot.querySelector('button').append('New')"
    )
    assert "PlainNew" in {e.name for e in agent.observer.observe().elements}


def test_a_reloaded_page_is_a_new_page(agent, site):
    answers = iter(["<h1>First</h1>", "<h1>Second</h1>"])
    site.pages["/"] = next(answers)
    agent.act("goto", url=site.url + "/")
    assert agent.observation.elements[0].name == "First"
    site.pages["/"] = (429, {}, next(answers).encode())
    agent.act("goto", url=site.url + "/")
    assert agent.observation.elements[0].name == "Second"
    assert agent.observation.http_status == 429


@pytest.mark.parametrize(
    ("html", "score"),
    [
        ("<h1>A</h1>" + "<p>text</p>" * 12 + "<button>Go</button>", 1.0),
        ("<h1>A</h1>", 0.7),
        ("<p>text</p>" * 12 + "<button><svg width=9 height=9></svg></button>" * 9, 0.7),
    ],
)
def test_confidence_is_lower_if_the_tree_has_little_information(agent, html, score):
    observation = agent.load_html(html)
    assert observation.dom_confidence == pytest.approx(score)


LARGE = """rows => { let html = '<h1>Big</h1>', table = '';
  for (let i = 0; i < rows; i++) {
    html += `<div><a href="/${i}">Link ${i}</a><span>Value ${i}</span><b>${i}</b></div>`;
    if (i % 8 === 0) table += `<tr>${'<td>cell'.repeat(8)}`; }
  document.body.innerHTML = `${html}<table>${table}</table>`; }"""
MOST_READINGS = 80
"""So many simple readings may take as long as one observation. Measured: 18 to 22."""


def test_a_large_page_is_read_in_time_and_in_proportion_to_its_size(browser):
    def changed_page(rows):
        page = browser.new_context().new_page()
        page.evaluate(LARGE, rows)
        observer = Observer(Tabs(page), lambda seconds, what: nullcontext())

        def observe():
            page.evaluate("document.body.append('x')")  # an unchanged page is not read again
            return observer.observe()

        return page, observe

    (small, observe_small), (large, observe_large) = changed_page(600), changed_page(2400)
    observation = observe_large()
    assert len(observation.elements) == 120
    assert "Not listed" in observation.cut
    seconds, of_a_quarter, simply = fastest_seconds(
        observe_large, observe_small, lambda: large.evaluate(READ_SIMPLY)
    )
    assert seconds < 8 * of_a_quarter
    assert seconds < MOST_READINGS * simply
    for page in (small, large):
        page.context.close()


def test_a_document_without_any_element_is_read_as_empty(agent):
    agent.load_html("<h1>Here</h1>")
    agent.page.evaluate("document.documentElement.remove()")
    observation = agent.observer.observe()
    assert (observation.elements, observation.scroll, observation.busy) == ((), "", True)


def test_the_menu_of_a_page_that_has_nothing_else_is_listed(agent):
    """The last tab of an application was closed: “0 of 12 elements” were listed, and no way on."""
    menu = "<nav><a href=/1>Parties</a><button>Favorites</button></nav>"
    agent.load_html(menu)
    observation = agent.observer.observe()
    assert [e.name for e in observation.elements] == ["Parties", "Favorites"]
    assert observation.is_bare
    agent.load_html(f"{menu}<p>One party")
    assert not agent.observer.observe().is_bare


def test_the_first_reading_of_a_page_sends_two_messages(context, site, monkeypatch):
    site.pages["/"] = "<h1>Head</h1><p>One</p><p>Two</p><p>Three</p><a href=/>Four</a>"
    page = context.new_page()
    observer = Observer(Tabs(page), lambda seconds, what: nullcontext())
    page.goto(site.url)
    page.evaluate(INIT_SCRIPT)
    sent = []
    send = CDPSession.send
    monkeypatch.setattr(CDPSession, "send", lambda *args: sent.append(args[1]) or send(*args))
    assert len(observer.observe().elements) == 5
    assert sent == ["Page.createIsolatedWorld", "Runtime.callFunctionOn"]
