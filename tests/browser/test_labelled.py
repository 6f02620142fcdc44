"""Pages that nobody wrote for this project's reader, in the styles that real ones have."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_bwa.perception.labelled import read_labelled
from pytest_bwa.policy.reading import read
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
