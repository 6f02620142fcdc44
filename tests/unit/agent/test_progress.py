"""Merging and saving the data of a sample."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_bwa.agent.progress import Progress, deep_merge
from pytest_bwa.steps import Action


def save(progress: Progress, replace: bool | None = None, **extracted: Any) -> str:
    action = Action(action="save_progress", extracted=extracted, replace=replace)
    return progress.save(action).description


def test_mappings_are_merged_recursively_and_arrays_are_appended():
    old = {"pr": {"title": "A"}, "names": ["x"]}
    new = {"pr": {"author": "bob"}, "names": ["y", "x"]}
    assert deep_merge(old, new) == {"pr": {"title": "A", "author": "bob"}, "names": ["x", "y"]}
    assert old == {"pr": {"title": "A"}, "names": ["x"]}


def test_items_with_the_same_id_are_merged():
    old = {"prs": [{"id": 1, "title": "A"}, {"id": 2}]}
    new = {"prs": [{"id": 1, "author": "bob"}, {"id": 3}]}
    assert deep_merge(old, new)["prs"] == [
        {"id": 1, "title": "A", "author": "bob"},
        {"id": 2},
        {"id": 3},
    ]


def test_parts_of_an_entry_that_a_username_names_are_joined_and_two_entries_of_a_person_are_not():
    profile = deep_merge({"p": [{"username": "ann", "name": None}]}, {"p": [
        {"username": "ann", "name": "Ann Lee", "city": "Oslo"}, {"username": "bo"},
    ]})  # fmt: skip
    assert profile["p"] == [
        {"username": "ann", "name": "Ann Lee", "city": "Oslo"}, {"username": "bo"},
    ]  # fmt: skip
    comments = [{"username": "ann", "text": "Yes"}, {"username": "ann", "text": "No"}]
    assert deep_merge({"c": comments[:1]}, {"c": comments})["c"] == comments


def test_null_inside_a_value_never_replaces_but_zero_and_false_do():
    merged = deep_merge({"a": "x", "b": 5, "c": True}, {"a": None, "b": 0, "c": False})
    assert merged == {"a": "x", "b": 0, "c": False}


def test_saving_no_data_fails_and_notes_are_kept():
    progress = Progress()
    assert not progress.save(Action(action="save_progress")).success
    saved = progress.save(Action(action="save_progress", extracted={"a": 1}, note="one of two"))
    assert saved.success
    assert progress.collected == {"a": 1}
    assert progress.notes == ["one of two"]


def test_an_explicit_null_takes_a_saved_value_back_and_the_result_says_so():
    progress = Progress()
    assert save(progress, author="Ann", tags=["x"]) == "saved author, tags"
    assert save(progress, author=None, count=2) == (
        "saved count; took back author: save it again if the null was not meant so"
    )
    assert progress.collected == {"author": None, "tags": ["x"], "count": 2}
    assert progress.has_grown
    assert save(progress, author="Bob") == "saved author"
    assert progress.collected["author"] == "Bob"


def test_a_null_for_what_was_never_saved_is_kept_as_looked_for_and_absent():
    progress = Progress()
    assert save(progress, author=None) == "author: null, confirmed"
    assert save(progress, author=None, count=1) == "saved count; author: null, confirmed"
    assert progress.absent == ["author"]
    assert [progress.is_open(name) for name in ("author", "count", "title")] == [False, False, True]


def test_a_value_that_was_taken_back_is_not_confirmed_to_be_absent():
    progress = Progress()
    save(progress, author="Ann")
    save(progress, author=None)
    assert progress.absent == []
    assert progress.is_open("author")
    save(progress, author=None)  # looked for again
    assert progress.absent == ["author"]
    save(progress, author="Bob")
    assert progress.absent == []


@pytest.mark.parametrize(
    ("replace", "tags", "owner"),
    [(None, ["a", "b", "c"], {"name": "Ann", "id": 7}), (True, ["c"], {"id": 7})],
)
def test_replace_puts_the_new_fields_in_place_of_the_saved_ones(replace, tags, owner):
    progress = Progress()
    save(progress, tags=["a", "b"], owner={"name": "Ann"}, count=1)
    save(progress, replace, tags=["c"], owner={"id": 7})
    assert progress.collected == {"tags": tags, "owner": owner, "count": 1}
