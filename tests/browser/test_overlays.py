"""What fades in is read when it is there, and an open dialog comes before the page behind it."""

from __future__ import annotations

import pytest
from relative_time import PLENTY

FADING = """<!doctype html><title>Page</title><h1>Orders</h1><button id=show>Open</button>
<style>{css}</style><div id=host></div>
<script>
const root = {root};
show.onclick = () => {{ {show} }};
const overlay = document.createElement("div");
overlay.className = "overlay"; overlay.innerHTML = "<button>Confirm</button>";
root.append(overlay);
</script>"""
FADES = {
    "transition": (
        ".overlay { opacity: 0; transition: opacity .4s } .on { opacity: 1 }",
        "document.body",
        "overlay.classList.add('on');",
    ),
    "delayed visibility": (
        ".overlay { visibility: hidden; transition: visibility 0s .4s }"
        " .on { visibility: visible }",
        "document.body",
        "overlay.classList.add('on');",
    ),
    "animation of a script in a shadow root": (
        "",
        "host.attachShadow({mode: 'open'})",
        "overlay.animate([{opacity: 0}, {opacity: 0, offset: .9}, {opacity: 1}], 400);",
    ),
}


@pytest.fixture
def opened(agent, site):
    def open_page(html):
        site.pages["/"] = html
        assert agent.act("goto", url=site.url + "/").success
        return agent

    yield open_page
    site.close()


@pytest.mark.parametrize("kind", FADES)
def test_what_fades_in_is_listed_after_the_press_that_shows_it(opened, kind):
    css, root, show = FADES[kind]
    agent = opened(FADING.format(css=css, root=root, show=show))
    agent.act("click", selector="#show")
    assert '[button] "Confirm"' in "\n".join(agent.lines())


def test_the_end_of_a_fade_is_a_change_of_the_page(opened):
    css, root, show = FADES["animation of a script in a shadow root"]
    agent = opened(FADING.format(css=css, root=root, show=show))
    agent.page.evaluate("overlay.animate([{opacity: 0}, {opacity: 0}], 60000)")
    agent.page.evaluate("overlay.animate([{opacity: 0}, {opacity: 0}], 400)")
    assert '"Confirm"' not in "\n".join(agent.observer.observe().lines())
    agent.page.evaluate("overlay.getAnimations().forEach((animation) => animation.finish())")
    assert '"Confirm"' in "\n".join(agent.observer.observe().lines())


def test_endless_animations_and_ripples_are_not_waited_for(opened):
    agent = opened(
        """<style>@keyframes pulse { from { opacity: 0 } to { opacity: 1 } }
        h2 { animation: pulse 1s infinite } i { animation: pulse 2.5s }</style>
        <h2>Live</h2><i></i><button id=b>B</button>
        <p id=slide>Slide</p><script>
        const turn = () => { slide.animate([{opacity: 0}, {opacity: 1}], 900).onfinish = turn; };
        turn();</script>"""
    )
    agent.settler.limit(PLENTY)
    assert agent.act("click", selector="#b").success
    assert agent.settler.settled


MODAL = """<style>.backdrop {{ position: fixed; inset: 0; background: #0008 }}
[aria-modal] {{ position: fixed; left: 100px; top: 100px; width: 300px; height: 200px;
background: white }} .list {{ position: absolute; left: 120px; top: 250px; z-index: 2;
background: white }}</style>
<div id=app><h1>Orders</h1><button>Behind</button>{rows}</div>{modal}"""
ROWS = "".join(f"<p>Order {n}</p>" for n in range(150))
BODY = "<h2>Delete?</h2><button>Yes</button><button>No</button>"


def test_an_open_modal_dialog_is_listed_and_the_page_behind_it_is_one_line(agent):
    modal = f"<div><div class=backdrop></div><div role=dialog aria-modal=true>{BODY}</div></div>"
    listbox = "<div><div class=list><div role=option aria-selected=true>Red</div></div></div>"
    agent.load_html(MODAL.format(rows=ROWS, modal=modal + listbox))
    *listed, behind = agent.lines()
    assert [line.split("] ", 1)[-1] for line in listed] == [
        '[dialog] "Delete?"',
        '[heading] "Delete?" (level=2)',
        '[button] "Yes"',
        '[button] "No"',
        '[option] "Red" (selected=true)',
    ]
    assert behind.startswith("… 152 elements of the page behind the dialog are not listed.")
    assert "Order 149" in {e.name for e in agent.observation.unlisted}


def test_a_dialog_of_the_browser_covers_the_page_too(agent):
    html = MODAL.format(rows=ROWS, modal=f"<dialog id=d>{BODY}</dialog>")
    assert '"Behind"' in "\n".join(line for line in agent.load_html(html).lines())
    agent.page.evaluate("d.showModal()")
    agent.observation = agent.observer.observe()
    assert '"Behind"' not in "\n".join(agent.lines())
    assert '[button] "Yes"' in "\n".join(agent.lines())


def test_a_dialog_that_leaves_the_page_in_reach_hides_nothing(agent):
    modal = f"<div role=dialog aria-modal=true>{BODY}</div>"
    agent.load_html(MODAL.format(rows="", modal=modal))
    assert '"Behind"' in "\n".join(agent.lines())


def test_what_is_in_a_frame_behind_a_dialog_is_behind_it_too(agent):
    """The rich text editor of the page behind a drawer stood among the fields of the drawer."""
    deep = "<p>Deep</p>".replace("<", "&amp;lt;")
    frame = f"<iframe srcdoc='&lt;p>Rich text area&lt;/p>&lt;iframe srcdoc=\"{deep}\">'></iframe>"
    modal = f"<div class=backdrop></div><div role=dialog aria-modal=true>{BODY}</div>"
    for dialog, texts in (("", {"Rich text area", "Deep"}), (modal, set())):
        agent.load_html(MODAL.format(rows=frame, modal=f"<div>{dialog}</div>"))
        agent.page.frames[-1].wait_for_selector("text=Deep")
        agent.observation = agent.observer.observe()
        names = {e.name for e in agent.observation.elements}
        assert names & {"Rich text area", "Deep"} == texts
        assert ("Yes" in names) is bool(dialog)
