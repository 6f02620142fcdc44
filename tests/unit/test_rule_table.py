"""The table of rules that ``bench --rules`` turns off has only rules that exist."""

from __future__ import annotations

import pytest
from bench.rules.every_rule import RULES
from bench.rules.switches import Rule


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.room}: {rule.name}")
def test_each_rule_is_there(rule: Rule):
    with rule.replaced(lambda known: known):
        pass
