"""What can be pressed is listed, once, also where it has neither a role nor a text."""

from __future__ import annotations

import re

import pytest

MAIL = """<style>.icon { display: inline-block; width: 16px; height: 16px }
.star { background: url(/img/star-outline.svg?v=3) }</style>
<div class=mail><span>Ann Lee</span><span class="icon star"></span><span class="icon trash"></span>
  <div class=actions><span class=reply><i class="icon"></i>Reply</span><span class=forward>Forward
  </span></div></div>
<script>for (const el of document.querySelectorAll(".star, .trash, .reply, .forward"))
  el.addEventListener("click", () => { document.title = el.className; });</script>"""


def controls(agent):
    return [
        line.split("] ", 1)[1]
        for line in agent.element_lines()
        if any(role in line for role in ("[clickable]", "[button]", "[link]", "[checkbox]"))
    ]


@pytest.fixture
def load(agent, site):
    """Opens a page whose scripts run after the page script, as those of a real site."""

    def open_page(html):
        site.pages["/"] = f"<!doctype html><title>Page</title>{html}"
        assert agent.act("goto", url=site.url + "/").success
        return agent

    yield open_page
    site.close()


def test_icons_and_neighbours_are_controls_of_their_own(load):
    agent = load(MAIL)
    assert controls(agent) == [
        '[clickable] "" (icon: star outline)',
        '[clickable] "" (icon: trash)',
        '[clickable] "Reply"',
        '[clickable] "Forward"',
    ]
    trash = next(e for e in agent.observation.elements if "icon: trash" in e.states)
    result = agent.act("click", selector=str(trash.index))
    assert 'clickable "" (icon: trash)' in result.description
    assert agent.page.title() == "icon trash"


def test_what_different_pictures_side_by_side_are_all_called_names_none_of_them(agent):
    icons = [f"<button><svg class=font-size><path d='M0 {n}h9'/></svg></button>" for n in range(4)]
    agent.load_html(f"<div>{''.join(icons)}</div>")
    assert controls(agent) == ['[button] ""'] * 4
    agent.load_html(f"<div>{icons[0] * 4}</div>")  # as the stars of a rating
    assert controls(agent) == ['[button] "" (icon: font size)'] * 4


HINTS = {
    '<svg class="lucide lucide-trash-2"></svg>': "trash",
    '<svg><use href="/sprite.svg#icon-arrow-left"></use></svg>': "arrow left",
    '<svg class="MuiSvgIcon-root css-vubbuv" data-testid="DeleteIcon"></svg>': "delete",
    '<img src="/static/close_dialog.3f2a.png" width=9 height=9>': "close dialog",
    '<i class="fa fa-bold"></i>': "bold",
    '<span class="anticon anticon-calendar"></span>': "calendar",
    '<span class="anticon css-6xix1i"><svg></svg></span>': "",
    '<i data-testid="row-button-edit"><b class="anticon"></b></i>': "edit",
    '<svg class="sc-bdVaJa css-1q2w3e jss12"></svg>': "",
    '<span class="du-bois-light-typography css-dulbl6"><svg></svg></span>': "",
    '<span class="ag-header-group-text">&nbsp;</span>': "",
    '<i class="row-icon" hidden></i><b class="close"></b>': "",
    '<span class="flex items-center justify-center p-2 rounded-full"></span>': "",
    '<span class="inline-flex flex-1 whitespace-pre px-tight"><svg></svg></span>': "",
    '<svg class="lucide lucide-trash w-4 h-4 text-gray-500"></svg>': "trash",
    '<span class="btn-icon btn-icon-only"></span>': "",
    '<span class="close css-1x2y3z"></span>': "",
    '<i class="state-icon state-icon--not_ready work-state-icon"></i>': "not ready",
    '<i data-testid="NoAccessIcon"></i>': "no access",
    '<img src="data:image/png;base64,AAAA" width=9 height=9>': "",
    '<img src="/a/9f86d081884c7d65.png" width=9 height=9>': "",
}


def test_the_hint_of_an_icon_is_words_that_a_person_could_read(load):
    style = "<style>svg { width: 9px; height: 9px }</style>"
    shown = {html: controls(load(f"{style}<button>{html}</button>")) for html in HINTS}
    expected = {html: f" (icon: {hint})" if hint else "" for html, hint in HINTS.items()}
    assert shown == {html: [f'[button] ""{more}'] for html, more in expected.items()}


@pytest.mark.parametrize(
    ("attributes", "hint"),
    [
        ('class="du-bois-light-btn du-bois-light-btn-icon-only css-o217az"', ""),
        ('class="btn btn-sm btn-outline-secondary"', ""),
        ('class="inline-flex items-center px-3 hover:bg-gray-100"', ""),
        (
            'class="du-bois-light-btn" data-testid="editable-table-button-edit"',
            "editable table edit",
        ),
        ('class="toast-close pointer-events-none"', ""),
        ('class="btn btn-sm next-page"', ""),
        ('class="p-pop-over"', ""),
        ('class="css-1x2y3z" title="Remove"', None),
    ],
)
def test_the_classes_of_a_control_are_no_hint(load, attributes, hint):
    agent = load(f'<button {attributes}><span class="anticon"><svg></svg></span></button>')
    if hint is None:
        assert controls(agent) == ['[button] "Remove"']
    else:
        assert controls(agent) == [f'[button] ""{f" (icon: {hint})" if hint else ""}']


@pytest.mark.parametrize(
    ("chip", "expected"),
    [
        ("<div role=status title=retail><div onclick='1'><b>retail-s...</b></div></div>",
         ['[status] "retail-s..." (clickable, note="retail")']),
        ("<div role=status><p class=pressable><i><svg width=9></svg></i><b>v2</b></p></div>",
         ['[status] "v2" (clickable)']),
        ("<span role=status><button>Open</button></span>", ['[button] "Open"']),
        ("<span role=status onclick='1'>Beta</span>", ['[status] "Beta"']),
        ("<span role=status class=pressable>Beta</span>", ['[status] "Beta" (clickable)']),
        ("<span role=status><b>Beta</b></span>", ['[status] "Beta"']),
        ("<div role=status>Saved. <button>Undo</button></div>",
         ['[status] "Saved. Undo"', '[button] "Undo"']),
    ],
)  # fmt: skip
def test_a_chip_that_can_be_pressed_is_listed_once(load, chip, expected):
    style = ".pressable { cursor: pointer } p { margin: 0 }"
    agent = load(f"<style>{style}</style><h1>R</h1>{chip}<p>1<p>2<p>3")
    lines = [line.split("] ", 1)[1] for line in agent.element_lines()]
    assert lines[1:-3] == expected


TAGS = "<span class=tag>red</span><span class=tag>blue</span>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"{TAGS}<span class=more>+2 more</span>", '"+2 more"'),
        (f"{TAGS}<span class=more>+<b></b>3 …</span>", '"+3 …"'),
        (f"{TAGS}<span title='green, grey'>+2</span>", '"+2" (note="green, grey")'),
        (f"{TAGS}<span data-state=closed>+ 2 ...</span>", '"+ 2 ..."'),
        ("<b>red</b> <span tabindex=0 aria-haspopup=dialog>+1 weitere</span>", '"+1 weitere"'),
        (f"{TAGS}<span>+2</span>", None),
        ("<b>12</b> <i>+5 points</i>", None),
        ("<p title=Phone>+47 5550 1234</p>", None),
        ("<p>+2 more</p>", None),
    ],
)
@pytest.mark.parametrize("around", ["<p>{}</p>", "<table><tr><td>Ann<td>{}</table>"])
def test_a_mark_of_more_entries_can_be_pressed(load, html, expected, around):
    agent = load(around.format(html.replace("<p", "<div").replace("</p", "</div")))
    assert controls(agent) == ([f"[clickable] {expected}"] if expected else [])
    rows = [line for line in agent.element_lines() if "[row]" in line]
    assert not expected or all(re.search(r"\[\d+\] \+", row) for row in rows)


def test_what_a_mark_of_more_entries_hides_is_found_once_the_pointer_is_there(load):
    agent = load(
        f"""<table><tr><td>Ann<td>{TAGS}<span class=tag id=m>+2 more</span></table>
        <script>document.onmouseover = (event) => {{
          if (event.target.id !== "m" || document.querySelector("[role=tooltip]")) return;
          document.body.insertAdjacentHTML("beforeend", "<p role=tooltip>green grey</p>");
        }};</script>"""
    )
    assert agent.act("find", text="grey").description.startswith("0 hits")
    assert agent.act("hover", selector=agent.index("+2 more")).success
    assert any(line.endswith('[text] "green grey"') for line in agent.lines())
    assert agent.act("find", text="grey").description.startswith("1 hit")


GROUP = """<div role=columnheader><div class="ag-header-cell-resize"></div>
<div role=presentation><span class="ag-header-group-text" role=presentation>{}</span>
<span style="display:none"><span class="ag-icon ag-icon-expanded"></span></span>
</div></div>"""  # as AG Grid writes it above columns that are in no group


@pytest.mark.parametrize(
    ("heads", "expected"),
    [
        (GROUP.format("") * 2, []),
        (GROUP.format("&nbsp;") * 2, []),
        (GROUP.format("") + GROUP.format("Metrics"), ['[row] "| [1] Metrics"']),
        (GROUP.format("") + "<div role=columnheader><svg width=9 height=9></svg></div>",
         ['[row] "| [1]"']),
        (GROUP.format("") + "<div role=columnheader><b class=sort></b></div>", ['[row] "| [1]"']),
    ],
)  # fmt: skip
def test_heads_of_columns_that_show_nothing_are_not_listed(load, heads, expected):
    agent = load(
        f"""<style>[role=columnheader] {{ width: 90px; height: 20px; display: inline-block }}
        .sort::after {{ content: "⇅" }} .ag-header-cell-resize::after {{ content: " " }}</style>
        <div role=grid><div role=row>{heads}</div><div role=row><div role=columnheader>Name
        </div><div role=columnheader>Size</div></div></div><script>
        for (const head of document.querySelectorAll("[role=columnheader], [role=presentation]"))
          head.addEventListener("click", () => {{}});</script>"""
    )
    rows = [line.split("] ", 1)[1] for line in agent.element_lines() if "[row]" in line]
    assert rows[:-1] == expected
    assert len(controls(agent)) == len(expected) + 2


def test_what_contains_controls_is_called_by_the_text_around_them(load):
    agent = load(
        """<div style="cursor:pointer" onclick="1"><b>Card</b> of Ann <a href=/ann>Profile</a>
        <svg class=heart width=9 height=9 onclick="1"></svg></div>
        <div style="cursor:pointer"><button>Save</button> <button>Send</button></div>
        <li onclick="1"><a href=/x>Only a link</a></li>
        <label style="cursor:pointer"><input type=checkbox> <span class=mark></span>Mine</label>
        <button><span onclick="1">Go</span></button>"""
    )
    assert [line.split(" → ")[0] for line in controls(agent)] == [
        '[clickable] "Card of Ann"',
        '[link] "Profile"',
        '[clickable] "" (icon: heart)',
        '[button] "Save"',
        '[button] "Send"',
        '[link] "Only a link"',
        '[checkbox] "Mine" (checked=false)',
        '[button] "Go"',
    ]


def test_a_list_that_reacts_as_a_whole_is_its_entries(load):
    agent = load(
        """<ul style="cursor:pointer"><li>Open</li><li>Save as</li></ul>
        <div onclick="1" style="cursor:pointer"><span>1</span><span>2</span><span>3</span></div>
        <ul><li class=folder>src<ul><li>main.py</li><li>test.py</li></ul></li></ul>
        <script>document.querySelector(".folder").onclick = () => {};
        document.querySelector(".folder").style.cursor = "pointer"</script>"""
    )
    names = ["Open", "Save as", "1", "2", "3", "src", "main.py", "test.py"]
    assert controls(agent) == [f'[clickable] "{name}"' for name in names]


def test_cells_items_and_pictures_that_react_are_listed_in_tables_too(load):
    agent = load(
        """<table><tr><td>Ann<td><i class="trash" onclick="1">&times;</i>
          <td><img src="/edit.png" onclick="1" width=9 height=9></tr></table>
        <table class=days><tr><td>29<td>30<td>31</tr></table>
        <ul><li onclick="1">2</li><li onclick="1">&rsaquo;</li></ul>
        <table><tr style="cursor:pointer"><td>REQ-1</td><td>A row that opens its ticket</td></tr>
        </table><h2 onclick="1">Section</h2>
        <style>.days td { cursor: pointer }</style>"""
    )
    assert controls(agent) == [
        '[clickable] "×" (icon: trash)',
        '[clickable] "" (icon: edit)',
        '[clickable] "29"',
        '[clickable] "30"',
        '[clickable] "31"',
        '[clickable] "2"',
        '[clickable] "›"',
    ]
    days = [line for line in agent.lines() if "29" in line]
    assert len(days) == 1  # the row has their numbers
    assert re.search(r"\[\d+\] 29 \| \[\d+\] 30 \| \[\d+\] 31", days[0])
    assert any(line.endswith('"Section" (clickable, level=2)') for line in agent.lines())
    assert any(line.endswith('opens its ticket" (clickable)') for line in agent.lines())


def test_a_listener_on_a_large_part_of_the_page_makes_no_control(load):
    agent = load(
        """<main><h1>Title</h1><p>Text</p><div id=big style="height:400px">A long part</div>
        <section id=part><button>Go</button> Words</section></main>
        <script>document.addEventListener("click", () => {});
        for (const el of document.querySelectorAll("main, #big, #part, body"))
          el.addEventListener("mousedown", () => {});</script>"""
    )
    assert controls(agent) == ['[button] "Go"']


def test_shapes_of_a_drawing_that_react_are_listed(load):
    agent = load(
        """<svg width=90 height=90><circle cx=9 cy=9 r=9 class=seat-free /><rect x=30 width=9
        height=9 /><text x=50 y=50>B2</text></svg><script>
        document.querySelector("circle").addEventListener("click", () => {});
        document.querySelector("text").onclick = () => {};</script>"""
    )
    assert controls(agent) == ['[clickable] "" (icon: seat free)', '[clickable] "B2"']


def test_a_page_cannot_tell_that_its_listeners_are_known(load):
    agent = load(
        """<button id=b>B</button><script>
        const seen = [];
        const listener = { handleEvent(event) { seen.push(this.name); }, name: "object" };
        b.addEventListener("click", listener);
        b.addEventListener("click", function () { seen.push(this === b); }, { once: true });
        addEventListener("click", () => seen.push("window"));
        try { EventTarget.prototype.addEventListener.call({}, "click", () => {}); }
        catch (error) { seen.push(error.constructor === TypeError); }
        seen.push(EventTarget.prototype.addEventListener.toString().includes("[native code]"));
        seen.push(addEventListener.name, addEventListener.length);
        b.click(); b.click();</script>"""
    )
    native = [True, True, "addEventListener", 2]
    first, second = ["object", True, "window"], ["object", "window"]
    assert agent.page.evaluate("seen") == [*native, *first, *second]


def test_the_days_of_a_calendar_are_controls_where_its_whole_listens_for_them(agent):
    days = "".join(f"<div class={'off' if n < 3 else 'day'}>{n}</div>" for n in range(1, 6))
    agent.load_html(
        f"""<style>.day {{cursor: pointer}}</style><section><div><b>May</b><div>{days}</div></div>
        </section><script>
        document.querySelector('section').addEventListener('click',
          e => document.title = e.target.textContent)</script>"""
    )
    controls = [e.name for e in agent.observation.elements if e.role == "clickable"]
    assert controls == ["3", "4", "5"]
    agent.act("click", selector=agent.index("4"))
    assert agent.observation.title == "4"


def test_a_choice_with_its_value_and_its_label_beside_it_is_listed_once(agent):
    shown = "<span onclick=1 style='cursor:pointer'>10</span><svg width=9 height=9></svg>"
    choice = f"<button role=combobox aria-label='Per page'>{shown}</button>"
    for label in ("<label for=none>Per page</label>", "<div><span>Per page</span></div>"):
        agent.load_html(f"<h1>A</h1><p>B<p>C<p>D<div><div>{choice}</div>{label}</div>")
        lines = [line.split("] ", 1)[1] for line in agent.element_lines()]
        assert lines[4:] == ['[combobox] "Per page" (value="10")']
    field = "<input aria-label=Owner value=Bob>"
    agent.load_html(f"<h1>A</h1><p>B<p>C<div>{field}<p>Owner</p><p>Ann</p></div>")
    assert [e.name for e in agent.observation.elements[3:]] == ["Owner", "Owner", "Ann"]
