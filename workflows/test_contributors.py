"""Visits the profiles of a list of contributors one after the other: a long run."""

import pytest

pytestmark = pytest.mark.bwa(
    task="../tasks/practice/contributors.yaml", samples="../tasks/practice/inputs/contributors.csv"
)


def test_contributors(browser_agent, sample):
    browser_agent.run(sample).assert_done()
