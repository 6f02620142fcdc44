"""04/05/2026 is one of two days, and 1.250 one of two numbers, unless something tells which."""

from __future__ import annotations

from typing import Any

import pytest
from grounded_sample import Sample, page

from pytest_bwa.steps import Box, LabelledValue

MAY, APRIL = "2026-05-04", "2026-04-05"


def other(sample: Sample, value: Any) -> str | None:
    assert sample.how(field=value).startswith(("normalised", "verbatim"))
    return sample.against(field=value).get("two_readings")


# -- days ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["", "en", "tlh", "ja"])
@pytest.mark.parametrize(("due", "expected"), [(MAY, APRIL), (APRIL, MAY)])
def test_either_day_is_named_with_the_other(due, expected, language):
    shown = page("Due: 04/05/2026", language=language)
    assert other(Sample(shown), due) == expected
    assert other(Sample(shown, sources={"field": 0}), due) == expected


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("Due: 04/04/2026", "2026-04-04"),
        ("Due: 25/05/2026", "2026-05-25"),
        ("Due: 4 May 2026", MAY),
        ("Due: Mon 04/05/2026", MAY),
        ("Due: 2026/05/04", MAY),
    ],
)
def test_a_date_with_one_reading_is_certain(text, due):
    assert other(Sample(page(text, language="en")), due) is None


def test_the_language_and_the_locale_of_the_spec_tell_the_order():
    assert other(Sample(page("Due: 04/05/2026", language="en-GB")), MAY) is None
    assert other(Sample(page("Due: 04/05/2026", language="en-US")), APRIL) is None
    assert other(Sample(page("Due: 04/05/2026", language="en"), locale="de"), MAY) is None


def test_another_date_of_the_site_tells_the_order():
    british = page("Due: 04/05/2026", "Opened: 25/04/2026", language="en")
    assert other(Sample(british), MAY) is None
    assert other(Sample(british), APRIL) == MAY
    template = page("Due: 04/05/2026", "Opened: 25/04/2026", language="en-US")
    assert other(Sample(template), APRIL) == MAY
    mixed = page("Due: 04/05/2026", "25/04/2026", "04/25/2026", language="en")
    assert other(Sample(mixed), MAY) == APRIL


def test_a_page_of_the_same_site_counts_and_one_of_another_does_not():
    due = page("Due: 04/05/2026", language="en")
    list_of_site = page("Opened: 25/04/2026", url="https://site.test/list")
    elsewhere = page("Opened: 25/04/2026", url="https://other.test/list")
    assert other(Sample(list_of_site, due), MAY) is None
    assert other(Sample(elsewhere, due), MAY) == APRIL


def test_a_place_that_tells_the_day_is_enough_where_none_was_cited():
    both = page("Due: 04/05/2026", "Due: 4 May 2026", language="en")
    assert other(Sample(both), MAY) is None
    assert other(Sample(both, sources={"field": 1}), MAY) is None


@pytest.mark.parametrize("more", [{"datetime": MAY}, {"language": "en-GB"}])
def test_the_markup_of_the_value_tells_the_day(more):
    entry = LabelledValue("Due", "04/05/2026", "definition", box=Box(0, 0, 9, 9), **more)
    marked = page("Due | 04/05/2026", language="en", labelled=(entry,))
    assert other(Sample(marked, sources={"field": 0}), MAY) is None


def test_versions_and_addresses_of_networks_tell_no_order():
    noise = page("Due: 04/05/2026", "v25.4.2026.1", "10.25.1.20", "1/25/4/2026", language="en")
    assert other(Sample(noise), MAY) == APRIL


# -- numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "expected"), [(1.25, "1250"), (1250, "1.25")])
def test_either_number_is_named_with_the_other(value, expected):
    assert other(Sample(page("Amount: 1.250")), value) == expected
    assert other(Sample(page("Amount: 1.250"), sources={"field": 0}), value) == expected


@pytest.mark.parametrize(
    ("texts", "value", "more"),
    [
        (["Amount: 1.250"], 1250, {"language": "de"}),
        (["Amount: 1,250"], 1250, {"language": "en"}),
        (["Amount: 1.250", "Total: 14.310,75"], 1250, {}),
        (["Amount: 1.250,00"], 1250, {}),
        (["Amount: 12.5"], 12.5, {}),
        (["Amount: € 1,250"], 1250, {}),
        (["Amount (3)"], 3, {}),
        (["Amount: (1,250.00)"], -1250, {}),
    ],
)
def test_a_number_is_certain(texts, value, more):
    assert other(Sample(page(*texts, **more)), value) is None


def test_the_locale_of_the_spec_tells_which_it_is():
    assert other(Sample(page("Amount: 1.250"), locale="de"), 1250) is None


@pytest.mark.parametrize("text", ["310.40 DR", "310.40 Cr.", "310.40-"])
def test_a_sign_behind_a_number_may_be_either(text):
    sample = Sample(page(f"Amount: {text}", language="en-GB"))
    assert other(sample, 310.4) == "-310.4"
    assert other(sample, -310.4) == "310.4"
