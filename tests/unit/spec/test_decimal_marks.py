"""Which marks of a text certainly stand before decimals."""

from __future__ import annotations

import pytest

from pytest_bwa.spec.notation.numbers import decimal_marks_in


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
