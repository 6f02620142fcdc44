"""Merging and saving the data of a sample."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_bwa.agent.progress import Progress, deep_merge, shortened, without_left_out
from pytest_bwa.steps.step import Action


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
        "saved count; took back author: save it again if you did not mean the null"
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


OWNER = {"name": "Ann", "start": "2025-11-03"}


def test_a_null_for_a_part_of_a_saved_object_takes_that_part_back():
    progress = Progress()
    save(progress, owner=OWNER, tags=["a"])
    assert save(progress, owner={"start": None, "end": None}) == (
        "saved owner; took back owner.start: save it again if you did not mean the null"
    )
    assert progress.collected == {
        "owner": {"name": "Ann", "start": None, "end": None}, "tags": ["a"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("replace", "new", "answer"),
    [
        (True, {"tags": []}, "saved tags; dropped 2 of 2 entries of tags"),
        (True, {"tags": ["b", "c"]}, "saved tags; dropped 1 of 2 entries of tags"),
        (True, {"owner": {"name": "Bo"}}, "saved owner; dropped owner.start"),
        (True, {"owner": {**OWNER, "id": 7}}, "saved owner"),
        (None, {"tags": ["b"]}, "saved tags; tags keeps its other entries, without replace"),
        (None, {"tags": []}, "saved tags; tags keeps its other entries, without replace"),
        (None, {"tags": ["b", "c"], "owner": {"name": "Bo"}}, "saved tags, owner"),
    ],
)
def test_what_a_save_drops_or_keeps_beside_what_was_sent_is_named(replace, new, answer):
    progress = Progress()
    save(progress, owner=OWNER, tags=["a", "b"])
    assert save(progress, replace, **new) == answer


LINES = [{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]


@pytest.mark.parametrize(
    ("new", "kept"),
    [
        ([], []),
        (LINES[1:], LINES[1:]),
        ([{"id": 1}], LINES[:1]),  # it says less of an entry, and denies nothing of it
        ([{"id": 1}, {"id": 2}], None),
        ([{"id": 3}], None),
        ([{"id": 1, "state": "open"}], None),
        (None, None),
    ],
)
def test_a_list_with_only_a_part_of_what_was_saved_leaves_the_rest_out(new, kept):
    saved, answer = {"order": {"lines": LINES}}, {"order": {"lines": new}}
    assert shortened(saved, answer) == ([] if kept is None else ["order.lines"])
    assert without_left_out(saved, answer) == (
        saved if kept is None else {"order": {"lines": kept}}
    )
