"""Of several choices of one name none is taken unless something tells which."""

from __future__ import annotations

import pytest

NATIVE = """<select aria-label=City><option value="">Choose</option>
<optgroup label=Illinois><option value=IL-7>Springfield<option value=IL-9>Aurora</optgroup>
<optgroup label=Missouri><option value=MO-3>Springfield<option value=MO-4>Joplin</optgroup>
</select>"""
LIST = """<div role=combobox tabindex=0 aria-label=City id=c aria-controls=l aria-expanded=false
onclick="l.hidden = false">None</div><div role=listbox id=l hidden
onclick="c.textContent = (event.target.closest('[id^=o]')).dataset.show || 'Springfield';
document.title = event.target.closest('[id^=o]').id; l.hidden = true">%s</div>"""
OPTIONS = {
    "groups with a label": """<div role=group aria-label=Illinois><div role=option id=o1>Springfield
        </div></div><div role=group aria-label=Missouri><div role=option id=o2>Springfield</div>
        <div role=option id=o3>Joplin</div></div>""",
    "groups with a heading": """<ul role=group aria-labelledby=i><li id=i role=presentation>Illinois
        <li role=option id=o1>Springfield</ul><ul role=group aria-labelledby=m>
        <li id=m role=presentation>Missouri<li role=option id=o2>Springfield</ul>""",
    "headings between": """<div>Illinois</div><div role=option id=o1>Springfield</div>
        <div role=option id=o4>Aurora</div><div>Missouri</div>
        <div role=option id=o2>Springfield</div>""",
    "headings of parts": """<div><div class=h>Illinois</div><div><div role=option id=o1>Springfield
        </div></div></div><div><div class=h>Missouri</div><div><div role=option id=o2>Springfield
        </div></div></div>""",
    "second lines": """<div role=option id=o1><div>Springfield</div><small>Illinois</small></div>
        <div role=option id=o2><div>Springfield</div><small>Missouri</small></div>""",
    "words beside": """<div role=option id=o1><b>Springfield</b> <small>Illinois</small></div>
        <div role=option id=o2><b>Springfield</b> <small>Missouri</small></div>""",
    "values": """<div role=option id=o1 data-value=Illinois>Springfield</div>
        <div role=option id=o2 data-value=Missouri>Springfield</div>""",
    "no roles": """<div><p>Illinois</p><div id=o1>Springfield</div></div>
        <div><p>Missouri</p><div id=o2>Springfield</div></div>""",
}


def chosen(agent):
    return agent.page.eval_on_selector("select", "s => s.value")


@pytest.mark.parametrize("value", ["Springfield", "springfield", " Springfield "])
def test_of_equal_options_none_is_chosen_and_the_answer_says_how_to_name_each(agent, value):
    agent.load_html(NATIVE)
    result = agent.act("select_option", selector=agent.index("City"), value=value)
    assert not result.success
    assert 'name one as "Illinois > Springfield", "Missouri > Springfield"' in result.error
    assert chosen(agent) == ""


@pytest.mark.parametrize(
    "value",
    ["Missouri > Springfield", "Springfield (Missouri)", "missouri: springfield", "MO-3",
     "Springfield, Missouri", "Missouri / Springfield", "Springfield (MO-3)"],
)  # fmt: skip
def test_an_option_is_named_by_its_group_or_its_value(agent, value):
    agent.load_html(NATIVE)
    result = agent.act("select_option", selector=agent.index("City"), value=value)
    assert result.description.startswith('selected "Missouri > Springfield" in combobox "City"')
    assert result.entered == "Springfield"
    assert chosen(agent) == "MO-3"
    line = next(line for line in agent.element_lines() if '"City"' in line)
    assert 'group="Missouri", one of 2 options of this name' in line


def test_what_is_alone_needs_no_group_and_what_is_equal_in_effect_is_one(agent):
    agent.load_html(NATIVE)
    city = agent.index("City")
    assert agent.act("select_option", selector=city, value="Joplin").success
    assert chosen(agent) == "MO-4"
    assert 'group="Missouri", ' in "".join(agent.element_lines())
    agent.load_html(
        """<select aria-label=Country><optgroup label=Frequent><option value=DE>Germany</optgroup>
        <optgroup label=All><option value=AT>Austria<option value=DE>Germany</optgroup></select>
        <select aria-label=Town><option disabled>Rome<option value=r>Rome</select>"""
    )
    assert agent.act("select_option", selector=agent.index("Country"), value="Germany").success
    assert agent.act("select_option", selector=agent.index("Town"), value="Rome").success
    assert agent.page.eval_on_selector("[aria-label=Town]", "s => s.value") == "r"


def test_equal_options_without_groups_are_named_by_their_values(agent):
    agent.load_html(
        "<select aria-label=Owner><option value=''>None<option value=a1>Ann Lee"
        "<option value=a2>Ann Lee</select>"
    )
    owner = agent.index("Owner")
    result = agent.act("select_option", selector=owner, value="Ann Lee")
    assert 'name one as "Ann Lee (a1)", "Ann Lee (a2)"' in result.error
    assert agent.act("select_option", selector=owner, value="Ann Lee (a2)").success
    assert chosen(agent) == "a2"


def test_of_several_that_are_named_each_must_be_one(agent):
    agent.load_html(NATIVE.replace("<select", "<select multiple"))
    city = agent.index("City")
    result = agent.act("select_option", selector=city, value="Aurora, Springfield")
    assert 'name one as "Illinois > Springfield"' in result.error
    named = "Aurora, Missouri > Springfield"
    result = agent.act("select_option", selector=city, value=named)
    assert result.success, result.error
    values = agent.page.eval_on_selector("select", "s => [...s.selectedOptions].map(o => o.value)")
    assert values == ["IL-9", "MO-3"]
    assert 'chosen now: "Aurora", "Missouri > Springfield"' in result.description
    assert '"Springfield" of "Missouri"' in agent.element_lines()[0]


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_the_equal_options_of_any_list_are_told_apart(agent, options):
    agent.load_html(LIST % options)
    city = agent.index("City")
    result = agent.act("select_option", selector=city, value="Springfield")
    assert not result.success
    assert "2 options are called" in result.error
    assert "Missouri" in result.error
    assert agent.observation.title == ""
    for value in ("Missouri > Springfield", "Springfield (Illinois)"):
        result = agent.act("select_option", selector=city, value=value)
        assert result.success, result.error
        assert agent.observation.title == ("o2" if "Missouri" in value else "o1")


def test_a_word_that_the_field_showed_before_proves_nothing(agent):
    named, shows = "Missouri > Springfield", "still shows “Springfield”, as it would for any option"
    ignored = LIST.replace(">None<", ">Springfield<").replace("c.textContent", "c.lang")
    agent.load_html(ignored % OPTIONS["groups with a label"])
    result = agent.act("select_option", selector=agent.index("City"), value=named)
    assert shows in result.description
    left_open = ignored.replace("l.hidden = true", "") % OPTIONS["groups with a label"]
    agent.load_html(left_open)
    result = agent.act("select_option", selector=agent.index("City"), value=named)
    assert shows in (result.error or "")


RADIOS = """<fieldset><legend>Illinois</legend><label><input type=radio name=c value=1>Springfield
</label><label><input type=radio name=c value=2>Aurora</label></fieldset>
<fieldset><legend>Missouri</legend><label><input type=radio name=c value=3>Springfield</label>
</fieldset>"""


HEADED = """<h3>Illinois</h3><label><input type=radio name=c>Springfield</label>
<label><input type=radio name=c>Aurora</label><h3>Missouri</h3>
<label><input type=radio name=c>Springfield</label>"""
LINES = """<div><b>Illinois</b><div><input type=radio name=c id=a><label for=a>Springfield</label>
<input type=radio name=c id=b><label for=b>Aurora</label></div></div>
<div><b>Missouri</b><div><input type=radio name=c id=d><label for=d>Springfield</label></div></div>
"""


@pytest.mark.parametrize("html", [RADIOS, HEADED, LINES], ids=["fieldsets", "headings", "lines"])
def test_radio_buttons_of_one_name_have_their_groups_and_a_text_alone_presses_none(agent, html):
    agent.load_html(html)
    radios = [line for line in agent.element_lines() if "Springfield" in line]
    assert ['group="Illinois"' in radios[0], 'group="Missouri"' in radios[1]] == [True, True]
    result = agent.act("click", selector="Springfield")
    assert not result.success
    one, _, other = (str(e.index) for e in agent.observation.elements if e.role == "radio")
    assert f'[{one}] radio "Springfield" (group="Illinois")' in result.error
    assert f'[{other}] radio "Springfield" (group="Missouri")' in result.error
    assert agent.page.locator(":checked").count() == 0
    assert agent.act("click", selector="Aurora").success


def test_of_two_fields_of_one_name_none_is_filled_in_by_it(agent):
    agent.load_html(
        """<h2>Billing</h2><label>City <input></label><h2>Shipping</h2><label>City <input></label>
        <label>Country <input></label>"""
    )
    result = agent.act("type", selector="City", text="Rome")
    assert '2 elements are called "City", and nothing was done' in result.error
    assert "under “Billing”" in result.error
    assert agent.page.locator("input").first.input_value() == ""
    assert agent.act("type", selector="Country", text="Italy").success
