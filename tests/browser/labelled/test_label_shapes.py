"""Labels that are told by the shape of their row, table or box, and not by their type."""

from __future__ import annotations

import pytest
from label_reading import found, labels


@pytest.mark.parametrize("number", ["7.", "(7)", "b)", "12) "])
def test_a_number_is_no_part_of_a_label(page, number):
    html = f"<table><tr><td class=k>{number}<span>Seat</span></td><td>Riga</td></tr></table>"
    assert labels(page, html) == {("definition", "Seat"): "Riga"}


def test_a_numbered_line_is_no_count(page):
    assert found(page, "<p>2. Guarantor</p>") == []
    assert {(v.label, v.value) for v in found(page, "<p>2 guarantors</p>")} == {("guarantors", "2")}


ROW = "<div class={0} style='display:flex'><span>{1}</span><span>{2}</span></div>"


def test_rows_of_two_plain_parts_are_labels_with_values_below_the_first(page):
    html = (
        ROW.format("kv", "Net", "12") + ROW.format("kv", "Fee", "3") + ROW.format("kv", "Due", "9")
    )
    assert [(v.label, v.value, v.doubt or "") for v in found(page, html)] == [
        ("Net", "12", ""), ("Fee", "3", ""), ("Due", "9", ""),
    ]  # fmt: skip
    other = ROW.format("kv", "Net", "12") + ROW.format("sum", "Fee", "3")
    assert found(page, other) == [], "rows of two kinds"


def test_a_heading_with_one_line_in_one_of_several_boxes_is_a_label(page):
    tile = "<div class=f><h4>{0}</h4><p>{1}</p></div>"
    two = tile.format("Seat", "Riga") + tile.format("Symbol", "MVF")
    assert labels(page, two) == {("pair", "Seat"): "Riga", ("pair", "Symbol"): "MVF"}
    seat, symbol = [v for v in found(page, two) if v.kind == "pair"]
    assert seat.place.headings == symbol.place.headings == ()
    wrapped = "".join(f"<div>{tile.format(label, label * 2)}</div>" for label in ("Ab", "Cd"))
    assert labels(page, wrapped) == {("pair", "Ab"): "AbAb", ("pair", "Cd"): "CdCd"}
    icon = two + tile.format("Type", "<svg width=9></svg><b style='display:block'>Own</b>")
    assert labels(page, icon)["pair", "Type"] == "Own", "without the line of the picture"
    assert labels(page, tile.format("Seat", "Riga")) == {}, "a section of its own"
    prose = tile.format("Seat", "Riga.<br>It moved.") + tile.format("Notes", "One<br>Two")
    assert labels(page, prose) == {}, "a text with several lines"


def test_a_label_may_be_a_link_to_its_help_but_not_to_a_page(page):
    row = "<div><span class=k><a href='{0}'>Vendor</a></span> <span>Clear Lake</span></div>"
    assert labels(page, row.format("#")) == {("pair", "Vendor"): "Clear Lake"}
    assert labels(page, row.format("/vendors")) == {}


def test_rows_that_no_cell_spans_are_read(page):
    html = """<table><tr><th>Boat<td colspan=2>Gull<tr><th rowspan=2>Berth<td>N-14<td>to March
      <tr><td>S-02<td>from April<tr><th>Owner<td colspan=2>Ann</table>"""
    assert labels(page, html) == {("definition", "Boat"): "Gull", ("definition", "Owner"): "Ann"}
    to_the_end = html.replace("rowspan=2", "rowspan=0")
    assert labels(page, to_the_end) == {("definition", "Boat"): "Gull"}
    from_the_first = "<table><tr><th rowspan=2>A<td>1<tr><td>2<tr><th>B<td>3</table>"
    assert labels(page, from_the_first) == {}


def test_a_second_row_of_headers_names_the_columns_below_it(page):
    html = """<table><tr><th>Crane<th>Operator<th>Service<tr><td>R-3<td>Holm<td>May
      <tr><th>Crane<th>Former customer<th>Last lift<tr><td>R-7<td>Anchor<td>June</table>"""
    read = {(v.label, v.value) for v in found(page, html) if v.place.record_name == "R-7"}
    assert read == {("Crane", "R-7"), ("Former customer", "Anchor"), ("Last lift", "June")}


# -- lines that name what stands below them --------------------------------------------------------

ROWS = "<ul><li>Owner: Ann</li><li>Due: May</li></ul>"
CAPTIONS = {
    "a plain line": ("<div>Guarantor</div>", "Guarantor"),
    "two texts": ("<div><span>Pat</span> <span style='color:#777'>payer</span></div>", "Pat payer"),
    "tabs": ("<div role=tablist><button role=tab aria-selected=true>Guarantor</button></div>",
             "Guarantor"),
    "a number": ("<div>2. Guarantor</div>", "2. Guarantor"),
}  # fmt: skip


@pytest.mark.parametrize("box", ["{}", "<div class=sub>{}</div>", "<div><div>{}</div></div>"])
@pytest.mark.parametrize(("line", "text"), CAPTIONS.values(), ids=CAPTIONS)
def test_a_line_between_values_names_those_below_it(page, line, text, box):
    html = f"<main><h1>A-1</h1><ul><li>State: Open</li></ul>{box.format(line + ROWS)}</main>"
    above = {v.label: v.place.headings for v in found(page, html) if v.kind == "text"}
    assert above == {"State": ("A-1",), "Owner": ("A-1", text), "Due": ("A-1", text)}


def test_a_line_at_the_beginning_of_what_floats_names_it(page):
    html = (
        f"<h1>A-1</h1><div style='float:right'><div>Guarantor</div>{ROWS}</div><p>State: Open</p>"
    )
    above = {v.label: v.place.headings for v in found(page, html) if v.kind == "text"}
    assert (above["Owner"], above["State"]) == (("A-1", "Guarantor"), ("A-1",))


@pytest.mark.parametrize("wrap", ["{}", "<div><div>{}</div></div>"])
def test_a_field_without_a_value_names_nothing(page, wrap):
    row = "<section>" + wrap + "</section>"
    rows = [f"<b>{label}</b><span>{value}</span>" for label, value in
            [("Owner", "Ann"), ("Fax", ""), ("Due", "May")]]  # fmt: skip
    html = (
        "<main><h1>A-1</h1>" + "".join(row.format(f"<div>{one}</div>") for one in rows) + "</main>"
    )
    assert {v.label: v.place.headings for v in found(page, html) if v.kind == "pair"} == {
        "Owner": ("A-1",), "Due": ("A-1",),
    }  # fmt: skip


@pytest.mark.parametrize("empty", ["<tr></tr>", "<tr><td style='display:none'>x</td></tr>"])
def test_a_row_without_cells_names_nothing(page, empty):
    html = f"<table><tr><td><b>Seat</b><td>Riga</tr>{empty}<tr><td><b>Fee</b><td>12</tr></table>"
    assert labels(page, html) == {("definition", "Seat"): "Riga", ("definition", "Fee"): "12"}


def test_cells_of_two_classes_in_turn_are_labels_and_values(page):
    row = "<tr><td class=k>{}</td><td class=v>{}</td><td class=k>{}</td><td class=v>{}</td></tr>"
    row = row.replace("class=v", "class='v w'", 1)
    rows = row.format("Amount", "$ 12", "Stage", "Open") + row.format("Owner", "Ann", "", "")
    expected = {("definition", "Amount"): "$ 12", ("definition", "Stage"): "Open"}
    expected |= {("definition", "Owner"): "Ann"}
    assert labels(page, f"<table>{rows}</table>") == expected
    alike = rows.replace("class=v", "class=k")
    assert labels(page, f"<table>{alike}</table>") == {}


def test_cells_of_two_looks_in_turn_are_labels_and_values(page):
    row = "<tr><td bgcolor=#eee><b>{}</b></td><td>{}</td><td bgcolor=#eee><b>{}</b></td><td>{}</td>"
    rows = row.format("Area (m²)", "1,842", "Land use", "Orchard") + row.format(
        "Folio", "12", "", ""
    )
    expected = {("definition", "Area (m²)"): "1,842", ("definition", "Land use"): "Orchard"}
    assert labels(page, f"<table>{rows}</table>") == {**expected, ("definition", "Folio"): "12"}
    alike = rows.replace("<td>", "<td bgcolor=#eee><b>")
    assert labels(page, f"<table>{alike}</table>") == {}


@pytest.mark.parametrize(
    ("text", "is_label"),
    [
        ("Customer no.", True), ("Tel.", True), ("N.º do processo", True), ("Est. delivery", True),
        ("It was delivered.", False), ("Delivered. Thanks", False), ("Not yet?", False),
        ("We met in the hall at no. 7", False),
    ],
)  # fmt: skip
def test_a_label_may_be_shortened_and_is_no_sentence(page, text, is_label):
    html = f"<div><label>{text}</label><span>C-20914</span></div>"
    assert labels(page, html) == ({("pair", text): "C-20914"} if is_label else {})


def test_a_number_with_its_unit_in_an_element_of_its_own_makes_no_entry_of_a_list(page):
    row = "<div class=f><span class=l>{}</span><b><span>{}</span> <span>kg</span></b></div>"
    html = row.format("Gross weight", "25.4") + row.format("Net weight", "25")
    pairs = {v.label: (v.value, v.place.record) for v in found(page, html) if v.kind == "pair"}
    assert pairs == {"Gross weight": ("25.4 kg", ""), "Net weight": ("25 kg", "")}
    tiles = "<div class=t><h3>{}</h3><p>{}</p></div>"
    html = tiles.format("Unpacked size", "212 kB") + tiles.format("Total files", "37")
    assert labels(page, html) | {("count", "kB"): "212"} == {
        ("pair", "Unpacked size"): "212 kB", ("pair", "Total files"): "37", ("count", "kB"): "212",
    }  # fmt: skip
