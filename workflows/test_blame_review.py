"""Finds who last changed a line of code and when, and judges whether the change is material."""

import pytest

pytestmark = pytest.mark.bwa(
    task="../tasks/practice/blame.yaml", samples="../tasks/practice/inputs/blame.csv"
)


def test_line(browser_agent, sample):
    browser_agent.run(sample).assert_done()
