"""Doubts about values of which a person sees more, less or something else than their text."""

from __future__ import annotations

import pytest
from label_reading import found, one, values_of

STYLES = """<style>
  .loss::before {content: "("} .loss::after {content: ")"} .dash::before {content: "–"}
  .about::before {content: "~"} .icon::before {content: "\\f00c"} .list li::after {content: ", "}
  .not {list-style: "not "} .cross {display: list-item} .cross::marker {content: "✗ "}
  .minus {display: inline-block; width: 7px; height: 2px; background: #222}
  .drawn::before {content: ""; display: inline-block; width: 7px; height: 2px; background: #222}
  .bar, .line, .dot {position: relative} .bar::after {content: ""; position: absolute; inset: 0;
  background: #000} .line::before {content: ""; position: absolute; left: 0; width: 90%; top: 45%;
  border-top: 2px solid red} .dot::before {content: ""; position: absolute; left: -9px; top: 6px;
  width: 6px; height: 6px; background: green}
  .pane {position: absolute; inset: 0} @keyframes turn {to {opacity: 0}}
  .about-all::before {content: "Of the guarantor"}
  .old::after {content: " (old)"} .must::after {content: " *"} .sorted::after {content: "▲"}
</style>"""
ADDED, DRAWN = "added_by_style", "picture_inside"
OVER, UNSEEN = "painted_over", "partly_unseen"
MIXED = "mixed_look"


SIGNS = {
    "<b class=loss>12.50</b>": ADDED,
    "<b class=dash>12.50</b>": ADDED,
    "<b class=about>12.50</b>": ADDED,
    "<b class=loss>Active</b>": ADDED,
    "<b class=icon>12.50</b>": ADDED,
    "<b class=icon>Active</b>": "",
    "<ul class=list><li>red<li>blue</ul>": "",
    "<ul class=not><li>Active</ul>": ADDED,
    "<b class=cross>Active</b>": ADDED,
    "<ul><li>Active</ul>": "",
    "<ol><li>red<li>blue</ol>": "",
    "<i class=minus></i>12.50": DRAWN,
    "<b class=drawn>12.50</b>": DRAWN,
    "<b class=drawn>Active</b>": "",
    "<i class=minus></i> Active": "",
}


def test_signs_of_a_style_sheet_may_turn_a_value_round(page):
    read = values_of(page, "<dl><dt>Value<dd>{}</dl>", SIGNS, STYLES)
    assert {html: value.doubt or "" for html, value in read.items()} == SIGNS


PARTS = {
    "<span style='background: #c9d'>AL</span> Ann Lee": MIXED,
    "Ann Lee <span style='font-size: 10px'>You</span>": MIXED,
    "Ann Lee <span style='cursor: pointer'>Change</span>": MIXED,
    "Ann Lee <span style='cursor: pointer'>×</span>": MIXED,
    "Ann Lee <span style='border: 1px solid'>i</span>": MIXED,
    "<i>Day</i> <b>Night</b> <i>Late</i>": MIXED,
    "<ul><li>Day<li><b>Night</b></ul>": MIXED,
    "it was so on the day before <span style='cursor: pointer'>Show less</span>": MIXED,
    "it was so on the <b>day</b> before": "",
    "<b>12.50</b> <small>kg</small>": "",
    "<small>€</small> 12.50": "",
    "<span style='background: #c9d'>Ann</span>": "",
    "<b>red</b>, <b>blue</b>": "",
}


def test_a_part_that_is_painted_otherwise_may_be_no_part_of_the_value(page):
    read = values_of(page, "<dl><dt>Value<dd>{}</dl>", PARTS, STYLES)
    assert {html: value.doubt or "" for html, value in read.items()} == PARTS


AROUND = {
    "<div style='filter: opacity(0)'>{}</div>": UNSEEN,
    "<div style='mask-image: linear-gradient(transparent, #0001)'>{}</div>": UNSEEN,
    "<div style='opacity: .02'>{}</div>": UNSEEN,
    "<div style='opacity: .8'>{}</div>": "",
    "<div style='color: transparent; text-shadow: 0 0 9px #555'>{}</div>": UNSEEN,
    "<div style='animation: turn 8s infinite'>{}</div>": UNSEEN,
    "<div style='overflow: hidden; white-space: nowrap; text-indent: -60px'>{}</div>": UNSEEN,
    "<div style='overflow: hidden'>{}</div>": "",
    "<div style='font-family: Material Icons'>{}</div>": UNSEEN,
    "<div style='position: relative'>{}<div class=pane></div></div>": "",
    "<div style='position: relative'>{}<div class=pane style='backdrop-filter: blur(6px)'>"
    "</div></div>": OVER,
    "<div class=bar>{}</div>": OVER,
    "<section class=about-all><div>{}</div></section>": ADDED,
    "<section class=sorted><div>{}</div></section>": "",
}


def test_what_is_around_a_value_may_hide_it(page):
    box = "<div style='position: relative'>{}</div>"
    shown = {html: html.format("<dl><dt>Value<dd>Active</dl>") for html in AROUND}
    read = values_of(page, box, shown.values(), STYLES)
    assert {html: read[shown[html]].doubt or "" for html in AROUND} == AROUND


@pytest.mark.parametrize(
    ("html", "doubt"),
    [
        ("Slow search <span style='color: grey'>#12</span>", MIXED),
        ("Slow search <small>#12</small>", MIXED),
        ("<span>Slow search</span>", ""),
        ("Slow <i>search</i>", ""),
    ],
)
def test_a_heading_may_have_more_in_it_than_its_title(page, html, doubt):
    (heading,) = found(page, f"<h1>{html}</h1>")
    assert (heading.kind, heading.doubt or "") == ("heading", doubt)


@pytest.mark.parametrize(
    ("term", "label"),
    [
        ("Owner <button>?</button>", "Owner"),
        ("Owner <select><option>2018<option selected>2019</select>", "Owner 2019"),
        ("Owner <select><option value=''>All<option>2019</select>", "Owner"),
        ("Owner <select hidden><option>2019</select>", "Owner"),
    ],
)
def test_a_label_says_what_belongs_to_it_though_it_is_not_its_text(page, term, label):
    assert one(page, f"<dl><dt>{term}<dd>Ann</dl>", label).value == "Ann"


CROSSINGS = {
    "<b class=bar>Active</b>": OVER,
    "<b class=line>Active</b>": OVER,
    "<b class=dot>Active</b>": "",
    "<b class=line>Active<hr class=pane style='margin: auto'></b>": OVER,
    "<b class=line>Active<svg class=pane><rect width=99 height=99 /></svg></b>": OVER,
    "<b style='background: linear-gradient(transparent 45%, red 45%)'>Active</b>": DRAWN,
    "<b style='background: url(x.png) no-repeat; padding-left: 20px'>Active</b>": "",
    "<b style='box-shadow: inset 0 -8px 0 -7px red'>Active</b>": DRAWN,
    "<b style='box-shadow: inset 0 0 0 1px red'>Active</b>": "",
    "<b style='background: #def'>Active</b>": "",
}


def test_what_crosses_a_value_or_covers_it(page):
    read = values_of(page, "<dl><dt>Value<dd>{}</dl>", CROSSINGS, STYLES)
    assert {html: value.doubt or "" for html, value in read.items()} == CROSSINGS


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("<dt class=old>Price", "Price (old)"),
        ("<dt>Price <b class=old></b>", "Price (old)"),
        ("<dt class=must>Price", "Price"),
        ("<dt class=sorted>Price", "Price"),
        ("<dt>Price <button>2024</button>", "Price 2024"),
        ("<dt>Price <button>Edit</button>", "Price"),
    ],
)
def test_what_a_style_sheet_or_a_button_says_in_a_label_belongs_to_it(page, label, name):
    assert [v.label for v in found(page, f"{STYLES}<dl>{label}<dd>3</dl>")] == [name]


def test_a_label_of_a_field_has_the_words_of_the_style_sheet_too(page):
    html = f"{STYLES}<label class=old for=p>Price</label> <input id=p value=3>"
    assert [v.label for v in found(page, html)] == ["Price (old)"]


@pytest.mark.parametrize(("value", "colour"), [("", ""), ("value='#ff0000'", "#ff0000")])
def test_a_colour_that_nobody_chose_is_no_value(page, value, colour):
    field = one(page, f"<label>Colour <input type=color {value}></label>", "Colour")
    assert (field.value, field.doubt or "") == (colour, "")


RAISED = {
    "": [
        "120 m<sup>2</sup>", "120&nbsp;km<sup>2</sup>", "5 kg/m<sup>3</sup>", "12 m<sup>3</sup>/h",
        "45 EUR per m<sup>2</sup>", "m<sup>2</sup>", "CO<sub>2</sub>", "2.5 t CO<sub>2</sub>e",
        "C<sub>6</sub>H<sub>12</sub>O<sub>6</sub>", "O<sub>2</sub>", "10<sup>th</sup> place",
        "Acme<sup>®</sup> Pump", "9 ft<b style='font-size:9px;vertical-align:super'>2</b>",
    ],
    DRAWN: [
        "10<sup>4</sup>", "12.50<sup>1</sup>", "Ann Ray<sup>1</sup>", "Total area<sup>2</sup>",
        "5 t<sup>2</sup>", "20 %<sup>1</sup>", "5 km<sup>2</sup><sup>1</sup>", "x<sup>2</sup>",
        "$12<sup>99</sup>", "101<sub>2</sub>", "25 m<sub>2</sub>", "B<sub>2</sub>",
        "Born in<sup>2</sup>", "log<sub>2</sub>", "120 m<sup>2</sup> (net)<sup>1</sup>",
    ],
    MIXED: ["Ann Ray <sup>1</sup>", "12 m <sup>2</sup>"],
}  # fmt: skip


def test_what_is_raised_in_a_unit_or_a_formula_is_no_mark_of_a_footnote(page):
    texts = [html for of_doubt in RAISED.values() for html in of_doubt]
    listed = "".join(f"<dt>Value {n}<dd>{html}" for n, html in enumerate(texts))
    values = found(page, f"<dl>{listed}</dl>")
    doubts = {html: value.doubt or "" for html, value in zip(texts, values, strict=True)}
    assert doubts == {html: doubt for doubt, of_doubt in RAISED.items() for html in of_doubt}
    assert [value.value for value in values[:4]] == ["120 m²", "120 km²", "5 kg/m³", "12 m³/h"]
