"""Typing with real keys, sequences of keys, and the clipboard."""

from __future__ import annotations

import pytest

TERMINAL = """<div id=t style="height: 80px; background: black; color: white"><pre id=out></pre>
<input id=hidden style="opacity: 0; width: 1px"></div><script>
t.onclick = () => hidden.focus();
let line = '';
hidden.onkeydown = (e) => {
  if (e.key === 'Enter') { out.textContent += '$ ' + line + '\\n'; line = ''; }
  else if (e.key === 'Backspace') line = line.slice(0, -1);
  else if (e.key.length === 1) line += e.key;
  e.preventDefault();
};</script>"""
MASK = """<input aria-label=Date value="__/__/____"><script>
const field = document.querySelector('input'); let digits = '';
const show = () => {
  const all = (digits + '________').slice(0, 8);
  field.value = all.slice(0, 2) + '/' + all.slice(2, 4) + '/' + all.slice(4);
};
field.oninput = () => { if (!field.value) digits = ''; show(); };
field.onkeydown = (e) => {
  if (/^[0-9]$/.test(e.key)) digits += e.key;
  if (e.key === 'Backspace') digits = digits.slice(0, -1);
  if (e.key.length === 1 || e.key === 'Backspace') { e.preventDefault(); show(); }
};</script>"""


def test_a_sequence_of_keys_reaches_a_terminal(agent):
    agent.load_html(TERMINAL)
    assert agent.act("press", selector="#t", key='"lx" Backspace*2 l s Enter').success
    assert agent.page.text_content("#out") == "$ ls\n"


def test_typing_reaches_a_terminal_and_can_press_enter(agent):
    agent.load_html(TERMINAL)
    result = agent.act("type", selector="#t", text="cat a b", enter=True)
    assert result.success
    assert agent.page.text_content("#out") == "$ cat a b\n"


def test_what_takes_no_keys_is_no_text_field(agent):
    agent.load_html("<div id=d>Plain words</div>")
    assert "is not a text field" in agent.act("type", selector="#d", text="x").error


def test_a_list_takes_no_text_even_if_it_would_choose_what_begins_so(agent):
    agent.load_html(
        """<select aria-label=Depot><option>Oslo<option>Bergen South</select>
        <div role=combobox tabindex=0 aria-label=Team onkeydown="document.title = 'chosen'">None"""
    )
    agent.page.evaluate(
        "document.querySelector('select').outerHTML = `<label class=l>Depot "
        "${document.querySelector('select').outerHTML}</label>`"
    )
    agent.observation = agent.observer.observe()
    for selector in (agent.index("Depot"), agent.index("Team"), ".l"):
        result = agent.act("type", selector=selector, text="Bergen")
        assert "is not a text field" in result.error
    assert agent.page.input_value("select") == "Oslo"
    assert agent.observation.title == ""


def test_a_masked_field_that_takes_only_keys_is_filled(agent):
    agent.load_html(MASK)
    assert agent.act("type", selector="0", text="03/11/2026").success
    assert agent.page.input_value("input") == "03/11/2026"


def test_a_list_that_opens_on_keys_opens(agent):
    agent.load_html(
        """<input aria-label=City onkeyup="l.hidden = this.value !== 'Ro'"><ul id=l hidden><li>Rome
        </ul>"""
    )
    agent.act("type", selector="0", text="Ro")
    assert "Rome" in str(agent.lines())


@pytest.mark.parametrize("text", ["  two blanks before, one after ", "x", "line one\nline two\n"])
def test_text_is_kept_to_the_letter(agent, text):
    agent.load_html("<textarea aria-label=Note>old</textarea>")
    assert agent.act("type", selector="0", text=text).success
    assert agent.page.input_value("textarea") == text


def test_a_rich_text_editor_is_filled(agent):
    agent.load_html("<div contenteditable role=textbox aria-label=Body><p>old</p></div>")
    assert agent.act("type", selector="0", text="New words").success
    assert agent.page.inner_text("[contenteditable]").strip() == "New words"


def test_enter_sends_a_form_after_the_text(agent):
    agent.load_html(
        """<form onsubmit="document.title = q.value; return false"><input id=q aria-label=Search>
        </form>"""
    )
    result = agent.act("type", selector="0", text="ann ", enter=True)
    assert result.description == 'typed into textbox "Search"; pressed Enter'
    assert agent.page.evaluate("document.title") == "ann"
    assert agent.page.input_value("#q") == "ann "


@pytest.mark.parametrize(("kind", "text"), [("number", "-12.5"), ("date", "2026-11-03")])
def test_fields_of_numbers_and_dates_are_filled(agent, kind, text):
    agent.load_html(f"<input type={kind} aria-label=F step=any>")
    assert agent.act("type", selector="0", text=text).success
    assert agent.page.input_value("input") == text


def test_what_a_field_writes_in_its_own_form_is_kept(agent):
    values = {"datetime-local": "2026-11-03 14:30", "number": "+5", "range": "7.0", "color": "#f00"}
    fields = (f"<input type={kind} aria-label={kind}>" for kind in values)
    agent.load_html("".join(fields))
    for number, (kind, text) in enumerate(values.items()):
        result = agent.act("type", selector=agent.index(kind), text=text)
        own = agent.page.locator("input").nth(number).input_value()
        shows = f"the field shows it as “{own}”"
        assert (result.success, result.entered) == (True, own)
        assert own != text
        assert shows in result.description


def test_text_is_copied_and_pasted(agent):
    agent.load_html("<textarea aria-label=From>Copy me</textarea><input aria-label=To>")
    assert agent.act("press", selector="0", key="Control+a Control+c").success
    assert agent.act("press", selector="1", key="Control+v").success
    assert agent.page.input_value("input") == "Copy me"


def test_a_field_that_took_the_text_away_is_not_typed_into_again(agent):
    agent.load_html(
        """<input aria-label=Tags oninput="if (this.value.endsWith(',')) {
        tags.innerHTML += '<li>' + this.value; this.value = '' }"><ul id=tags></ul>"""
    )
    agent.act("type", selector="0", text="red,")
    assert agent.page.locator("li").count() == 1


@pytest.mark.parametrize(("text", "is_kept"), [("red,", True), ("blue,", False)])
def test_a_field_that_made_an_entry_of_the_text_has_kept_it(agent, text, is_kept):
    agent.load_html(
        """<ul id=tags><li>blue</ul><input aria-label=Tags oninput="if (/,$/.test(this.value)) {
        if (this.value === 'red,') tags.innerHTML += '<li>red'; this.value = '' }">"""
    )
    assert agent.act("type", selector=agent.index("Tags"), text=text).success is is_kept


def test_a_number_that_is_written_otherwise_when_the_field_is_left_is_read_then(agent):
    agent.load_html(
        """<input aria-label=Amount oninput="value = value.replace(/^(\\d)(\\d{4})$/, '$1,$2')"
        onchange="value = value.replace(/\\D/g, '').replace(/(\\d)(?=(\\d{3})+$)/g, '$1,')">"""
    )
    result = agent.act("type", selector="0", text="15900")
    assert not result.success
    assert "it contains “15,900”, which may be another number: go on" in result.description


def test_a_field_that_opens_another_one_with_the_text_has_kept_it(agent):
    agent.load_html(
        """<input aria-label=Search oninput="d.showModal(); q.value = this.value; this.value = '';
        q.focus()"><dialog id=d><input id=q aria-label=Query onkeydown="if (event.key === 'Enter')
        document.title = this.value"></dialog>"""
    )
    result = agent.act("type", selector="0", text="fw-02", enter=True)
    assert result.success
    assert agent.page.title() == "fw-02"


def test_a_field_that_draws_what_its_keys_gave_is_emptied_by_keys(agent):
    """It ignores a value that is set, and an empty one too."""
    agent.load_html(
        """<input id=f aria-label=Day><script>
        let digits = "";
        const draw = () => { f.value = digits.replace(/^(..)(..)(.*)/, "$1.$2.$3"); };
        f.onkeydown = (event) => {
          if (/^\\d$/.test(event.key)) digits += event.key;
          else if (event.key === "Backspace") digits = digits.slice(0, -1);
          event.preventDefault();
          draw();
        };
        f.oninput = draw;
        </script>"""
    )
    result = agent.act("type", selector="0", text="24122027")
    assert result.success, result.description
    assert "24.12.2027" in result.description


def test_keys_for_a_slider_do_not_move_it_by_a_click(agent):
    agent.load_html(
        """<div onclick='h.textContent = 50' style='cursor: pointer; width: 200px' aria-label=Size>
        <span id=h tabindex=0>10</span></div><script>
        h.onkeydown = (event) => { if (event.key === "ArrowRight") h.textContent++; };</script>"""
    )
    slider = next(e.index for e in agent.observation.elements if e.role == "clickable")
    agent.act("press", selector=str(slider), key="ArrowRight*3")
    assert agent.page.inner_text("#h") == "13"


def test_a_spinbutton_that_takes_no_text_says_which_keys_it_takes(agent):
    agent.wait_for_elements(0.5)
    agent.load_html("<span role=spinbutton aria-label=Day aria-valuenow=3>3</span>")
    result = agent.act("type", selector=agent.index("Day"), text="7")
    assert not result.success
    assert "then press ArrowUp, ArrowDown" in str(result.error)
