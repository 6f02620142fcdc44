"""Clicks of several kinds, and what they say that they hit."""

from __future__ import annotations

from html import escape

import pytest

PLACE = "this.title = [event.offsetX, event.offsetY].map(Math.round).join()"


def test_a_double_click_and_the_right_button(agent):
    agent.load_html(
        """<button ondblclick="document.title = 'double'"
        oncontextmenu="document.title = 'menu'; return false">Cell</button>"""
    )
    assert "2 times" in agent.act("click", selector="0", count=2).description
    assert agent.observation.title == "double"
    result = agent.act("click", selector="0", button="right")
    assert "with the right button" in result.description
    assert agent.observation.title == "menu"


def test_a_label_in_a_diagram_is_listed_and_its_click_reaches_the_shape_under_it(agent):
    agent.load_html(
        """<svg width=400 height=200><g id=all><g transform="translate(20,20)">
        <rect width=120 height=30 fill=gold></rect>
        <g style="pointer-events:none"><text x=10 y=20>Fetch rates</text></g></g>
        <g transform="translate(20,80)"><rect width=120 height=30></rect>
        <text x=10 y=20>Store</text></g><text y=190>Reviewed</text></g></svg>
        <script>document.querySelector("#all").addEventListener("mousedown", () => {});
        const [rect] = document.querySelectorAll("rect");
        rect.addEventListener("click", () => document.title = "clicked");
        rect.addEventListener("dblclick", () => document.title = "opened");</script>"""
    )
    texts = [e.name for e in agent.observation.elements if e.role == "text"]
    assert texts == ["Fetch rates", "Store", "Reviewed"]
    assert agent.act("click", selector=agent.index("Fetch rates")).success
    assert agent.observation.title == "clicked"
    assert agent.act("click", selector=agent.index("Fetch rates"), count=2).success
    assert agent.observation.title == "opened"


FIELD = """<style>input {{ pointer-events: none }}</style><div onclick="document.title = 'open'">
    <div style="width:300px;padding:9px"><input aria-label=Until readonly {state}>{more}</div>"""


def test_a_field_that_lets_the_pointer_through_is_pressed_at_the_box_around_it(agent):
    agent.load_html(FIELD.format(state="", more="<i>x</i>"))
    assert agent.act("click", selector="Until").success
    assert agent.observation.title == "open"


@pytest.mark.parametrize(
    "case",
    [("disabled", ""), ("aria-disabled=true", ""), ("", "<input>"), ("", "<p style=height:90px>")],
)
def test_nothing_is_pressed_around_a_disabled_field_or_around_more_than_one(agent, case):
    agent.wait_for_elements(0.5)
    agent.load_html(FIELD.format(state=case[0], more=case[1]))
    assert not agent.act("click", selector="Until").success
    assert agent.observation.title == ""


def test_an_offset_in_the_element(agent):
    agent.load_html(
        f"""<canvas width=200 height=100 aria-label=Map role=img onclick="{PLACE}"></canvas>"""
    )
    assert agent.act("click", selector="canvas", x=30, y=40).success
    assert agent.page.get_attribute("canvas", "title") == "30,40"
    outside = agent.act("click", selector="canvas", x=300)
    assert "outside" in outside.error
    assert "200 × 100" in outside.error


def test_a_click_by_text_says_what_it_hit_and_how_many_others_match(agent):
    agent.load_html(
        """<p>First <button><span>Reply</span></button></p><p>Second <a href=#r>Reply</a></p>
        <p>Third <button>Reply</button></p><label><input type=checkbox> Mine</label>"""
    )
    first = agent.index("Reply")
    description = agent.act("click", selector="reply").description
    assert description.startswith(f'clicked "reply": button "Reply" [{first}]; 2 others on the')
    description = agent.act("click", selector="Mine").description
    assert "other" not in description
    assert "it is on now" in description


def test_a_click_by_css_on_what_is_not_listed_says_what_it_hit(agent):
    agent.load_html("<p>A</p><div><i class=icon style='display:block;height:9px'></i></div>")
    assert agent.act("click", selector="i.icon").description.startswith('clicked "i.icon": i ""')


@pytest.mark.parametrize("xpath", ["//button[2]", "(//button)[2]", "xpath=//button[2]"])
def test_xpath_is_understood(agent, xpath):
    agent.load_html("<button>One</button><button onclick=\"document.title='two'\">Two</button>")
    assert agent.act("click", selector=xpath).success
    assert agent.observation.title == "two"


def test_a_broken_xpath_is_refused_in_one_sentence(agent):
    agent.load_html("<button>One</button>")
    result = agent.act("click", selector="//button[")
    assert result.error == "xpath=//button[ is not an XPath that the browser understands"


ODD_TEXTS = (
    'He said "1/2"',
    "a/b",
    "it's and/or",
    "`tick` /x/",
    "50 % (a+b)*c? [d] {e} ^f$ |g|",
    r"C:\dir\new",
    "a >> b / c >> d",
    "/regex/i",
    '"quoted"',
    "<b>/</b>",
    "#1 & ~tilde; a=b, c:d!",
    "Höhe/„Zoll“ 📏",
    "a  b\u00a0/ c",
    '[href$="/+"]',
)


def test_a_name_with_any_signs_is_found_among_others(agent):
    press = "document.title = this.id"
    agent.load_html(
        "".join(f"<button id=n{n} onclick='{press}'>{escape(text)}</button>"
                for n, text in enumerate(ODD_TEXTS))
    )  # fmt: skip
    pressed = {}
    for text in ODD_TEXTS:
        result = agent.act("click", selector=text.upper())
        pressed[text] = result.error or agent.observation.title
    assert pressed == {text: f"n{n}" for n, text in enumerate(ODD_TEXTS)}


def test_the_beginning_of_a_text_with_any_signs_is_enough(agent):
    missed = {}
    for text in ODD_TEXTS:
        agent.load_html(f"<p onclick='document.title += 1'>{escape(text)}</p>")
        result = agent.act("click", selector=text[: -len(text) // 3].strip())
        if (result.error, agent.observation.title) != (None, "1"):
            missed[text] = result.error
    assert missed == {}


CSS = (
    'a[href$="/+"]',
    'a[href="/risks/+"]',
    'nav > a[title="it\'s \\"new\\""]',
    "nav >> a[href*='/']",
    'a:has-text("Add/new")',
)


def test_a_css_selector_with_quotes_and_slashes_is_found(agent):
    agent.load_html("""<nav><a href="/risks/+" title="it's &quot;new&quot;"
        onclick="document.title += 1; return false">Add/new</a></nav>""")
    errors = {selector: agent.act("click", selector=selector).error for selector in CSS}
    assert errors == dict.fromkeys(CSS)
    assert agent.observation.title == "1" * len(CSS)


def test_what_nothing_is_called_is_not_on_the_page(agent):
    agent.load_html("<button>Save</button>")
    selectors = ('a[href$="/-"]', "a[/", '"/', "a >> /", "\\", "/[")
    errors = {selector: agent.act("click", selector=selector).error for selector in selectors}
    assert [s for s in errors if "nothing on the page matches" not in errors[s]] == []


def test_what_moves_away_when_the_pointer_comes_is_pressed_all_the_same(agent):
    """A row shows its buttons under the pointer and is higher then, so those below it move."""
    row = """<div class=row onclick="document.title += 'r'">
        <i onclick="document.title += this.id; event.stopPropagation()" id=%s></i><p>more</p>
        </div>"""
    agent.load_html(
        """<title>-</title><style>.row p {display: none; height: 40px; margin: 0}
        .row:hover p {display: block} i {display: block; width: 12px; height: 12px}</style>"""
        + "".join(row % name for name in "abc")
    )
    for name in "abc":
        assert agent.act("click", selector=f"#{name}").success
    assert agent.observation.title == "-abc"
    listed = [str(e.index) for e in agent.observation.elements if e.box.width < 20]
    for number in listed:
        assert agent.act("click", selector=number).success
    assert agent.observation.title == "-abcabc"


def test_no_text_is_no_selector(agent):
    agent.load_html("<button onclick='document.title=1'>Delete</button><p>Text</p>")
    result = agent.act("click", selector=" ")
    assert not result.success
    assert "nothing on the page matches" in result.error
    assert agent.page.title() == ""
