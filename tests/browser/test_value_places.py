"""Where a value stands is written down, and read again on a later state of the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from grounded_sample import NoPictures

from pytest_bwa.evidence.grounding import plain_values
from pytest_bwa.facts.identity import PlaceNotFound
from pytest_bwa.facts.place import PageFacts, ValuePlace, locate, rows_like
from pytest_bwa.proof.grounding import Grounder
from pytest_bwa.proof.observed import Observed
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.step import Observation

RECORD = """<title>Ann Lee</title><main><h1>Ann Lee</h1>
<dl><dt>Department</dt><dd>Finance</dd><dt>Started</dt><dd>3 Nov 2025</dd></dl>
<p>Comments (3), last one today</p>
<label>City <input value=Oslo></label> <label><input type=checkbox checked> Active</label>
<a href="https://ann.test/">Website</a> <a href="https://x.test/">Help</a>
<h2>Manager</h2><dl><dt>Department</dt><dd>Board</dd></dl>
<h2>Checks</h2><table><tr><th>Name<th>Status<tr><td>lint<td>passed<tr><td>unit<td>failed</table>
</main><aside><h2>Ads</h2><dl><dt>Department</dt><dd>Sales</dd></dl></aside>"""
VALUES = {
    "department": "Finance",
    "started": "2025-11-03",
    "comments": 3,
    "city": "Oslo",
    "active": True,
    "website": "https://ann.test/",
    "name": "Ann Lee",
    "lint": "passed",
    "boss_department": "Board",
}


@pytest.fixture
def load(agent_with: Callable[..., Any]) -> Callable[[str], Observation]:
    return agent_with().load_html


LINES = {
    "department": ("Finance",),
    "started": ("3 Nov 2025",),
    "comments": ("Comments (3)",),
    "city": ("City",),
    "active": ("Active",),
    "website": ("Website",),
    "name": ("Ann Lee",),
    "lint": ("lint", "passed"),
    "boss_department": ("Board",),
}
"""What the cited line of each value has."""


def cited(page: Observation, texts: tuple[str, ...]) -> int:
    lines = {e.index: e.line() for e in page.elements}
    return next(n for n, line in lines.items() if all(text in line for text in texts))


def places(page: Observation) -> dict[str, ValuePlace]:
    observed = Observed(labels_prove=False)
    observed.add_observation(page, 1)
    grounder = Grounder(TaskSpec(task_id="t", goal="g"), observed, NoPictures())
    grounder.citations.add(VALUES, {name: cited(page, texts) for name, texts in LINES.items()})
    grounding = grounder.ground(VALUES, adds_places=True)
    return {
        path: record.place
        for path, _, record in plain_values(VALUES, grounding)
        if record.place is not None
    }


PLACES = {
    "department": ("definition", "Department", ("Ann Lee",), "Finance"),
    "started": ("definition", "Started", ("Ann Lee",), "3 Nov 2025"),
    "comments": ("text", "", ("Ann Lee",), "3"),
    "city": ("input", "City", ("Ann Lee",), "Oslo"),
    "active": ("checkbox", "Active", ("Ann Lee",), "checked=true"),
    "website": ("link", "Website", ("Ann Lee",), "https://ann.test/"),
    "name": ("heading", "h1", (), "Ann Lee"),
    "lint": ("table", "Status", ("Ann Lee", "Checks"), "passed"),
    "boss_department": ("definition", "Department", ("Ann Lee", "Manager"), "Board"),
}
"""Role, label, headings and text."""


def now(place: ValuePlace, page: Observation) -> str:
    """What stands at the place now, or why nothing does."""
    try:
        return locate(place.where, PageFacts(page), ["Ann Lee"]).text
    except PlaceNotFound as why:
        return f"not found: {why}"


def test_a_place_is_written_down_and_read_again(load):
    page = load(RECORD)
    found = places(page)
    described = {
        name: (p.identity.role, p.identity.name, p.identity.headings, p.text)
        for name, p in found.items()
    }
    assert described == PLACES
    assert found["lint"].peers == 2
    assert {name: now(place, page) for name, place in found.items()} == {
        name: text for name, (_, _, _, text) in PLACES.items()
    }
    changed = RECORD.replace("<dd>Finance", "<dd>Legal").replace("(3)", "(12)")
    changed = changed.replace(
        "<tr><td>lint<td>passed<tr><td>unit<td>failed",
        "<tr><td>unit<td>failed<tr><td>perf<td>passed<tr><td>lint<td>broken",
    )
    changed = changed.replace("3 Nov 2025", "").replace("Oslo", "Rome").replace(" checked", "")
    changed = changed.replace("<h2>Manager", "<h2>Assistant")
    page = load(changed)
    assert {name: now(place, page) for name, place in found.items()} == {
        "department": "Legal",
        "started": "not found: the definition “Started” in the row “Department” under "
        "“Ann Lee”: the page has no text there",
        "comments": "12",
        "city": "Rome",
        "active": "checked=false",
        "website": "https://ann.test/",
        "name": "Ann Lee",
        "lint": "broken",
        "boss_department": "not found: the definition “Department” in the row “Department” under "
        "“Manager” is not on the page; one of that name stands under “Ann Lee”",
    }
    assert len(rows_like(found["lint"].where, PageFacts(page))) == 3


DEPARTMENT = "<dt>Department</dt><dd>Finance</dd>"
COMMENTS = "<p>Comments (3), last one today</p>"
OTHER_PAGES = [
    ("department", DEPARTMENT, ""),
    ("department", DEPARTMENT, "<dt>Department</dt>"),
    ("department", DEPARTMENT, "<dt>Cost centre</dt><dd>Finance</dd>"),
    ("department", DEPARTMENT, f"{DEPARTMENT}<dt>Department</dt><dd>Legal</dd>"),
    ("department", "<h1>Ann Lee</h1>", "<h1>Bob Lee</h1>"),
    ("comments", COMMENTS, "<p>Reviews (3), last one today</p>"),
    ("comments", COMMENTS, f"{COMMENTS}<p>Comments (4), last one today</p>"),
    ("city", ">City <", ">Town <"),
    ("website", '<a href="https://ann.test/">Website</a>', ""),
    ("lint", "<tr><td>lint<td>passed", "<tr><td>perf<td>passed"),
    ("lint", "<th>Status", "<th>Last week"),
    ("lint", "<h2>Checks", "<h2>Checks of Bob"),
    ("name", "<h2>Manager", "<h1>Second</h1><h2>Manager"),
]
"""Changes of the page, after which the place of a value is gone, or no longer certain."""


def test_another_value_is_never_taken_for_it(load):
    found = places(load(RECORD))
    lies = {}
    for name, old, new in OTHER_PAGES:
        assert old in RECORD
        text = now(found[name], load(RECORD.replace(old, new)))
        if not text.startswith("not found: "):
            lies[name, new] = text
    assert lies == {}
