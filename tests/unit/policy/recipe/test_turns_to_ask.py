"""Who asks a model about something odd is waited for: what it says may fit others, too."""

from __future__ import annotations

import pytest
from recipe_pages import Model, page, recipe_of, rows_of, sample, task, turn

from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.policy.recipe import policy, store
from pytest_bwa.policy.recipe.recipe import RECIPE
from pytest_bwa.policy.recipe.store import MAX_ALONE, RecipeStore


@pytest.fixture
def stores(tmp_path, monkeypatch):
    """Two workers that do not wait at all for a turn that the other one has."""
    monkeypatch.setattr(store, "MAX_WAIT_FOR_ANSWER", 0.0)
    monkeypatch.setattr(policy, "PAUSES", (0.0, 0.0))
    (tmp_path / RECIPE).write_text(recipe_of().to_yaml())
    return [RecipeStore(RunFolder(tmp_path), task(), "learn") for _ in range(2)]


def asks(worker: RecipeStore, number: int, **rows: str) -> bool:
    """Whether a worker whose sample is odd has the turn to ask a model about it."""
    decides = worker.policy_for(Model(), task(), sample(number))
    observed = page(number, rows_of(number, **rows))
    for _ in range(3):
        decides.decide(turn(number, observed, task()))
    assert decides.use.kind == "handed_over"
    return worker._asking is not None


def end(worker: RecipeStore, number: int) -> None:
    failed = SampleResult(task_id="tickets", sample_id=f"T-{number}", status="failed", broken=True)
    worker.learn(sample(number), failed, None, None)


def test_one_asks_about_the_same_at_a_time(stores):
    first, second = stores
    assert asks(first, 7, Owner="nobody at all")
    assert not asks(second, 8, Owner="nobody at all")
    end(first, 7)
    assert asks(second, 8, Owner="nobody at all")


def test_what_is_odd_in_another_way_is_not_waited_for(stores):
    first, second = stores
    assert asks(first, 7, Owner="nobody at all")
    assert asks(second, 8, Due="soon")


def test_a_sample_whose_result_could_not_be_written_holds_nobody_up(stores):
    first, second = stores
    assert asks(first, 7, Owner="nobody at all")
    first.policy_for(Model(), task(), sample(9))
    assert asks(second, 8, Owner="nobody at all")


def test_what_many_asked_in_vain_is_waited_for_no_more(stores):
    first, second = stores
    for number in range(MAX_ALONE):
        assert asks(first, number + 10, Owner="nobody at all")
        end(first, number + 10)
    assert not asks(first, 7, Owner="nobody at all")
    assert not asks(second, 8, Owner="nobody at all")
