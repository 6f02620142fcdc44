"""How many samples are read by the model at once while there is no recipe yet."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack

import pytest
from recipe_pages import lesson, task

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.policy.recipe import store as store_module
from pytest_bwa.policy.recipe.store import MAX_ALONE, RecipeStore
from pytest_bwa.spec.samples import RECIPE_SAMPLES

OTHER_WORKER = """
import sys
from pathlib import Path
from pytest_bwa.evidence.file_lock import Seats
seats = Seats(Path(sys.argv[1]), 3)
taken = [seats.take(3) for _ in range(3)]
print("taken", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def store(tmp_path):
    return RecipeStore(RunFolder(tmp_path), task(), "learn")


@pytest.fixture
def waits(monkeypatch):
    """How often a worker has looked in vain; ``waits.then`` happens when it looks again."""

    class Waits:
        number = 0
        then = staticmethod(lambda: pytest.fail("it waits"))

        def sleep(self, _seconds):
            self.number += 1
            self.then()

    known = Waits()
    monkeypatch.setattr(store_module.time, "sleep", known.sleep)
    return known


def taking_all(store):
    """What holds as many turns as a recipe needs."""
    stack = ExitStack()
    for _ in range(RECIPE_SAMPLES):
        stack.enter_context(store.turn_to_learn())
    return stack


def test_one_more_waits_until_somebody_has_ended(store, waits):
    others = taking_all(store)
    waits.then = others.close
    with store.turn_to_learn():
        assert waits.number == 1


def test_one_more_waits_until_there_is_a_recipe(store, waits):
    lessons = iter((1, 2, 3))
    waits.then = lambda: store.add(lesson(next(lessons)))
    with taking_all(store), store.turn_to_learn():
        assert waits.number == 3
        assert store.recipe.learnt_from == ["T-1", "T-2", "T-3"]


def test_each_lesson_leaves_one_turn_less(store, waits):
    store.add(lesson(1))
    store.add(lesson(2))
    first = ExitStack()
    first.enter_context(store.turn_to_learn())
    waits.then = first.close
    with store.turn_to_learn():
        assert waits.number == 1


def test_nobody_waits_for_a_worker_that_was_killed(store, waits):
    command = [sys.executable, "-c", OTHER_WORKER, str(store._live)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:

        def kill():
            other.kill()
            other.wait()

        assert other.stdout.readline() == b"taken\n"
        waits.then = kill
        with store.turn_to_learn():
            assert waits.number == 1


def test_nobody_waits_long(store, waits, monkeypatch):
    monkeypatch.setattr(store_module, "MAX_WAIT", 0.0)
    with taking_all(store), store.turn_to_learn():
        assert waits.number == 0


def test_nobody_waits_where_samples_teach_nothing(store, tmp_path, waits):
    others = taking_all(store)

    def end_samples():
        for number in range(MAX_ALONE):
            folder = tmp_path / f"s{number}"
            folder.mkdir(parents=True)
            (folder / "result.json").touch()

    waits.then = end_samples
    with others, store.turn_to_learn():
        assert waits.number == 1


@pytest.mark.parametrize(
    ("mode", "spec"),
    [("only", task()), ("tickets.recipe.yaml", task()), ("learn", task(secrets=["password"]))],
)
def test_nobody_waits_where_nothing_is_learnt(tmp_path, waits, mode, spec):
    others = taking_all(RecipeStore(RunFolder(tmp_path), task(), "learn"))
    with others, RecipeStore(RunFolder(tmp_path), spec, mode).turn_to_learn():
        assert waits.number == 0


def test_nobody_waits_where_files_cannot_be_locked(store, waits, monkeypatch):
    def refuse(*_arguments):
        raise EvidenceError("no locks here")

    monkeypatch.setattr(store_module.Seats, "take", refuse)
    with store.turn_to_learn():
        assert waits.number == 0
