"""Units of one kind, and the mark before the decimals of a page's numbers."""

from __future__ import annotations

import pytest

from pytest_bwa.spec.notation.numbers import decimal_marks_in
from pytest_bwa.spec.notation.units import is_other_unit


@pytest.mark.parametrize(
    ("name", "after", "language"),
    [
        ("weight_g", " kg", "en"), ("size_mb", " GB", None), ("duration_hours", " min", "en"),
        ("display_cm", " in", "en"), ("warranty_years", " months", "en"), ("height_m", "cm", "en"),
        ("weight_kg", " lb.", "en"), ("dauer_hours", " Minuten", "de"),
        ("age_months", " ans", "fr"),
        ("area_hectare", " sq ft of land", "en"),
    ],
)  # fmt: skip
def test_a_unit_of_the_same_kind_is_another(name, after, language):
    assert is_other_unit(name, after, language)


@pytest.mark.parametrize(
    ("name", "after", "language"),
    [
        ("weight_kg", " kg", "en"), ("duration_hours", " h", "en"), ("dauer_hours", " Std.", "de"),
        ("dauer_hours", " Minuten", "en"), ("weight_kg", "", "en"), ("weight", " lb", "en"),
        ("exam_a", " pts", "en"), ("delivery_day", " in stock", "en"),
        ("price_m", " million", "en"),
        ("latency_ms", " ms", None), ("lead_time_weeks", " Wochen", "de"),
        ("volume_l", " liters", "en"),
        ("weight_kg", " pieces", "en"), ("speed_mbps", " kg", "en"),
    ],
)  # fmt: skip
def test_the_same_unit_and_what_is_no_unit_of_its_kind_are_none(name, after, language):
    assert not is_other_unit(name, after, language)


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("14.310,75 €", ","), ("1,250.00", "."), ("12,50 €", ","), ("99.5 %", "."), ("€12.50", "."),
        ("1'250.50 CHF", "."), ("12'500.00", "."), ("12 500,00", ","), ("0.75", "."), ("v0.75", ""),
        ("1 250 500", ""), ("from 1.250,00 to 12,5 %", ","), ("12,5 % of 99.5 %", ".,"),
        ("1.250 €", ""), ("2.400 kg", ""), ("3.12", ""), ("12,50", ""), ("1,2,3", ""),
        ("10.0.0.1", ""),
        ("₹1,23,456", ""), ("version 2.4.1", ""), ("1,234,567", ""), ("05.06.2026", ""),
    ],
)  # fmt: skip
def test_a_mark_is_certain_where_no_other_reading_is_possible(text, marks):
    assert decimal_marks_in(text) == set(marks)
