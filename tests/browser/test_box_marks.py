"""What shows the state of a checkbox where the browser paints none: a picture in it, or two words
of which one is marked. Both can show that nothing was chosen, while the source says off."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.one_page

STYLE = "<style>i::before { content: attr(data-icon); cursor: pointer }</style><h1>Risk</h1>"
BOX = (
    "<button role={} aria-checked={}><span class=v-icon><i data-icon={} "
    "onclick='document.title=1'></i></span><span class=label>Accepted</span></button>"
)


def lines(agent, html):
    agent.load_html(html)
    return [line.split("] ", 1)[1] for line in agent.element_lines()]


@pytest.mark.parametrize(
    ("role", "checked", "icon", "said"),
    [
        ("checkbox", "mixed", "indeterminate_check_box", ", icon: indeterminate check"),
        ("checkbox", "false", "check_box", ", icon: check"),
        ("checkbox", "false", "check_box_outline_blank", ""),
        ("checkbox", "true", "check_box", ""),
        ("checkbox", "true", "check_box_outline_blank", ", icon: check outline blank"),
        ("switch", "true", "moon", ", icon: moon"),
        ("radio", "false", "radio_button_unchecked", ""),
    ],
)
def test_the_picture_in_a_box_is_no_control_and_says_what_the_state_does_not(
    agent, role, checked, icon, said
):
    assert lines(agent, STYLE + BOX.format(role, checked, icon)) == [
        '[heading] "Risk" (level=1)',
        f'[{role}] "Accepted" (checked={checked}{said})',
    ]


def test_the_picture_in_a_button_that_stays_down_is_no_control_if_it_repeats_that(agent):
    button = BOX.replace("role={} aria-checked", "aria-pressed")
    assert lines(agent, STYLE + button.format("true", "radio_button_checked"))[1:] == [
        '[button] "Accepted" (pressed=true)'
    ]
    assert '[clickable] "" (icon: trash)' in lines(agent, STYLE + button.format("true", "trash"))


def test_another_control_in_a_box_stays_one(agent):
    more = "<i data-icon=settings onclick='document.title=2'></i></button>"
    box = BOX.format("checkbox", "false", "indeterminate_check_box").replace("</button>", more)
    assert lines(agent, STYLE + box)[2:] == ['[clickable] "" (icon: settings)']


def test_what_a_box_shows_that_is_neither_on_nor_off_is_no_value_for_certain(agent):
    def doubts(icon):
        agent.load_html(STYLE + BOX.format("checkbox", "false", icon))
        return [bool(value.doubt) for value in agent.observation.labelled if value.label]

    assert doubts("indeterminate_check_box")[-1]
    assert not doubts("check_box_outline_blank")[-1]


WORDS = """<style>.w {{ position: relative; display: flex; width: 200px; background: #eee;
  cursor: {cursor} }} .w div {{ flex: 1 1 50%; border: 1px solid transparent }}
  .w .on {{ background: #fff; border-color: #999 }} .w .bold {{ font-weight: bold }}
  .w input {{ position: absolute; inset: 0; width: 100%; height: 100%; opacity: 0 }}</style>
  <h1>Contract</h1><label for=r>auto_renew</label><div class=w>
  <div class="{off}"><span>False</span></div><div class="{on}"><span>True</span></div>
  <input type=checkbox id=r></div><p>One</p><p>Two</p><p>Three</p><p>Four</p>"""


@pytest.mark.parametrize("cursor", ["pointer", "not-allowed"])
@pytest.mark.parametrize(
    ("off", "on", "said"),
    [
        ("", "", ", neither “False” nor “True” is marked"),
        ("on", "", ", “False” is marked"),
        ("", "on", ", “True” is marked"),
        ("", "bold", ""),
    ],
)
def test_a_box_painted_as_two_words_says_which_one_is_marked(agent, cursor, off, on, said):
    assert lines(agent, WORDS.format(cursor=cursor, off=off, on=on))[1:-4] == [
        f'[checkbox] "auto_renew" (checked={"mixed" if "neither" in said else "false"}{said})'
    ]
    doubts = [bool(v.doubt) for v in agent.observation.labelled if v.label == "auto_renew"]
    assert doubts == [off == on]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<span>True</span></div>", "<span>True</span></div><div>Thumb</div>"),
        ("opacity: 0", "opacity: 1"),
        ("width: 100%", "width: 30%"),
        ("display: flex", "display: block"),
        (".w .bold", ".w div::after { content: '✓' } .w .bold"),
    ],
    ids=["a third part", "a painted box", "a small box", "below one another", "painted marks"],
)
def test_other_texts_at_a_box_are_no_words_of_its_state(agent, old, new):
    page = WORDS.format(cursor="pointer", off="", on="")
    assert "neither" not in str(lines(agent, page.replace(old, new)))
