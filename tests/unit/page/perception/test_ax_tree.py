"""What of the browser's accessibility tree the page's readers have listed already."""

from __future__ import annotations

import time

import pytest

from pytest_bwa.page.perception.ax_tree import _is_said


@pytest.mark.parametrize(
    ("text", "is_said"),
    [("total is", True), ("total   is\n12", True), ("tot", False), ("The total is 12 EUR", False)],
)
def test_a_text_is_a_repetition_if_a_name_has_it_as_whole_words(text, is_said):
    assert _is_said(text, ["Go", "The total is 12"]) is is_said


def test_the_text_of_a_whole_document_is_compared_in_no_time():
    begun = time.process_time()  # which does not run on while others use the processor
    assert not _is_said("word " * 200_000, ["word " * 60, "Go"])
    assert time.process_time() - begun < 1, "a pattern of it would take several seconds"
