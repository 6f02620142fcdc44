"""Names of controls that lead through a list."""

from __future__ import annotations

import pytest

from pytest_bwa.steps.paging import is_paging, names_next_page, turns_page


@pytest.mark.parametrize("name", ["Next", "NEXT PAGE", "Next ›", "» Older posts", "Load more…"])
def test_words_for_the_next_part_of_a_list_are_known(name):
    assert names_next_page(name)
    assert turns_page(name)
    assert is_paging(name)


@pytest.mark.parametrize("name", ["Newer", "Page 2", "›", ">>", " → "])
def test_numbered_pages_and_arrows_turn_a_page_but_are_not_words_for_the_next_one(name):
    assert turns_page(name)
    assert is_paging(name)
    assert not names_next_page(name)


@pytest.mark.parametrize("name", ["Previous", "‹ Prev", "«", "12", "More"])
def test_back_controls_and_bare_numbers_only_belong_to_paging(name):
    assert is_paging(name)
    assert not turns_page(name)
    assert not names_next_page(name)


@pytest.mark.parametrize(
    "name", ["", " ", "…", "Next steps", "More about us", "Page 2 of the report", "(12)", "› Home"]
)
def test_a_name_that_only_contains_such_a_word_is_not_paging(name):
    assert not is_paging(name)
