"""Merging and saving the data of a sample."""

from __future__ import annotations

from pytest_bwa.agent.progress import Progress, deep_merge
from pytest_bwa.steps import Action


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


def test_null_never_replaces_a_value_but_zero_and_false_do():
    merged = deep_merge({"a": "x", "b": 5, "c": True}, {"a": None, "b": 0, "c": False})
    assert merged == {"a": "x", "b": 0, "c": False}


def test_saving_no_data_fails_and_notes_are_kept():
    progress = Progress()
    assert not progress.save(Action(action="save_progress")).success
    saved = progress.save(Action(action="save_progress", extracted={"a": 1}, note="one of two"))
    assert saved.success
    assert progress.collected == {"a": 1}
    assert progress.notes == ["one of two"]
