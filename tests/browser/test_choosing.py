"""Lists as component libraries build them: covered inputs, keys, chips, options without roles."""

from __future__ import annotations

import pytest

# As Ant Design builds it: the input lies under what is chosen, the options have no role, and a
# list of no size beside them has roles for screen readers.
COVERED = """<style>.select { position: relative; width: 200px; height: 30px; display: block }
.select input { position: absolute; inset: 0; opacity: 0; width: 100% }
.select span { position: absolute; inset: 0; z-index: 1 }
.none { width: 0; height: 0; overflow: hidden }</style>
<p>Rome</p><div class=select id=s><input role=combobox aria-label=City aria-controls=l readonly>
<span id=shown>None</span></div>
<div id=drop hidden><div role=listbox id=l class=none><div role=option>Rome</div></div>
<div class=item>Paris</div><div class=item><b>Rome</b></div></div><script>
s.onmousedown = () => { drop.hidden = !drop.hidden };
drop.onclick = (e) => { shown.textContent = e.target.textContent; drop.hidden = true };</script>"""
KEYS = """<input role=combobox aria-label=City aria-controls=l><ul role=listbox id=l hidden
onclick="city.value = event.target.textContent; l.hidden = true"><li role=option>Rome</ul><script>
const city = document.querySelector('input');
city.onkeydown = (e) => { if (e.key === 'ArrowDown') l.hidden = false };</script>"""
CHIPS = """<div id=field><span id=chips></span><input role=combobox aria-label=Teams
aria-controls=l onclick="l.hidden = false"></div><ul role=listbox id=l hidden onclick="
chips.innerHTML += '<span>' + event.target.textContent + '</span>'; event.target.remove()">
<li role=option>Finance</li><li role=option>Legal</li></ul>"""
LONG = """<input role=combobox aria-label=City aria-controls=l onclick="show()">
<ul role=listbox id=l hidden onclick="city.value = event.target.textContent; l.hidden = true">
</ul><script>
const city = document.querySelector('input');
function show() {
  const all = [...Array(200).keys()].map((n) => 'City ' + n);
  const some = all.filter((name) => name.startsWith(city.value)).slice(0, 9);
  l.innerHTML = some.map((name) => '<li role=option>' + name).join(''); l.hidden = false;
}
city.oninput = show;</script>"""


def test_an_input_under_its_own_text_is_opened_and_an_option_without_a_role_is_found(agent):
    agent.load_html(COVERED)
    result = agent.act("select_option", selector="input", value="Rome")
    assert result.success, result.error
    assert agent.page.inner_text("#shown") == "Rome"


def test_a_list_that_opens_only_on_keys_is_opened(agent):
    agent.load_html(KEYS)
    assert agent.act("select_option", selector=agent.index("City"), value="rome").success
    assert agent.page.input_value("input") == "Rome"


@pytest.mark.parametrize("is_added", [True, False])
def test_what_is_added_to_a_list_below_the_field_is_a_success(agent, is_added):
    """Beside the field stands another control, so that the list is no part of the field."""
    target = "chosen.innerHTML +=" if is_added else "document.title ="
    agent.load_html(
        f"""<div><input role=combobox aria-label=Vendor aria-controls=l onclick="l.hidden = false">
        <button>New</button></div><ul id=chosen></ul><ul role=listbox id=l hidden onclick="{target}
        '<li><button>' + event.target.textContent + '</button>'; l.hidden = true">
        <li role=option>Helder</li></ul>"""
    )
    result = agent.act("select_option", selector=agent.index("Vendor"), value="Helder")
    assert result.success is is_added


def test_a_chip_that_was_added_is_a_success_and_one_that_was_not_is_none(agent):
    agent.load_html(CHIPS)
    assert agent.act("select_option", selector=agent.index("Teams"), value="Legal").success
    assert agent.page.inner_text("#chips") == "Legal"
    agent.load_html(CHIPS.replace("chips.innerHTML +=", "document.title ="))
    result = agent.act("select_option", selector=agent.index("Teams"), value="Legal")
    assert "clicked the option" in result.error


def test_an_option_that_is_shown_only_when_it_is_typed_is_found(agent):
    agent.load_html(LONG)
    assert agent.act("select_option", selector=agent.index("City"), value="City 150").success
    assert agent.page.input_value("input") == "City 150"
    result = agent.act("select_option", selector=agent.index("City"), value="Elsewhere")
    assert not result.success


SEVERAL = """<select multiple aria-label=Products>
<option value=1>Current account<option value=2 selected>Credit card
<option value=3 selected>Mobile app<option value=4>Loans, leasing<option value=5>Loans</select>
<select size=3 aria-label=City><option>Rome<option>Paris</select>"""


def several(agent):
    return agent.page.eval_on_selector("select", "s => [...s.selectedOptions].map((o) => o.label)")


def test_a_list_of_several_says_so_and_what_is_chosen_no_longer(agent):
    agent.load_html(SEVERAL)
    products, city = [line for line in agent.element_lines() if "[listbox]" in line]
    assert '(value="Credit card, Mobile app", multiple, options: Current account |' in products
    assert "multiple" not in city
    result = agent.act("select_option", selector="0", value="Current account")
    assert result.description == (
        'selected "Current account" in listbox "Products"; chosen now: "Current account"; '
        'no longer chosen: "Credit card", "Mobile app"'
    )
    assert several(agent) == ["Current account"]
    alone = agent.act("select_option", selector=agent.index("City"), value="Paris")
    assert alone.description == 'selected "Paris" in listbox "City"'


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Current account, Credit card, Mobile app", [0, 1, 2]),
        ("mobile app,current account", [0, 2]),
        ("Credit card, Loans, leasing", [1, 3]),
        ("Loans, leasing, Loans", [3, 4]),
        ("Loans, Loans, leasing, Credit card", [1, 3, 4]),
        ("Loans, leasing", [3]),
        ("3, 5", [2, 4]),
    ],
)
def test_several_options_are_chosen_in_the_form_in_which_the_list_shows_them(
    agent, value, expected
):
    agent.load_html(SEVERAL)
    names = ["Current account", "Credit card", "Mobile app", "Loans, leasing", "Loans"]
    chosen = [names[at] for at in expected]
    result = agent.act("select_option", selector="0", value=value)
    assert several(agent) == chosen
    quoted = ", ".join(f'"{name}"' for name in chosen)
    assert f"chosen now: {quoted}" in result.description
    assert ("no longer chosen" in result.description) is not {1, 2}.issubset(expected)
    shown = agent.observation.elements[0].value
    assert shown == ", ".join(chosen) == result.entered
    again = agent.act("select_option", selector="0", value=shown)
    assert again.success
    assert several(agent) == chosen


@pytest.mark.parametrize(
    "value", ["Credit card, Houses", "Credit card,", "Credit card Loans", ", "]
)
def test_of_several_options_with_one_that_is_not_there_none_is_chosen(agent, value):
    agent.load_html(SEVERAL)
    result = agent.act("select_option", selector="0", value=value)
    assert f'there is no option "{value}"; the options are: "Current account", "Cre' in result.error
    assert several(agent) == ["Credit card", "Mobile app"]
    only_one = agent.act("select_option", selector="City", value="Rome, Paris")
    assert "there is no option" in only_one.error


def test_a_list_of_several_that_does_not_keep_them_is_a_failure(agent):
    agent.load_html(SEVERAL.replace("Products", '"Products" onchange="this.selectedIndex = 0"'))
    result = agent.act("select_option", selector="0", value="Credit card, Loans")
    assert not result.success
    assert 'did not keep it; chosen now: "Current account"' in result.error


def test_a_dialog_that_wants_the_choice_confirmed_is_named(agent):
    """A field that opens a picker had nothing yet, and nothing told a model that one was open."""
    agent.load_html(
        """<input role=combobox aria-label=Unit aria-haspopup=listbox aria-controls=l readonly
        onclick="l.hidden = false"><div id=l role=listbox hidden><div role=option>Oslo</div>
        <div role=option>Bergen</div></div><button onclick="l.hidden = true">Done</button>"""
    )
    result = agent.act("select_option", selector="0", value="Bergen")
    assert not result.success
    assert "shows “”; it is still open and may have to be confirmed" in result.error
