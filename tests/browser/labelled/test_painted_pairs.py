"""Heads, terms and labels have the values that are painted below or beside them."""

from __future__ import annotations

from typing import Any

import pytest
from label_reading import found, observe

HEADS = ("Number", "Status", "Clerk")
ROWS = (("IV-31", "Paid", "Ann Lee"), ("IV-32", "Open", "Bob Ray"))
TABLE = "<style>td, th {{ width: 9em; text-align: left }} {}</style><table {}>{}</table>"
FLEX = "tr { display: flex } "
SWAP_CELLS = "td:nth-child(2) { %s } td:nth-child(3) { %s }"


def table(css: str, *order: int, heads: tuple[int, ...] = (0, 1, 2), attributes: str = "") -> str:
    """A table whose rows, and whose heads, stand in the document in such an order."""
    lines = [
        [f"<th>{HEADS[n]}" for n in heads],
        *([f"<td>{row[n]}" for n in order] for row in ROWS),
    ]
    inside = "<tbody>".join("<tr>" + "".join(line) for line in lines)
    return TABLE.format(css, attributes, f"<thead>{inside}")


def grid(css: str, *order: int) -> str:
    """The same of roles; only the cells stand in such an order."""
    lines = [HEADS, *(tuple(row[n] for n in order) for row in ROWS)]
    rows = [
        "".join(f"<i role={'gridcell' if n else 'columnheader'}>{text}</i>" for text in line)
        for n, line in enumerate(lines)
    ]
    inside = "".join(f"<div role=row>{row}</div>" for row in rows)
    return f"<style>{css}</style><div role=grid>{inside}</div>"


PLACED = """[role=row] { position: relative; height: 2em }
  [role=row] i { position: absolute; left: 0 }
  i { width: 6em } i:nth-child(2) { left: 6em } i:nth-child(3) { left: 12em }
  i[role=gridcell]:nth-child(2) { left: 12em } i[role=gridcell]:nth-child(3) { left: 6em }"""
BY_LINES = """[role=row] { display: grid; grid-template-columns: 6em 6em 6em }
  i[role=gridcell]:nth-child(2) { grid-area: 1 / 3 }
  i[role=gridcell]:nth-child(3) { grid-area: 1 / 2 }"""
LISTS = {
    "order": table(FLEX + SWAP_CELLS % ("order: 2", "order: 1"), 0, 2, 1),
    "order of the heads": table(
        FLEX + "th:nth-child(2) { order: 2 } th:nth-child(3) { order: 1 }", 0, 1, 2, heads=(0, 2, 1)
    ),
    "rows from the right": table(
        FLEX + "tbody tr { flex-direction: row-reverse; justify-content: flex-end }",
        2, 1, 0,
    ),
    "a header from the right": table(
        FLEX + "thead tr { direction: rtl; justify-content: flex-end }", 0, 1, 2, heads=(2, 1, 0)
    ),
    "all from the right": table("", 0, 1, 2, attributes="dir=rtl"),
    "transforms": table(
        "table { border-spacing: 0 } td, th { padding: 0; min-width: 9em }"
        + SWAP_CELLS % ("transform: translateX(9em)", "transform: translateX(-9em)"),
        0, 2, 1,
    ),
    "coordinates": grid(PLACED, 0, 2, 1),
    "lines of a grid": grid(BY_LINES, 0, 2, 1),
    "rows without boxes": grid(
        """[role=grid] { display: grid; grid-template-columns: 6em 6em 6em; grid-auto-flow: dense }
        [role=row] { display: contents } i[role=gridcell]:nth-child(2) { grid-column: 3 }
        i[role=gridcell]:nth-child(3) { grid-column: 2 }""",
        0, 2, 1,
    ),
}  # fmt: skip


def rows_read(page: Any, html: str) -> dict[str, dict[str, str]]:
    """By record, its values by label."""
    read: dict[str, dict[str, str]] = {}
    for one in found(page, html):
        if one.kind == "table":
            assert one.label not in read.setdefault(one.place.record_name, {})
            read[one.place.record_name][one.label] = one.value
    return read


@pytest.mark.parametrize("name", LISTS)
def test_cells_have_the_heads_above_them(page, name):
    right = {row[0]: dict(zip(HEADS, row, strict=True)) for row in ROWS}
    assert rows_read(page, LISTS[name]) == right
    heads, *rows = (e.name.split(" | ") for e in observe(page).elements if e.role == "row")
    listed = [dict(zip(heads, row, strict=True)) for row in rows]
    assert listed == list(right.values()), "the list has the cells below their heads, too"


def pane(lines: list[tuple[str, ...]], tag: str, part: str, css: str = "") -> str:
    cell = "<{0} style='width: 6em; padding: 0' {1}>{2}</{0}>"
    kinds = {"tr": ("th", "td", ""), "div": ("i", "i", "role=")}[part]
    inside = ""
    for n, line in enumerate(lines):
        role = kinds[2] and kinds[2] + ("gridcell" if n else "columnheader")
        cells = "".join(cell.format(kinds[n > 0], role, text) for text in line)
        row = "role=row style='display: flex; height: 2em'" if role else "style='height: 2em'"
        inside += f"<{part} {row}>{cells}</{part}>"
    return f"<{tag} style='border-spacing: 0; {css}'>{inside}</{tag.split()[0]}>"


PINNED = [(line[0],) for line in (HEADS, *ROWS)]
OTHERS = [line[1:] for line in (HEADS, *ROWS)]
BESIDE = "<div style='display: flex; align-items: start; {}' {}>{}{}</div>"
PANES = {
    "two panes of a grid": BESIDE.format(
        "", "role=grid", pane(PINNED, "div", "div"), pane(OTHERS, "div", "div")
    ),
    "two grids": BESIDE.format(
        "", "", pane(PINNED, "div role=grid", "div"), pane(OTHERS, "div role=grid", "div")
    ),
    "two tables": BESIDE.format("", "", pane(PINNED, "table", "tr"), pane(OTHERS, "table", "tr")),
    "the second scrolls": BESIDE.format(
        "", "", pane(PINNED, "table", "tr"),
        "<div id=s style='width: 7em; overflow: auto'>"
        + pane(OTHERS, "table", "tr", "width: 12em; table-layout: fixed") + "</div>",
    ),
    "the second comes first": BESIDE.format(
        "flex-direction: row-reverse; justify-content: flex-end", "role=grid",
        pane(OTHERS, "div", "div"), pane(PINNED, "div", "div"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PANES)
def test_panes_side_by_side_are_one_list(page, name):
    right = {row[0]: dict(zip(HEADS, row, strict=True)) for row in ROWS}
    assert rows_read(page, PANES[name]) == right
    page.evaluate("() => { const s = document.querySelector('#s'); if (s) s.scrollLeft = 40; }")
    assert {v.place.record_name for v in observe(page).labelled if v.kind == "table"} == set(right)
    rows = [e.name for e in observe(page).elements if e.role == "row"]
    assert ("← IV-31 | Paid | Ann Lee" in rows) == (name != "the second comes first")


@pytest.mark.parametrize(
    "html",
    [
        BESIDE.format("gap: 2em", "", pane(PINNED, "table", "tr"), pane(OTHERS, "table", "tr")),
        BESIDE.format("", "", *2 * [pane([HEADS, *ROWS], "table", "tr")]),
        BESIDE.format("", "", pane(PINNED, "table aria-label=A", "tr"),
            pane(OTHERS, "table", "tr")),
        BESIDE.format("", "", pane(PINNED, "table", "tr"), pane(OTHERS[:2], "table", "tr")),
    ],
)  # fmt: skip
def test_tables_of_their_own_side_by_side_are_not_joined(page, html):
    assert not any(v.value == "Paid" and v.label != "Status" for v in found(page, html))
    assert not any("IV-31" in v.place.record for v in observe(page).labelled if v.label == "Due")
    assert not any(e.name.startswith("←") for e in observe(page).elements)


def test_a_column_whose_number_and_place_differ_is_left(page):
    html = grid("[role=row] { display: flex } i { width: 6em }", 0, 1, 2)
    for number, head in (("1", "Number"), ("3", "Status"), ("2", "Clerk")):
        html = html.replace(f"columnheader>{head}", f"columnheader aria-colindex={number}>{head}")
    for row in ROWS:
        for number, cell in enumerate(row, start=1):
            html = html.replace(f"gridcell>{cell}", f"gridcell aria-colindex={number}>{cell}")
    assert rows_read(page, html) == {}


def test_a_row_that_stands_in_a_pile_has_its_heads_by_order_unless_it_is_turned(page):
    hidden = "thead { position: absolute; width: 1px; height: 1px; clip: rect(0,0,0,0) }"
    pile = hidden + " tbody tr { display: flex; flex-direction: column }"
    assert rows_read(page, table(pile, 0, 1, 2))["IV-31"]["Clerk"] == "Ann Lee"
    turned = table(pile + "td:nth-child(3) { order: -1 }", 0, 1, 2)
    assert rows_read(page, turned) == {}


DEPOT = """<table><thead><tr><th>Unit<th>Site<th>Keeper</thead><tbody><tr><td>K-1
  <td rowspan={}>North<td>Ida<tr><td>K-2
  <td>Per<tbody><tr><td>K-3<td rowspan=9>Moor<td>Eli<tbody><tr><td>K-4<td>Bay
  <td>Jon</table>"""


@pytest.mark.parametrize("span", [2, 0, 7])
def test_a_cell_that_spans_rows_is_each_ones_with_a_doubt_and_ends_with_its_group(page, span):
    read = rows_read(page, DEPOT.format(span))
    assert [(name, one["Site"], one["Keeper"]) for name, one in read.items()] == [
        ("K-1", "North", "Ida"), ("K-2", "North", "Per"), ("K-3", "Moor", "Eli"),
        ("K-4", "Bay", "Jon")
    ]  # fmt: skip
    doubted = {v.value: v.doubt for v in observe(page).labelled if v.doubt}
    assert doubted == {"North": "shared_cell"}


def test_a_row_is_called_what_its_own_header_says_and_not_that_of_its_group(page):
    html = """<table><thead><tr><th>Area<th>Unit<th>Keeper</thead><tbody><tr><th rowspan=2>North
      <th scope=row>K-1<td>Ida<tr><th scope=row>K-2<td>Per</table>"""
    read = rows_read(page, html)
    assert {name: one["Keeper"] for name, one in read.items()} == {"K-1": "Ida", "K-2": "Per"}


TERMS = "<dl style='{}'>{}</dl>"
TWO = "display: grid; grid-template-columns: 6em 6em"
PAIRS = {
    "terms by order": TERMS.format(
        "display: flex; flex-direction: column",
        """<dt style='order: 1'>Status<dd style='order: 4'>Ann Lee<dt style='order: 3'>Clerk
        <dd style='order: 2'>Paid""",
    ),
    "terms on the lines of a grid": TERMS.format(
        TWO,
        """<dt style='grid-area: 1 / 1'>Status<dd style='grid-area: 2 / 2'>Ann Lee
        <dt style='grid-area: 2 / 1'>Clerk<dd style='grid-area: 1 / 2'>Paid""",
    ),
    "terms in wrappers without boxes": TERMS.format(
        TWO,
        """<div style='display: contents'><dt style='grid-area: 1 / 1'>Status
        <dd style='grid-area: 2 / 2'>Ann Lee</div><div style='display: contents'>
        <dt style='grid-area: 2 / 1'>Clerk<dd style='grid-area: 1 / 2'>Paid</div>""",
    ),
    "terms above their descriptions": TERMS.format(
        "display: grid; grid-auto-flow: column; grid-template-rows: auto auto; width: 20em",
        "<dt>Status<dt>Clerk<dd>Paid<dd>Ann Lee",
    ),
    "terms that a style moves": TERMS.format(
        "line-height: 20px",
        """<dt>Status<dd style='position: relative; top: 40px'>Ann Lee<dt>Clerk
        <dd style='transform: translateY(-40px)'>Paid""",
    ),
    "floating terms": TERMS.format(
        "",
        "".join(f"<dt style='float: left; clear: left; width: 6em'>{t}<dd style='margin: 0'>{d}"
                for t, d in (("Status", "Paid"), ("Clerk", "Ann Lee"))),
    ),
    "terms in a line": TERMS.format(
        "width: 7em",
        "".join(f"<dt style='display: inline'>{t}<dd style='display: inline; margin: 0'>{d}"
                for t, d in (("Status", "Paid"), ("Clerk", "Ann Lee"))),
    ),
    "terms below their descriptions": TERMS.format(
        "",
        "".join(f"<div style='display: flex; flex-direction: column-reverse'><dt>{t}<dd>{d}</div>"
                for t, d in (("Status", "Paid"), ("Clerk", "Ann Lee"))),
    ),
    "neighbours that a style moves": """<style>b, i { display: inline-block; width: 6em;
      position: relative } .d { top: 24px } .u { top: -24px }</style>
      <div style='width: 13em; line-height: 24px'><b>Status</b><i class=d>Ann Lee</i><b>Clerk</b><i
      class=u>Paid</i></div>""",
    "headers of rows": """<table><tr style='display: flex'><th scope=row style='order: 1'>Status
      <td style='order: 4'>Ann Lee<th scope=row style='order: 3'>Clerk
      <td style='order: 2'>Paid</table>""",
    "fields by order": """<form method=post style='display: flex'><span>Status:</span><input
      style='order: 3' value='Ann Lee'><span style='order: 2'>Clerk:</span><input style='order: 1'
      value=Paid></form>""",
    "fields from the right": """<form method=post
      style='display: flex; flex-direction: row-reverse'>
      <input value='Ann Lee'><span>Clerk:</span><input value=Paid><span>Status:</span></form>""",
    "fields on the lines of a grid": f"""<form method=post style='{TWO}'>
      <span style='grid-area: 1 / 1'>Status:</span><input style='grid-area: 2 / 2' value='Ann Lee'>
      <span style='grid-area: 2 / 1'>Clerk:</span>
      <input style='grid-area: 1 / 2' value=Paid></form>""",
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_values_have_the_labels_beside_or_above_them(page, name):
    read = [v for v in found(page, PAIRS[name]) if v.kind in ("definition", "pair", "input")]
    assert [(v.label, v.value) for v in read] == [("Status", "Paid"), ("Clerk", "Ann Lee")]


def test_terms_are_left_where_nobody_can_say_which_description_is_whose(page):
    turned = TERMS.format(
        "display: flex; flex-direction: column-reverse",
        "<dt>Status<dd>Paid<dt>Clerk<dd>Ann Lee<dt>Due<dd>May",
    )
    assert [v for v in found(page, turned) if v.kind == "definition"] == []


@pytest.mark.parametrize("css", ["position: absolute; width: 20em", "position: relative"])
def test_rows_stand_below_the_name_of_the_group_that_is_painted_above_them(page, css):
    """A list that re-uses its rows has them in any order."""
    lines = {0: HEADS, 2: ("East",), 4: ROWS[0], 6: ("West",), 8: ROWS[1]}
    rows = ""
    for n, at in enumerate((0, 6, 2, 8, 4)):
        cells = [f"<{'td' if at else 'th'}>{text}" for text in lines[at]]
        wide = cells if len(cells) > 1 else ["<th colspan=3>" + lines[at][0]]
        top = at if "absolute" in css else at - 2 * n
        rows += f"<tr style='height: 2em; {css}; top: {top}em'>{''.join(wide)}"
    read = found(page, f"<div style='position: relative'><table>{rows}</table></div>")
    groups = {v.value: v.place.headings for v in read if v.label == "Number"}
    assert groups == {"IV-31": ("East",), "IV-32": ("West",)}
