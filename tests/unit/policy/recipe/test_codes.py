"""Codes like EX-A9DD2F have no fixed order of digits and letters."""

from __future__ import annotations

import pytest

from pytest_bwa.policy.recipe.shape import shape_of

CODES = ("EX-A9DD2F", "EX-D30A84", "EX-8C3CD3")


def test_what_codes_have_in_common_is_their_form():
    shape = shape_of(CODES)
    assert shape.code == "AA-XXXXXX"
    for text in ("EX-123456", "EX-ABCDEF", "EX-0CC06F"):
        assert shape.refusal(text) == ""


@pytest.mark.parametrize(
    "text",
    ["EX-A9DD2", "EX-A9DD2FF", "EX-a9dd2f", "Ex-A9DD2F", "EX A9DD2F", "A9DD2F", "EX-A9DD2F?"],
)
def test_what_has_another_length_case_or_mark_is_no_such_code(text):
    assert "form" in shape_of(CODES).refusal(text)


@pytest.mark.parametrize(
    "texts",
    [
        ("Ann Lee", "Bob Hill"),
        ("EX-A9", "EX-B2"),
        ("A9DD", "B2"),
        ("A9DD", "b2dd"),
        ("High", "B2CD"),
    ],
)
def test_other_texts_are_no_codes(texts):
    assert shape_of(texts).code == ""
