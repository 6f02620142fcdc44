"""Text to types: what is not certain stays unread."""

from __future__ import annotations

import pytest

from pytest_bwa.policy.coercion import Uncertain, coerce, read_date, read_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("231k", 231000),
        ("1,234", 1234),
        ("1.2M", 1200000),
        ("$12.50", 12.5),
        ("-4", -4),
        ("#412", 412),
    ],
)
def test_numbers(text, number):
    assert read_number(text) == number


@pytest.mark.parametrize("text", ["3 of 5", "many", "", "2026-11-03", "1.2.3"])
def test_what_is_no_single_number_is_not_guessed(text):
    with pytest.raises(Uncertain):
        read_number(text)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("Nov 3, 2026", "2026-11-03"),
        ("3 November 2026", "2026-11-03"),
        ("2026-11-03T10:00Z", "2026-11-03"),
        ("25/12/2026", "2026-12-25"),
        ("12/25/2026", "2026-12-25"),
        ("Dec 31st, 2026", "2026-12-31"),
    ],
)
def test_dates(text, iso):
    assert read_date(text) == iso


@pytest.mark.parametrize("text", ["03/04/2026", "2026-02-30", "soon", "November"])
def test_ambiguous_and_impossible_dates_are_not_guessed(text):
    with pytest.raises(Uncertain):
        read_date(text)


@pytest.mark.parametrize("text", ["—", "N/A", "No due date", "none", "-"])
def test_a_page_that_says_nothing_is_null_where_null_is_allowed(text):
    assert coerce(text, frozenset({"date", "null"})) is None


def test_unassigned_is_an_answer():
    assert coerce("Unassigned", frozenset({"string", "null"})) == "Unassigned"


def test_the_machine_readable_time_goes_first():
    assert coerce("3 days ago", frozenset({"date"}), stamp="2026-11-18T08:00Z") == "2026-11-18"


def test_booleans_and_lists():
    assert coerce("Yes", frozenset({"boolean"})) is True
    assert coerce("a, b", frozenset({"array"})) == ["a", "b"]
    with pytest.raises(Uncertain):
        coerce("perhaps", frozenset({"boolean"}))
