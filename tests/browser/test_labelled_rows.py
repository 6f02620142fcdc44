"""Rows of tables and cards of lists: whose a value is, and what a cell holds."""

from __future__ import annotations

import pytest
from label_reading import labels

from pytest_bwa.perception.labelled_values import read_labelled
from pytest_bwa.policy.rules.fields import read
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Observation

CARD = """<li><div style="display:flex;flex-direction:column"><h6>{0}</h6><span>Company: <span>{1}
</span></span><span>VAT number: <span>{2}</span></span></div><a href=/{2}>Details</a></li>"""


@pytest.mark.parametrize(
    ("cards", "columns", "company"),
    [
        ([("Ann Lee", "Fiber", "V1"), ("Bo Ray", "Stone", "V2")], {"name": "Bo Ray"}, "Stone"),
        ([("Ann Lee", "Fiber", "V1"), ("Bo Ray", "Stone", "V2")], {"name": "Cy"}, None),
        ([("Ann Lee", "Fiber", "V1"), ("Bo Ray", "Stone", "V2")], {}, None),
        ([("Wide", "Fiber", "V1"), ("Narrow", "Fiber", "V1")], {"name": "Ann Lee"}, "Fiber"),
    ],
)
def test_of_cards_with_the_same_labels_the_samples_own_is_read(page, cards, columns, company):
    page.set_content(f"<ul>{''.join(CARD.format(*card) for card in cards)}</ul>")
    task = TaskSpec(task_id="t", goal="g", output_schema={"company": "string"})
    seen = Observation(url="", title="", labelled=read_labelled(page))
    assert read(task, Sample("s", columns), seen).values.get("company") == company


def test_blocks_with_labels_of_their_own_are_no_entries(page):
    page.set_content("""<ul><li><b>Team:</b> Core</li><li><b>Office:</b> Room 12</li></ul>
      <section><p>Went to: Ljubljana</p><p>Email: a@b.c</p></section>
      <section><p>From: Slovenia</p><p>Email: news@b.c</p></section>""")
    assert {v.row for v in read_labelled(page)} == {None}


def test_spans_do_not_shift_a_value_under_the_wrong_header(page):
    page.set_content("""<table><thead><tr><th rowspan=2>Name</th><th colspan=2>Work</th></tr>
      <tr><th>Dept</th><th>Grade</th></tr></thead><tbody>
      <tr><td rowspan=2>Ada</td><td>Finance</td><td>7</td></tr>
      <tr><td>Sales</td><td>8</td></tr><tr><td>Ben</td><td colspan=2>on leave</td></tr></table>""")
    found = [(v.label, v.value, v.row) for v in read_labelled(page) if v.kind == "table"]
    assert found == [
        ("Name", "Ada", "Ada | Finance | 7"),
        ("Dept", "Finance", "Ada | Finance | 7"),
        ("Grade", "7", "Ada | Finance | 7"),
        ("Name", "Ada", "Ada | Sales | 8"),
        ("Dept", "Sales", "Ada | Sales | 8"),
        ("Grade", "8", "Ada | Sales | 8"),
        ("Name", "Ben", "Ben | on leave"),
    ]


def test_headers_that_are_repeated_below_are_no_values(page):
    found = labels(
        page,
        """<table><thead><tr><th>Name<th>Office</thead><tbody><tr><td colspan=2>No records found
        </tbody><tfoot><tr><th>Name<th>Office</tfoot></table>""",
    )
    assert found == {}


def test_a_hidden_column_keeps_its_place_and_its_secret(page):
    found = labels(
        page,
        """<table><tr><th>Name</th><th style="display:none">Rate</th><th>Team</th></tr>
        <tr><td>Ada</td><td style="display:none">999</td><td>Core</td></tr></table>""",
    )
    assert found[("table", "Team")] == "Core"
    assert "999" not in found.values()


def test_tables_made_of_roles_are_tables(page):
    found = labels(
        page,
        """<div role=grid><div role=row><span role=columnheader>Key</span><span
        role=columnheader>State</span></div><div role=row><span role=cell>A-1</span><span
        role=cell><svg role=img aria-label=Passed></svg></span></div></div>""",
    )
    assert found == {("table", "Key"): "A-1", ("table", "State"): "Passed"}


def test_an_empty_cell_is_told_unless_a_style_a_picture_or_a_field_may_say_it(page):
    page.set_content("""<style>.lamp::before {content: "●"} .red {background-image:
      url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)}</style>
      <table><tr><th>Owner<td> <th>Light<td class=lamp></tr>
      <tr><th>Flag<td class=red><th>Check<td><svg></svg></tr>
      <tr><th>PIN<td><input type=password value=x><th>Team<td>Core</tr></table>
      <dl><dt>Due</dt><dd></dd></dl>
      <table><tr><th>Name<th>Boss</tr><tr><td>Ann<td></tr><tr><td>Bob<td>Cid</tr></table>""")
    found = read_labelled(page)
    assert {v.label for v in found if not v.value} == {"Owner", "Due", "Boss"}
    assert [v.row for v in found if v.label == "Boss"] == ["Ann |", "Bob | Cid"]


def test_what_can_be_done_with_a_value_may_stand_behind_it(page):
    found = labels(
        page,
        """<table><tr><td>tree<td><a href=/t>f89390</a><td><a href=/t>tree</a> | <a href=/s>zip</a>
        </tr><tr><td>author<td>Dev 5<td rowspan=2></tr></table><p>log (parent: 8c0ae42)</p>""",
    )
    assert found[("definition", "tree")] == "f89390"
    assert found[("definition", "author")] == "Dev 5"
    assert found[("text", "log (parent")] == "8c0ae42"


def test_a_link_in_a_row_is_of_that_entry(page):
    page.set_content("""<table><tr><th><th>Name<th>Team</tr>
      <tr><td><a href="https://x/1" title="View"></a><td>Ann<td>Sales</tr>
      <tr><td><a href="https://x/2" title="View"></a><td>Bob<td>Legal</tr></table>
      <a href="https://x/">Home</a>""")
    rows = {v.url: v.row for v in read_labelled(page) if v.kind == "link"}
    assert "Bob | Legal" in rows["https://x/2"]
    assert rows["https://x/"] is None


def test_a_field_in_a_cell_is_its_value_but_a_password_never(page):
    page.set_content("""<table><tr><td>Nick</td><td><input value=neo></td></tr>
      <tr><td>Password</td><td><input type=password value=hunter2></td></tr></table>
      <div><span>Key</span><input type=password value=hunter2></div>
      <dl><dt>PIN</dt><dd><input type=password value=hunter2></dd></dl>""")
    found = read_labelled(page)
    assert [(v.label, v.value) for v in found] == [("Nick", "neo")]


def test_a_table_of_names_and_values_labels_each_of_them(page):
    found = labels(
        page,
        """<table><tr><th>Parameter<th>Value<th>Source</tr><tr><td>depth<td>7<td>cli</tr>
        <tr><td>booster<td>dart<td>cli</tr></table>
        <div><span>reviewed_by</span><span>: kim</span></div>""",
    )
    assert found[("definition", "depth")] == "7"
    assert found[("definition", "booster")] == "dart"
    assert found[("pair", "reviewed_by")] == "kim"
