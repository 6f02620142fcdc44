"""Labels in the form in which they are compared, and text that a terminal shows safely."""

from __future__ import annotations

import pytest

from pytest_bwa.text import label_key, show_controls


@pytest.mark.parametrize(
    ("label", "key"),
    [("CI checks", "ci_checks"), ("pr-page ", "pr_page"), ("Итоговый отчёт", "итоговый_отчёт")],
)
def test_a_label_key_keeps_letters_and_digits_of_any_script(label, key):
    assert label_key(label) == key


def test_labels_without_latin_letters_are_told_apart():
    assert label_key("отчёт") != label_key("проверка")


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
