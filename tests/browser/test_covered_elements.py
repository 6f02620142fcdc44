"""Who cannot press an element because something covers it is told what does."""

from __future__ import annotations

import pytest

COVERED = "something else on the page covers it"
STYLE = """<style>.over { position: fixed; inset: 0; background: #fff }
.shade { position: fixed; inset: 0; background: #0008 } .free { padding: 9px }
.box { position: fixed; left: 300px; top: 200px; width: 300px; height: 200px; background: #fff }
</style><div class=free><button>Under</button></div><p>Orders</p>"""
COVERS = {
    "a text": ("<div class=over>Over all</div>", 'text "Over all" [2]'),
    "a control": ("<button class=over>Accept</button>", 'button "Accept" [2]'),
    "a part of a control": (
        "<a href=/x class=over><span style='display:block;height:100%'>Read</span></a>",
        'link "Read" [2]',
    ),
    "what says nothing": ("<div class=over></div>", 'div ""'),
    "what is longer than a name": (
        f"<div class=over><b>{'long ' * 30}</b><div style='height:90%'></div></div>",
        f'div "{("long " * 12).strip()}…"',
    ),
    "the shade behind a dialog": (
        "<div class=shade></div><div class=box role=dialog aria-modal=true aria-label=Delete?>"
        "<button>Yes</button></div>",
        'dialog "Delete?" [0]',
    ),
    "the shade behind a box": (
        "<div class=shade><div class=box><h2>Delete?</h2><button>Yes</button></div></div>",
        'div "Delete? Yes"',
    ),
}


PATIENCE = (0.2, 2.0, 20.0)  # seconds; a busy machine may not even try within the first


@pytest.fixture
def patient(agent, monkeypatch):
    """Waits for a covered element until the browser has tried to reach it."""
    act = agent.act

    def act_patiently(*words, **params):
        for seconds in PATIENCE:
            agent.wait_for_elements(seconds)
            result = act(*words, **params)
            if "Timeout" not in (result.error or ""):
                break
        return result

    monkeypatch.setattr(agent, "act", act_patiently)
    return agent


@pytest.mark.parametrize("kind", COVERS)
def test_the_error_names_what_covers_the_element(patient, kind):
    html, cover = COVERS[kind]
    patient.load_html(STYLE + html)
    result = patient.act("click", selector="css=button" if "button" in html else "Under")
    assert result.error == f"{COVERED}: {cover}"
    assert result.description == result.error


def test_other_actions_name_it_too(patient):
    patient.load_html(f"{STYLE}<div class=over>Over all</div>")
    result = patient.act("hover", selector="Under")
    assert result.error == f'{COVERED}: text "Over all" [2]'


def test_what_is_gone_meanwhile_is_not_named(patient, monkeypatch):
    patient.load_html(f"{STYLE}<div class=over id=over>Over all</div>")
    context = patient.executor._context
    describe = context.describe_cover
    remove = lambda: patient.page.evaluate("over.remove()")  # noqa: E731
    monkeypatch.setattr(context, "describe_cover", lambda one: (remove(), describe(one))[1])
    assert patient.act("click", selector="Under").error == COVERED


def test_nothing_is_named_in_a_frame_that_something_covers(patient):
    patient.load_html("<iframe srcdoc='<button>Under</button>'></iframe>" + STYLE)
    patient.page.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<div class=over>Over all</div>')"
    )
    patient.observation = patient.observer.observe()
    frame = patient.page.frames[1]
    number = next(e.index for e in patient.observation.elements if e.place.frame == frame.url)
    assert patient.act("click", selector=str(number)).error == COVERED
