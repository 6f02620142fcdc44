"""An ideal model reaches the goal of every page, in few decisions and with small prompts."""

from __future__ import annotations

import pytest
from ideal_model.play_all import play_all, table

pytestmark = pytest.mark.slow
MOST_DECISIONS, MOST_OF_LEVELS, MOST_PICTURES = 1.6, 2.5, 0.1
TOKENS_BEFORE = 5714
"""Of a prompt on these pages, on average, before the prompts were rewritten (commit 42b5ca7)."""


def test_an_ideal_model_needs_few_decisions_and_small_prompts(tmp_path, capsys):
    game = play_all(tmp_path)
    with capsys.disabled():
        print("\n" + table(game))
    assert [(page.name, page.problem) for page in game.pages if page.problem] == []
    assert game.decisions(levels=False) <= MOST_DECISIONS
    assert game.decisions(levels=True) <= MOST_OF_LEVELS
    assert game.pictures <= MOST_PICTURES
    assert game.tokens(levels=False) <= TOKENS_BEFORE / 2
    decisions = {page.name: page.decisions for page in game.pages}
    assert (decisions["record"], decisions["linked"]) == (1, 2)
