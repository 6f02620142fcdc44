"""The notice when all expected items were saved."""

from __future__ import annotations

from unit.agent.transitions import transition

from pytest_bwa.agent.watchers.item_count import ItemCountWatcher


def test_one_notice_when_as_many_items_were_saved_as_expected():
    watcher = ItemCountWatcher(3)
    notices = [
        watcher.notices_after(transition("save_progress", saved=True, saves=n)) for n in range(1, 6)
    ]
    assert [bool(texts) for texts in notices] == [False, False, True, False, False]
    assert ItemCountWatcher(None).notices_after(transition("save_progress", saves=3)) == []
