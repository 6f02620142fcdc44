"""Fields that libraries paint in place of others: a choice beside a hidden <select>, the end of a
word behind what is typed."""

from __future__ import annotations

import pytest

CHOICE = """<div><label for=c>Category<br><span>Optional</span></label><div><select id=c
  style="position:absolute;width:1px;height:1px;clip:rect(0 0 0 0)" tabindex=-1 aria-hidden=true>
  <option>Admission</select><span><span><span role=combobox tabindex=0 aria-expanded=false
  title="You can sort them." aria-labelledby=s><button tabindex=-1 title="Remove all"
  aria-label="Remove all"><span aria-hidden=true>×</span></button><span id=s role=textbox
  aria-readonly=true>Admission</span></span></span></span></div></div>"""
MORE = "<h1>Product</h1><p>One</p><p>Two</p><p>Three</p><p>Four</p>"  # a page of its own size
EMPTY = CHOICE.replace(">Admission</span>", "><span>None chosen</span></span>")


def lines(agent):
    return [line.split("] ", 1)[-1] for line in agent.lines()[:-1]]


def test_a_choice_beside_a_hidden_select_is_called_by_the_label_of_that(agent):
    agent.load_html(CHOICE + MORE)
    assert lines(agent)[:2] == [
        '[combobox] "Category Optional" (value="Admission", expanded=false, '
        'note="You can sort them.")',
        '[button] "Remove all"',
    ]
    agent.load_html(EMPTY + MORE)
    assert '[combobox] "Category Optional" (value="None chosen"' in lines(agent)[0]


SELECT = "<select {}><option>Open<option selected>Closed<option>Void</select>"


@pytest.mark.parametrize(
    ("painted", "role"),
    [
        ("<div tabindex=0 onclick=1>Closed ▾</div>", "clickable"),
        ("<button>Closed</button>", "button"),
        ("<div><b role=combobox tabindex=0>Closed</b></div>", "combobox"),
    ],
)
def test_a_choice_that_a_library_paints_says_what_it_offers(agent, painted, role):
    agent.load_html(SELECT.format("hidden") + painted)
    (states,) = [e.states for e in agent.observation.elements if e.role == role]
    assert "options: Open | Closed | Void" in states
    for select in (SELECT.format(""), "<select hidden><option>Closed</select>"):
        agent.load_html(select + painted)
        states = [e.states for e in agent.observation.elements if e.role == role][-1]
        assert "options" not in str(states), "the list itself says them, or not all are known"


@pytest.mark.parametrize(
    "html",
    [
        "<ul role=tree><li role=treeitem>A<ul role=group><li role=treeitem>B</ul></ul>",
        "<div role=tree><div role=treeitem aria-level=1>A</div><div role=treeitem aria-level=2>B",
        "<table role=treegrid><tr aria-level=1><td>A<tr aria-level=2><td>B</table>",
    ],
)
def test_an_entry_of_a_tree_says_how_deep_it_stands(agent, html):
    agent.load_html(html)
    assert [(e.name, e.states) for e in agent.observation.elements] == [
        ("A", ()),
        ("B", ("level=2",)),
    ]


def test_a_choice_without_a_label_is_not_called_by_its_value(agent):
    agent.load_html(CHOICE.replace("for=c", "") + MORE)
    assert not any('[combobox] "Admission"' in line for line in lines(agent))


BESIDE = """<style>select { position: absolute; width: 0; padding: 0; border: 0 }</style>
<h1>Ticket</h1>
<div class=form-row><div class=label><span>Decision:</span></div><div class=value>
<div class=dropdown><select name=d><option>(no value)<option>Upheld</select><button type=button
role=combobox aria-expanded=false title="(no value)"><div>(no value)</div></button>
<div class=menu><div role=listbox></div></div></div></div></div>"""


def test_a_choice_whose_tooltip_is_its_value_is_called_by_the_text_before_it(agent):
    agent.load_html(BESIDE + "<p>One</p><p>Two</p><p>Three</p>")
    choice = next(line for line in lines(agent) if "combobox" in line)
    options = "options: (no value) | Upheld"
    assert choice == f'[combobox] "Decision" (value="(no value)", expanded=false, {options})'
    agent.load_html(BESIDE.replace('title="(no value)"', 'title="What was decided"'))
    assert '[combobox] "What was decided" (value="(no value)"' in str(lines(agent))
    agent.load_html(BESIDE.replace("<div class=dropdown>", "<input name=n><div class=dropdown>"))
    assert '[combobox] "" (value="(no value)"' in str(lines(agent)), "the text is the input's"


@pytest.mark.parametrize("part", ["<br>", "<small> </small>", "<div></div>"])
def test_the_lines_of_a_label_are_words_of_their_own(agent, part):
    agent.load_html(f"<label for=i>Internal name{part}<span>Optional</span></label><input id=i>")
    assert '"Internal name Optional"' in lines(agent)[-1]


HINT = """<label for=t>Tag</label><span style="position:relative;display:inline-block">
  <input readonly tabindex=-1 value=press style="position:absolute;left:0;top:0;color:grey">
  <input id=t value=pr style="position:relative;background:transparent"></span>"""


def test_the_rest_of_a_word_behind_a_field_is_no_field(agent):
    agent.load_html(HINT)
    assert lines(agent) == ['[textbox] "Tag" (value="pr")']
    agent.load_html(HINT.replace("left:0", "left:300px"))
    assert len(lines(agent)) == 2  # a field of its own, however it is reached


def test_a_term_whose_description_is_empty_says_so(agent):
    terms = "<dt>Company</dt><dd> </dd><dt>Name</dt><dd>Ann</dd><dt>Seal</dt><dd><svg></svg></dd>"
    agent.load_html(f"<h1>Order</h1><dl>{terms}</dl><p>One</p><p>Two</p>")
    assert lines(agent)[1:5] == [
        '[text] "Company" (no value)',
        '[text] "Name"',
        '[text] "Ann"',
        '[text] "Seal"',
    ]


def test_a_tooltip_that_a_library_took_over_is_read(agent):
    kept = 'title="" data-original-title="Cancel payment"'
    agent.load_html(f"<h1>Order</h1><p>One</p><p>Two</p><p>Three</p><a href=/x {kept}><i></i></a>")
    assert lines(agent)[-1].startswith('[link] "Cancel payment"')
    radio = f"<label {kept}><input type=radio name=m></label>"
    agent.load_html(f"<h1>Order</h1><p>One</p><p>Two</p><p>Three</p>{radio}")
    assert '[radio] "Cancel payment"' in lines(agent)[-1]


def test_the_lines_of_a_groups_name_are_words_of_their_own(agent):
    agent.load_html(
        "<h1>Product</h1><div role=group aria-labelledby=g><label id=g>Available until<br>"
        "<span>Optional</span></label><input aria-label=Date value=2027-06-10></div>"
    )
    (field,) = (e for e in agent.observation.elements if e.role == "textbox")
    assert field.place.headings[-1] == "Available until Optional"
