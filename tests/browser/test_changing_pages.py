"""On a page that changes all the time somewhere, a picture proves what nothing has changed."""

from __future__ import annotations

import pytest
from local_site import Site
from test_proof_pictures import Proof

LOG = "<h1>Log</h1><main><p>Reference ZX-4711</p><p>Owner Ann Smith</p></main>"
pytestmark = pytest.mark.usefixtures("evidence_is_thrown_away")
CHANGES = {
    "a clock": "<p id=t>0</p>|t.textContent = `Time ${n}`",
    "a text in a text": "<p>Time <b id=t>0</b> o'clock</p>|t.firstChild.data = n",
    "a tip that is made anew": "<div id=t><p>Tip</p></div>|t.innerHTML = `<p>Tip ${n % 2}</p>`",
    "a carousel": (
        "<div id=t><p>One</p><p hidden>Two</p></div>|"
        "[...t.children].forEach((p, at) => { p.hidden = at !== n % 2; })"
    ),
    "a tip above that grows": "<div id=t>Tip</div>|t.innerHTML = `Tip ${n}` + '<br>'.repeat(n % 5)",
}
UNPROVEN = {
    "the value itself": "|p.textContent = `Reference ${n % 2 ? 'AB-1' : 'ZX-4711'}`",
    "the value that comes back": "|p.textContent = 'AB-1'; p.textContent = 'Reference ZX-4711'",
    "what it is in": "|main.hidden = n % 2",
    "its style": "|p.style.opacity = n % 2",
    "the style of what it is in": "|document.body.style.opacity = n % 2",
    "what stands before it": "<i id=t>Tip</i>|t.className = `tip${n % 2}`",
    "what comes before it": "|main.insertAdjacentHTML('beforebegin', '<i>Tip</i>')",
    "what is over it": (
        "<div><div id=t></div></div>|t.innerHTML = n % 2 ? '<div style=\"position:absolute;inset:0;"
        "background:#fff\">Tip</div>' : ''"
    ),
    "what is over it by a class": (
        "<style>.on p { position: absolute; inset: 0; background: #fff; display: block }</style>"
        "<div><div id=t><p hidden>Tip</p></div></div>|t.classList.toggle('on')"
    ),
    "what is over it by a style sheet": (
        "<style>#o { position: fixed; inset: 0; background: #fff; display: none }"
        "#s:checked + #o { display: block }</style><div><input id=s type=checkbox><b id=o>Tip</b>"
        "</div>|s.checked = n % 2"
    ),
    "what is over it out of view": (
        "<div style='height:2000px'></div><div style='position:relative'><div id=t></div></div>|"
        't.innerHTML = \'<div style="position:absolute;top:0;height:200px;background:#fff">'
        "Tip Tip Tip Tip</div>'"
    ),
    "its text that goes": "<style>main p { height: 60px }</style>|p.firstChild?.remove()",
    "its text with the rest": "|main.innerHTML += ' '",
    "a thousand elements": (
        "<div id=t></div>|for (let i = 0; i < 1001; i++) t.append(document.createElement('b'))"
    ),
}


@pytest.fixture
def site():
    site = Site()
    site.pages = {"/about": "<h1>Log</h1><p>About</p>"}
    yield site
    site.close()


def _page(change):
    """A page with the value; every call of ``tick`` changes it."""
    html, script = change.split("|")
    return f"""<div><p id=c>0</p></div>{html}{LOG}<script>let n = 0;
      const main = document.querySelector("main"), p = main.querySelector("p");
      const tick = () => {{ n++; c.textContent = `Count ${{n}}`; {script}; }};</script>"""


class Ticking:
    """A page that changes between the reading of a page and each of its pictures."""

    def __init__(self, agent, site, change, url="/log"):
        site.pages[url] = _page(change)
        self.agent, self.proof = agent, Proof(agent, "reference")
        self.proof.go(site.url + url)
        self.take = agent.executor.take_picture

    def __enter__(self):
        self.agent.executor.take_picture = lambda *args: self._between_ticks(*args)
        return self.proof

    def _between_ticks(self, *args):
        self._tick()
        picture = self.take(*args)
        self._tick()
        return picture

    def _tick(self):
        self.agent.page.evaluate("typeof tick === 'function' && tick()")

    def __exit__(self, *_):
        del self.agent.executor.take_picture


@pytest.mark.parametrize("is_left", [False, True])
@pytest.mark.parametrize("change", CHANGES)
def test_a_value_that_stands_still_has_a_picture_where_the_page_never_does(
    agent, site, change, is_left
):
    """A page that was left is proven by the picture that was held."""
    with Ticking(agent, site, CHANGES[change]) as proof:
        if is_left:
            proof.go(f"{site.url}/about")
        proof.keep(reference="ZX-4711")
        record = proof.record(reference="ZX-4711")
    (artifact,) = agent.writer.artifacts
    assert (record.artifact, record.page_state) == (artifact.filename, artifact.page_state)


@pytest.mark.parametrize("change", UNPROVEN)
def test_what_may_have_changed_is_not_proven_by_a_picture_of_another_state(agent, site, change):
    with Ticking(agent, site, UNPROVEN[change]) as proof:
        proof.go(f"{site.url}/about")
        proof.keep(reference="ZX-4711")
        assert proof.record(reference="ZX-4711").artifact is None
