"""What a line says of a control: its kind, its name, and its states."""

from __future__ import annotations

import pytest


def lines(agent, html):
    agent.load_html(html)
    return [line.split("] ", 1)[1] for line in agent.element_lines()]


EDITOR = """<style>.l div {{ position: absolute }}</style><div role=code style="position:relative;
  height:4em"><div role=textbox tabindex=0 aria-multiline=true aria-label=Conf>{0}</div>
  <div aria-hidden=true><div>1</div><div>2</div></div>
  <div aria-hidden=true class=l>{1}</div></div>"""


def test_what_a_code_editor_paints_beside_its_field_is_the_field_s_value(agent):
    painted = "<div style='top:2em'>limit: 5</div><div style='top:0'>owner:&nbsp;Ann</div>"
    assert lines(agent, EDITOR.format("", painted))[0] == (
        '[textbox] "Conf" (value="owner: Ann ⏎ limit: 5", multi-line)'
    )
    assert lines(agent, EDITOR.format("", ""))[0] == '[textbox] "Conf" (multi-line, empty)'
    assert 'value="12"' in lines(agent, EDITOR.format("", "<div>12</div>"))[0], "as the numbers are"
    assert lines(agent, EDITOR.format("Own", painted))[0].startswith(
        '[textbox] "Conf" (value="Own"'
    )


@pytest.mark.parametrize(
    ("height", "top", "is_cut"),
    [("4em", "0", False), ("90em", "0", True), ("20em", "0", False), ("20em", "-2em", True)],
    ids=["all", "more below", "room below", "more above"],
)
def test_a_code_editor_that_paints_a_part_of_its_lines_says_so(agent, height, top, is_cut):
    count, first = (4, 0) if height != "20em" else (2, 0 if top == "0" else 2)
    lines_painted = "".join(
        f"<div style='top:{first + n}em; height:1em; line-height:1'>line {n}</div>"
        for n in range(count)
    )
    style = f"class=l style='position:absolute; top:{top}; height:{height}; overflow:hidden'"
    editor = EDITOR.format("", lines_painted).replace("class=l", style)
    line = lines(agent, editor)[0]
    (field,) = (e for e in agent.observation.elements if e.role == "textbox")
    assert field.cut is is_cut
    assert (' ⏎ …"' in line) is is_cut


KINDS = {
    "<input aria-label=A>": '[textbox] "A" (empty)',
    "<textarea aria-label=A></textarea>": '[textbox] "A" (multi-line, empty)',
    "<div contenteditable aria-label=A>Hi</div>": '[textbox] "A" (value="Hi", multi-line)',
    "<input aria-label=A placeholder='DD.MM.' required>":
    '[textbox] "A" (required, empty, placeholder="DD.MM.")',
    "<input aria-label=A readonly value=x>": '[textbox] "A" (value="x", readonly)',
    "<fieldset disabled><input aria-label=A></fieldset>": '[textbox] "A" (disabled, empty)',
    "<input type=date aria-label=A>": '[textbox] "A" (date, takes YYYY-MM-DD, empty)',
    "<input type=range min=2 max=9 value=4 aria-label=A>": '[slider] "A" (value="4", min=2, max=9)',
    "<input role=spinbutton aria-valuenow=1 aria-valuetext=one value=5 aria-label=A>":
    '[spinbutton] "A" (value="5")',
    "<input role=spinbutton aria-valuenow=1 aria-label=A>": '[spinbutton] "A" (empty)',
    "<div role=slider aria-valuenow=3 aria-valuetext='3 of 5' aria-label=A></div>":
    '[slider] "A" (value="3 of 5")',
    "<div role=progressbar aria-valuenow=40 aria-label=A></div>": '[progressbar] "A" (value="40")',
    "<div role=checkbox aria-checked=mixed aria-label=A></div>": '[checkbox] "A" (checked=mixed)',
    "<button role=checkbox aria-pressed=true aria-label=A></button>":
    '[checkbox] "A" (checked=true)',
    "<button role=switch aria-pressed=false aria-label=A></button>": '[switch] "A" (checked=false)',
    "<input aria-label=A aria-invalid=true aria-errormessage=e><p hidden id=e>Too short":
    '[textbox] "A" (invalid="Too short", empty)',
    "<select aria-label=A><option>S<option selected>M</select>":
    '[combobox] "A" (value="M", options: S | M)',
    "<input aria-label=A list=l><datalist id=l><option>Oslo<option>Bergen</datalist>":
    '[textbox] "A" (empty, options: Oslo | Bergen)',
    "<button aria-label='Any month'>Apr</button>": '[button] "Any month" (text="Apr")',
    "<button aria-label='Close dialog'>Close</button>": '[button] "Close dialog"',
    "<table><tr><th aria-sort=descending><button>Name</button></table>":
    '[button] "Name" (sort=descending)',
    "<table role=grid><tr><td role=gridcell aria-selected=true><button>7</button></table>":
    '[button] "7" (selected=true)',
}  # fmt: skip


def test_kinds_and_states(agent):
    read = {html: lines(agent, html) for html in KINDS}
    assert {html: read[html] for html, line in KINDS.items() if line not in read[html]} == {}


def test_many_options_are_counted(agent):
    options = "".join(f"<option>Country {n}" for n in range(250))
    (line,) = lines(agent, f"<select aria-label=Country>{options}</select>")
    assert line.startswith('[combobox] "Country" (value="Country 0", 250 options: Country 0 | ')
    assert line.endswith(" | …)")
    assert len(line) < 300


def test_an_input_that_was_refused_says_why(agent):
    agent.load_html("<form><input aria-label=Mail type=email><button>Send</button></form>")
    agent.act("type", selector="0", text="ann")
    agent.act("click", selector="1")
    assert "invalid=\"Please include an '@'" in agent.element_lines()[0]
    assert "focused" in agent.element_lines()[0]


@pytest.mark.parametrize("form", ["<div>", "<form novalidate>"])
def test_what_only_the_browser_objects_to_is_not_called_invalid(agent, form):
    agent.load_html(f"{form}<input aria-label=Amount type=number><button type=button>Send")
    agent.act("type", selector="0", text="2194.8")
    agent.act("click", selector="1")
    line = agent.element_lines()[0]
    assert 'only the browser says "Please enter a valid value.' in line
    assert "invalid" not in line


def test_the_field_that_gets_the_keys_says_so(agent):
    agent.load_html("<input aria-label=A><input aria-label=B>")
    before = agent.observation.dom_hash
    agent.page.locator("input").nth(1).focus()
    agent.observation = agent.observer.observe()
    assert [line.split("] ", 1)[1] for line in agent.element_lines()] == [
        '[textbox] "A" (empty)',
        '[textbox] "B" (empty, focused)',
    ]
    assert agent.observation.dom_hash == before


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<table><tr><td>Start date<td><input placeholder='MM/DD'></table>", "Start date"),
        ("<div><div>Due:</div><input placeholder='MM/DD'></div>", "Due"),
        ("<div>City <input></div>", "City"),
        ("<div class=field><span>City</span><div class=box><input name=f3></div></div>", "City"),
        ("<div><label>City</label><div><input name=f3></div></div>", "City"),
        ("<div><input type=checkbox name=f3> I agree</div>", "I agree"),
        ("<div>Search our shop<input placeholder=Search></div>", "Search"),
        ("<h2>Orders</h2><input name=q>", "q"),
        ("".join(f"<div class=f><b>{n}</b><input placeholder=x></div>" for n in "AB"), "x"),
        ("".join(f"<div class=f><b>{n}</b><input placeholder=x></div>" for n in "ABC"), "C"),
        ("<p>A: <input aria-label=A></p><p><b>x</b><button>Go</button><input name=q></p>", "q"),
        ("<label for=s>Wifi</label><div role=switch id=s aria-checked=true></div>", "Wifi"),
        ("<label>Wifi <div role=switch aria-checked=true></div></label>", "Wifi"),
        ("<label>Wifi <button role=switch aria-checked=true></button></label>", "Wifi"),
        (
            "<label id=l>Age</label><div role=combobox id=c aria-labelledby='l c'>Ten</div>",
            "Age",
        ),
    ],
)
def test_the_text_at_a_field_names_it(agent, html, name):
    agent.load_html(html)
    fields = [e for e in agent.observation.elements if e.role not in ("text", "row", "heading")]
    assert fields[-1].name == name


REACT_SELECT = """<label for=c>Colour</label><div class=css-b62m3t-container>
<div class=css-13cymwt-control><div class=css-hlgwow><div class=css-1dimb5e-singleValue>Red</div>
<div class=css-19bb58m><input id=c role=combobox aria-expanded=false autocomplete=off></div></div>
</div></div>"""
ANT_SELECT = """<div class=ant-form-item-label><label for=s title=Size>Size</label></div>
<div class=ant-select style="position:relative"><div class=ant-select-selector>
<span class=ant-select-selection-search style="position:absolute;inset:0"><input id=s role=combobox
aria-expanded=false style="opacity:0;width:100%" readonly></span>
<span class=ant-select-selection-item title=M>M</span></div></div>"""


def test_comboboxes_of_component_libraries_keep_their_label_and_say_what_they_show(agent):
    assert '[combobox] "Colour" (expanded=false, shows "Red")' in lines(agent, REACT_SELECT)
    (ant,) = [line for line in lines(agent, ANT_SELECT) if line.startswith("[combobox]")]
    assert ant == '[combobox] "Size" (expanded=false, readonly, shows "M")'


SWITCHES = """<style>.off { position: absolute; opacity: 0; inset: 0; width: 100%; height: 100% }
span { position: relative; display: inline-block; width: 30px; height: 14px }</style>
<label><span><input type=checkbox role=switch class=off checked></span> Mail me</label>
<div class=ag-row role=row><div role=gridcell><span class=ag-checkbox><input type=checkbox class=off
aria-label="Press Space to toggle row selection"></span></div><div role=gridcell>Ann</div></div>
<span class=file>Upload<input type=file class=off aria-label=Photo></span>
<span class=pot>Robots<input class=off name=website></span>"""


def test_fields_behind_their_styled_twin_are_listed(agent):
    fields = [line for line in lines(agent, SWITCHES) if "row]" not in line and "text]" not in line]
    assert fields == [
        '[switch] "Mail me" (checked=true)',
        '[checkbox] "Press Space to toggle row selection" (checked=false)',
        '[button] "Photo" (file, empty)',
    ]


EDITORS = """<section><h2><label for=summary>Summary</label></h2><div><input type=hidden id=summary>
<div><div><div><div contenteditable role=textbox>Media</div></div></div></div></div></section>
<section><input type=hidden id=token><div contenteditable>Loose</div></section>
<label for=body>Body</label><textarea id=body hidden></textarea>
<div><div contenteditable>Text</div></div>
<h2><label for=tags>Tags</label></h2><div><input id=tags style="display:none" value=a>
<ul><li><input></li></ul></div>"""


def test_a_field_is_called_by_the_label_of_the_hidden_one_that_it_stands_for(agent):
    """The summary and the tags of a policy were text fields without names, below headings."""
    fields = [line for line in lines(agent, EDITORS) if line.startswith("[textbox]")]
    assert [field.split(" (")[0] for field in fields] == [
        '[textbox] "Summary"', '[textbox] ""', '[textbox] "Body"', '[textbox] "Tags"'
    ]  # fmt: skip


def test_a_long_value_says_its_length(agent):
    agent.load_html(f"<textarea aria-label=Notes>{'word ' * 300}</textarea>")
    [line] = [line for line in agent.element_lines() if "Notes" in line]
    assert '…", 1,499 characters' in line
    agent.load_html(f"<textarea aria-label=Notes>{'w' * 200}</textarea>")
    assert "characters" not in str(agent.lines())


def test_options_with_the_sign_between_options_are_quoted(agent):
    agent.load_html("<select aria-label=Unit><option>a | b<option>c</select>")
    assert 'options: "a | b" | "c"' in str(agent.element_lines())
    agent.load_html("<select aria-label=Unit><option>a<option>c</select>")
    assert "options: a | c" in str(agent.element_lines())


def test_what_is_chosen_in_a_list_in_a_label_is_a_part_of_a_name_and_no_other_option(agent):
    agent.load_html(
        """<label><input type=radio> Give to <span><select><option>Ann<option>Bo</select></span>
        today</label>"""
    )
    assert [e.name for e in agent.observation.elements if e.role == "radio"] == [
        "Give to Ann today"
    ]


def test_a_field_in_a_cell_is_called_after_its_column(agent):
    head = "<div role=columnheader>Part</div><div role=columnheader>Quantity</div>"
    cells = "<div role=gridcell>Nut</div><div role=gridcell><input value=5></div>"
    agent.load_html(
        f"""<div role=grid><div role=row>{head}</div><div role=row>{cells}</div></div>
        <table><tr><th>Bolt<th>Length</tr><tr><td>M6<td><input value=9></tr>
        <tr><td>Colour<td>red</tr></table><table><tr><td>Owner<td><input></tr></table>"""
    )
    fields = [e.name for e in agent.observation.elements if e.role == "textbox"]
    assert fields == ["Quantity", "Length", "Owner"]


def ticks(agent, html):
    agent.load_html(f"<style>svg {{ width: 9px; height: 9px }}</style><h1>R</h1>{html}")
    roles = ("[radio]", "[checkbox]", "[switch]")
    lines = [line.split("] ", 1)[1] for line in agent.element_lines()]
    return [line for line in lines if line.startswith(roles)]


SEGMENT = "<label><span><input name=view type=radio value={}></span><i><svg></svg></i></label>"


def test_radio_buttons_with_only_a_picture_say_what_they_stand_for(agent):
    found = ticks(agent, "".join(map(SEGMENT.format, ("TABLE", "CHART", "9f86d081884c7d65"))))
    assert found == [
        '[radio] "view" (checked=false, stands for "TABLE", 1 of 3)',
        '[radio] "view" (checked=false, stands for "CHART", 2 of 3)',
        '[radio] "view" (checked=false, 3 of 3)',
    ]


def test_radio_buttons_are_called_by_the_picture_in_their_label_or_beside_them(agent):
    found = ticks(
        agent,
        """<style>img { width: 9px; height: 9px }</style>
        <fieldset><label><input type=radio name=card value=1><img src=/i/visa.png></label>
        <label><input type=radio name=card value=2><svg class="lucide lucide-wallet"></svg></label>
        </fieldset><fieldset><input type=radio name=pay><img src=/i/bank.svg>
        <input type=radio name=pay><img alt="By post" src=/x.svg></fieldset>
        <fieldset><input type=radio name=w id=w><label for=w><img title=Paper src=/x.svg></label>
        </fieldset>""",
    )
    assert found == [
        '[radio] "card" (checked=false, icon: visa, 1 of 2)',
        '[radio] "card" (checked=false, icon: wallet, 2 of 2)',
        '[radio] "pay" (checked=false, icon: bank)',
        '[radio] "By post" (checked=false)',
        '[radio] "Paper" (checked=false)',
    ]


def test_a_radio_button_whose_label_is_a_picture_is_called_by_that_labels_own_label(agent):
    found = ticks(
        agent,
        """<label aria-label="Compact density"><input type=radio value=compact><svg></svg></label>
        <label aria-label="Ignored">Wide <input type=radio value=wide><svg></svg></label>""",
    )
    assert found == ['[radio] "Compact density" (checked=false)', '[radio] "Wide" (checked=false)']


def test_stars_that_are_all_called_star_say_which_of_how_many_they_are(agent):
    star = (
        "<li><div role=radio aria-checked={} tabindex=0><b role=img aria-label=star>"
        "<svg></svg></b></div>"
    )
    stars = star.format("true") + star.format("false")
    size = "<input type=radio name=size aria-label={}>"
    found = ticks(
        agent,
        f"""<ul role=radiogroup>{stars}</ul><ul role=radiogroup>{star.format("false")}</ul>
        <fieldset>{size.format("S")}{size.format("L")}</fieldset>""",
    )
    assert found == [
        '[radio] "star" (checked=true, 1 of 2)',
        '[radio] "star" (checked=false, 2 of 2)',
        '[radio] "star" (checked=false)',
        '[radio] "S" (checked=false)',
        '[radio] "L" (checked=false)',
    ]


def test_a_label_that_is_itself_the_switch_is_listed_once(agent):
    found = ticks(
        agent,
        """<label>Paused <input type=checkbox style="display: none"></label>
        <label role=switch tabindex=0 aria-checked=true aria-label=Active>
        <input type=checkbox style="display: none"><i>On</i></label>""",
    )
    assert found == ['[checkbox] "Paused" (checked=false)', '[switch] "Active" (checked=true)']


def test_stars_boxes_and_switches_without_a_name_say_which_of_how_many_they_are(agent):
    star = "<span role=radio aria-checked=false tabindex=0><svg class=star></svg></span>"
    found = ticks(
        agent,
        f"""<div role=radiogroup>{star * 2}</div><div role=group><input type=checkbox>
        <input type=checkbox value=on><input type=checkbox aria-label=All></div>
        <form><input type=radio name=size value=S> Small <input type=radio name=size value=L>
        </form><table><tr><td><input type=checkbox><td><input type=checkbox></table>
        <div><label><input type=checkbox><svg class="icon-check"></svg></label></div>""",
    )
    assert found == [
        '[radio] "" (checked=false, icon: star, 1 of 2)',
        '[radio] "" (checked=false, icon: star, 2 of 2)',
        '[checkbox] "" (checked=false, 1 of 2)',
        '[checkbox] "" (checked=false, 2 of 2)',
        '[checkbox] "All" (checked=false)',
        '[radio] "Small" (checked=false)',
        '[radio] "size" (checked=false, stands for "L")',
        '[checkbox] "" (checked=false)',
        '[checkbox] "" (checked=false)',
        '[checkbox] "" (checked=false)',
    ]


CLEARED = "<h1>A</h1><p>B<p>C<p>D<p>E<div role=combobox tabindex=0 aria-label=Status>{}</div>"


@pytest.mark.parametrize(
    ("shown", "value"),
    [
        ("<span title='Remove all items' style='float:right'>×</span>Staged", "Staged"),
        ("<b title='Remove it' style='color:transparent;background:red'>×</b>Staged", "Staged"),
        ("Staged <b>✕</b>", "Staged"),
        ("<ul><li><i>×</i>Open</li><li><i>×</i>Held</li></ul>", "Open, Held"),
        ("<span>Open<button>×</button></span><span>Held<i>×</i></span>", "Open, Held"),
        ("3 × 4", "3 × 4"),
        ("<b>×</b>", "×"),
    ],
)
def test_the_sign_that_clears_a_choice_is_no_part_of_the_value(agent, shown, value):
    agent.load_html(CLEARED.format(shown))
    line = next(line for line in agent.element_lines() if "[combobox]" in line)
    assert f'"Status" (value="{value}")' in line
    assert [v.value for v in agent.observation.labelled if v.label == "Status"] == [value]
