"""A value is found in a text as whole tokens, never as a part of a longer number, code or word."""

from __future__ import annotations

import pytest

from pytest_bwa.facts.text_match import clean, matches


@pytest.mark.parametrize(
    ("value", "text", "rules"),
    [
        ("Finance", "Department Finance", [""]),
        ("Finance", "Financed", []),
        ("Ann\n Smith", "by Ann Smith", ["whitespace"]),
        ("ann smith", "by Ann Smith", ["case"]),
        ("Smith, Ann", "Smith Ann", ["punctuation"]),
        ("O’Neill", "Tom O'Neill", ["punctuation"]),
        ("250", "1,250", []),
        ("1", "1.250", []),
        ("12", "12:30", []),
        ("5", "-5 °C", []),
        ("-5", "-5 °C", [""]),
        ("-5", "it is 5", []),
        ("12.50", "12-50", []),
        ("v1.2", "release v1.2.", [""]),
        ("v1.2", "release v1.2.3", []),
        ("A long", "A long…", []),
        ("A long", "A long...", []),
        ("財務部", "部門 財務部です", [""]),
        ("दिन", "यह दिन।", [""]),
        ("दिन", "दान", []),
        ("كِتاب", "كُتاب", []),
        ("é", "e\u0301", [""]),
        ("AB", "A\u200bB", [""]),
        ("12,480", "12,480¹", [""]),
        ("124801", "12480¹", []),
        ("25 m²", "area 25 m²", [""]),
        ("✓", "✓", [""]),
        ("✓", "done ✓", []),
        ("a a", "a a a", ["", ""]),
        ("AX-77120", "Part AX-77120-B", []),
        ("AX-77120", "Part AX-77120", [""]),
        ("2.4.1", "Version 2.4.1-rc2", []),
        ("500", "12 500", []),
    ],
)
def test_a_value_is_found_as_whole_tokens(value, text, rules):
    assert [match.rule for match in matches(value, clean(text))] == rules
