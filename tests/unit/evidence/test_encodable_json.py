"""What a model or a page may send that UTF-8 cannot encode."""

from __future__ import annotations

import json

from pytest_bwa.evidence.files import to_json
from pytest_bwa.steps.text import whole_characters


def test_half_characters_are_replaced_and_whole_ones_kept():
    assert whole_characters("a\ud83d😀\ude00é") == "a�😀�é"


def test_json_with_half_characters_is_written_and_can_be_read():
    assert json.loads(to_json({"name\udc00": ["\ud83d", "😀"]})) == {"name�": ["�", "😀"]}
