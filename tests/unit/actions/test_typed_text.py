"""Whether a field kept what was typed into it."""

from __future__ import annotations

import pytest

from pytest_bwa.actions.typed_text import is_kept


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("hello", "hello"),
        ("4930123456", "(49) 30-123 456"),
        ("4930123456", "+49 30 123456"),
        ("+49 (30) 123-456", "+4930123456"),
        ("DE89370400440532013000", "DE89 3704 0044 0532 0130 00"),
        ("de89 3704 0044 0532 0130 00", "DE89370400440532013000"),
        ("03112026", "03/11/2026"),
        ("03112026", "03.11.2026"),
        ("1430", "14:30"),
        ("0301234", "030-1234"),
        ("030-1234-5", "03012345"),
        ("1234567", "1,234,567"),
        ("1234567", "1.234.567"),
        ("1234567", "1'234'567"),
        ("12,50", "12,50 "),
        ("-5", " -5"),
        ("USD -5", "USD  -5"),
        ("Ann-Marie Lee", "AnnMarie Lee"),
        ("2026-11-03", "20261103"),
    ],
)
def test_formatting_by_a_mask_keeps_the_text(typed, kept):
    assert is_kept(typed, kept)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("12.50", "1250"),
        ("12,50", "1250"),
        ("1250", "12.50"),
        ("1250", "12,50"),
        ("1250", "1,250"),  # or one and a quarter, in another language
        ("12.50", "12,50"),
        ("1,234.50", "1.234,50"),
        ("1.234.567", "1.23.45.67"),
        ("1234567", "1,23,45,67"),
        (".5", "5"),
        ("-5", "5"),
        ("5", "-5"),
        ("−5", "5"),
        ("5", "(5)"),
        ("(5)", "5"),
        ("1/2", "12"),
        ("10-20", "1020"),
        ("10 – 20", "1020"),
        ("10 - 20 kg", "10  20 kg"),
        ("USD -5", "USD 5"),
        ("USD (500)", "USD 500"),
        ("(500) USD", "500 USD"),
        ("12", "1/2"),
        ("10:30", "1030"),
        ("+49 30", "49 30"),
        ("5%", "5"),
        ("a.b@c.de", "ab@c.de"),
        ("a_b", "ab"),
        ("user-name@x.org", "user-name"),
        ("hello", "hell"),
        ("hello", ""),
        ("", "left"),
        ("Straße 5", "Strase 5"),
    ],
)
def test_what_changes_a_number_or_the_letters_is_not_kept(typed, kept):
    assert not is_kept(typed, kept)


@pytest.mark.parametrize(
    ("typed", "kept", "expected"),
    [
        ("1480.50", "£ 1,480.50", True),
        ("1480.50", "€1,480.5", True),
        ("1480.50", "£ 148,050.00", False),
        ("1480.50", "1.480,50 €", False),
        ("1480.50", "-£ 1,480.50", False),
        ("148050", "£ 1,480.50", False),
    ],
)
def test_a_number_may_be_written_as_an_amount(typed, kept, expected):
    assert is_kept(typed, kept) is expected


@pytest.mark.parametrize(
    ("kind", "typed", "kept", "expected"),
    [
        ("set", "2025-11-15 14:30", "2025-11-15T14:30", True),
        ("set", "2025-11-15 14:30:00", "2025-11-15T14:30", True),
        ("field", "2025-11-15 14:30", "2025-11-15T14:30", True),
        ("set", "2025-11-15 14:30", "2025-11-15T15:30", False),
        ("set", "2025-11-15 14:30", "2025-11-15", False),
        ("set", "14:30", "14:30:00", True),
        ("field", "14:30", "14:30:00", False),
        ("set", "#F00", "#ff0000", True),
        ("set", "rgb(255, 0, 0)", "#ff0000", True),
        ("set", "red", "#fe0000", False),
        ("field", "red", "#ff0000", False),
        ("set", "7.0", "7", True),
        ("set", "7.4", "7", False),
        ("number", "+5", "5", True),
        ("number", "1,480.50", "1480.50", True),
        ("number", "1,5", "15", False),
        ("number", "1,480", "1480", False),
        ("field", "7.0", "7", False),
    ],
)
def test_a_field_with_a_form_of_its_own_is_compared_by_what_it_means(kind, typed, kept, expected):
    assert is_kept(typed, kept, kind) is expected
