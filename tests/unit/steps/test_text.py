"""Labels in the form in which they are compared, and text that a terminal shows safely."""

from __future__ import annotations

import pytest

from pytest_bwa.steps.step import Element
from pytest_bwa.steps.text import (
    cell_places,
    cells_of,
    column_at,
    continued,
    has_words,
    label_key,
    short_address,
    show_controls,
    visible_text,
)


@pytest.mark.parametrize(
    ("label", "key"),
    [("CI checks", "ci_checks"), ("pr-page ", "pr_page"), ("Итоговый отчёт", "итоговый_отчёт")],
)
def test_a_label_key_keeps_letters_and_digits_of_any_script(label, key):
    assert label_key(label) == key


def test_labels_without_latin_letters_are_told_apart():
    assert label_key("отчёт") != label_key("проверка")
    assert label_key("दिन") != label_key("दान")  # they differ in a vowel, which is no letter
    assert label_key("วัน") != label_key("วิน")


def test_labels_without_letters_are_only_themselves():
    assert has_words("✅", "✅ ")
    assert not has_words("❌", "✅")
    assert not has_words("", "✅")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[2J\x1b]0;title\x07", r"\x1b[2J\x1b]0;title\x07"),
        ("a\rb\x08\x9b31m\x7f", r"a\rb\x08\x9b31m\x7f"),
        ("invoice\u202egpj.exe\u2066", r"invoice\u202egpj.exe\u2066"),
        ("half \ud83d", r"half \ud83d"),
        (
            "two\nlines\tand a tab, Übersicht – 文档 🎉",
            "two\nlines\tand a tab, Übersicht – 文档 🎉",
        ),
    ],
)
def test_control_characters_and_changes_of_direction_are_written_out(text, expected):
    assert show_controls(text) == expected
    expected.encode("utf-8")


@pytest.mark.parametrize(
    "text",
    [
        "می‌خواهم",
        "क्‍ष क्‍",
        "👩‍💻 👩🏽‍🚀 ❤️‍🔥 🏳️‍🌈 🙂‍↔️ 1️⃣ ℹ️ ‼️",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "葛\U000e0100城 co\u00adoperate",
    ],
)
def test_what_changes_how_letters_and_emoji_are_written_stays(text):
    assert visible_text(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ap\u200bpro\ufeffved\u2060", "Approved"),
        ("\u202e321-A\u202c \u2066x\u2069\u200f", "321-A x"),
        ("ok\U000e0069\U000e0067\U000e006e", "ok"),
        ("a\u200db\u200cc", "abc"),
        ("👩\u200d\u200d\u200c💻", "👩\u200c💻"),
        ("😀" + "\ufe01\ufe02\U000e0110", "😀\ufe01"),
        ("a\ufe0f7\ufe0f", "a7"),
        ("\U0001f3f4\U000e0067\U000e0062\U000e006f\U000e006b\U000e007f", "\U0001f3f4"),
        ("half \ud83d", "half \ufffd"),
        ("\u3164\u115f", ""),
    ],
)
def test_what_nobody_sees_is_removed(text, expected):
    assert visible_text(text) == expected


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("/a?q=" + "x" * 140, "/a?q=" + "x" * 140),
        ("/a?q=" + "x" * 900, "/a?q=" + "x" * 95 + "… (805 more characters)"),
        ("/" + "p" * 200 + "?q=" + "x" * 200, "/" + "p" * 200 + "… (203 more characters)"),
        ("/" + "p" * 200, "/" + "p" * 200),
        ("/" + "p" * 999, "/" + "p" * 299 + "… (700 more characters)"),
        ("#" + "f" * 300, "#" + "f" * 99 + "… (201 more characters)"),
    ],
)
def test_a_long_query_of_an_address_is_cut_and_its_path_is_not(address, shown):
    page = "http://a.org/list"
    whole = page + address if address[0] == "#" else f"http://a.org{address}"
    assert short_address(whole, page) == shown
    if address[0] == "/":
        assert short_address(f"http://b.org{address}", page).startswith(f"http://b.org{shown[:80]}")


def test_the_line_of_a_link_cuts_its_address_and_the_link_keeps_it():
    link = Element(3, (0, 0), "link", "#", url="http://a.org/s?q=" + "x" * 900)
    assert link.line("http://a.org/").endswith(" more characters)")
    assert link.url is not None
    assert len(link.url) > 900


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("opened a", "opened a; saved b"),
        ("refused. Send all again.", "refused. Send all again; saved b"),
        ("it says Loading...", "it says Loading...; saved b"),
    ],
)
def test_what_follows_a_sentence_has_one_sign_before_it(sentence, expected):
    assert continued(sentence, "saved b") == expected


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("a | b", ["a", "b"]),
        ("Sales | | | 5 | | 6", ["Sales", "", "", "5", "", "6"]),
        ("| a |", ["", "a", ""]),
        ("a|b |c", ["a|b |c"]),
        ("", [""]),
    ],
)
def test_the_cells_of_a_row_are_those_between_bars_that_stand_alone(row, cells):
    assert cells_of(row) == cells
    places = list(cell_places(row))
    assert [row[start : start + len(cell)] for start, cell in places] == cells
    assert [column_at(row, start) for start, _ in places] == list(range(len(cells)))
