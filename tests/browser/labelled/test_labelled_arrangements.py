"""Values whose label is found by the state of a control, or by where a style sheet puts them."""

from __future__ import annotations

import pytest
from label_reading import found, labels


def test_buttons_that_say_their_state_are_read_and_no_others(page):
    html = """<div><span id=a>Alerts</span><button role=switch aria-checked=true
      aria-labelledby=a></button></div><button role=switch aria-label=Sound>On</button>
      <div role=radiogroup aria-label=Level><button type=button role=radio aria-checked=false>Low
      </button><button type=button role=radio aria-checked=true>High</button></div>"""
    assert labels(page, html) == {("input", "Alerts"): "true", ("input", "Level"): "High"}


@pytest.mark.parametrize(
    "buttons",
    [
        "<input type=radio name=p aria-label=Low><input type=radio name=p aria-label=High>",
        "<i role=radio aria-checked=false>Low</i><i role=radio aria-checked=false>High</i>",
    ],
)
def test_a_group_in_which_nothing_is_on_is_empty(page, buttons):
    html = f"<fieldset><legend>Level</legend>{buttons}</fieldset>"
    assert labels(page, html) == {("input", "Level"): ""}


FLOATING = """<style>.f {{ position: relative; padding-top: 16px }}
  .f label {{ position: absolute; top: 0; left: 0 }}</style>
  <div class=f>{0}<input value={1} readonly><label>{2}</label><div>Hint</div></div>"""


def test_a_label_that_floats_over_the_only_field_of_its_block_is_its_own(page):
    assert labels(page, FLOATING.format("", "Riga", "City")) == {("pair", "City"): "Riga"}
    assert labels(page, FLOATING.format("", "''", "City")) == {("pair", "City"): ""}
    two = FLOATING.format("<input value=1>", "Riga", "City")
    assert labels(page, two) == {}, "one of two fields"


def test_labels_and_values_are_paired_as_they_are_painted(page):
    row = "<p style='display:flex;flex-direction:{0}'><i>{1}</i><i class=k>{2}</i></p>"
    html = row.format("row-reverse", "Ann", "Owner") + row.format("column-reverse", "Due", "Monday")
    assert labels(page, html) == {("pair", "Owner"): "Ann", ("pair", "Due"): "Monday"}


@pytest.mark.parametrize(
    ("direction", "label", "value"), [("ltr", "Owner", "Ann"), ("rtl", "Ann", "Owner")]
)
def test_the_label_stands_where_a_line_begins(page, direction, label, value):
    html = f"""<div dir={direction} style="display:grid;grid-template-columns:9em 9em">
      <i style="order:2">{value}</i><i class=k style="order:1">{label}</i></div>"""
    assert labels(page, html) == {("pair", label): value}


def test_what_is_placed_by_coordinates_is_read_where_it_stands(page):
    cell = "<i class={0} style='position: absolute; left: {1}px; top: {2}px'>{3}</i>"
    cells = [("k", 0, 0, "Gate"), ("v", 99, 40, "B12"), ("k", 0, 40, "Desk"), ("v", 99, 0, "C4")]
    board = "".join(cell.format(*one) for one in cells)
    html = f"<div style='position: relative; height: 90px'>{board}</div>"
    assert labels(page, html) == {("pair", "Gate"): "C4", ("pair", "Desk"): "B12"}


def test_values_that_come_in_another_order_than_their_labels_are_read_beside_them(page):
    html = """<div style="display:grid;grid-template-columns:9em 9em">
      <b style="grid-area:1/1">Owner</b>
      <b style="grid-area:2/1">State</b><i style="grid-area:2/2">On hold</i>
      <i style="grid-area:1/2">Ann</i></div>"""
    assert labels(page, html) == {("pair", "Owner"): "Ann", ("pair", "State"): "On hold"}


COLUMNS = "display:grid;grid-auto-flow:column;grid-template-rows:auto auto;width:max-content"


def test_columns_of_labels_above_values_are_read(page):
    html = """<div style="{0}"><i class={1}>{3}</i><i class={2}>{4}</i><i class={1}>{5}</i>
      <i class={2}>{6}</i></div>"""
    terms = html.format(COLUMNS, "k", "v", "Owner", "Ann", "Team", "Core")
    assert labels(page, terms) == {("pair", "Owner"): "Ann", ("pair", "Team"): "Core"}


def test_a_colour_of_its_own_marks_a_label(page):
    html = "<p><i style='color:#777'>{}</i><i style='color:{}'>{}</i></p>"
    assert labels(page, html.format("Points", "inherit", 8)) == {("pair", "Points"): "8"}
    assert labels(page, html.format("Owner", "#171", "Admin")) == {}, "two chips"


def row(number: int, *cells: tuple[int, str]) -> str:
    """A row of a grid, or a part of one; each cell with its column."""
    role = "gridcell" if number > 1 else "columnheader"
    inside = "".join(f"<i role={role} aria-colindex={n}>{text}</i>" for n, text in cells)
    return f"<div role=row aria-rowindex={number}>{inside}</div>"


HEADER = row(1, (1, "Lot"), (2, "Grain"))


def test_the_parts_of_a_row_are_one_row_by_its_number(page):
    parts = row(2, (1, "A")) + row(3, (1, "B")) + row(3, (2, "Rye")) + row(2, (2, "Oats"))
    html = f"<div role=grid>{HEADER}{parts}</div>"
    read = [(v.label, v.value, v.place.record) for v in found(page, html)]
    assert read == [
        ("Lot", "A", "A | Oats"), ("Grain", "Oats", "A | Oats"),
        ("Lot", "B", "B | Rye"), ("Grain", "Rye", "B | Rye"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "parts",
    [
        row(2, (1, "A")) + row(2, (2, "Rye")) + row(2, (2, "Oats")),
        row(2, (1, "A"), (3, "7")),
    ],
)
def test_nothing_is_read_of_a_row_whose_cells_are_not_those_of_the_header(page, parts):
    assert labels(page, f"<div role=grid>{HEADER}{parts}</div>") == {}


def test_a_button_is_no_value_and_no_part_of_one(page):
    hidden = "<span style='position:absolute;width:1px;height:1px;clip:rect(0,0,0,0)'>{}</span>"
    edit = f"<button title='Edit it'>{hidden.format('Change it')}✎</button>"
    html = f"""<div><div style=display:flex><span class=k>Assignee</span><button>take it</button>
        </div><div class=v><div>Ann Lee</div><svg width=9 height=9></svg></div></div>
      <div><div class=k>Employees <button>{hidden.format("Help on it")}?</button></div>
        <div><span>412</span>{edit}</div></div>
      <div><div class=k>Manager</div><div aria-label="Bo Ray"><span>Bo Ray</span>{edit}</div></div>
      <div><span class=k>Approver</span><button>Choose</button></div>"""
    assert labels(page, html) == {
        ("pair", "Assignee"): "Ann Lee", ("pair", "Employees"): "412", ("pair", "Manager"): "Bo Ray"
    }  # fmt: skip
    assert {one.doubt or "" for one in found(page, html)} == {""}


def test_a_picture_is_no_label_of_the_name_beside_it(page):
    html = """<div><div class=k>Assignee:</div><div class=v><img class=p width=9 height=9
      title="Bo Ray" src=data:,><a class=u href=/users/7>Bo Ray</a></div></div>"""
    assert labels(page, html) == {("pair", "Assignee"): "Bo Ray"}


def test_a_column_of_a_layout_is_no_name_of_the_next_one(page):
    column = "<td><table><tr><th>{}</th><td>{}</td></tr></table></td>"
    html = f"<table><tr>{column.format('Buyer', 'Ann')}{column.format('Supplier', 'Tidewater')}"
    (value,) = (one for one in found(page, html) if one.label == "Supplier")
    assert value.place.headings == ()


def test_what_stands_in_a_wrapper_without_a_box_is_read(page):
    row = "<div style=display:contents><b>{}</b><span>{}</span></div>"
    html = f"""<div style="display:grid;grid-template-columns:9em 9em">{row.format("Owner", "Ann")}
      {row.format("State", "On hold")}</div>
      <h2>Related</h2><section style=display:contents><p><b>City:</b> Riga</p></section>
      <div style=display:contents role=note><p><b>Due:</b> Monday</p></div>"""
    places = {one.label: one.place for one in found(page, html) if one.kind != "heading"}
    assert labels(page, html) == {
        ("pair", "Owner"): "Ann", ("pair", "State"): "On hold", ("text", "City"): "Riga",
        ("text", "Due"): "Monday",
    }  # fmt: skip
    assert places["City"].headings == ("Related",), "the heading stands above it all the same"
    assert places["Due"].regions == ("comment",)
