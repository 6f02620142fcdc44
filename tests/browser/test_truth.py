"""A part of the truth table (``python tests/bench --truth``), with its marks: one sample of each
play, one of its wrong answers, for two plays also the siblings that tell which one is odd, and
the ordinary pages without a model.

``-s`` prints the table, and by name what does not go as it should.
"""

from __future__ import annotations

import pytest
from bench.truth.ordinary_pages import ORDINARY, listed, run
from bench.truth.ordinary_pages import rows as rows_of_rules
from bench.truth.plays import PLAYS
from bench.truth.runner import play_few
from bench.truth.score import report, rows

from pytest_bwa.settings import read_settings

pytestmark = pytest.mark.slow
MARKED = [row.name for row in rows([]) if row.mark]
ALIKE = [play for play in PLAYS if play.is_alike]
MEASURED = [*[play for play in PLAYS if not play.is_alike], ALIKE[-1]]
"""All plays, and of those with ten alike samples one."""
WITH_SIBLINGS = (ALIKE[-1].name, "portuguese_wiki")


@pytest.fixture(scope="module")
def measured(one_after_another, tmp_path_factory):
    folder, settings = tmp_path_factory.mktemp("truth"), read_settings()
    played = []
    for number, play in enumerate(MEASURED):
        siblings = play.name in WITH_SIBLINGS
        own = folder / play.name
        played += play_few(play, number, one_after_another, own, settings, with_siblings=siblings)
    print(report(played))
    return played


@pytest.mark.parametrize("name", MARKED)
def test_the_mark_holds(name, measured):
    (row,) = [row for row in rows(measured) if row.name == name]
    assert row.holds, f"{row.line()}\n{report(measured)}"


def test_every_line_that_a_script_names_is_shown(measured):
    assert [played.line() for played in measured if played.problem] == []


def test_ordinary_pages_are_read_without_a_model(one_after_another, tmp_path):
    ordinary = run(ORDINARY, one_after_another, tmp_path, read_settings())
    marked = [row for row in rows_of_rules([], ordinary) if "ordinary" in row.name]
    bad = [row.line() for row in marked if not row.holds]
    assert not bad, "\n".join([*bad, *listed([], ordinary)])


def test_there_is_enough_of_each_kind():
    samples = [sample for play in PLAYS for sample in play.samples]
    languages = {play.name.split("_")[0] for play in PLAYS}
    assert len(samples) >= 80
    assert len(languages) >= 6
    assert len(ALIKE) >= 2
    assert all(len(play.samples) == 10 for play in ALIKE)
