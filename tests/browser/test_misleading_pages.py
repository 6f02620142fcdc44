"""The rules policy on pages that mislead: sure or silent, and nothing is written.

``-s`` prints the table of all cases. ``BWA_MISLEADING_ONLY=labels/`` runs only the cases whose
names contain that text; ``BWA_MISLEADING_EXTRA=FOLDER`` adds the cases of a folder elsewhere.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from misleading_cases import CASES, load_cases
from misleading_runs import run_case, table

from pytest_bwa.settings import read_settings

GROUPS = dict.fromkeys(("reading", "forms"), CASES)
if EXTRA := os.environ.get("BWA_MISLEADING_EXTRA"):
    GROUPS["extra"] = Path(EXTRA)
ONLY = os.environ.get("BWA_MISLEADING_ONLY", "")


def cases_of(group):
    cases = [case for case in load_cases(GROUPS[group]) if ONLY in case.name]
    if group == "extra":
        return cases
    return [case for case in cases if case.name.startswith("forms/") == (group == "forms")]


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_the_rules_policy_is_sure_or_silent(group, browser, tmp_path):
    settings = read_settings()
    verdicts = [run_case(case, browser, tmp_path, settings) for case in cases_of(group)]
    print(table(verdicts))
    bad = [verdict.line() for verdict in verdicts if verdict.kind in ("wrong", "wrote")]
    assert bad == []
    assert 3 * sum(verdict.kind == "right" for verdict in verdicts) >= 2 * len(verdicts)
