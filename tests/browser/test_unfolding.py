"""Which controls say in their markup that a press only unfolds a hidden part of the page, and what
the part is called that they opened."""

from __future__ import annotations

import pytest

PART = "<div id=p hidden><dl><dt>Phone<dd>119<dt>Shift<dd>Late</dl></div>"


@pytest.mark.parametrize(
    ("control", "is_safe"),
    [
        ("<button aria-expanded=false aria-controls=p>More</button>", True),
        ("<button role=tab aria-controls=p>More</button>", True),
        ("<a href='#p' role=tab aria-controls=p>More</a>", True),
        ("<div role=button tabindex=0 aria-expanded=false aria-controls=p>More</div>", True),
        ("<details><summary>More</summary>It</details>", True),
        ("<a href='#p' onclick='p.hidden = false'>More</a>", True),
        ("<a href='#'>More</a>", False),
        ("<a href='#q'>More</a>", False),
        ("<a href='#shown'>More</a><p id=shown>It", False),
        ("<a href='/out#p'>More</a>", False),
        ("<a href='#d'>More</a><div id=d role=dialog hidden>It</div>", False),
        ("<button aria-expanded=false>More</button>", False),
        ("<button role=tab>More</button>", False),
        ("<button role=tab>More</button><p role=tabpanel aria-label=More hidden>It", True),
        ("<button role=tab>More</button><p role=tabpanel aria-label=Less hidden>It", False),
        ("<button role=tab>More</button><p role=tabpanel aria-label=More>It", False),
        ("<button role=tab id=t>M</button><p role=tabpanel aria-labelledby='s t' hidden>It", True),
        ("<button aria-controls=p>More</button>", False),
        ("<button aria-expanded=false aria-controls=q>More</button>", False),
        ("<button aria-expanded=false aria-controls=shown>More</button><p id=shown>It", False),
        (
            "<form id=f></form><button form=f aria-expanded=false aria-controls=p>More</button>",
            False,
        ),
        ("<form><div role=tab tabindex=0 aria-controls=p>More</div></form>", False),
        ("<a href=/out role=tab aria-controls=p>More</a>", False),
        ("<a href='#p' ping=/x role=tab aria-controls=p>More</a>", False),
        ("<button aria-haspopup=true aria-expanded=false aria-controls=p>More</button>", False),
        ("<label role=tab aria-controls=p>More</label>", False),
        ("<div role=tab tabindex=0 aria-controls=p>More <button>×</button></div>", False),
        ("<details><summary>More <input type=checkbox></summary>It</details>", False),
        ("<details open><summary>More</summary>It</details>", False),
        ("<summary>More</summary>", False),
    ],
)
def test_only_what_names_a_hidden_part_unfolds(agent, control, is_safe):
    seen = agent.load_html(f"<main><h1>Ada</h1>{control}{PART}</main>")
    assert any(element.unfolds for element in seen.elements) is is_safe


@pytest.mark.parametrize(
    ("body", "is_called"),
    [
        ("<button aria-expanded=true aria-controls=p>Boss</button>{}", True),
        ("<button aria-expanded=false aria-controls=p>Boss</button>{}", False),
        ("<b role=tab aria-selected=true>Boss</b><b role=tab>Me</b>"
         "<div role=tabpanel>{}</div>", True),
        ("<b role=tab aria-selected=true>Boss</b><b role=tab aria-selected=true>Me</b>"
         "<div role=tabpanel>{}</div>", False),
    ],
)  # fmt: skip
def test_what_is_open_is_called_as_what_opened_it(agent, body, is_called):
    apart = "<dl><dt>Room<dd>7<dt>Floor<dd>2</dl><p>A line of words.</p>"
    part = body.format(apart + PART.replace(" hidden", ""))
    seen = agent.load_html(f"<main><h1>Ada</h1>{part}</main>")
    phone = next(v for v in seen.labelled if v.label == "Phone")
    assert ("Boss" in phone.place.headings) is is_called
