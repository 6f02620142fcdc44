"""Labels of screenshots in the form in which they are compared."""

from __future__ import annotations

import pytest

from pytest_bwa.text import label_key


@pytest.mark.parametrize(
    ("label", "key"),
    [("CI checks", "ci_checks"), ("pr-page ", "pr_page"), ("Итоговый отчёт", "итоговый_отчёт")],
)
def test_a_label_key_keeps_letters_and_digits_of_any_script(label, key):
    assert label_key(label) == key


def test_labels_without_latin_letters_are_told_apart():
    assert label_key("отчёт") != label_key("проверка")
