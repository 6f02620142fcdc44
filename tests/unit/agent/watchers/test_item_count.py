"""The notice when all expected items were saved."""

from __future__ import annotations

from unit.agent.transitions import transition

from pytest_bwa.agent.watchers import ItemCountWatcher


def told(watcher, **collected):
    saved = transition("save_progress", saved=True, collected=collected)
    return watcher.notices_after(saved)


def test_one_notice_when_as_many_items_are_saved_as_expected_in_however_many_calls():
    watcher = ItemCountWatcher({"pulls": 3})
    assert told(watcher, author="Ann") == []
    assert told(watcher, author="Bo") == []
    assert told(watcher, author="Cy") == [], "three calls, and no item"
    assert told(watcher, pulls=[1, 2]) == []
    assert told(watcher, pulls=[1, 2, 3]) == ["All expected items are saved: pulls has 3."]
    assert told(watcher, pulls=[1, 2, 3, 4]) == []


def test_each_array_is_counted_by_itself():
    watcher = ItemCountWatcher({"pulls": 1, "checks": 2})
    assert told(watcher, pulls=[1, 2, 3]) == []
    assert told(watcher, pulls=[1, 2, 3], checks=[1, 2])


def test_no_notice_where_any_number_will_do():
    assert told(ItemCountWatcher({}), pulls=[1]) == []
