"""Doubts about fields in which something else stands than the page itself wrote."""

from __future__ import annotations

import pytest
from label_reading import one

LIST = "<select aria-label=Due><option value=1>Low<option value=2 selected>High</select>"


@pytest.mark.parametrize(
    ("field", "change", "is_unsaved"),
    [
        ("<input aria-label=Due value=High>", "value = 'Critical'", True),
        ("<input aria-label=Due value=High>", "value = ' high '", False),
        ("<input aria-label=Due>", "value = 'Critical'", False),
        ("<textarea aria-label=Due>Old text</textarea>", "value = 'A new draft'", True),
        ("<input aria-label=Due value='1250'>", "value = '€ 1,250.00'", False),
        ("<input aria-label=Due value='1250'>", "value = '1400'", True),
        ("<input aria-label=Due type=date value=2025-07-01>", "value = '2025-07-10'", True),
        (LIST, "value = '1'", True),
        (LIST, "value = '2'", False),
        ("<label><input type=checkbox checked>Due</label>", "checked = false", True),
        ("<label><input type=checkbox>Due</label>", "checked = true", False),
    ],
)
def test_a_field_that_a_script_changed_may_not_be_saved(page, field, change, is_unsaved):
    script = f"<script>document.querySelector('input, select, textarea').{change}</script>"
    doubt = one(page, f"<form method=post>{field}</form>{script}", "Due").doubt or ""
    assert doubt == ("changed_field" if is_unsaved else "")


@pytest.mark.parametrize(
    ("options", "change", "doubt"),
    [
        ("<option>Low<option>High", "", ""),
        ("<option selected>Low<option>High", "", ""),
        ("<option>Low<option>High", "selectedIndex = 1", ""),
        ("<option>Low", "", ""),
    ],
)
def test_the_first_of_a_list_may_not_have_been_chosen(page, options, change, doubt):
    script = f"<script>document.querySelector('select').{change}</script>" if change else ""
    html = f"<form method=post><select aria-label=Due>{options}</select></form>{script}"
    assert (one(page, html, "Due").doubt or "") == doubt
