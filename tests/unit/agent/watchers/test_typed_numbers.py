"""The notice when a field has changed a number after it was typed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from unit.agent.transitions import page, transition

from pytest_bwa.agent.watchers import TypedNumberWatcher
from pytest_bwa.steps.step import Element, Observation


def form(value: str) -> Observation:
    field = Element(0, (0, 7), "textbox", "Amount", value=value)
    return replace(page(), elements=(field,))


def typed(value: str, text: str = "12.50", **more: Any) -> Any:
    return transition("type", before=form(""), after=form(value), selector="0", text=text, **more)


def left(value: str) -> Any:
    return transition(before=form("12.50"), after=form(value))


def test_one_notice_when_a_number_is_another_one_later():
    watcher = TypedNumberWatcher()
    assert watcher.notices_after(typed("12.50")) == []
    (notice,) = watcher.notices_after(left("1250"))
    assert notice.startswith("textbox “Amount” contains “1250” now, where “12.50” was typed")
    assert watcher.notices_after(left("1250")) == []


def test_no_notice_for_what_is_only_written_otherwise_or_typed_anew():
    watcher = TypedNumberWatcher()
    assert watcher.notices_after(typed("12.50")) == []
    assert watcher.notices_after(left("£ 12.50")) == []
    assert watcher.notices_after(left("99")) == []
    assert watcher.notices_after(typed("1250", text="1250")) == []
    assert watcher.notices_after(left("1250")) == []


def test_what_the_action_itself_has_seen_is_not_said_again():
    watcher = TypedNumberWatcher()
    assert watcher.notices_after(typed("1250", success=False)) == []
    assert watcher.notices_after(left("1250")) == []
