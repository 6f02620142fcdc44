"""What elements are called, compared with Chromium's own accessibility tree."""

from __future__ import annotations

import re
from typing import Any

import pytest
from name_cases import KINDS, page_of

from pytest_bwa.steps.observation import Element

LEAST_EQUAL = 0.95
ROLES_HERE = {"image": "img", "disclosuretriangle": "button"}
"""Roles by the words of the list, where Chromium has others."""
BY_DESIGN = {
    "a legend": "it is listed as the text that it is, above its fields",
    "a group of fields": "the text that names it is listed above it",
    "a field with a list": "one types into it; what it offers stands in its line",
    "of an output": "its text is what the page shows",
}


def _chromium_names(agent: Any) -> list[tuple[str, str]]:
    """Role and name of the elements that are asked, in the order of the page."""
    session = agent.page.context.new_cdp_session(agent.page)
    tree = session.send("Accessibility.getFullAXTree")["nodes"]
    session.send("DOM.enable")
    nodes = session.send("DOM.getFlattenedDocument", {"depth": -1, "pierce": True})["nodes"]
    by_element = {node.get("backendDOMNodeId"): node for node in tree}
    asked = [n["backendNodeId"] for n in nodes if "data-ask" in n.get("attributes", [])]
    session.detach()
    return [
        (_text(by_element[number], "role").lower(), _text(by_element[number], "name"))
        for number in asked
    ]


def _text(node: dict[str, Any], what: str) -> str:
    return " ".join(str(node.get(what, {}).get("value", "")).split())


def _listed_by_case(elements: tuple[Element, ...]) -> list[list[Element]]:
    cases: list[list[Element]] = []
    for element in elements:
        if element.role == "heading" and re.fullmatch(r"case \d+", element.name):
            cases.append([])
        else:
            cases[-1].append(element)
    return cases


def _how_it_is_listed(role: str, name: str, listed: list[Element]) -> str:
    own = [e for e in listed if e.role == ROLES_HERE.get(role, role)]
    if any(e.name == name for e in own):
        return "equal"
    return "in the line" if any(name in e.line() for e in own) else "missing"


def _results(agent: Any, kind: str) -> dict[str, tuple[str, list[str]]]:
    cases = KINDS[kind]
    listed = _listed_by_case(agent.load_html(page_of(cases)).all_elements)
    chromium = _chromium_names(agent)
    assert len(listed) == len(chromium) == len(cases)
    return {
        title: (
            f"{_how_it_is_listed(role, name, elements)}: [{role}] {name!r}",
            [element.line() for element in elements],
        )
        for title, (role, name), elements in zip(cases, chromium, listed, strict=True)
    }


def test_names_and_roles_are_those_of_the_standard(agent):
    """At least 95 % equal, or with the words in the line, and all that no reason is given for."""
    results = {k: v for kind in KINDS for k, v in _results(agent, kind).items()}
    missing = {k: v for k, v in results.items() if v[0].startswith("missing")}
    assert missing.keys() <= BY_DESIGN.keys(), missing
    assert len(missing) <= (1 - LEAST_EQUAL) * len(results)


def _names(agent: Any, html: str, role: str) -> list[str]:
    return [e.name for e in agent.load_html(html).elements if e.role == role]


def _lines(agent: Any, html: str) -> list[str]:
    agent.load_html(html)
    return [line.split("] ", 1)[1] for line in agent.element_lines()]


def test_the_list_says_what_a_person_sees_before_what_is_only_said(agent):
    label = "<label><i aria-label=Hint>Weight</i> <input></label>"
    assert _names(agent, label, "textbox") == ["Weight"]
    assert _names(agent, "<input placeholder=Town title=Hint>", "textbox") == ["Town"]


def test_what_a_style_sheet_adds_is_in_texts_and_rows_and_is_found(agent):
    html = """<style>.minus::before { content: "-" } .more::after { content: " (approx.)" }
        .dot::before { content: "\\2022  " } .icon::before { content: "\\f014" }
        .tip::after { content: "tip"; opacity: 0 } .state::before { content: "Closed" }</style>
        <p class=minus>12.50</p><p class=dot>Milk</p><p class=state></p>
        <table><tr><td>Rent<td><b class="minus more">900</b><tr><td class=state><td>7</table>
        <button class=icon>Bin</button><button class=tip>Help</button>"""
    assert _lines(agent, html) == [
        '[text] "-12.50"',
        '[text] "Milk"',
        '[text] "Closed"',
        '[row] "Rent | -900 (approx.)"',
        '[row] "Closed | 7"',
        '[button] "Bin"',
        '[button] "Help"',
    ]
    assert "-900 (approx.)" in agent.act("find", text="-900 (approx.)").description
    assert "-12.50" in str(agent.act("extract", selector=".minus").lines)


def test_signs_that_only_decorate_words_are_no_part_of_a_name(agent):
    html = """<style>.more::after { content: " \\25be" } .need::after { content: " *" }
        .path::before { content: "/ " } .on::before { content: "\\2713 " }
        .faint::before { content: "old "; opacity: .2 } .glyph::before { content: "add";
        font-family: "Some Icons" }</style>
        <button class=more>Actions</button><label class=need>Town <input></label>
        <a href="#" class=path>Stock</a><label class=on><input type=checkbox checked> Mine</label>
        <button class=faint>Save</button><button class=glyph>Part</button>
        <p class=more>4 %</p>"""
    names = [e.name for e in agent.load_html(html).elements]
    assert names == ["Actions", "Town", "Stock", "Mine", "Save", "Part", "4 % ▾"]


def test_the_marker_of_an_entry_is_read_if_it_is_no_bullet(agent):
    html = """<style>.no::marker { content: "\\2717 " } .yes { list-style-type: "\\2713 " }
        .dot::marker { content: "\\2022 " }</style><ul class=yes><li>Backup</ul>
        <ul><li class=no>Support<li class=dot>Storage<li>Mail</ul>"""
    names = [e.name for e in agent.load_html(html).elements]
    assert names == ["✓ Backup", "✗ Support", "Storage", "Mail"]


def test_words_of_a_sheet_that_may_not_be_read_and_of_a_shadow_root(agent):
    sheet = ".s::after { content: ' (sold out)' }"
    agent.page.route(
        "http://styles.test/*", lambda route: route.fulfill(body=sheet, content_type="text/css")
    )
    html = """<link rel=stylesheet href="http://styles.test/a.css"><button class=s>Buy</button>
        <x-tag><template shadowrootmode=open><style>:host(x-tag)::before { content: "not " }
        </style><slot></slot></template><button>free</button></x-tag>"""
    assert _lines(agent, html) == [
        '[button] "Buy (sold out)"',
        '[text] "not"',
        '[button] "free"',
    ]


def test_the_label_of_a_cell_a_row_or_an_option_stands_beside_its_text(agent):
    html = """<table><tr><th>Plan<th>Backup<tr><td>Free<td aria-label="Not included">–
        <tr aria-label="Best value"><td>Pro<td aria-label="1 a day">daily</table>
        <div role=listbox><div role=option aria-label="Not rated">–</div></div>
        <select aria-label=Backup><option aria-label="Not included">–<option>Daily</select>"""
    assert _lines(agent, html) == [
        '[row] "Plan | Backup"',
        '[row] "Free | – (label: Not included)"',
        '[row] "Pro | daily (label: 1 a day)" (label="Best value")',
        '[listbox] ""',
        '[option] "Not rated" (text="–")',
        '[combobox] "Backup" (value="–", options: – (label: Not included) | Daily)',
    ]


def test_the_groups_of_options_are_listed(agent):
    html = """<select aria-label=City><option>Any<optgroup label=Illinois><option>Springfield
        <option>Aurora</optgroup><optgroup label=Missouri><option selected>Springfield</select>
        <div role=listbox aria-label=Town><div role=group aria-label=Illinois><div role=option>Salem
        </div></div><div role=group aria-labelledby=m><b id=m>Missouri</b><div role=option>Salem
        </div></div></div>"""
    assert _lines(agent, html) == [
        '[combobox] "City" (value="Springfield", group="Missouri", one of 2 options of this name, '
        "options: Any; Illinois: Springfield | Aurora; Missouri: Springfield)",
        '[listbox] "Town"',
        '[group] "Illinois"',
        '[option] "Salem" (group="Illinois")',
        '[text] "Missouri"',
        '[option] "Salem" (group="Missouri")',
    ]


def test_options_with_the_signs_of_a_list_of_groups_are_quoted(agent):
    html = """<select aria-label=Set><optgroup label=A><option>x; y<option>z</optgroup></select>"""
    assert 'options: A: "x; y" | "z"' in _lines(agent, html)[0]


def test_a_group_of_fields_is_no_picture(agent):
    html = """<div aria-label=Address><input placeholder=Street></div>
        <div role=radiogroup aria-label=Colour><label><input type=radio> Red</label></div>
        <fieldset aria-label=Card><input aria-label=Number></fieldset>"""
    assert [line.split('" ')[0] for line in _lines(agent, html)] == [
        '[group] "Address"',
        '[textbox] "Street',
        '[group] "Colour"',
        '[radio] "Red',
        '[group] "Card"',
        '[textbox] "Number',
    ]


def test_what_closed_details_hide_is_not_listed(agent):
    html = """<details>Two days<summary>Shipping</summary></details>
        <details open><summary>Returns</summary>Ten days</details>
        <table><tr><td>Pump<td><details><summary>Parts</summary>five</details></table>
        <div style="content-visibility: hidden">later</div>"""
    assert _lines(agent, html) == [
        '[button] "Shipping" (expanded=false)',
        '[text] "Ten days" (expanded=true)',
        '[button] "Returns" (expanded=true)',
        '[row] "Pump | [4] Parts"',
        '[button] "Parts" (expanded=false)',
    ]


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("<textarea aria-label=A>one\ntwo\n</textarea>", '"one ⏎ two", multi-line, ⏎ at its end'),
        ("<textarea aria-label=A>one </textarea>", '"one", multi-line, a blank at its end'),
        ("<textarea aria-label=A>one\n\ntwo</textarea>", '"one ⏎  ⏎ two", multi-line'),
        ("<input aria-label=A value='one  '>", '"one", 2 blanks at its end'),
        ("<input aria-label=A value=' one'>", '"one", a blank at its beginning'),
        ("<input aria-label=A value='one  two'>", '"one two", several blanks in a row'),
        ("<input aria-label=A value='  '>", '"", empty, only 2 blanks'),
        ("<textarea aria-label=A>one\n \t</textarea>", "⏎ and a blank and a tab at its end"),
        ("<input type=password aria-label=A value='one '>", "password, filled"),
    ],
)
def test_a_value_says_which_blanks_the_list_leaves_out(agent, field, said):
    (line,) = _lines(agent, field)
    assert said in line
    assert ("at its" in line) == ("at its" in said)


def test_a_text_whose_blanks_are_painted_says_those_at_its_end(agent):
    html = """<p style="white-space: pre-wrap">one </p><pre>code\n</pre><p>two </p>
        <p style="white-space: pre">  three\n  </p>"""
    assert _lines(agent, html) == [
        '[text] "one" (a blank at its end)',
        '[text] "code"',
        '[text] "two"',
        '[text] "three"',
    ]


def test_a_choice_is_made_by_what_the_list_calls_it(agent):
    html = """<style>.full::after { content: " (full)" }</style><div role=combobox tabindex=0
        aria-controls=days onclick="days.hidden = false">Day</div><div role=listbox id=days hidden>
        <div role=option class=full>Monday</div><div role=option aria-label="Not rated">–</div>
        </div><script>for (const day of document.querySelectorAll("[role=option]")) day.onclick =
        () => { document.querySelector("[role=combobox]").textContent = document.title =
        day.textContent; days.hidden = true; day.ariaSelected = "true" }</script>"""
    for called, text in (("Monday (full)", "Monday"), ("Not rated", "–")):
        agent.load_html(html)
        result = agent.act("select_option", selector="0", value=called)
        assert agent.page.title() == text, result.description
