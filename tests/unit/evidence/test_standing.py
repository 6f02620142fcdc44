"""04/05/2026 is one of two days, unless the page, its language or the spec tells the order."""

from __future__ import annotations

from typing import Any

import pytest
from grounded_sample import Sample, page

from pytest_bwa.proof.flagging import is_doubtful
from pytest_bwa.evidence.grounding import plain_values
from pytest_bwa.proof.objections import object_to
from pytest_bwa.steps import Box, LabelledValue

MAY, APRIL = "2026-05-04", "2026-04-05"


def other_day(sample: Sample, due: str) -> Any:
    values = {"due": due}
    ((_, _, record),) = plain_values(values, sample.ground(**values))
    assert record.how == "normalised"
    assert is_doubtful(values, {"due": record}) == (record.other_reading is not None)
    return record.other_reading


@pytest.mark.parametrize("language", ["", "en", "tlh", "ja"])
@pytest.mark.parametrize(("due", "other"), [(MAY, APRIL), (APRIL, MAY)])
def test_either_day_is_named_with_the_other(due, other, language):
    assert other_day(Sample(page("Due: 04/05/2026", language=language)), due) == other


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
    assert other_day(Sample(page(text, language="en")), due) is None


def test_the_language_and_the_locale_of_the_spec_tell_the_order():
    assert other_day(Sample(page("Due: 04/05/2026", language="en-GB")), MAY) is None
    assert other_day(Sample(page("Due: 04/05/2026", language="en-US")), APRIL) is None
    assert other_day(Sample(page("Due: 04/05/2026", language="en"), locale="de"), MAY) is None


def test_another_date_of_the_site_tells_the_order():
    british = page("Due: 04/05/2026", "Opened: 25/04/2026", language="en")
    assert other_day(Sample(british), MAY) is None
    assert other_day(Sample(british), APRIL) == MAY
    template = page("Due: 04/05/2026", "Opened: 25/04/2026", language="en-US")
    assert other_day(Sample(template), APRIL) == MAY
    mixed = page("Due: 04/05/2026", "25/04/2026", "04/25/2026", language="en")
    assert other_day(Sample(mixed), MAY) == APRIL


def test_a_page_of_the_same_site_counts_and_one_of_another_does_not():
    due = page("Due: 04/05/2026", language="en")
    list_of_site = page("Opened: 25/04/2026", url="https://site.test/list")
    elsewhere = page("Opened: 25/04/2026", url="https://other.test/list")
    assert other_day(Sample(list_of_site, due), MAY) is None
    assert other_day(Sample(elsewhere, due), MAY) == APRIL


def test_a_place_that_tells_the_day_is_enough():
    long = page("Due: 04/05/2026", "Due: 4 May 2026", language="en")
    assert other_day(Sample(long), MAY) is None


@pytest.mark.parametrize("more", [{"datetime": MAY}, {"language": "en-GB"}])
def test_the_markup_of_the_value_tells_the_day(more):
    entry = LabelledValue("Due", "04/05/2026", "definition", box=Box(0, 0, 9, 9), **more)
    marked = page("Due | 04/05/2026", language="en", labelled=(entry,))
    assert other_day(Sample(marked, labelled=False), MAY) is None


def test_versions_and_addresses_of_networks_tell_no_order():
    noise = page("Due: 04/05/2026", "v25.4.2026.1", "10.25.1.20", "1/25/4/2026", language="en")
    assert other_day(Sample(noise), MAY) == APRIL


def test_it_is_noted_and_not_sent_back():
    values = {"due": MAY}
    sample = Sample(page("Due: 04/05/2026", language="en"))
    objection = object_to(
        [
            (path, value, record.model_copy(update={"artifact": "1.png"}))
            for path, value, record in plain_values(values, sample.ground(**values))
        ]
    )
    assert objection is not None
    assert (objection.notice, objection.reason) == ("", "")
    assert objection.doubt == (
        "due is 2026-05-04 or 2026-04-05 (“Due: 04/05/2026”): the spec's locale can tell"
    )
