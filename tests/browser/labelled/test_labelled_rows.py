"""Where a value stands (region, headings, frame) and which row or card it is a part of; fields."""

from __future__ import annotations

from typing import Any

import pytest
from label_reading import found, labels, read_labelled

from pytest_bwa.steps.step import LabelledValue


def values(page: Any, html: str, *kinds: str) -> dict[str, LabelledValue]:
    kept = [v for v in found(page, html) if v.kind in (kinds or ("text", "definition", "table"))]
    return {value.label: value for value in kept}


# -- regions -------------------------------------------------------------------------------------

AROUND = """<header><p>Head: 1</p></header><nav><p>Nav: 1</p></nav><p>Loose: 1</p>{main}
  <aside><p>Aside: 1</p></aside><footer><p>Foot: 1</p></footer>"""
MAIN = """<main><p>Own: 1</p><header><p>Top: 1</p></header><aside><p>Side: 1</p></aside>
  <form method=post><p>Form: 1</p></form><div role=dialog><p>Box: 1</p></div>
  <search><p>Find: 1</p></search><div role=navigation><p>Menu: 1</p></div></main>"""


def test_a_value_knows_its_regions(page):
    regions = {v.label: v.place.regions for v in values(page, AROUND.format(main="")).values()}
    assert regions == {
        "Head": ("banner",), "Nav": ("navigation",), "Loose": (), "Aside": ("complementary",),
        "Foot": ("contentinfo",),
    }  # fmt: skip
    inside = {v.label: v.place for v in values(page, MAIN).values()}
    assert {label: place.regions for label, place in inside.items()} == {
        "Own": ("main",), "Top": ("main",), "Side": ("main", "complementary"),
        "Form": ("main", "form"), "Box": ("main", "dialog"), "Find": ("main", "search"),
        "Menu": ("main", "navigation"),
    }  # fmt: skip
    assert inside["Side"].regions[-1] == "complementary"


def test_what_stands_outside_of_main_is_beside_the_content(page):
    read = values(page, AROUND.format(main=MAIN))
    assert read["Loose"].place.regions == ("complementary",)
    assert read["Nav"].place.regions == ("complementary", "navigation")
    assert read["Nav"].place.regions[-1] == "navigation"
    assert read["Own"].place.regions == ("main",)
    hidden = "<main hidden><p>Ghost: 1</p></main><p>Loose: 1</p>"
    assert values(page, hidden)["Loose"].place.regions == ()


@pytest.mark.parametrize(
    ("html", "regions"),
    [
        ("<article><p>A: 1</p></article>", ("article",)),
        ("<h1>T</h1><article><p>A: 1</p></article>", ("article",)),
        ("<article><h1>T</h1><p>A: 1</p></article><article><p>B: 1</p></article>", ()),
        ("<article><p>A: 1</p></article><article><p>B: 1</p></article>", ("article",)),
        ("<div class=comment-body><p>A: 1</p></div>", ("comment",)),
        ("<ul class='list Comments'><li><p>A: 1</p></ul>", ("comment",)),
        ("<blockquote><p>A: 1</p></blockquote>", ("comment",)),
        ("<div role=comment><p>A: 1</p></div>", ("comment",)),
        ("<div class='field field--commentable'><p>A: 1</p></div>", ()),
    ],
)
def test_what_somebody_wrote_is_told_from_what_the_page_says(page, html, regions):
    assert values(page, html)["A"].place.regions == regions


@pytest.mark.parametrize(
    ("body", "total"),
    [
        ("<tr><td>R1<td>4<tr><th>Total<td>4", []),
        ("<tbody><tr><td>R1<td>4<tfoot><tr><th>Total<td>4", ["4"]),
        ("<tr><th>R1<td>4<tr><th>Total<td>4", ["4"]),
    ],
)
def test_a_sum_below_a_list_is_a_value_only_at_the_foot_of_the_table(page, body, total):
    html = f"<table><thead><tr><th>Refund<th>Sum</thead>{body}</table>"
    assert [v.value for v in found(page, html) if v.label == "Total"] == total


# -- headings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "headings"),
    [
        ("<h2>One</h2><p>A: 1</p>", ["One"]),
        ("<h2>One</h2><h3>Sub</h3><p>A: 1</p>", ["One", "Sub"]),
        ("<h3>Sub</h3><h2>One</h2><p>A: 1</p>", ["One"]),
        ("<h2>One</h2><h2>Two</h2><p>A: 1</p>", ["Two"]),
        ("<div><h2>One</h2></div><p>A: 1</p>", ["One"]),
        ("<div><div><h2>One</h2><button>x</button></div></div><p>A: 1</p>", ["One"]),
        ("<div><h2>One</h2><p>B: 1</p></div><p>A: 1</p>", ["One"]),
        ("<div><h2>One</h2><p>B: a much longer text</p></div><p>A: 1</p>", ["One"]),
        (f"<div><h2>One</h2><p>B: {40 * 'text'}</p></div><p>A: 1</p>", []),
        ("<section><h2>One</h2><p>B: 1</p></section><p>A: 1</p>", []),
        ("<ul><li><h2>One</h2></ul><p>A: 1</p>", []),
        ("<section aria-label=One><p>A: 1</p></section>", ["One"]),
        ("<b id=n>One</b><div role=group aria-labelledby=n><p>A: 1</p></div>", ["One"]),
        ("<section aria-label=One></section><p>A: 1</p>", []),
        ("<fieldset><legend>One</legend><p>A: 1</p></fieldset>", ["One"]),
        ("<details open><summary>One</summary><p>A: 1</p></details>", ["One"]),
        ("<table><caption>One</caption><tr><th>A<td>1</table>", ["One"]),
        ("<div><p><b>One</b></p><p>A: 1</p></div>", ["One"]),
        ("<div><b>One</b><p>A: 1</p></div>", ["One"]),
        ("<div><div style='text-transform:uppercase'>One</div><p>A: 1</p></div>", ["One"]),
        ("<div><div style='font-size:2em'>One</div><p>A: 1</p></div>", ["One"]),
        ("<div><div style='background:#eee'>One</div><p>A: 1</p></div>", ["One"]),
        ("<div><div>One</div><p>A: 1</p></div>", []),
        ("<p>All in €</p><table><tr><th>A<td>1</table>", []),
        ("<div><p><b>One</b></p><p>B: 1</p></div><p>A: 1</p>", []),
        ("<div><a href=/1>One</a><p>A: 1</p></div>", ["One"]),
        ("<div><p><a href=/1>One</a></p><p>A: 1</p></div>", ["One"]),
        ("<a href=/1>Back</a><p>A: 1</p>", ["Back"]),
        ("<main><a href=/1>Back</a><p>A: 1</p></main>", ["Back"]),
        ("<div><p>B: 1</p><p><a href=/1>More</a></p><p>A: 1</p></div>", ["More"]),
        ("<ul><li><a href=/1>One</a><li>A: 1</ul>", ["One"]),
        ("<h2>Site</h2><main><p>A: 1</p></main>", []),
        ("<h2>One</h2><iframe></iframe><p>A: 1</p>", ["One"]),
    ],
)  # fmt: skip
def test_how_far_a_heading_reaches(page, html, headings):
    read = values(page, f"<h1>T</h1>{html}")["A"].place.headings
    title = [] if "<main>" in html else ["T"]
    assert list(read) == [*title, *headings]


def test_a_heading_does_not_stand_above_the_next_column(page):
    html = """<h1>T</h1><div style="display:flex"><div><h2>One</h2><p>A: 1</p></div>
      <div><p>B: 1</p></div></div>"""
    read = values(page, html)
    assert read["A"].place.headings == ("T", "One")
    assert read["B"].place.headings == ("T",)


def test_a_heading_stands_under_those_of_higher_rank_only(page):
    html = "<h1>T</h1><h2>One</h2><p>x</p><h2>Two</h2><p>x</p>"
    read = [v for v in found(page, html) if v.kind == "heading"]
    assert [v.place.headings for v in read] == [(), ("T",), ("T",)]


# -- records -------------------------------------------------------------------------------------


def records(page: Any, html: str) -> list[tuple[str, str, str, str]]:
    """Label, value, name and text of the record of every value that is part of one."""
    read = [v for v in found(page, html) if v.place.record]
    return [(v.label, v.value, v.place.record_name, v.place.record) for v in read]


def test_the_rows_of_a_table_with_headers_are_records(page):
    html = """<table><tr><th>Name<th>Team<tr><td>Ada<td>Core<tr><td>Bo<td></table>"""
    assert records(page, html) == [
        ("Name", "Ada", "Ada", "Ada | Core"), ("Team", "Core", "Ada", "Ada | Core"),
        ("Name", "Bo", "Bo", "Bo | "), ("Team", "", "Bo", "Bo | "),
    ]  # fmt: skip


def test_a_row_is_called_what_its_header_says(page):
    html = "<table><tr><th>Year<th>Who<tr><td>2020<th scope=row>Ann</table>"
    assert {name for _, _, name, _ in records(page, html)} == {"Ann"}


@pytest.mark.parametrize(
    "rows",
    [
        "<tr><th>Name<th>Dept<tr><td rowspan=2>Ada<td>Finance<tr><td>Sales",
        "<tr><th>Name<th colspan=2>Work<tr><td>Ada<td>Finance<td>7",
        "<tr><th>Name<th>2025<tr><th>Unit<th>EUR<tr><td>Ada<td>7",
    ],
)
def test_nothing_is_read_of_a_table_whose_cells_may_belong_to_several_rows(page, rows):
    assert labels(page, f"<table>{rows}</table>") == {}


def test_headers_and_the_names_of_groups_are_no_rows(page):
    html = """<table><thead><tr><th>Name<th>Office</thead><tbody><tr><th colspan=2>Group A
      <tr><td>Ann<td>7<tr><td colspan=2>No more</tbody><tfoot><tr><th>Name<th>Office</table>"""
    assert labels(page, html) == {("table", "Name"): "Ann", ("table", "Office"): "7"}
    empty = "<table><tr><th>Name<th>Office<tr><td colspan=2>No records</table>"
    assert labels(page, empty) == {}


def test_a_row_with_a_wide_cell_labels_none_of_its_cells(page):
    html = """<table><tr><th>Item<th>Units<th>Sum<tr><td>Logo<td>1<td>18
      <tr><td colspan=2>Total<td>26</table>"""
    assert [text for _, text, *_ in records(page, html)] == ["Logo", "1", "18"]


def test_a_hidden_column_keeps_its_place_and_its_secret(page):
    html = """<table><tr><th>Name</th><th style="display:none">Rate</th><th>Team</th></tr>
      <tr><td>Ada</td><td style="display:none">999</td><td>Core</td></tr></table>"""
    assert labels(page, html) == {("table", "Name"): "Ada", ("table", "Team"): "Core"}
    assert "999" not in repr(found(page, html))


def test_tables_made_of_roles_are_tables(page):
    html = """<div role=grid><div role=row><span role=columnheader>Key</span><span
      role=columnheader>State</span></div><div role=row><span role=cell>A-1</span><span
      role=cell><svg role=img aria-label=Passed></svg></span></div></div>"""
    assert [r[:3] for r in records(page, html)] == [
        ("Key", "A-1", "A-1"), ("State", "Passed", "A-1"),
    ]  # fmt: skip


def test_a_table_of_names_and_values_labels_each_of_them(page):
    html = "<table><tr><th>Parameter<th>Value<tr><th>depth<td>7<tr><th>size<td>9</table>"
    read = [(v.label, v.value) for v in found(page, html) if v.kind == "definition"]
    assert read == [("depth", "7"), ("size", "9")]


PAIRS = [
    ("Eigentümer", "Ada Quist"), ("Kaution", "750,00 €"), ("Beginn", "2026-03-01"), ("Ort", "Riga"),
]  # fmt: skip
PEOPLE = [("Ada", "active"), ("Bo", "away"), ("Cy", "active"), ("Di", "on leave")]


def two_columns(heads: tuple[str, str], rows: list[tuple[str, str]], cell: str = "td") -> str:
    lines = "".join(f"<tr><{cell}>{first}</{cell}><td>{second}</td>" for first, second in rows)
    return f"<table><thead><tr><th>{heads[0]}<th>{heads[1]}</thead><tbody>{lines}</table>"


@pytest.mark.parametrize("cell", ["td", "th"])
@pytest.mark.parametrize("heads", [("Property", "Value"), ("Feld", "Inhalt"), ("列", "値")])
def test_rows_below_the_heads_of_labels_and_values_are_no_records(page, heads, cell):
    read = found(page, two_columns(heads, PAIRS, cell))
    assert [(v.kind, v.label, v.value) for v in read] == [("definition", *pair) for pair in PAIRS]
    assert {v.place.record for v in read} == {""}


@pytest.mark.parametrize(
    "rows",
    [
        PEOPLE,
        [("Logo", "18.00"), ("Sign", "9.50"), ("Mast", "n/a"), ("Rope", "4.00")],
        [("Audit", "2026-03-01"), ("Review", "not yet"), ("Close", "not yet")],
        [("Office", "Main St 5, 1010 Wien"), ("Store", "Ring 12"), ("Yard", "Hall 3, East")],
        [*PAIRS, PAIRS[0]],
        [(f"<a href=/{label}>{label}</a>", value) for label, value in PAIRS],
        [(value, label) for label, value in PAIRS],
    ],
    ids=["words", "numbers", "dates", "places", "a label twice", "links", "numbers first"],
)
def test_rows_below_the_heads_of_two_columns_are_records_all_the_same(page, rows):
    read = [v for v in found(page, two_columns(("Name", "State"), rows)) if v.kind != "link"]
    assert {v.kind for v in read} == {"table"}
    assert len({v.place.record for v in read}) == len(set(rows))


CARD = """<li><div><h6>{0}</h6><p>Company: {1}</p></div><a href=/{1}>Details</a></li>"""


def test_neighbours_that_repeat_a_label_are_records(page):
    html = f"<ul>{CARD.format('Ann Lee', 'Fiber')}{CARD.format('Bo Ray', 'Stone')}</ul>"
    read = records(page, html)
    assert ("Company", "Fiber", "Ann Lee", "Ann Lee | Company: Fiber | Details") in read
    assert ("Company", "Stone", "Bo Ray", "Bo Ray | Company: Stone | Details") in read
    assert ("Details", "Details", "Bo Ray", "Bo Ray | Company: Stone | Details") in read


@pytest.mark.parametrize("name", ["<a href=/1>Ann</a>", "<strong>Ann</strong>", "<h4>Ann</h4>"])
def test_a_card_is_called_what_its_heading_or_first_link_says(page, name):
    html = f"<div><p>x</p>{name}<p>Team: 1</p></div><div>{name}<p>Team: 2</p></div>"
    assert {record[2] for record in records(page, html)} == {"Ann"}


def test_blocks_with_labels_of_their_own_are_no_records(page):
    html = """<ul><li><b>Team:</b> Core</li><li><b>Office:</b> Room 12</li></ul>
      <section><p>From: Riga</p></section><section><p>To: Oslo</p></section>"""
    assert records(page, html) == []
    single = f"<ul>{CARD.format('Ann Lee', 'Fiber')}</ul>"
    assert records(page, single) == [], "one card is the page's own"


def test_a_link_belongs_to_the_entry_that_it_stands_in(page):
    html = """<table><tr><th>Name<th>Team<tr><td><a href=/1>Ann</a><td>Sales
      <tr><td><a href=/2>Bo</a><td>Legal</table><a href=/>Home</a>"""
    read = {v.url: v.place.record for v in found(page, html) if v.kind == "link"}
    assert read["http://x.org/2"] == "Bo | Legal"
    assert read["http://x.org/"] == ""


# -- fields --------------------------------------------------------------------------------------

FIELDS = """<label for=a>Cost centre</label><input id=a value=ENG-40>
  <label>Approved <input type=checkbox checked></label><label>Late <input type=checkbox></label>
  <fieldset><legend>Priority</legend><label><input type=radio name=p> Low</label>
  <label><input type=radio name=p checked> High</label></fieldset>
  <label>Plan <select><option value=a>Free<option value=b selected>Pro</select></label>
  <label>Size <select><option value="">Choose<option>M</select></label>
  <textarea aria-label=Text>one\ntwo</textarea><input placeholder=Hint value=nameless>
  <input type=hidden aria-label=Token value=hunter2><input type=file aria-label=File>
  <label>Secret <input type=password value=hunter2></label><input type=submit value=Send>"""
FIELD_VALUES = {
    "Cost centre": "ENG-40", "Approved": "true", "Late": "false", "Priority": "High",
    "Plan": "Pro", "Size": "", "Text": "one\ntwo",
}  # fmt: skip


@pytest.mark.parametrize(
    ("form", "regions"),
    [
        ("{}", ()),
        ("<form method=post>{}</form>", ("form",)),
        ("<form>{}</form>", ("form", "search")),
        ("<form method=GET>{}</form>", ("form", "search")),
    ],
)
def test_fields_are_read_with_their_state_and_never_a_secret(page, form, regions):
    read = found(page, form.format(FIELDS))
    assert "hunter2" not in repr(read)
    assert {v.label: v.value for v in read if v.kind == "input"} == FIELD_VALUES
    assert {v.place.regions for v in read if v.kind == "input"} == {regions}


def test_a_group_of_radio_buttons_is_no_section_of_its_own(page):
    assert values(page, FIELDS, "input")["Priority"].place.headings == ()


@pytest.mark.parametrize(
    "field",
    [
        "<label>Open <input value=yes disabled></label>",
        "<label>Open <input value=yes readonly></label>",
        "<fieldset disabled><label>Open <input value=yes></label></fieldset>",
        "<label>Open <textarea readonly>yes</textarea></label>",
    ],
)
def test_a_field_that_nobody_can_fill_shows_a_value(page, field):
    assert labels(page, field) == {("pair", "Open"): "yes"}
    assert labels(page, f"<form method=post>{field}</form>") == {("input", "Open"): "yes"}


def test_a_real_field_behind_its_painted_twin_is_read(page):
    see_through = "style='opacity:0;position:absolute'"
    html = f"""<label><input type=checkbox checked {see_through}> Active</label>
      <fieldset><legend>Level</legend><label><input type=radio name=p {see_through}> Low</label>
      <label><input type=radio name=p checked {see_through}> High</label></fieldset>
      <div style="opacity:0"><label>Ghost <input value=x></label></div>"""
    assert labels(page, html) == {("input", "Active"): "true", ("input", "Level"): "High"}


def test_widgets_made_of_roles_are_fields(page):
    html = """<div role=switch aria-checked=true aria-label=Alerts></div>
      <div role=checkbox aria-checked=false>Done</div><div role=radiogroup aria-label=Level>
      <div role=radio aria-checked=false>Low</div><div role=radio aria-checked=true>High</div></div>
      <button role=checkbox aria-pressed=true>Renews</button>
      <div role=combobox aria-label=City>Riga</div>"""
    assert labels(page, html) == {
        ("input", "Alerts"): "true", ("input", "Done"): "false", ("input", "Level"): "High",
        ("input", "City"): "Riga", ("input", "Renews"): "true",
    }  # fmt: skip


def test_what_has_no_box_of_its_own_hides_no_values(page):
    html = """<style>main, .wrap {display: contents}</style><div class=wrap><main>
      <div style="display: grid"><label>Owner <input value=Ann></label></div>
      <dl><dt>Due<dd>Monday</dl></main></div>"""
    assert labels(page, html) == {("input", "Owner"): "Ann", ("definition", "Due"): "Monday"}


def field_block(name, value):
    label = f"<div><div><span>{name}</span><i></i></div></div>"
    field = f"<input readonly placeholder=Enter value={value}>"
    inside = f"<div><div><div><div>{field}</div></div></div></div>"
    return f'<div class="field half">{label}<div>{inside}</div></div>'


def test_fields_in_blocks_alike_have_the_text_that_each_block_begins_with(page):
    blocks = [field_block(*pair) for pair in (("Start", "May"), ("End", "June"), ("Owner", "Ann"))]
    assert labels(page, "".join(blocks)) == {
        ("pair", "Start"): "May", ("pair", "End"): "June", ("pair", "Owner"): "Ann",
    }  # fmt: skip
    assert labels(page, "".join(blocks[:2])) == {}, "two may be alike by chance"
    same = [field_block("Text", value) for value in ("May", "June", "Ann")]
    assert labels(page, "".join(same)) == {}, "a text that all have is no label"


def test_a_field_may_have_its_label_beside_it_where_that_is_sure(page):
    html = """<table><tr><td><b>Nick</b><td><input value=neo></table>
      <p>Active: <input type=text value=yes></p>
      <div><div class=l>Business</div><input value=Contoso placeholder=Plan></div>
      <label for=twice>Owner</label><input id=twice value=Ann readonly>
      <div><input id=twice value=Bob readonly></div>"""
    assert labels(page, html) == {("input", "Nick"): "neo", ("input", "Active"): "yes"}


def test_fields_called_like_what_every_element_has_hide_nothing(page):
    """A booking form has "children"; its field then stands in place of form.children."""
    names = ("children", "getAttribute", "matches", "method", "action", "querySelectorAll")
    fields = "".join(f"<label>{name} <input name={name} value=1></label>" for name in names)
    html = f"<form method=post><!-- guests -->{fields}<p>Room: <!-- as booked --> 7</p></form>"
    read = labels(page, html)
    assert read == {("text", "Room"): "7", **{("input", name): "1" for name in names}}


# -- searches ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "address"),
    [
        ("<form role=search action=/find><input name=q aria-label=Find></form>", "/find?q=%7B%7D"),
        ("<search><form action=/find?x=1><input name=q aria-label=Find></form></search>",
         "/find?q=%7B%7D"),
        ("<form role=search action=/find><input name=q placeholder=Find>"
         "<input type=hidden name=k value=1><button>Go</button></form>", "/find?q=%7B%7D&k=1"),
        ("<form><input type=search name=q aria-label=Find></form>", "/?q=%7B%7D"),
        ("<form action=/find><input type=search name=q aria-label=Find></form>", None),
        ("<form><input name=q aria-label=Find></form>", None),
        ("<form role=search><input name=q aria-label=Find><button>Go</button><button>Add</button>"
         "</form>", None),
        ("<form role=search method=post action=/find><input name=q aria-label=Find></form>", None),
        ("<form role=search><input name=q aria-label=Find><input name=x></form>", None),
        ("<form role=search action=/find><input aria-label=Find></form>", None),
        ("<form role=search action=/find><input type=email name=q aria-label=Find></form>", None),
        ("<form role=search action='http://['><input name=q aria-label=Find></form>", None),
        ("<input name=q aria-label=Find>", None),
    ],
)  # fmt: skip
def test_a_form_that_only_asks_is_a_search_with_its_address(page, form, address):
    read = [(v.label, v.url) for v in found(page, form) if v.kind == "search"]
    assert read == ([("Find", f"http://x.org{address}")] if address else [])


def test_a_badge_behind_a_heading_is_no_caption_of_what_follows(page):
    page.set_content(
        "<h1>T</h1><span style='background:#def;border-radius:9px'>Merged</span><dl><dt>A<dd>1</dl>"
    )
    (value,) = (v for v in read_labelled(page) if v.label == "A")
    assert value.place.headings == ("T",)


def test_a_row_without_all_of_its_cells_labels_none_of_them(page):
    page.set_content("<table><tr><th>A<th>B<th>C<tr><td>1<td>2<td>3<tr><td>4<td>5</table>")
    assert [v.value for v in read_labelled(page) if v.kind == "table"] == ["1", "2", "3"]
