"""Notices after steps that bring nothing new, and what counts as new."""

from __future__ import annotations

import pytest
from unit.agent.transitions import PAGE, page, transition

from pytest_bwa.agent.watchers import StagnationWatcher, page_signature
from pytest_bwa.steps.step import Artifact


def test_a_signature_is_the_normalized_url_and_the_beginning_of_the_text():
    same = page_signature(page("x" * 2000 + "1", url="http://A.test/p/?b=2&a=1#top"))
    assert page_signature(page("x" * 2000 + "2", url="http://a.test/p?a=1&b=2")) == same
    assert page_signature(page("x" * 1999 + "2", url="http://a.test/p?a=1&b=2")) != same
    assert page_signature(page("x" * 2000, url="http://a.test/q?a=1&b=2")) != same


@pytest.mark.parametrize(
    "new",
    [
        transition("save_progress", saved=True),
        transition("extract", selector="1", description="read 5 characters: other"),
        transition(after=page("another text")),
        transition(after=page(names=("Save", "Just appeared"))),
        transition("type", selector="2", text="Ann", after=page(names=("Save", "typed Ann"))),
        transition(
            "screenshot",
            label="a",
            artifact=Artifact(
                filename="01_a.png", sha256="", source_url="", timestamp="", label="a", step=1
            ),
        ),
    ],
    ids=["saved", "read", "text", "appeared", "entered", "picture"],
)
def test_new_data_resets_the_count(new):
    stagnation = StagnationWatcher()
    for _ in range(5):
        stagnation.notices_after(transition())
    assert stagnation.count == 4
    stagnation.notices_after(new)
    assert stagnation.count == 0


@pytest.mark.parametrize(
    "old",
    [
        transition("save_progress", saved=False),
        transition("extract", selector="0", description="read 4 characters: text"),
        transition("extract", selector="9", description="no such element", success=False),
        transition(after=page("a page", url=PAGE + "#part")),
        transition("find", text="Owner", description="0 hits", found=()),
    ],
    ids=["nothing new saved", "read again", "failed", "fragment", "not found"],
)
def test_known_data_does_not_reset_the_count(old):
    stagnation = StagnationWatcher()
    stagnation.notices_after(
        transition("extract", selector="0", description="read 4 characters: text")
    )
    for _ in range(3):
        stagnation.notices_after(transition())
    stagnation.notices_after(old)
    assert stagnation.count == 4


def test_opening_and_closing_a_menu_again_and_again_is_stagnation():
    stagnation, closed, opened = StagnationWatcher(), page(), page(names=("Save", "Menu"))
    for _ in range(6):
        stagnation.notices_after(transition(before=closed, after=opened))
        stagnation.notices_after(transition(before=opened, after=closed))
    assert stagnation.is_exhausted
