"""Pages that nobody wrote for this project's reader, in the styles that real ones have."""

from __future__ import annotations

import time
from typing import Any

import pytest
from label_reading import labels

from pytest_bwa.perception.labelled_values import MAX_VALUES, read_labelled
from pytest_bwa.policy.rules.fields import read
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Observation

PAGES: dict[str, tuple[str, dict[str, str], dict[str, Any]]] = {
    "a card of a directory": (
        """<div class="card"><img src="data:," alt="Photo"><h5>Jane Doe</h5>
        <ul class="list-group"><li><strong>Department:</strong> Legal</li>
        <li><strong>Office:</strong> Room 12</li><li><b>Employee ID:</b> 00417</li></ul></div>""",
        {"department": "string", "office": "string", "employee_id": "string"},
        {"department": "Legal", "office": "Room 12", "employee_id": "00417"},
    ),
    "a record as a table": (
        """<table><tbody><tr><th scope=row>Hire date</th><td>12 March 2019</td></tr>
        <tr><th scope=row>Status</th><td>Active</td></tr><tr><td>Grade</td><td>7</td></tr>
        </tbody></table><table><thead><tr><th>Year</th><th>Status</th></tr></thead>
        <tbody><tr><td>2020</td><td>Leave</td></tr><tr><td>2021</td><td>Sick</td></tr></table>""",
        {"hire_date": "date", "status": "string", "grade": "number"},
        {"hire_date": "2019-03-12", "status": "Active", "grade": 7},
    ),
    "a product": (
        """<h1>Kettle</h1><section><div class=row><div class=col>Price</div><div class=col>$49.90
        </div></div><div class=row><span>In stock</span><span>Yes</span></div></section>
        <p>SKU: KT-9</p>""",
        {"price": "number", "in_stock": "boolean", "sku": "string"},
        {"price": 49.9, "in_stock": True, "sku": "KT-9"},
    ),
    "a profile with counts": (
        """<h1>torvalds</h1><a href=/f><span>231k</span> followers</a>
        <div aria-label="Home location">Portland</div><p>Member since <time
        datetime="2011-09-03T15:26:22Z">15 years ago</time></p>
        <dl><dt>Joined</dt><dd><time datetime="2011-09-03T15:26:22Z">long ago</time></dd></dl>""",
        {"followers": "number", "home_location": "string", "joined": "date"},
        {"followers": 231000, "home_location": "Portland", "joined": "2011-09-03"},
    ),
    "a form that is filled": (
        """<form><label for=a>Cost centre</label><input id=a value="ENG-40">
        <label>Approved <input type=checkbox checked></label>
        <label>Secret <input type=password value=hunter2></label>
        <fieldset><legend>Priority</legend><label><input type=radio name=p> Low</label>
        <label><input type=radio name=p checked> High</label></fieldset></form>""",
        {"cost_centre": "string", "approved": "boolean", "priority": "string", "secret": "string"},
        {"cost_centre": "ENG-40", "approved": True, "priority": "High"},
    ),
    "totals below an invoice's entries": (
        """<table><thead><tr><th>Product<th>Units<th>Amount</tr></thead><tbody>
        <tr><td>Logo<td>1<td>1.800,00</tr><tr><td>Shop<td>1<td>20.000,00</tr>
        <tr><td colspan=2>Subtotal<td>21.800,00</tr>
        <tr><td><td>VAT rate<td>20%</tr></tbody>
        <tfoot><tr><td colspan=2>Total due<td>€26.160,00</tr></tfoot></table>""",
        {"subtotal": "number", "vat_rate": "string", "total_due": "number"},
        {"subtotal": 21800, "total_due": 26160},
    ),
    "a summary with what can be done with each value": (
        """<dl><div><dt>Name<dd>Ann Lee<dd><ul><li><a href=/e>Edit name</a><li><a href=/d>Delete
        <span>name</span></a></ul></div><div><dt>Born<dd>13/08/1980<dd><a href=/c>Change</a></div>
        <div><dt>Authors<dd><a href=/a>Ann</a><dd><a href=/b>Bo</a></div></dl>""",
        {"name": "string", "born": "date", "authors": "array"},
        {"name": "Ann Lee", "born": "1980-08-13", "authors": ["Ann", "Bo"]},
    ),
    "settings with each label above its field": (
        """<div class=row><div class=col><div class=form-label>Business name</div><input
        value="Tabler" placeholder="Plan"></div>
        <div class=col><div>Plan</div><select><option value=a>Free<option
        value=b selected>Pro</select></div></div>""",
        {"business_name": "string", "plan": "string"},
        {"business_name": "Tabler", "plan": "Pro"},
    ),
    "labels over their values, in one element or as bold lines between rules": (
        """<p class=s>Client Company<b style="display:block">Deveint Inc</b></p>
        <p class=s>Project Leader <b style="display:block">Tony Chicken</b></p>
        <div><small style="display:block">Opened</small>2026-11-03</div>
        <div><strong><i></i> Location</strong><p>Malibu, California</p><hr>
        <strong>Skills</strong><p><span>Coding</span> <span>PHP</span></p><hr></div>
        <p>Please <b>sign</b> here</p>""",
        {
            "client_company": "string",
            "project_leader": "string",
            "opened": "date",
            "location": "string",
            "skills": "string",
        },
        {
            "client_company": "Deveint Inc",
            "project_leader": "Tony Chicken",
            "opened": "2026-11-03",
            "location": "Malibu, California",
            "skills": "Coding PHP",
        },
    ),
    "a panel of labelled values is no value, a name in pieces is": (
        """<div><div>Customer</div><div><div><span>JD</span><span>John Doe</span></div>
        <div><span>Email</span><span>john@example.com</span></div>
        <div><span>Phone</span><span>+1 555 010</span></div></div></div>
        <div><span>Owner</span><div><span>Ann</span> <span>Lee</span></div></div>
        <div><span>Payer</span><div><i>RJ</i> <b>Robert Jones</b></div></div>
        <div><span>Grade</span><div>A Approved</div></div>
        <div><div>Workspace</div><h1>Settings</h1></div>
        <div><span>Subject</span><div><p>fix: login loops</p></div></div>""",
        {
            "customer": "string",
            "email": "string",
            "phone": "string",
            "owner": "string",
            "payer": "string",
            "grade": "string",
            "workspace": "string",
            "subject": "string",
        },
        {
            "email": "john@example.com",
            "phone": "+1 555 010",
            "owner": "Ann Lee",
            "payer": "Robert Jones",
            "grade": "A Approved",
            "subject": "fix: login loops",
        },
    ),
    "labels and values in turn, below each other, and after a cell with the colon": (
        """<div><i class=k>Status</i><i class=v>Active</i><i class=k>Owner</i><b>Ann Lee</b></div>
        <p><small>Risk rating</small><br>High</p>
        <table><tr><td>Country<td>:<td>Latvia<tr><td>VAT no<td>:<td>LV-40</table>
        <label for=o>Sum</label> <output id=o>42</output>
        <div><b>City</b><b>Town</b><b>Riga</b><b>Old Town</b></div>""",
        {
            "status": "string",
            "owner": "string",
            "risk_rating": "string",
            "country": "string",
            "vat_no": "string",
            "sum": "number",
            "city": "string",
        },
        {
            "status": "Active",
            "owner": "Ann Lee",
            "risk_rating": "High",
            "country": "Latvia",
            "vat_no": "LV-40",
            "sum": 42,
        },
    ),
    "choices are a value only where one says that it is chosen": (
        """<div><div>License</div><div><button>Single</button><button>Team</button></div></div>
        <div><div>Support</div><div><button aria-pressed=false>6 months</button>
        <button aria-pressed=true>Lifetime</button></div></div>
        <div><div>City</div><div>Riga, LV <button>Edit</button><button>Map</button></div></div>
        <div><div>Priority</div><div><button>High</button></div></div>""",
        {"license": "string", "support": "string", "city": "string", "priority": "string"},
        {"support": "Lifetime", "city": "Riga, LV", "priority": "High"},
    ),
    "what is hidden is not there": (
        """<div hidden><dl><dt>Owner</dt><dd>Ghost</dd></dl></div>
        <dl style="display:none"><dt>Owner</dt><dd>Ghost</dd></dl>
        <dl><dt>Owner</dt><dd>Ann</dd></dl>""",
        {"owner": "string"},
        {"owner": "Ann"},
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_unseen_pages_are_read(page, name):
    html, fields, expected = PAGES[name]
    page.set_content(html)
    labelled = read_labelled(page)
    assert "hunter2" not in repr(labelled)
    task = TaskSpec(task_id="t", goal="g", output_schema=fields)
    found = read(task, Sample("s", {}), Observation(url="", title="", labelled=labelled))
    assert found.values == expected, [(v.kind, v.label, v.value) for v in labelled]


def test_lines_of_one_block_have_their_own_links_and_times(page):
    page.set_content("""<base href="https://x.org/"><p>Owner: <a href=/bob>Bob</a><br>Site: <a
      href=/site>here</a> | Due: <time datetime=2026-11-03>Tuesday</time></p>""")
    found = {v.label: v for v in read_labelled(page) if v.kind == "text"}
    assert (found["Owner"].value, found["Owner"].url) == ("Bob", "https://x.org/bob")
    assert (found["Site"].value, found["Site"].url) == ("here", "https://x.org/site")
    assert (found["Due"].datetime, found["Due"].url) == ("2026-11-03", None)


def test_where_one_value_ends_and_the_next_label_begins_is_not_guessed(page):
    found = labels(page, "<p>Lead: Max Reviewer: Tim</p><p>Title: plain: words</p>")
    assert found == {("text", "Title"): "plain: words"}


def test_words_in_a_sentence_are_no_pairs(page):
    assert labels(page, "<div>some <b>bold</b> and <i>slanted</i> words</div>") == {}


def test_bold_labels_headings_and_counts(page):
    found = labels(
        page,
        """<p><strong>Email</strong> a@b.c <strong>Phone</strong> 12</p>
        <section><h3>Due date</h3><p>Dec 1</p><h3>Tags</h3><ul><li>red</li></ul></section>
        <div><strong>231k</strong><span>followers</span></div>""",
    )
    assert found[("text", "Email")] == "a@b.c"
    assert found[("text", "Phone")] == "12"
    assert found[("pair", "Due date")] == "Dec 1"
    assert found[("pair", "Tags")] == "red"
    assert found[("count", "followers")] == "231k"


def test_what_is_muted_or_folded_away_is_not_read(page):
    found = labels(
        page,
        """<div><i aria-hidden=true>person</i><span>Manager</span><span><i
        aria-hidden=true>face</i> Kim</span></div><details><summary>More</summary><p>Owner: Ghost
        </p></details><p style="visibility:hidden">Owner: Ghost</p>""",
    )
    assert found == {("pair", "Manager"): "Kim"}


def test_words_for_screen_readers_are_a_value_only_where_nothing_else_is(page):
    found = labels(
        page,
        """<style>.sr-only {position: absolute; width: 1px; height: 1px; overflow: hidden}</style>
        <table><tr><th>Progress<th>Check</tr><tr><td>30% <span class=sr-only>30% complete</span>
        <td><svg aria-hidden=true></svg><span class=sr-only>Passed</span></tr></table>""",
    )
    assert found[("table", "Progress")] == "30%"
    assert found[("table", "Check")] == "Passed"


def test_what_people_write_is_told_from_what_the_page_labels(page):
    found = labels(
        page,
        """<p>It broke after the update of last week, says a customer.</p><p>Owner: Kim</p>
        <div class="description"><p>It is so since then.</p><ul><li>Status: unclear</li></ul></div>
        <div class="comment-body"><p>Priority: high</p></div>
        <div class="ant-descriptions"><p>Team: Core</p></div>""",
    )
    assert found[("text", "Owner")] == "Kim"
    assert found[("prose", "Status")] == "unclear"
    assert found[("prose", "Priority")] == "high"
    assert found[("text", "Team")] == "Core", "so a widget is called"


def test_a_page_that_is_xml_is_read_as_well(page):
    page.goto(
        "data:application/xhtml+xml,<html xmlns='http://www.w3.org/1999/xhtml'><body>"
        "<table><tr><th>Owner</th><td>Ann</td></tr></table><dl><dt>Due</dt><dd>soon</dd></dl>"
        "<p>Team: Core<br/>Room: 7</p></body></html>"
    )
    found = {v.label: (v.kind, v.value) for v in read_labelled(page)}
    assert found["Owner"] == ("definition", "Ann")
    assert found["Due"] == ("definition", "soon")
    assert found["Team"] == ("text", "Core")
    assert found["Room"] == ("text", "7")


def test_fields_called_like_what_every_element_has_and_comments_hide_nothing(page):
    """A booking form has "children"; its field then stands in place of form.children."""
    found = labels(
        page,
        """<form><!-- guests --><label>Adults <input name=adults value=2></label>
        <label>Children <input name=children value=1></label><input name=title><input name=hidden>
        <p>Room: <!-- as booked --> 7</p></form>""",
    )
    assert found[("input", "Adults")] == "2"
    assert found[("input", "Children")] == "1"
    assert found[("text", "Room")] == "7"


def test_open_shadow_roots_and_visible_frames_are_read_whatever_is_below_the_fold(page):
    page.set_content("""<div style="height:4000px"></div><x-card></x-card>
      <iframe srcdoc="<p>Team: Core</p>"></iframe>
      <iframe style="display:none" srcdoc="<p>Ghost: yes</p>"></iframe>
      <script>document.querySelector("x-card").attachShadow({mode: "open"}).innerHTML =
      "<dl><dt>Owner</dt><dd>Ann</dd></dl>"</script>""")
    page.frame_locator("iframe >> nth=0").locator("p").wait_for()
    found = {(v.label, v.value, v.in_viewport) for v in read_labelled(page)}
    assert ("Owner", "Ann", False) in found
    assert any(v[:2] == ("Team", "Core") for v in found)
    assert not any(v[0] == "Ghost" for v in found)


def test_sizes_are_capped_and_a_large_page_is_read_quickly(page):
    cells = "".join(f"<td>{n}</td>" for n in range(9))
    rows = f"<tr>{cells}</tr>" * 600
    head = "<tr>" + "".join(f"<th>c{n}</th>" for n in range(9)) + "</tr>"
    page.set_content(f"<p>Long: {'x' * 5000}</p><table><thead>{head}</thead>{rows}</table>")
    found = read_labelled(page)
    assert len(found) == MAX_VALUES
    assert max(len(v.value) for v in found) == 1000
    took = []
    for _ in range(5):
        begun = time.perf_counter()
        read_labelled(page)
        took.append(time.perf_counter() - begun)
    assert min(took) < 1.0  # about 0.12 s on two quiet cores
