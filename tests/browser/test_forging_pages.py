"""Pages that try to change what is read of them: neither a value, nor an address, nor a hash."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from citing import unnumbered
from forging_pages import FORGING, NO_HANDLES, RECORD, forging_page
from local_site import Site

from pytest_bwa.page.readers import MainWorld


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


@pytest.fixture(scope="module")
def agent(agents_of_file: Callable[..., Any], tmp_path_factory: Any) -> Any:
    """A page that breaks the waiting costs its time, and nothing else: so it waits for a short
    time."""
    agent = agents_of_file(tmp_path_factory.mktemp("s") / "s")
    agent.settler.limit(0.3)
    return agent


def facts(agent: Any) -> dict[str, Any]:
    """All that evidence rests on: what was read, where, and the hashes of it."""
    page = agent.observation
    labelled = [(v.label, v.value, v.kind, v.url, v.doubt, v.place) for v in page.labelled]
    hashes = page.state, page.dom_hash
    return {"at": (page.url, page.title), "lines": unnumbered(agent.lines()), "labelled": labelled,
            "text": page.text, "hashes": hashes}  # fmt: skip


def labels(page: Any) -> set[tuple[str, str]]:
    return {(value.label, value.value) for value in page.labelled}


def read_and_type(agent: Any, site: Any, html: str) -> tuple[Any, Any, Any, bool]:
    """What is known of a page, before and after a text was typed into its field; and whether
    everything could be done."""
    site.pages["/record/1"] = html
    agent.page.goto(f"{site.url}/record/1")
    agent.observation = agent.observer.observe()
    before, note = facts(agent), agent.index("Note")
    typed = agent.act("type", selector=note, text="paid")
    read = agent.act("extract", selector=note)
    return before, facts(agent), (typed.description, read.read_text), typed.success and read.success


@pytest.fixture(scope="module")
def honest(agent: Any, site: Any) -> tuple[Any, Any, Any, bool]:
    return read_and_type(agent, site, RECORD.format(script=""))


@pytest.mark.parametrize("name", FORGING)
def test_a_page_that_replaces_what_scripts_use_changes_nothing(agent, site, honest, name):
    before, after, done, is_done = read_and_type(agent, site, forging_page(FORGING[name]))
    assert before == honest[0]
    assert ("Status", "Rejected") in [fact[:2] for fact in before["labelled"]]
    if name in NO_HANDLES and not is_done:
        return  # Playwright's own script fails there, and the action says so
    assert (after, done) == honest[1:3]
    assert '(value="paid"' in "".join(after["lines"])


def test_a_change_is_seen_although_the_page_forges_what_reports_it(agent, site):
    forged = """MutationObserver.prototype.observe = () => {};
        window.MutationObserver = class { observe() {} };"""
    read_and_type(agent, site, forging_page(forged))
    agent.page.evaluate("document.querySelector('dd').firstChild.data = 'Paid'")
    assert ("Status", "Paid") in labels(agent.observer.observe())


def test_a_frame_of_another_site_is_read_as_itself_and_changes_nothing_else(agent, site):
    forged = forging_page(FORGING["JSON.stringify is forged"])
    other = site.url.replace("127.0.0.1", "localhost") + "/frame"
    inner = "<iframe srcdoc='<p>Inner: yes</p>'></iframe>"
    site.pages |= {"/frame": forged.replace("Rejected", "Pending") + inner}
    frames = f"<iframe src='{other}' width=900 height=500></iframe><iframe srcdoc='<p>Own: 1</p>'>"
    site.pages["/record/1"] = RECORD.format(script="") + frames
    agent.page.goto(f"{site.url}/record/1")
    page = agent.observer.observe()
    found = {(v.label, v.value, v.place.frame) for v in page.labelled}
    assert {("Status", "Rejected", ""), ("Status", "Pending", other)} <= found
    assert {("Inner", "yes", "about:srcdoc"), ("Own", "1", "about:srcdoc")} <= found
    assert (page.url, page.title) == (f"{site.url}/record/1", "Order 17")
    note = [e for e in page.elements if e.name == "Note" and e.place.frame == other]
    agent.observation = page
    assert agent.act("type", selector=str(note[0].index), text="paid").success


@pytest.mark.parametrize(
    "more",
    [
        "<div style='position:fixed;inset:0;opacity:0;z-index:9' onclick='void 0'></div>",
        "<div id=many></div><script>many.innerHTML = '<i>x</i>'.repeat(15000)</script>",
        "<aside id=clock></aside><script>setInterval(() => { clock.textContent = Math.random() });"
        "new MutationObserver(() => { clock.title += 1 }).observe(clock, {childList: true});"
        "</script>",
    ],
    ids=["an invisible layer", "30,000 nodes", "endless changes"],
)
def test_a_page_that_is_hard_to_read_is_read_right(agent, site, more):
    site.pages["/record/1"] = RECORD.format(script="") + more
    agent.page.goto(f"{site.url}/record/1")
    page = agent.observer.observe()
    assert {("Status", "Rejected"), ("Owner", "Ann Lee")} <= labels(page)
    assert (page.url, page.title) == (f"{site.url}/record/1", "Order 17")


def test_what_a_page_can_find_of_us(agent, site):
    """One property of a random name, and nothing that is not the browser's own."""
    site.pages["/record/1"] = RECORD.format(script="")
    agent.page.goto(f"{site.url}/record/1")
    agent.observer.observe()
    names, symbols, foreign = agent.page.evaluate(FOREIGN)
    assert len([name for name in names if name.startswith("bwa")]) == 1
    assert symbols == []
    assert foreign == []


FOREIGN = """() => {
    const own = ["setTimeout", "clearTimeout", "setInterval", "clearInterval",
        "requestAnimationFrame", "fetch", "open", "close"].map((name) => [name, window[name]]);
    const setter = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "onclick").set;
    const others = [["send", XMLHttpRequest.prototype.send],
        ["postMessage", MessagePort.prototype.postMessage], ["onclick", setter],
        ["addEventListener", EventTarget.prototype.addEventListener],
        ["attachShadow", Element.prototype.attachShadow]];
    const isOwn = ([, work]) => Function.prototype.toString.call(work).includes("[native code]");
    const foreign = [...own, ...others].filter((one) => !isOwn(one)).map(([name]) => name);
    return [Object.getOwnPropertyNames(window), Object.getOwnPropertySymbols(window), foreign];
}"""


OWN_JSON = "<script>{}.prototype.toJSON = () => 'mine';</script>"


@pytest.mark.parametrize("script", ["", OWN_JSON.format("Array"), OWN_JSON.format("Object")])
def test_on_other_engines_the_readers_live_in_the_main_world(
    agent_with, site, honest, monkeypatch, script
):
    monkeypatch.setattr("pytest_bwa.page.readers.world_of", lambda browser: MainWorld)
    agent = agent_with(dialogs="accept")
    assert agent.tabs.readers.world(agent.page).name == "main world"
    assert read_and_type(agent, site, RECORD.format(script=script)) == honest
    clicked = agent.act("click", selector=agent.index("Urgent"))
    assert "it is on now" in clicked.description
    assert "Lamp" in agent.act("find", text="Lamp").description
