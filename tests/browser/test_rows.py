"""What the line of a table row says: its text, its fields, its tooltips, and its elements."""

from __future__ import annotations

import re

from pytest_bwa.proof.observed import Observed


def row_lines(agent, html: str) -> list[str]:
    agent.load_html(html)
    return [line for line in agent.lines() if "[row]" in line]


def shown_rows(agent, rows: str) -> list[str]:
    lines = row_lines(agent, f"<h1>Requests</h1><table>{rows}</table>")
    return [re.sub(r"^\[\d+\] \[row\] ", "", line) for line in lines]


def test_a_row_has_the_numbers_of_its_elements_in_the_order_of_the_columns(agent):
    (row,) = row_lines(
        agent,
        """<table><tr><td>REQ-1<td><a href=/ann>Ann</a><td><button>Edit</button>
        <button aria-label=Delete><svg width=9 height=9></svg></button></table>""",
    )
    ann, edit, delete = (agent.index(name) for name in ("Ann", "Edit", "Delete"))
    assert row == f'[0] [row] "REQ-1 | [{ann}] Ann | [{edit}] Edit [{delete}] Delete"'
    assert agent.observation.elements[0].name == "REQ-1 | Ann | Edit"
    assert agent.act("click", selector=edit).success


def test_a_row_says_what_is_checked_and_what_its_fields_contain(agent):
    ticks = """<tr><td><input type=checkbox checked><td><input type=checkbox>
        <td><input type=radio checked><td><i role=switch aria-checked=true tabindex=0>x</i>
        <td><button role=checkbox aria-pressed=true></button></tr>"""
    fields = """<tr><td><input value=3><td><input><td><textarea>two words</textarea>
        <td><select><option>Low<option selected>High</select></tr>"""
    ticked, filled = (re.sub(r"\[\d+\] ", "", row) for row in shown_rows(agent, ticks + fields))
    assert ticked == '"☑ | ☐ | ◉ | on | ☑"'
    assert filled == '"value=3 | value=(empty) | value=two words | value=High"'


def test_the_box_that_selects_all_rows_is_not_called_like_the_column_beside_it(agent):
    """It was “Unread”, and the boxes of the rows had numbers of the program for names."""
    agent.load_html(
        """<table><thead><tr><th><input type=checkbox><th>Unread<th>Message<tbody>
        <tr><td><input type=checkbox name=tree-selection-ui-id-145>
        <td><input type=checkbox checked disabled><td>Hello</table>"""
    )
    boxes = [e.name for e in agent.observation.elements if e.role == "checkbox"]
    assert boxes == ["", "", "Unread"]


def test_a_row_never_says_a_password(agent):
    (row,) = shown_rows(agent, "<tr><td>Key<td><input type=password value=swordfish></tr>")
    assert "swordfish" not in row
    assert "swordfish" not in repr(agent.observation)


def test_a_row_says_the_tooltips_and_the_pictures_in_it(agent):
    (row,) = shown_rows(
        agent,
        """<tr><td><abbr title="Annabel Lee-Smith">Ann Lee</abbr><td title=Open>Open
        <td><img alt=passed width=9 height=9 src="data:,"> lint</tr>""",
    )
    assert row == '"Ann Lee (title: Annabel Lee-Smith) | Open | passed lint"'
    element = agent.observation.elements[1]
    assert element.name == "Ann Lee | Open | passed lint"
    observed = Observed()
    observed.add_observation(agent.observation, 1)
    assert observed.with_words(["annabel", "lee", "smith"])


def test_a_long_cell_is_cut_and_says_its_length_but_keeps_its_numbers(agent):
    text = "word " * 300
    (row,) = shown_rows(agent, f"<tr><td>A<td>{text}<a href=/x>more</a><td>Z</tr>")
    number = agent.index("more")
    assert re.search(rf"word \[{number}\] … \(1,50\d characters\) \| Z", row)
    assert len(row) < 300


def test_identical_rows_are_one_line(agent):
    rows = "<tr><td>2026<td>–</tr>" * 31
    plain = shown_rows(agent, f"{rows}<tr><td>2025<td>–</tr>{'<tr><td>2026<td>–</tr>' * 2}")
    assert plain == ['"2026 | –" (×31)', '"2025 | –"', '"2026 | –" (×2)']
    seen = agent.observation.all_elements
    assert sum(e.role == "row" for e in seen) == 34, "for evidence each row counts"
    with_buttons = shown_rows(agent, "<tr><td>2026<td><button>Edit</button></tr>" * 3)
    assert len(with_buttons) == 3


def test_of_equal_links_in_a_row_one_is_listed(agent):
    cells = "<td><a href=/1>Fix</a>" * 10
    rows = f"<tr>{cells}<td><a href=/2>Fix</a></tr><tr><td><a href=/1>Fix</a><td>x</tr>"
    agent.load_html(f"<table>{rows}</table>")
    links = [e for e in agent.observation.elements if e.role == "link"]
    assert [e.url[-2:] for e in links if e.url] == ["/1", "/2", "/1"]


def test_a_row_that_only_arranges_the_page_hides_nothing(agent):
    agent.load_html(
        """<table><tr><td><h2>Members</h2><p>Since May</p><p>Open</p>
        <table><tr><td>Ann<td>Lead</tr><tr><td>Bob<td>Ops</tr></table></table>"""
    )
    listed = [(e.role, e.name) for e in agent.observation.elements]
    assert listed == [
        ("heading", "Members"), ("text", "Since May"), ("text", "Open"),
        ("row", "Ann | Lead"), ("row", "Bob | Ops"),
    ]  # fmt: skip


def test_the_rows_of_a_grid_may_keep_their_cells_in_groups(agent):
    (row,) = row_lines(
        agent,
        """<div role=grid><div role=row aria-label="Row 1"><div><div role=gridcell>A</div></div>
        <div><div role=gridcell>B</div><div role=gridcell style="display:none">C</div></div>
        </div></div>""",
    )
    assert row.endswith('[row] "A | B" (label="Row 1")')


def test_a_cell_over_several_columns_keeps_what_follows_below_its_header(agent):
    rows = shown_rows(
        agent,
        """<tr><th>Key<th>Opened<th>Due<th>Closed</tr>
        <tr><td>TCK-9<td colspan=2>5 January (no due date)<td>1 February</tr>
        <tr><td colspan=4>Older tickets</tr>""",
    )
    assert rows[1] == '"TCK-9 | 5 January (no due date) | ← | 1 February"'
    assert rows[2] == '"Older tickets"'


def test_a_cell_over_several_rows_is_repeated_in_those_below_it(agent):
    rows = shown_rows(
        agent,
        """<tr><th>Team<th>Name<th>Role<th>Site</tr>
        <tr><td rowspan=3>Treasury<td>Ann<td>Lead<td rowspan=2>Oslo</tr>
        <tr><td>Bob<td>Clerk</tr>
        <tr><td colspan=2>(vacant)<td><a href=/apply>Apply</a></tr>
        <tr><td>Legal<td>Cy<td>Counsel<td>Bern</tr>""",
    )
    assert rows[1:3] == ['"Treasury | Ann | Lead | Oslo"', '"↑ Treasury | Bob | Clerk | ↑ Oslo"']
    assert re.fullmatch(r'"↑ Treasury \| \(vacant\) \| ← \| \[\d\] Apply"', rows[3])
    assert rows[4] == '"Legal | Cy | Counsel | Bern"'


def test_a_cell_spans_no_rows_of_the_next_group_and_few_words_of_it_are_repeated(agent):
    long = "A cell of which only the first forty characters are repeated in the rows below"
    rows = shown_rows(
        agent,
        f"""<tbody><tr><td rowspan=0>{long}<td>1</tr><tr><td>2</tr></tbody>
        <tbody><tr><td>B<td rowspan=9 colspan=2>3</tr></tbody><tbody><tr><td>C<td>4</tr></tbody>""",
    )
    assert rows[0] == f'"{long} | 1"'
    assert rows[1] == '"↑ A cell of which only the first forty ch… | 2"'
    assert rows[3] == '"C | 4"'


def test_of_very_many_columns_a_row_names_those_that_it_has_something_in(agent):
    def table(columns: int, *rows: str, first: str = "<th>Pick") -> list[str]:
        heads = first + "".join(f"<th>H{n}" for n in range(1, columns))
        return shown_rows(agent, f"<tr>{heads}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}")

    row = f"<td><input type=checkbox><td>Eth12<td>Active{'<td>—' * 8}<td>0<td>"
    line = table(13, row, first="<th>")[1]
    number = next(e.index for e in agent.observation.elements if e.role == "checkbox")
    assert line == f'"[{number}] ☐ | H1: Eth12 | H2: Active | H11: 0 | (9 empty)"'
    name = next(e.name for e in agent.observation.elements if "Eth12" in e.name)
    assert name == f"| Eth12 | Active |{' — |' * 8} 0 |", "the evidence has the cells as they are"
    assert table(13, "<td>A" * 13)[1].startswith('"Pick: A | H1: A | H2: A')
    assert table(13, f"<td>{'long ' * 20}" * 13)[1].startswith('"long '), "the prompt would cut it"
    assert table(12, "<td>A<td>—" * 6)[1].startswith('"A | — | A')
    spanned = table(13, f"<td colspan=2>A{'<td>—' * 11}")[1]
    assert spanned.startswith('"A | ← | — |')
