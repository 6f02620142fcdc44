"""A value that the page gives in thousands or the like counts if the page itself says so."""

from __future__ import annotations

import pytest
from grounded_sample import Sample, element, page

from pytest_bwa.reports.verify.grounding import _is_read_from
from pytest_bwa.spec.notation.numbers import scale_in
from pytest_bwa.steps.step import LabelledValue, Place


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("Amounts in thousands of EUR", "thousands"),
        ("All amounts in € million", "millions"),
        ("Revenue (€m)", "millions"),
        ("Revenue (kEUR)", "thousands"),
        ("($ in 000s)", "thousands"),
        ("USD bn", "billions"),
        ("Distance (m)", ""),
        ("A million users, 1,000 partners", ""),
        ("In thousands, totals in millions", ""),
        ("€ 1,000", ""),
    ],
)
def test_a_text_says_in_what_its_numbers_are_given(text, scale):
    assert scale_in(text) == scale


def test_a_billion_is_not_the_same_in_every_language():
    assert scale_in("in billions", "de") == ""


CAPTION = element(9, "text", "Amounts in thousands of EUR")
MILLIONS = Place(headings=("Figures (€ million)", "2025"))


@pytest.mark.parametrize(
    ("line", "value", "rule"),
    [
        ("Revenue | 1,100 | 1,250", 1_250_000, "thousands"),
        ("Revenue | 1,100¹ | 1,250²", 1_250_000, "thousands"),
        ("Revenue | (88)³ | 5", -88_000, "thousands"),
        ("Revenue | $1,250 | 12 %", 1_250_000, "thousands"),
        (element(0, "row", "Revenue | 1.25", place=MILLIONS), 1_250_000, "millions"),
    ],
)
def test_a_number_times_what_the_page_says_is_normalised(line, value, rule):
    sources = {"revenue": [0, 9] if rule == "thousands" else 0}
    sample = Sample(page(line, CAPTION, language="en"), sources=sources)
    record = sample.ground(revenue=value)["revenue"]
    assert (record.how, record.rule) == ("normalised", rule)
    assert _is_read_from(value, record.text or "", rule)
    assert not _is_read_from(value * 10, record.text or "", rule)


def test_the_label_of_a_value_says_it_without_another_line():
    entry = LabelledValue("Revenue (€k)", "1,250", "table", ref=(0, 5))
    for sources in ({"revenue": "0.5"}, {}):
        sample = Sample(page(labelled=(entry,), language="en"), sources=sources)
        assert sample.how(revenue=1_250_000) == "normalised thousands"


@pytest.mark.parametrize(
    ("line", "cites", "value"),
    [
        ("Revenue | 1,250", 0, 1_250_000),  # nothing that is cited says it
        ("Revenue | 1,250", [0, 9], 1_250_000_000),  # the page says another scale
        ("Revenue | 12.5 %", [0, 9], 12_500),
        ("Revenue | 1.1k | 1.25k", [0, 9], 1_250_000),
        ("Revenue | 1,250", [0, 9], "1250000"),  # a text is reported as it is shown
    ],
)
def test_a_number_that_the_page_does_not_scale_is_not_seen(line, cites, value):
    sample = Sample(page(line, CAPTION, language="en"), sources={"revenue": cites})
    assert sample.why(revenue=value) == "miscited"
