"""Searches for people by name, chooses the right one of several, and reads the profile."""

import pytest

pytestmark = pytest.mark.bwa(
    task="../tasks/practice/people.yaml", samples="../tasks/practice/inputs/people.csv"
)


def test_person(browser_agent, sample):
    browser_agent.run(sample).assert_done()
