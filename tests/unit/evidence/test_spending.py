"""What a run has spent, added up from the files of all workers."""

from __future__ import annotations

import pytest
from simulated_run import open_run, write_samples

from pytest_bwa.evidence import result_reader
from pytest_bwa.evidence.checks import SampleCheck
from pytest_bwa.evidence.cost_limit import SpendingReader, spent_in
from pytest_bwa.evidence.files import make_folder, write_json
from pytest_bwa.evidence.result_reader import CHECK, Checks
from pytest_bwa.steps.step import Usage

EACH = 0.008
"""Dollars of a simulated sample."""


@pytest.fixture
def run(tmp_path):
    folder = open_run(tmp_path, 5).folder
    folder.update(started_at="2026-11-22T08:00:00.000Z")
    write_samples(folder, range(3))
    return folder


def add_check(run, name):
    place = Checks(run).place(name)
    make_folder(place)
    write_json(place / CHECK, SampleCheck(sample_id=name, usage=Usage(cost_usd=0.5)))


def test_samples_and_checks_are_added_up_as_they_come(run):
    reader = SpendingReader()
    assert spent_in(run, reader) == pytest.approx(3 * EACH)
    add_check(run, "T-0000001")
    write_samples(run, [3])
    assert spent_in(run, reader) == pytest.approx(4 * EACH + 0.5)
    run.update(resumed_at=["2026-11-23T08:00:00.000Z"])
    assert spent_in(run, SpendingReader()) == pytest.approx(0.5), "earlier sessions do not count"


def test_a_run_of_many_samples_is_not_added_up_for_each_of_them(run, monkeypatch):
    """A look at all folders that takes long is followed by a pause, and so is all that it costs."""
    monkeypatch.setattr(result_reader, "SHORT", 0.0)
    monkeypatch.setattr(result_reader, "PAUSE", 10**9)
    asked = []
    monkeypatch.setattr(Checks, "read", lambda self: asked.append(1) or [])
    reader = SpendingReader()
    for _ in range(20):
        assert spent_in(run, reader) == pytest.approx(3 * EACH)
    assert asked == [1]
