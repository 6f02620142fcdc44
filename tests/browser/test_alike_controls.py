"""Controls side by side of which some are chosen, where only the look says which."""

from __future__ import annotations

import pytest

from pytest_bwa.agent.verification import verify

STYLE = """<!doctype html><style>.tag { cursor: pointer; background: #63f; color: #fff }
.inactive { background: #eee; color: #333 } .grey { background: #eee }
.tag:hover { background: #111 } .focus-ring { outline: 2px solid }</style><h1>Risk</h1>"""
NAMES = ("DORA", "GDPR", "PSD2", "cloud", "payments")


def run(*classes, tag="span", more=""):
    parts = [
        f"<{tag} {more} class='tag {c}'>{n}</{tag}>" for n, c in zip(NAMES, classes, strict=False)
    ]
    return f"<div>{''.join(parts)}</div><p>One</p><p>Two</p><p>Three</p>"


def marks(agent, html):
    """What the line of each control of the run says behind its name."""
    agent.load_html(STYLE + html)
    return {e.name: ", ".join(e.states) for e in agent.observation.elements if e.name in NAMES}


@pytest.mark.parametrize("tag", ["span", "button type=button", "a href=/x"])
def test_the_entries_of_a_list_may_be_painted_otherwise(agent, tag):
    end = tag.split()[0]
    entries = [
        f"<li class='tag {c}'><{tag}>{n}</{end}>"
        for n, c in zip(NAMES, ("", "", "grey"), strict=False)
    ]
    said = marks(agent, f"<ul>{''.join(entries)}</ul><p>One</p>")
    assert said["PSD2"] == "painted otherwise than “DORA”, “GDPR”"


def test_what_is_only_painted_otherwise_says_than_what(agent):
    page = run("", "", "", "", "")
    parts = page.split("<span ")
    parts[2] = "style='background:#eee' " + parts[2]
    said = marks(agent, "<span ".join(parts))
    assert said["GDPR"] == "painted otherwise than “DORA”, “PSD2”, …"
    assert [name for name, states in said.items() if states] == ["GDPR"]


@pytest.mark.parametrize(
    "html",
    [
        run("inactive", "inactive", "inactive"),
        run("first", "", "last"),  # classes that nothing is painted by
        run("css-1x2y3z", "css-9a8b7c", "css-5d6e7f"),
        run("inactive", "", "", tag="button", more="aria-pressed=true"),
        run("inactive", "", "", tag="button", more="disabled"),
        f"<table><tr><td>{run('inactive', '', '')}<td>Two</table>",
        f"<form>{run('', 'inactive', tag='button')}</form>",
        "<div>" + "".join(f"<span class='tag {'inactive' * (n > 3)}'>T{n}</span>"
                          for n in range(20)) + "<span class=tag>DORA</span></div>",
        run("grey", "inactive", ""),  # each another way
    ],
    ids=["all alike", "places", "hashes", "pressed", "disabled", "row", "sends", "many", "ways"],
)  # fmt: skip
def test_other_differences_say_nothing(agent, html):
    assert not any("class" in s or "painted" in s for s in marks(agent, html).values())


def test_words_with_a_field_that_are_all_painted_alike_say_so(agent):
    words = run("inactive", "inactive", "inactive")
    field = f"<div><input aria-label=Tags>{words}</div>"
    alike = "painted like the 2 beside it"
    said = {"DORA": alike, "GDPR": "", "PSD2": ""}
    assert marks(agent, field) == said
    nothing = dict.fromkeys(said, "")
    assert marks(agent, words) == nothing, "they stand with no field"
    assert marks(agent, field.replace("<div>", "<div><input>", 1)) == nothing, "with several"
    taken_out = field.replace("</span>", "<svg width=9 height=9></svg></span>")
    assert marks(agent, taken_out) == nothing, "each was entered, and can be taken out"


def test_what_is_under_the_pointer_is_painted_so_for_a_moment(agent):
    agent.load_html(STYLE + run("", "", "", ""))
    agent.page.locator(".tag").nth(1).hover()
    agent.observation = agent.observer.observe()
    assert "painted" not in str(agent.element_lines())


def test_a_dialog_in_front_changes_nothing_of_what_is_said(agent):
    """When a drawer opened, the tags behind it were reported as painted anew."""
    agent.load_html(STYLE + run("inactive", "", "inactive") + "<button id=b>Open</button>")
    drawer = (
        "<div role=dialog aria-modal=true style='position:fixed;inset:0;background:white'>"
        "<h2>Owner</h2><p>Ann Lee</p></div>"
    )
    agent.page.evaluate(
        "html => b.onclick = () => document.body.insertAdjacentHTML('beforeend', html)", drawer
    )
    before = agent.observation
    agent.act("click", selector="Open")
    summary = verify(before, agent.observer.observe()).summary
    assert "Ann Lee" in summary
    assert "painted" not in summary
