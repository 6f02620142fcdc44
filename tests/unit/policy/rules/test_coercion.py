"""Text to types: what is not certain stays unread."""

from __future__ import annotations

import pytest

from pytest_bwa.policy.rules.coercion import Uncertain, coerce, read_date, read_number


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
    assert [coerce(bit, frozenset({"boolean"})) for bit in "01"] == [False, True]
    with pytest.raises(Uncertain):
        coerce("2", frozenset({"boolean"}))
    assert coerce("a, b", frozenset({"array"})) == ["a", "b"]
    with pytest.raises(Uncertain):
        coerce("perhaps", frozenset({"boolean"}))


@pytest.mark.parametrize(
    ("text", "number"),
    [("−4", -4), ("EUR 12.50", 12.5), ("5 million", 5_000_000), ("20%", 20), ("1 234", 1234),
     ("5 days", 5), ("12 GB", 12), ("0", 0), (".5", 0.5),
     ("1.234,56", 1234.56), ("$25.000,00", 25_000), ("1 234 567,5 €", 1_234_567.5)],
)  # fmt: skip
def test_more_numbers(text, number):
    assert read_number(text) == number


@pytest.mark.parametrize(
    "text",
    ["LED-77", "v2", "1,5", "12 34", "555 1234", "500+", "~5", "5m", "(1,234)", "1,234.567,89",
     "3 dozen", "5 or more", "half of 10", "7/10", "12:30", "1.2 Mio"],
)  # fmt: skip
def test_what_may_be_another_number_is_not_guessed(text):
    with pytest.raises(Uncertain):
        read_number(text)


@pytest.mark.parametrize(
    "text",
    ["Nov 3, 2026, 10:00 AM", "Tuesday, November 3, 2026", "3-Nov-2026", "Nov. 3 2026",
     "3rd November 2026 at 14:05 UTC", "03.11.2026", "2026/11/03"],
)  # fmt: skip
def test_dates_with_weekdays_and_clocks(text):
    assert read_date(text) == "2026-11-03"


def test_a_stamp_that_is_no_day_leaves_the_text():
    assert coerce("Nov 3, 2026", frozenset({"date"}), stamp="PT5M") == "2026-11-03"


@pytest.mark.parametrize("text", ["No findings", "Unknown", "No longer employed", "TBD"])
def test_a_sentence_that_begins_with_no_is_an_answer(text):
    assert coerce(text, frozenset({"string", "null"})) == text


def test_no_and_the_fields_own_name_is_nothing():
    kinds = frozenset({"string", "null"})
    assert coerce("No milestone", kinds, called=("milestone",)) is None
    assert coerce("No milestone", kinds, called=("owner",)) == "No milestone"


def test_a_list_of_nothing_is_empty_or_null_but_never_the_word():
    assert coerce("None", frozenset({"array"})) == []
    assert coerce("None", frozenset({"array", "null"})) is None


def test_a_dash_is_no_text_where_null_is_not_allowed():
    with pytest.raises(Uncertain):
        coerce("—", frozenset({"string"}))


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("Doe, John; Roe, Jane", ["Doe, John", "Roe, Jane"]),
        ("Ann, Bob and Carl", ["Ann", "Bob", "Carl"]),
        ("Ann, Bob, and Carl", ["Ann", "Bob", "Carl"]),
        ("one item", ["one item"]),
    ],
)
def test_lists_are_cut_at_their_strongest_mark(text, items):
    assert coerce(text, frozenset({"array"})) == items
