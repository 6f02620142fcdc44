"""The rules policy on pages that mislead: what it calls done is right, what it doubts it shows with
the doubt, and nothing is written.

``-s`` prints the table of all cases. ``BWA_MISLEADING_ONLY=labels/`` runs only the cases whose
names contain that text; ``BWA_MISLEADING_EXTRA=FOLDER`` adds the cases of a folder elsewhere.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from misleading_cases import load_cases
from misleading_runs import run_case, table

from pytest_bwa.settings import read_settings

ALL = load_cases()
STILL_MISLEADING = load_cases(Path(__file__).parent / "still_misleading")
"""Pages on which a wrong value is done: single ones, for which there is no rule. One that is read
rightly moves to ``misleading/``."""
ONLY = os.environ.get("BWA_MISLEADING_ONLY", "")
GROUPS = {
    # Simply right, so that a policy that is always silent does not pass.
    "plain": [case for case in ALL if case.name.startswith("plain/")],
    "forms": [case for case in ALL if case.name.startswith("forms/")],
    "misleading": [case for case in ALL if not case.name.startswith(("plain/", "forms/"))],
}
if EXTRA := os.environ.get("BWA_MISLEADING_EXTRA"):
    GROUPS["extra"] = load_cases(Path(EXTRA))

ASKS = {
    # The page does not tell the value; but it has something there, which a person must look at.
    "values/ambiguous_date": True,
    "values/two_different": True,
    "values/range_and_words": True,
    "values/cut_by_the_site": True,
    "sections/related_tickets": True,
    "values/heading_with_its_number": True,
    # Only other labels, what somebody wrote, or what is not painted: null, and nothing to look at.
    "labels/due_amount": False,
    "sections/comments": False,
    "widgets/hidden_twin": False,
}


@pytest.fixture(autouse=True)
def short_wait(monkeypatch):
    """Longer than the latest confirmation takes; five forms never confirm anything."""
    monkeypatch.setattr("pytest_bwa.actions.wait.WAIT_SECONDS", 6.0)


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_what_the_rules_policy_calls_done_is_right(group, one_after_another, tmp_path):
    settings = read_settings()
    cases = [case for case in GROUPS[group] if ONLY in case.name]
    verdicts = [run_case(case, one_after_another, tmp_path, settings) for case in cases]
    print(table(verdicts))
    bad = [verdict for verdict in verdicts if verdict.kind in ("wrong", "wrote")]
    report = "".join(f"\n{verdict.line()}\n    {verdict.case.note}" for verdict in bad)
    assert not report, report
    if group != "extra":
        assert [v.case.name for v in verdicts if v.is_lost_in_silence()] == []
    for name, is_asked in ASKS.items():
        found = [v.result.status == "needs_review" for v in verdicts if v.case.name == name]
        assert set(found) <= {is_asked}, name
    assert 3 * sum(verdict.kind == "right" for verdict in verdicts) >= 2 * len(verdicts)


@pytest.mark.slow
@pytest.mark.xfail(strict=True, reason="known: the rules policy is still misled here")
@pytest.mark.parametrize("case", STILL_MISLEADING, ids=lambda case: case.name)
def test_pages_that_still_mislead(case, one_after_another, tmp_path):
    verdict = run_case(case, one_after_another, tmp_path, read_settings())
    assert verdict.kind not in ("wrong", "wrote"), verdict.line()


def test_there_are_enough_pages_of_each_kind():
    assert len(GROUPS["plain"]) + len(GROUPS["misleading"]) >= 60
    assert len(GROUPS["plain"]) >= 20
    assert len(GROUPS["forms"]) >= 12
