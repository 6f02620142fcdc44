"""04/05/2026 is one of two days, and 1.250 one of two numbers, unless something tells which."""

from __future__ import annotations

from typing import Any

import pytest
from grounded_sample import Sample, page

from pytest_bwa.steps.step import Box, LabelledValue

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


def test_other_samples_tell_how_a_field_is_written():
    for text, value, doubted in (("Due: 04/05/2026", MAY, APRIL), ("Fee: 1.250", 1250, "1.25")):
        sample = Sample(page(text))
        assert other(sample, value) == doubted
        sample.locales = {"fee": "de-DE"}
        assert other(sample, value) == doubted, "that is of another field"
        sample.locales = {"field": "de-DE"}
        assert other(sample, value) is None


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


# -- years of two digits ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "language", "born", "expected"),
    [
        ("04/03/68", "en-GB", "1968-03-04", "2068-03-04"),
        ("04/03/68", "en-GB", "2068-03-04", "1968-03-04"),
        ("04/03/68 09:15", "en-GB", "1968-03-04", "2068-03-04"),
        ("04.03.68", "de", "1968-03-04", "2068-03-04"),
        ("4. 3. 68", "cs", "1968-03-04", "2068-03-04"),
        ("17/Oct/52", "en", "1952-10-17", "2052-10-17"),
        ("3 May '68", "en", "1968-05-03", "2068-05-03"),
        ("68-03-04", "en", "1968-03-04", "2068-03-04"),
        ("04/03/68", "en", "1968-03-04", "1968-04-03 or 2068-03-04 or 2068-04-03"),
        ("04/03/68", "th", "2025-03-04", "1968-03-04 or 2068-03-04"),
    ],
)
def test_either_century_is_seen_and_named_with_the_other(text, language, born, expected):
    shown = page(f"Born: {text}", language=language)
    assert other(Sample(shown), born) == expected
    assert other(Sample(shown, sources={"field": 0}), born) == expected


def test_the_other_dates_of_the_site_tell_the_order_but_not_the_century():
    shown = page("Born: 04/03/68", "Joined: 21/06/1995", language="en")
    assert other(Sample(shown), "1968-03-04") == "2068-03-04"
    assert other(Sample(page("Born: Mon 04/03/68", language="en")), "1968-03-04") is None
    both = page("Born: 04/03/68", "Born: 4 March 1968", language="en-GB")
    assert other(Sample(both), "1968-03-04") is None
    entry = LabelledValue("Born", "04/03/68", "definition", datetime="1968-03-04")
    marked = page("Born | 04/03/68", language="en-GB", labelled=(entry,))
    assert other(Sample(marked, sources={"field": 0}), "1968-03-04") is None


@pytest.mark.parametrize(
    "form",
    [
        {"type": "date", "maximum": "2010-12-31"},
        {"type": "date | null", "minimum": "1900-01-01", "maximum": "2010-12-31"},
        {"type": "string", "format": "date", "pattern": "^19"},
    ],
)
def test_a_schema_that_allows_one_of_the_days_leaves_no_doubt(form):
    shown, schema = page("Born: 04/03/68", language="en-GB"), {"field": form}
    assert other(Sample(shown, output_schema=schema), "1968-03-04") is None
    thai = page("Born: 04/03/68", language="th")
    assert other(Sample(thai, output_schema=schema), "1968-03-04") is None
    persian = page("Born: 04/03/03", language="fa")
    doubt = str(other(Sample(persian, output_schema=schema), "1903-03-04"))
    assert doubt.endswith("a day of another calendar")


def test_the_schema_of_an_entry_of_a_list_counts_as_well():
    form = {"type": "array", "items": {"properties": {"born": {"type": "date"}}}}
    for bound, doubts in (({}, {"two_readings": "2068-03-04"}), ({"maximum": "2010-12-31"}, {})):
        form["items"]["properties"]["born"].update(bound)
        shown = page("Born: 04/03/68", language="en-GB")
        sample = Sample(shown, output_schema={"people": form})
        assert sample.against(people=[{"born": "1968-03-04"}]) == doubts


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


def test_the_bounds_of_the_field_tell_which_it_is():
    schema = {"field": {"type": "number", "maximum": 100}}
    assert other(Sample(page("Amount: 1.250"), output_schema=schema), 1.25) is None
    schema = {"field": {"type": "integer"}}
    assert other(Sample(page("Amount: 1.250"), output_schema=schema), 1250) == "1.25"


def test_the_locale_of_the_spec_tells_which_it_is():
    assert other(Sample(page("Amount: 1.250"), locale="de"), 1250) is None


@pytest.mark.parametrize("text", ["310.40 DR", "310.40 Cr.", "310.40-"])
def test_a_sign_behind_a_number_may_be_either(text):
    sample = Sample(page(f"Amount: {text}", language="en-GB"))
    assert other(sample, 310.4) == "-310.4"
    assert other(sample, -310.4) == "310.4"
