"""On a busy machine frames, requests and pages come late: nothing is read before they came."""

from __future__ import annotations

import threading

import pytest

LATE_FRAMES = """const later = setTimeout.bind(window), frame = requestAnimationFrame.bind(window);
window.requestAnimationFrame = (work) => later(() => frame(work), {});"""


def _names(agent):
    return {e.name for e in agent.observation.elements}


@pytest.fixture
def with_late_frames(agent, browser, tmp_path):
    """An agent on a page that is painted only so many milliseconds after it was asked."""
    contexts = []

    def make(milliseconds):
        contexts.append(browser.new_context())
        contexts[-1].add_init_script(LATE_FRAMES.format(milliseconds))
        return type(agent)(contexts[-1].new_page(), tmp_path / "late")

    yield make
    for context in contexts:
        context.close()


@pytest.mark.parametrize("late", [850, 400])
def test_what_comes_with_the_next_two_frames_is_waited_for(with_late_frames, site, late):
    """Like what observers report, and the first step of an animated scroll: the page's own script
    does not know what is due."""
    site.pages[
        "/"
    ] = """<p id=p>Old</p><button onclick="setTimeout(() => p.textContent = 'New', 700)">
        Go</button>"""  # a timer of its own is not waited for if it is slower than 600 ms
    agent = with_late_frames(late)
    agent.act("goto", url=site.url + "/")
    agent.act("click", selector="Go")
    assert "New" in _names(agent)


def test_work_in_late_frames_is_waited_for_unless_it_is_cancelled(with_late_frames, site):
    site.pages["/"] = """<p id=p>Old</p><button>Go</button><script>
        const run = (left) => requestAnimationFrame(() => {
          if (left) run(left - 1); else p.textContent = 'New' });
        document.querySelector('button').onclick = () => run(2);</script>"""
    site.pages["/cancelled"] = """<h1>Still</h1><script>
        setInterval(() => cancelAnimationFrame(requestAnimationFrame(() => {})), 20)</script>"""
    agent = with_late_frames(300)
    agent.act("goto", url=site.url + "/")
    agent.act("click", selector="Go")
    assert "New" in _names(agent)
    agent.act("goto", url=site.url + "/cancelled")
    assert agent.settler.settled


def test_a_message_is_waited_for_however_late_it_comes(agent, site):
    """The machine pauses when the page has sent it: then timers are due before it."""
    site.pages["/"] = """<p id=p>Old</p><button>Go</button><script>
        const now = () => performance.now();
        const busy = (ms) => { const end = now() + ms; while (now() < end); };
        const slices = new MessageChannel();
        let left = 8;
        slices.port2.onmessage = () => {
          if (left--) next(); else p.textContent = 'New' };
        const next = () => { slices.port1.postMessage(0); busy(80) };
        document.querySelector('button').onclick = next;</script>"""
    agent.act("goto", url=site.url + "/")
    agent.act("click", selector="Go")
    assert "New" in _names(agent)


def test_a_request_that_ends_while_the_page_is_looked_at_still_changes_it(agent, site, monkeypatch):
    """Python hears of its end together with the answer that was given before it."""
    site.pages |= {"/data": "New", "/": """<p id=p>Old</p><button>Go</button><script>
        const later = (work) => setTimeout(work, 500);
        document.querySelector('button').onclick = async () => {
          const answer = await (await fetch('/data')).text();
          later(() => p.textContent = answer) };</script>"""}  # fmt: skip
    held = site.holds["/data"] = threading.Event()
    agent.act("goto", url=site.url + "/")
    look = agent.settler._look

    def look_late(page, *options):
        found = look(page, *options)
        if found["state"] == "quiet" and not held.is_set():
            held.set()
            while agent.settler._pending:
                page.wait_for_timeout(10)
        return found

    monkeypatch.setattr(agent.settler, "_look", look_late)
    agent.act("click", selector="Go")
    assert held.is_set()
    assert "New" in _names(agent)


def test_a_page_that_is_left_late_is_read_when_the_next_one_is_ready(agent, site):
    site.pages |= {"/next": "<p id=p>Old</p><script>fetch('/data').then(() => p.innerHTML = 'New')"
                            "</script>", "/data": "", "/": """<button>Go</button><script>
        document.querySelector('button').onclick = () => {
          dispatchEvent(new Event('beforeunload'));
          setTimeout(() => { location = '/next' }, 900) };</script>"""}  # fmt: skip
    site.delays["/data"] = 3.0
    agent.act("goto", url=site.url + "/")
    agent.act("click", selector="Go")
    assert "New" in _names(agent)
