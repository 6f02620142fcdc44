"""Emoji at a cut, and half characters (lone surrogates) that a page itself contains."""

from __future__ import annotations

import dataclasses

import pytest

from pytest_bwa.evidence.files import to_json
from pytest_bwa.steps.step import Observation
from pytest_bwa.steps.text import whole_characters

HALF = "\\ud83d"  # inside JavaScript


def _assert_writable(*values):
    for value in values:
        if isinstance(value, Observation):  # what it labels is read when it is asked for
            value = dataclasses.replace(value, labelled=list(value.labelled))
        plain = dataclasses.asdict(value) if dataclasses.is_dataclass(value) else value
        assert whole_characters(repr(plain)) == repr(plain)
        assert "\\ud83d" not in repr(plain)
        to_json(plain)


@pytest.mark.parametrize("before", [198, 199, 298, 299])
def test_an_emoji_at_the_cut_of_a_name_or_a_value_is_whole_or_left_out(agent, before):
    text = "x" * before + "😀" * 60
    agent.load_html(
        f"<button>{text}</button><p>{text}</p><input aria-label=Field value='{text}'>"
        f"<p>{'y' * 1995}{text}</p><table><tr><td>{'z' * 78}😀😀<td>b</table>"
    )
    assert len(agent.observation.elements) >= 4
    _assert_writable(agent.observation)
    assert "�" not in repr(agent.observation)


@pytest.mark.parametrize("before", range(1990, 2003))
def test_an_emoji_at_the_cut_of_the_page_text_is_whole_or_left_out(agent, before):
    agent.load_html(f"<p>{'y' * before}😀😀😀</p>")
    _assert_writable(agent.observation)
    assert "�" not in agent.observation.text


@pytest.mark.parametrize("extra", [0, 1])
def test_emoji_around_what_was_found_stay_whole(agent, extra):
    agent.load_html(f"<p>{'😀' * 80}{'a' * extra}needle{'b' * extra}{'😀' * 80}</p>")
    result = agent.act("find", text="needle")
    assert result.success
    _assert_writable(result.description)
    assert "�" not in result.description


def test_half_characters_of_a_page_end_nothing(agent_with):
    agent = agent_with()
    agent.load_html("<h1>Page</h1><input aria-label=Field><button>Ask</button><p>text</p>")
    agent.page.evaluate(
        f"""() => {{ document.title = 'title {HALF}'; const half = '{HALF}';
        document.querySelector('p').textContent = 'Owner: Ann ' + half;
        document.querySelector('input').value = 'value ' + half;
        document.querySelector('h1').textContent = half + ' heading';
        document.querySelector('button').onclick = () => alert('message ' + half);
        document.querySelector('button').title = half; location.hash = half;
        document.body.append(Object.assign(document.createElement('a'), {{href: '#' + half,
          textContent: 'link ' + half}})) }}"""
    )
    agent.observation = agent.observer.observe()
    found = agent.act("find", text="heading")
    read = agent.act("extract", selector=agent.index("� heading"))
    asked = agent.act("click", selector=agent.index("Ask"))
    assert "message �" in asked.description
    assert "�" in agent.observation.title
    assert "�" in agent.observation.text
    assert "message �" in agent.observation.dialogs[0]
    assert read.read_text == "� heading"
    _assert_writable(agent.observation, found, read, asked)
    missing = agent.act("select_option", selector=agent.index("Ask"), value="x")
    _assert_writable(missing)


def test_half_characters_of_the_accessibility_tree_and_of_tab_titles_end_nothing(agent, site):
    site.pages |= {"/": "<a href=/two target=_blank>Open</a>", "/two": "<h1>Two</h1>"}
    agent.act("goto", url=site.url + "/")
    agent.act("click", selector="0")
    agent.page.evaluate(
        f"""() => {{ document.title = 'first {HALF}';
        const host = document.body.appendChild(document.createElement('div'));
        host.attachShadow({{mode: 'closed'}}).innerHTML = '<button>dark {HALF}</button>' }}"""
    )
    agent.act("switch_tab", tab=1)
    assert agent.observation.tabs[0].title == "first �"
    agent.act("switch_tab", tab=0)
    assert any(e.name.startswith("dark") for e in agent.observation.elements)
    _assert_writable(agent.observation)
