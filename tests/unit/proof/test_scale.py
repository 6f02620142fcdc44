"""A value that the page gives in thousands or the like counts if the page itself says so."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_bwa.evidence.grounding import Grounder, plain_values
from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.proof.sightings import Sightings
from pytest_bwa.spec.notation.numbers import scale_in
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps import Element, Observation, Place
from pytest_bwa.verify.grounding import _is_read_from

CAPTION = ("text", "Amounts in thousands of EUR")
HEAD, REVENUE, STAFF = (
    ("row", line) for line in ("Figure | 2024 | 2025", "Revenue | 1,100 | 1,250", "Staff | 35 | 37")
)


class NoPictures:
    def picture_of(self, look: object, spot: object) -> None: ...

    def box_in(self, filename: str, spot: object, look: object) -> None: ...


def record_of(lines: list[tuple[str, str]], language: str = "en", **values: Any) -> Grounding:
    elements, under = [], Place()
    for n, (role, text) in enumerate(lines):
        elements.append(Element(n, (0, n), role, text, place=under))
        under = Place(headings=(*under.headings, text)) if role == "heading" else under
    page = Observation("https://a.org/1", "", tuple(elements), language=language)
    sightings = Sightings(labels_prove=False)
    sightings.add_observation(page, 1)
    grounder = Grounder(TaskSpec(task_id="t", goal="g"), sightings, NoPictures())
    ((_, _, record),) = plain_values(values, grounder.ground(values))
    return record


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


@pytest.mark.parametrize(
    ("lines", "value", "rule"),
    [
        ([CAPTION, HEAD, REVENUE], 1_250_000, "thousands"),
        ([("heading", "Figures (€ million)"), HEAD, ("row", "Revenue | 1 | 1.25")], 1_250_000,
         "millions"),
        ([("heading", "In millions"), ("heading", "2025"), ("text", "Revenue"), ("text", "1.25")],
         1_250_000, "millions"),
        ([CAPTION, HEAD, ("row", "Revenue | 1,100¹ | 1,250²")], 1_250_000, "thousands"),
        ([CAPTION, HEAD, ("row", "Revenue | (88)³ | 5")], -88_000, "thousands"),
        ([CAPTION, HEAD, ("row", "Revenue | $ | (88 | ) | $ | 1,250")], -88_000, "thousands"),
        ([CAPTION, HEAD, ("row", "Revenue | | | 1,100 | | | 1,250")], 1_250_000, "thousands"),
        ([("row", "Year | Revenue (€k) | Staff"), ("row", "2025 | 1,250 | 37")], 1_250_000,
         "thousands"),
        ([("text", "Revenue (in thousands)"), ("text", "1,250")], 1_250_000, "thousands"),
    ],
)  # fmt: skip
def test_a_number_times_what_the_page_says_is_normalised(lines, value, rule):
    record = record_of(lines, revenue=value)
    assert (record.how, record.rule) == ("normalised", rule)
    assert record.contested is None
    assert _is_read_from(value, record.text or "", rule)
    assert not _is_read_from(value * 10, record.text or "", rule)


def test_a_number_that_leaves_out_what_the_page_says_is_contested():
    lines = [CAPTION, HEAD, ("row", "Revenue | 1,250,000 | –")]
    record = record_of(lines, revenue=1_250_000)
    assert record.contested == ("Revenue | 1,250,000 | – (in thousands)",)
    assert record_of(lines, revenue_thousands=1_250_000).contested is None


@pytest.mark.parametrize(
    ("lines", "value"),
    [
        ([HEAD, REVENUE], 1_250_000),  # nothing says it
        ([CAPTION, HEAD, REVENUE], 1_250_000_000),  # the page says another scale
        ([CAPTION, ("row", "A | B"), ("heading", "Sales"), HEAD, REVENUE], 1_250_000),
        ([("heading", "In thousands"), ("heading", "B"), ("heading", "C"), HEAD, REVENUE],
         1_250_000),
        ([CAPTION, HEAD, ("text", "Segments"), ("row", "Revenue | 1,250")], 1_250_000),
        ([CAPTION, HEAD, ("row", "Revenue | 12 % | 12.5 %")], 12_500),
        ([CAPTION, HEAD, ("row", "Revenue | 1.1k | 1.25k")], 1_250_000),
        ([CAPTION, HEAD, ("row", "Costs | 1,100 | 1,250")], 1_250_000),  # of another row
        ([CAPTION, HEAD, REVENUE], "1250000"),  # a text is reported as it is shown
    ],
)  # fmt: skip
def test_a_number_that_the_page_does_not_scale_is_not_seen(lines, value):
    assert record_of(lines, revenue=value).how == "unseen"
