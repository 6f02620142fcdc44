"""The twelve actions on real pages."""

from __future__ import annotations

import hashlib

import pytest
from relative_time import PLENTY


def test_elements_are_found_by_index_by_text_and_by_css(agent):
    agent.load_html(
        """<button onclick="document.title='first'">Show all checks</button>
        <button id=two onclick="document.title='second'">Other</button>"""
    )
    for selector, title in (
        ("0", "first"),
        ("[1]", "second"),
        ("show ALL checks", "first"),
        ("all che", "first"),
        ("#two", "second"),
    ):
        agent.page.evaluate("document.title = ''")
        assert agent.act("click", selector=selector).success, selector
        assert agent.page.title() == title, selector


def test_a_text_in_quotes_is_a_text(agent):
    days = "".join(f"<td onclick='document.title = {day}'>{day}" for day in range(2, 18))
    agent.load_html(f"<button>Back</button><table><tr>{days}</table><a href=/x>On</a>")
    for selector, day in (('"4"', "4"), ("'5'", "5"), ("“6”", "6")):
        assert agent.act("click", selector=selector).success
        assert agent.page.title() == day
    for selector in ('"tr"', '"//a"', '"1"'):
        assert "nothing on the page matches" in agent.act("click", selector=selector).error


@pytest.mark.parametrize("field", ["<input aria-label='{}'>", "<input placeholder='{}…'>"])
def test_a_text_is_typed_into_the_field_and_pressed_on_the_button_that_it_names(agent, field):
    field = field.format("Search")
    agent.load_html(f"<button onclick='document.title = 1'>Search</button>{field}<i>Search</i>")
    assert agent.act("type", selector="Search", text="Ann").success
    assert agent.page.input_value("input") == "Ann"
    assert agent.act("click", selector="Search").success
    assert agent.page.title() == "1"


def test_a_text_names_what_stands_in_a_frame_if_nothing_else_is_called_so(agent):
    press = "<button onclick='top.document.title += &quot;{0}&quot;'>{1}</button>"
    frame = press.format("frame", "Save") + press.format("frame", "Send")
    agent.load_html(f"""<title>-</title>{press.format("page", "Save")}
        <iframe srcdoc="{frame.replace('"', "&quot;")}"></iframe>""")
    assert agent.act("click", selector="Send").success
    said = agent.act("click", selector="Save")
    assert said.success
    assert "1 other on the page matches too" in said.description
    assert agent.page.title() == "-framepage"


def test_a_missing_element_gives_a_list_of_existing_ones(agent):
    agent.load_html("<button>Save</button><a href=/x>Back</a>")
    for selector in ("17", "No such thing", "div > > bad"):
        result = agent.act("click", selector=selector)
        assert not result.success
        assert '[0] button "Save", [1] link "Back"' in (result.error or "")
        assert not result.infrastructure


def test_typing_fails_if_the_field_did_not_keep_the_text(agent):
    agent.load_html("<input aria-label=Free><input aria-label=Locked oninput=\"this.value=''\">")
    assert agent.act("type", selector="0", text="hello").success
    result = agent.act("type", selector="1", text="hello")
    assert not result.success
    assert "did not keep" in (result.error or "")
    assert not agent.act("type", selector="body", text="x").success


def test_options_are_selected_by_text_or_value_and_a_missing_one_lists_them(agent):
    agent.load_html("<select aria-label=Size><option value=s>Small<option value=l>Large</select>")
    assert agent.act("select_option", selector="0", value="large").success
    assert agent.observation.elements[0].value == "Large"
    result = agent.act("select_option", selector="0", value="Huge")
    assert '"Small", "Large"' in (result.error or "")


def test_scrolling_reports_the_position_and_the_end(agent):
    agent.load_html("<div style='height:1700px'>Tall</div>")
    assert "scrolled to 600" in agent.act("scroll", direction="down").description
    assert agent.act("scroll", direction="down").success
    assert "already at the end" in agent.act("scroll", direction="down").description


def test_screenshots_show_the_whole_page_and_are_hashed(agent):
    agent.load_html("<div style='height:2000px'>Tall</div>")
    result = agent.act("screenshot", label="whole")
    assert result.artifact is not None
    data = (agent.writer.folder / "01_whole.png").read_bytes()
    assert result.artifact.sha256 == hashlib.sha256(data).hexdigest()
    assert int.from_bytes(data[20:24], "big") >= 2000  # the height in the PNG header


def test_downloads_are_saved(agent, site):
    site.pages["/r"] = (200, {"Content-Disposition": 'attachment; filename="r.csv"'}, b"a,b\n")
    site.pages["/"] = "<a href=/r>Report</a><button>Nothing</button>"
    agent.act("goto", url=site.url + "/")
    result = agent.act("download", selector="Report")
    assert result.artifact is not None
    assert (agent.writer.folder / "downloads/r.csv").read_bytes() == b"a,b\n"


def test_goto_reports_why_a_page_cannot_be_opened(agent, site):
    result = agent.act("goto", url=site.url + "/none")
    assert result.success  # an error page is a page, and says why
    assert result.description == f"opened {site.url}/none: HTTP 404"
    result = agent.act("goto", url="http://127.0.0.1:9/")
    assert result.infrastructure
    assert "refuse" in (result.error or "") or "UNSAFE" in (result.error or "")
    assert agent.settler.settled, "the browser's own page is empty, and nothing more comes"
    for url in ("file:///etc/passwd", "data:text/html,x", "chrome://version", "javascript:1"):
        assert "not a web address" in (agent.act("goto", url=url).error or "")


LED_BY = {
    "server": (302, {"Location": "/login?redirect=/risks"}, b""),
    "script": "<script>location.replace('/login?redirect=/risks')</script>",
    "app": """<h1>Loading</h1><script>fetch('/session').then(() => setTimeout(() => {
        history.replaceState(null, '', '/login?redirect=/risks');
        document.body.innerHTML = '<h1>Sign in</h1>'; }, 200))</script>""",
}


@pytest.mark.parametrize("by", LED_BY)
def test_goto_says_where_it_was_led(agent, site, by):
    site.pages |= {"/risks": LED_BY[by], "/session": "{}", "/login": "<h1>Sign in</h1>"}
    result = agent.act("goto", url=site.url + "/risks")
    login = f"{site.url}/login?redirect=/risks"
    assert result.description == f"opened {site.url}/risks; it led to {login}"
    assert agent.observation.url == login


@pytest.mark.parametrize("asked", ["/a b/?q=x y#part", "/a%20b", "/a b?q=x+y"])
def test_goto_does_not_say_that_a_browser_writes_an_address_another_way(agent, site, asked):
    site.pages["/a%20b/"] = site.pages["/a%20b"] = "<h1 id=part>A</h1>"
    assert agent.act("goto", url=site.url + asked).description == f"opened {site.url}{asked}"


def test_goto_loads_the_page_anew_that_is_open_at_a_fragment(agent, site):
    site.pages["/"] = "<h1>A</h1><button onclick=this.textContent='Sent'>Send</button>"
    agent.act("goto", url=site.url + "/#/a")
    agent.act("click", selector="Send")
    agent.act("goto", url=site.url + "/#/b")
    assert [e.name for e in agent.observation.elements] == ["A", "Sent"], "another part of it"
    agent.act("goto", url=site.url + "/#/b")
    assert [e.name for e in agent.observation.elements] == ["A", "Send"]


def test_goto_shows_nothing_that_was_entered_before(agent, site):
    """A form that was saved and opened anew still had what was typed in its memory."""
    site.pages["/"] = "<h1>A</h1><input aria-label=City value=Oslo>"
    agent.act("goto", url=site.url + "/#model/party/5;name=x")
    agent.act("type", selector="City", text="Bergen")
    agent.act("goto", url=site.url + "/#model/party/5")
    assert agent.observation.element_for(agent.index("City")).value == "Oslo"
    agent.act("goto", url=site.url + "/#model/party/6")
    assert site.requests.count("/") == 2, "nothing was entered there"


def test_relative_addresses_are_resolved_against_the_page(agent, site):
    site.pages["/a/b"] = "<h1>B</h1>"
    site.pages["/a/c"] = "<h1>C</h1>"
    agent.act("goto", url=site.url + "/a/b")
    assert agent.act("goto", url="c").success
    assert agent.page.url == site.url + "/a/c"


@pytest.mark.parametrize("by", ["timer", "fetch"])
def test_late_content_is_waited_for_without_a_fixed_delay(agent, site, by):
    late = (
        "document.querySelector('main').innerHTML = '<h1>Late</h1>'; document.body.ariaBusy='false'"
    )
    script = {
        "timer": f"setTimeout(() => {{ {late} }}, 700)",
        "fetch": f"fetch('/data').then(() => {{ {late} }})",
    }[by]
    site.pages["/data"] = "{}"
    site.pages["/"] = f"<body aria-busy=true><main></main><script>{script}</script></body>"
    agent.act("goto", url=site.url + "/")
    assert [e.name for e in agent.observation.elements] == ["Late"]


def test_an_action_on_a_static_page_waits_only_briefly(agent):
    agent.load_html("<h1>Still</h1><button>Nothing</button>")
    agent.settler.limit(PLENTY)
    agent.act("click", selector="Nothing")
    assert agent.settler.settled


def test_a_new_tab_is_reported(agent, site):
    site.pages["/"] = f"<a href={site.url}/new target=_blank>Open</a>"
    site.pages["/new"] = "<h1>New</h1>"
    agent.act("goto", url=site.url + "/")
    assert "opened tab 1" in agent.act("click", selector="Open").description


def test_content_scheduled_by_a_script_is_waited_for(agent, site):
    site.pages["/"] = """<p id=p>Old</p><button>Go</button><script>
        document.querySelector('button').onclick =
          () => setTimeout(() => p.textContent = 'New', 400)
        </script>"""
    agent.act("goto", url=site.url + "/")
    agent.act("click", selector="Go")
    assert '"New"' in str(agent.lines())


SLICED = """<p id=p>Old</p><button>Go</button><script>
  const busy = (ms) => { const end = performance.now() + ms; while (performance.now() < end); };
  const channel = new MessageChannel(), by = {
    message: (work) => { channel.port1.onmessage = work; channel.port2.postMessage(0); },
    frame: requestAnimationFrame };
  const slice = (left) => {
    busy(40);
    if (left) by.HOW(() => slice(left - 1)); else p.textContent = 'New';
  };
  document.querySelector('button').onclick = () => { by.HOW(() => slice(COUNT)); };
</script>"""


@pytest.mark.parametrize(("how", "count"), [("message", 8), ("frame", 2)])
def test_script_work_in_short_slices_is_waited_for(agent, site, how, count):
    site.pages["/"] = SLICED.replace("HOW", how).replace("COUNT", str(count))
    agent.act("goto", url=site.url + "/")
    agent.act("click", selector="Go")
    assert '"New"' in str(agent.lines())


def test_an_animation_is_not_waited_for(agent, site):
    site.pages["/"] = """<button>Go</button><script>
        const draw = () => requestAnimationFrame(draw);
        draw();</script>"""
    agent.act("goto", url=site.url + "/")
    agent.settler.limit(PLENTY)
    agent.act("click", selector="Go")
    assert agent.settler.settled


def test_a_page_with_constant_timers_counts_as_settled(agent, site):
    site.pages["/"] = """<button>Go</button><script>
        (async () => { for (;;) await new Promise(done => setTimeout(done, 50)) })();
        setInterval(() => {}, 20)</script>"""
    agent.act("goto", url=site.url + "/")
    agent.settler.limit(PLENTY)
    agent.act("click", selector="Go")
    assert agent.settler.settled
