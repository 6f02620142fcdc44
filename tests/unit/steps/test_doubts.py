"""Every doubt stands once in one table, and is used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import pytest_bwa
from pytest_bwa.steps.doubts import Doubt

ROOT = Path(pytest_bwa.__file__).parent
CODE = re.compile(r'"([a-z]+(?:_[a-z]+)+)"')
"""In the page scripts of the labelled reading, no other text is written so."""
LISTED = {
    "other_value", "hidden", "other_record", "two_readings", "painted", "own_look", "odd",
    "same_cell", "unread",
}  # fmt: skip
"""What result.json may list."""


def codes_of_scripts() -> Iterator[str]:
    for script in (ROOT / "page" / "scripts" / "labelled").glob("*.js"):
        yield from CODE.findall(script.read_text("utf-8"))


def names_in_python() -> Iterator[str]:
    for module in ROOT.rglob("*.py"):
        if module.name != "doubts.py" or module.parent.name != "steps":
            yield from re.findall(r"\bDoubt\.([A-Z_]+)\b", module.read_text("utf-8"))


def test_every_code_of_a_page_script_is_in_the_table():
    assert set(codes_of_scripts()) <= {str(doubt) for doubt in Doubt}


def test_every_doubt_is_used():
    """What result.json lists may only stand for closer doubts, or come of an older version."""
    used = {*names_in_python(), *(code.upper() for code in codes_of_scripts())}
    assert {doubt.name for doubt in Doubt} - used <= {code.upper() for code in LISTED}


@pytest.mark.parametrize("doubt", Doubt)
def test_a_doubt_is_called_like_its_code_and_is_of_a_sort_that_result_json_lists(doubt):
    assert doubt.name == doubt.upper()
    assert doubt.sort is None or (doubt.sort in LISTED and doubt.sort.sort is doubt.sort)
    assert doubt in LISTED or doubt.sort is not doubt


@pytest.mark.parametrize("doubt", Doubt)
def test_a_message_is_a_part_of_a_sentence_with_and_without_its_detail(doubt):
    for words in (doubt.in_words(), doubt.in_words("Fee | 13")):
        begins = words.removeprefix("“")
        assert begins[0].islower() or begins.startswith("Fee"), "it goes on after a colon or a but"
        assert not words.endswith(".")
        assert "{" not in words
    assert "Fee | 13" in doubt.in_words("Fee | 13")
    assert doubt.advice
    assert not doubt.advice.endswith(".")
