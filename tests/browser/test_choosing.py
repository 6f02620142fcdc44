"""Lists as component libraries build them: covered inputs, keys, chips, options without roles."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.one_page

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
