"""A page is read when it is ready, and what stands in for its content is not taken for it."""

from __future__ import annotations

import json

import pytest
from relative_time import PLENTY

from pytest_bwa.actions import settle
from pytest_bwa.page.readers import MAIN_WORLD

MOST = 20_000  # ms
NEVER = 60  # seconds; more than any limit here

FETCH = """<h1>Ticket</h1><p id=p>Old</p><button>Go</button><script>
const load = async () => {{ const answer = await fetch('/data');
  p.textContent = await answer.text(); }};
{}</script>"""
XHR = """<h1>Ticket</h1><p id=p>Old</p><script>const x = new XMLHttpRequest();
x.onload = () => p.textContent = x.responseText; x.open('GET', '/data'); x.send()</script>"""


def _names(agent):
    return {e.name for e in agent.observation.elements}


def _settles(agent, action, **params):
    """Whether the page settled after the action, long before the busiest machine would give up."""
    agent.settler.limit(PLENTY)
    agent.act(action, **params)
    return agent.settler.settled


def _milliseconds_until_quiet(agent, script, *, is_patient=False):
    """So long the page itself waits after a script."""
    asked = {"quiet": 25, "late": 25, "most": MOST, "isLast": False, "isPatient": is_patient}
    settle = f"window['{MAIN_WORLD}'].settle({json.dumps(asked)})"
    return agent.page.evaluate(
        f"""async () => {{ const began = performance.now(); {script}; await {settle};
        return performance.now() - began; }}"""
    )


@pytest.fixture
def slow_site(site):
    site.pages |= {"/data": "New", "/": FETCH.format("load()")}
    site.delays["/data"] = 2.6
    return site


@pytest.mark.parametrize("html", [FETCH.format("load()"), XHR])
def test_a_request_of_the_load_is_waited_for_however_long_it_takes(agent, slow_site, html):
    slow_site.pages["/"] = html
    agent.act("goto", url=slow_site.url + "/")
    assert "New" in _names(agent)


def test_a_request_of_a_click_is_waited_for_however_long_it_takes(agent, slow_site):
    slow_site.pages["/"] = FETCH.format("document.querySelector('button').onclick = load")
    agent.act("goto", url=slow_site.url + "/")
    agent.act("click", selector="Go")
    assert "New" in _names(agent)


def test_a_body_that_is_still_streaming_is_waited_for(agent, slow_site):
    slow_site.delays.clear()
    slow_site.pages["/data"] = "New text"
    slow_site.pauses["/data"] = 2.6
    agent.act("goto", url=slow_site.url + "/")
    assert "New text" in _names(agent)


def test_the_next_page_is_waited_for_however_long_it_takes(agent, slow_site):
    slow_site.pages["/"] = "<a href=/data>Next</a>"
    slow_site.pages["/data"] = "<h1>Next page</h1>"
    agent.act("goto", url=slow_site.url + "/")
    agent.act("click", selector="Next")
    assert "Next page" in _names(agent)


def test_the_requests_of_a_frame_are_waited_for(agent, slow_site):
    slow_site.pages["/frame"] = FETCH.format("load()")
    slow_site.pages["/"] = "<h1>Frame</h1><iframe src=/frame></iframe>"
    agent.act("goto", url=slow_site.url + "/")
    assert "New" in _names(agent)


# -- what must not make every page wait ------------------------------------------------------------

LATER = """<h1>Ready</h1><button>Nothing</button><script>
let begun = false; onclick = () => {}; window.poll = async () => {
  for (;;) await fetch('/poll?' + Math.random()); };</script>"""


def _await_request(agent):
    """Until Python knows that one is under way, which the page has begun by itself."""
    while not agent.settler._pending:
        agent.page.wait_for_timeout(20)


def test_a_long_poll_that_begins_when_the_page_is_ready_is_not_waited_for(agent, site, monkeypatch):
    monkeypatch.setattr(settle, "POLL_GAP", PLENTY)  # on a busy machine the next one comes late
    site.pages |= {"/": LATER, "/poll": "none"}
    site.delays["/poll"] = 0.4  # it goes on while the agent acts
    agent.act("goto", url=site.url + "/")
    agent.page.evaluate("void poll()")
    _await_request(agent)
    for _ in range(3):
        assert _settles(agent, "click", selector="Nothing")


def test_a_page_that_hangs_in_a_request_is_waited_for_once(agent, site):
    site.pages |= {"/": FETCH.format("load()"), "/data": "none"}
    site.delays["/data"] = NEVER
    agent.settler.limit(1)
    agent.act("goto", url=site.url + "/")
    assert not agent.settler.settled
    assert _settles(agent, "click", selector="Go")
    assert _settles(agent, "wait")


def test_a_request_like_the_poll_of_the_page_before_is_waited_for(agent, slow_site):
    slow_site.pages["/list"] = "<h1>List</h1><a href=/>Open</a>"
    agent.act("goto", url=slow_site.url + "/list")
    agent.page.evaluate("void fetch('/data')")
    _await_request(agent)
    agent.act("click", selector="Open")
    assert "New" in _names(agent)


def test_another_question_to_the_address_of_a_poll_is_waited_for(agent, site):
    site.pages |= {"/data": "none", "/": FETCH.format("")}
    script = """async () => { const ask = (body) => fetch('/data', { method: 'POST', body });
        document.querySelector('button').onclick = async () => {
          await ask('mine'); p.textContent = 'New' };
        await ask('news'); }"""
    agent.act("goto", url=site.url + "/")
    agent.page.evaluate(script)
    site.delays["/data"] = 0.9
    agent.act("click", selector="Go")
    assert "New" in _names(agent)


def test_an_event_source_is_not_waited_for(agent, site):
    site.pages["/"] = "<h1>Ready</h1><script>new EventSource('/events')</script>"
    site.pages["/events"] = (200, {"Content-Type": "text/event-stream"}, b"data: 1\n\n" * 2)
    site.pauses["/events"] = NEVER
    assert _settles(agent, "goto", url=site.url + "/")


@pytest.mark.parametrize(("style", "waits"), [("width:300px;height:250px", False), ("", True)])
def test_only_a_large_frame_of_another_host_is_waited_for(agent, site, style, waits):
    other = site.url.replace("127.0.0.1", "localhost")
    style = style or "width:900px;height:700px"
    site.pages["/"] = f"<h1>Page</h1><iframe style='{style}' src='{other}/frame'></iframe>"
    site.pages |= {"/frame": "<p>Frame</p><script>fetch('/data')</script>", "/data": "x"}
    site.delays["/data"] = NEVER
    agent.settler.limit(3 if waits else PLENTY)  # others' frames have two seconds
    agent.act("goto", url=site.url + "/")
    assert agent.settler.settled != waits


@pytest.mark.parametrize(("text", "is_ready"), [("Report of March", True), ("", False)])
def test_a_page_of_nothing_but_a_large_frame_is_ready_with_it(agent, site, text, is_ready):
    other = site.url.replace("127.0.0.1", "localhost")
    site.pages["/"] = f"<iframe style='width:900px;height:700px' src='{other}/frame'></iframe>"
    site.pages["/frame"] = f"<p>{text}</p>"
    agent.settler.limit(PLENTY if is_ready else 1)
    agent.act("goto", url=site.url + "/")
    assert agent.settler.settled == is_ready


# -- timers ----------------------------------------------------------------------------------------


LIST = """<div id=d tabindex=0 style="height: 100px; overflow: auto; scroll-behavior: smooth">
<div style="height: 9000px">Tall</div></div>"""


def test_a_list_that_scrolls_smoothly_is_read_at_its_end(agent):
    agent.load_html(LIST + "<button onclick='d.scrollTo(0, 8900)'>Last</button>")

    def place_after(begin: int, action: str, **parameters: str) -> int:
        agent.page.evaluate(f"d.scrollTo({{top: {begin}, behavior: 'instant'}}); d.focus()")
        agent.act(action, **parameters)
        return int(agent.page.evaluate("d.scrollTop"))

    # On a busy machine the first step may come later than anybody waits for one.
    assert any(place_after(0, "click", selector="Last") == 8900 for _ in range(15))
    assert any(place_after(8900, "press", key="Home") == 0 for _ in range(15))


@pytest.mark.parametrize("clear", ["clearInterval", "clearTimeout"])
@pytest.mark.parametrize("timer", ["setInterval", "setTimeout"])
def test_a_cleared_timer_is_not_waited_for(agent, site, timer, clear):
    site.pages["/"] = "<h1>R</h1>"
    agent.act("goto", url=site.url + "/")
    set_it = f"{timer}(() => {{}}, 590)"
    # A busy machine is slow for a while, and a timer that is waited for always takes its time.
    assert any(_milliseconds_until_quiet(agent, f"{clear}({set_it})") < 580 for _ in range(15))
    assert _milliseconds_until_quiet(agent, set_it) > 580


def test_content_of_an_interval_is_waited_for(agent, site):
    site.pages["/"] = """<h1>R</h1><p id=p>Old</p><script>
        const id = setInterval(() => { p.textContent = 'New'; clearInterval(id) }, 400)</script>"""
    agent.act("goto", url=site.url + "/")
    assert "New" in _names(agent)


@pytest.mark.parametrize("delay", [60, 200])
def test_a_number_that_counts_up_is_read_at_its_end(agent, site, delay):
    count = "p.textContent = n += 100; if (n >= 1000) clearInterval(id)"
    site.pages["/"] = f"""<h1>R</h1><p id=p>0</p><script>let n = 0;
        const id = setInterval(() => {{ {count} }}, {delay})</script>"""
    agent.act("goto", url=site.url + "/")
    assert "1000" in _names(agent)


@pytest.mark.parametrize("delay", [20, 80, 500])
def test_a_clock_is_not_waited_for(agent, site, delay):
    site.pages["/"] = f"""<h1>R</h1><i id=i></i><script>let n = 0;
        setInterval(() => i.style.left = n++ + 'px', {delay})</script>"""
    site.pages["/"] = site.pages["/"].replace("i.style", "window.unused ??= {}; unused")
    assert _settles(agent, "goto", url=site.url + "/")


# -- placeholders ----------------------------------------------------------------------------------

GREY = "background:#e2e8f0;width:120px;height:16px"
PULSE = "<style>@keyframes k { 50% { opacity: .5 } }</style>"
SPIN = "<style>@keyframes k { to { transform: rotate(360deg) } }</style>"
SHIMMER = """<style>@keyframes k { to { background-position: 200px 0 } }</style>
<div style="height:16px;background:linear-gradient(90deg,#eee,#ddd,#eee);
animation:k 1s infinite"></div>"""
PLACEHOLDERS = {
    "busy": "<main><section aria-busy=true><p>Rows</p></section></main>",
    "busy body": "<body aria-busy=true><p>Old</p>",
    "progress": "<progress></progress>",
    "progress bar": "<div role=progressbar style='height:9px'></div>",
    "pulse": f"{PULSE}<div style='{GREY};animation:k 1s infinite'></div>",
    "pulse around boxes": f"{PULSE}<div style='animation:k 1s infinite'><div style='{GREY}'></div>"
    "</div>",
    "hidden from screen readers": f"{PULSE}<div aria-hidden=true style='{GREY};"
    "animation:k 1s infinite'></div>",
    "shimmer": SHIMMER,
    "shimmer after": f"<style>b {{ display:block;position:relative;{GREY} }}"
    "b::after { content:''; position:absolute; inset:0; animation: k 1s infinite }"
    "@keyframes k { to { transform: translateX(99px) } }</style><b></b>",
    "spinner": f"{SPIN}<i style='display:block;width:20px;height:20px;border:2px solid red;"
    "animation:k 1s linear infinite'></i>",
    "drawn spinner": f"{SPIN}<svg width=20 height=20 style='animation:k 1s linear infinite'></svg>",
    "loading": "<p>Loading…</p>",
    "loading words": "<dl><dt>Owner<dd>Bitte warten ...</dl>",
    "loading in japanese": "<p>読み込み中…</p>",
    "loading after a label": "<p>Status: Loading…</p><p>Owner: <b>Loading…</b></p>",
    "loading in arabic": "<p dir=rtl>جار التحميل…</p>",
    "dots": "<table><tr><td>Owner<td>…<td><a href=/>Open</a></table>",
    "separate dots": "<p>Loading<span>.</span><span>.</span><span>.</span></p>",
    "dots by a style sheet": "<style>@keyframes k { 0% { content: '.' } 50% { content: '...' } }"
    "p::after { content: ''; animation: k 1s infinite }</style><p>Loading</p>",
    "in a shadow root": "<div><template shadowrootmode=open><p>Loading…</p></template></div>",
    "in a frame": "<iframe srcdoc='<p>Loading…</p>'></iframe>",
}


@pytest.mark.parametrize("name", PLACEHOLDERS)
def test_a_placeholder_is_waited_for_and_makes_the_page_busy(agent, site, name):
    gone = "for (const el of [...document.body.children]) el.remove();"
    show = "document.body.ariaBusy = 'false'; document.body.innerHTML = '<h1>Content</h1>'"
    script = f"<script>setTimeout(() => {{ {gone} {show} }}, 700)</script>"
    site.pages |= {"/": f"<body>{PLACEHOLDERS[name]}{script}", "/stays": PLACEHOLDERS[name]}
    agent.act("goto", url=site.url + "/")
    assert _names(agent) == {"Content"}
    assert not agent.observation.busy
    agent.page.goto(site.url + "/stays")
    assert agent.observer.observe().busy


CONTENT = {
    "aside": "<main><h1>R</h1></main><aside aria-busy=true>Ads</aside>",
    "footer": "<h1>R</h1><footer>Loading…</footer>",
    "hidden": "<h1>R</h1><div style='display:none'><p>Loading…</p><progress></progress></div>",
    "hidden overlay": f"<h1>R</h1>{SPIN}<div style='opacity:0'><i style='display:block;width:20px;"
    "height:20px;animation:k 1s infinite'></i></div>",
    "button": "<h1>R</h1><button>More…</button><a href=/>Read more…</a>",
    "choice": "<h1>R</h1><select><option>Choose…</select>",
    "menu": "<h1>R</h1><div style='cursor:pointer'>…</div>",
    "pages": "<h1>R</h1><ul><li><a href=/1>1</a><li>…<li><a href=/9>9</a></ul>",
    "sentence": "<h1>R</h1><p>It was late and nobody had seen it…</p>",
    "part of a sentence": "<h1>R</h1><p>He said that it was <em>late…</em></p>",
    "shortened": "<h1>R</h1><table><tr><td title='Christopher Robin'>Christopher…</table>",
    "progress": "<h1>R</h1><progress value=3 max=9></progress>",
    "live mark": f"<h1>R</h1>{PULSE}<i style='display:block;width:9px;height:9px;"
    "background:green;animation:k 1s infinite'></i>",
    "coloured box": f"<h1>R</h1>{PULSE}<i style='display:block;width:90px;height:90px;"
    "background:#d33;animation:k 1s infinite'></i>",
    "moving text": f"<h1>R</h1>{PULSE}<p style='{GREY};animation:k 1s infinite'>Sale</p>",
    "finite": f"<h1>R</h1>{SPIN}<i style='display:block;width:20px;height:20px;"
    "animation:k 2s'></i>",
    "masked": "<h1>R</h1><p>••••</p>",
    "only in a shadow root": "<x-a><template shadowrootmode=open><p>R</p></template></x-a>",
    "only in a frame": "<iframe srcdoc='<p>R</p>'></iframe>",
    "only a field": "<textarea>R</textarea>",
}


def test_content_is_no_placeholder(agent):
    taken = []
    for name, html in CONTENT.items():
        is_busy = agent.load_html(html).busy
        if is_busy or not agent.settler.wait(agent.page, navigated=True):
            taken.append(name)
    assert taken == []


@pytest.mark.parametrize(
    "shell",
    [
        "<div id=app></div>",
        "<div id=app></div><iframe srcdoc=''></iframe>",
        "<div id=app></div><iframe hidden srcdoc='<p>Counter</p>'></iframe>",
        "<div id=app></div><x-a><template shadowrootmode=open><b></b></template></x-a>",
    ],
)
def test_a_page_of_nothing_but_its_shell_is_waited_for(agent, site, shell):
    site.pages["/"] = f"{shell}<script>setTimeout(() => app.textContent = 'Text', 900)</script>"
    agent.act("goto", url=site.url + "/")
    assert _names(agent) == {"Text"}


def test_a_placeholder_that_stays_is_waited_for_once(agent, site):
    site.pages["/"] = "<h1>R</h1><p>Loading…</p><button>Nothing</button>"
    agent.settler.limit(1)
    agent.act("goto", url=site.url + "/")
    assert not agent.settler.settled
    assert _settles(agent, "click", selector="Nothing")
    assert agent.observation.busy


def test_placeholders_are_marked(agent):
    agent.load_html(
        """<h1>R</h1><p>Loading…</p><section aria-busy=true><p>Old</p></section>
        <table><tr><th>Owner<td>…<tr><th>Sum<td>12</table><p>Text</p>"""
    )
    marked = {e.name for e in agent.observation.elements if "loading" in e.states}
    assert marked == {"Loading…", "Old", "Owner | …"}


def test_who_answers_at_once_waits_for_a_later_timer_of_the_load(agent, site):
    later = "setTimeout(() => { document.body.dataset.came = 1; }, 1200)"
    site.pages["/"] = f"<h1>Ticket</h1><script>{later}</script>"
    agent.act("goto", url=site.url + "/")
    _milliseconds_until_quiet(agent, "", is_patient=True)
    assert agent.page.evaluate("() => document.body.dataset.came") == "1"


def test_who_answers_at_once_waits_for_no_clock(agent, site):
    clock = "const tick = () => { document.title += 1; setTimeout(tick, 900); }; tick()"
    site.pages["/"] = f"<h1>Ticket</h1><script>{clock}</script>"
    agent.act("goto", url=site.url + "/")
    assert _milliseconds_until_quiet(agent, "", is_patient=True) < MOST


def test_a_command_of_a_menu_is_no_placeholder(agent):
    agent.load_html(
        "<ul><li>File<ul><li>New<li>Open…<li>Print</ul></ul><ul><li>CI<ul><li>Loading…</ul></ul>"
    )
    loading = [e.name for e in agent.observation.elements if "loading" in e.states]
    assert loading == ["Loading…"]
