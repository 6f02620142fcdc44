"""Visits pull requests and their files one after the other: a long run over several list pages."""

import pytest

pytestmark = pytest.mark.bwa(
    task="../tasks/practice/pulls.yaml", samples="../tasks/practice/inputs/pulls.csv"
)


def test_pull_chain(browser_agent, sample):
    browser_agent.run(sample).assert_done()
