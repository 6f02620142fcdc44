"""Rows that are drawn from a population."""

from __future__ import annotations

import time
from collections import Counter
from itertools import pairwise

import pytest

from pytest_bwa.errors import SamplesError
from pytest_bwa.spec.draw import Draw, rows_alike
from pytest_bwa.spec.sample import Sample
from pytest_bwa.spec.samples import SampleList

REGIONS = ["north"] * 60 + ["south"] * 30 + ["west"] * 10


def listed(regions=REGIONS, order=1):
    rows = [
        Sample(f"s{n}", {"sample_id": f"s{n}", "region": region}, n + 2)
        for n, region in enumerate(regions)
    ]
    return SampleList(tuple(rows[::order]), ("sample_id", "region"), "ledger.csv", "0" * 64)


@pytest.mark.parametrize("by", ["", "region"])
def test_a_larger_number_has_the_rows_of_a_smaller_one(by):
    drawn = [Draw(count, 7, by).of(listed().samples) for count in range(1, 101)]
    assert [len(names) for names in drawn] == list(range(1, 101))
    assert all(one < other for one, other in pairwise(drawn))


def test_the_seed_alone_decides_and_rows_keep_their_order():
    first = listed().drawn(Draw(25, 7))
    assert [s.row for s in first.samples] == sorted(s.row for s in first.samples)
    names = {s.sample_id for s in first.samples}
    assert Draw(25, 7).of(listed(order=-1).samples) == names
    assert Draw(25, 8).of(listed().samples) != names


def test_every_row_is_drawn_about_as_often_as_any_other():
    seen = Counter(name for seed in range(400) for name in Draw(10, seed).of(listed().samples))
    assert len(seen) == 100
    assert 15 < min(seen.values()) <= max(seen.values()) < 75  # 40 on average


@pytest.mark.parametrize("seed", range(5))
def test_groups_are_drawn_in_proportion(seed):
    drawn = listed().drawn(Draw(20, seed, "region"))
    counts = Counter(sample.columns["region"] for sample in drawn.samples)
    assert counts == {"north": 12, "south": 6, "west": 2}


@pytest.mark.parametrize(
    ("draw", "problem"),
    [
        (Draw(101, 7), "--pick 101 is more than the 100 rows"),
        (Draw(5, 7, "Region"), 'no such column.*"region"'),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw, problem):
    with pytest.raises(SamplesError, match=problem):
        listed().drawn(draw)


def test_rows_that_repeat_another_are_counted():
    rows = [Sample(f"s{n}", {"sample_id": f"s{n}", "key": key}, n) for n, key in enumerate("aabca")]
    assert rows_alike(rows) == 2
    with_secrets = [Sample("a", {"user": "<secret:u>"}, 2, {"u": user}) for user in ("ada", "ben")]
    assert rows_alike(with_secrets) == 0
    twice = SampleList(tuple(rows), ("sample_id", "key"), "l.csv", "").drawn(Draw(2, 1))
    assert "2 rows repeat another" in twice.notes[0]


def test_many_rows_take_seconds():
    many = listed(["north", "south"] * 50_000)
    started = time.process_time()
    assert len(many.drawn(Draw(25, 7, "region")).samples) == 25
    assert time.process_time() - started < 10
