"""F-03: names without addresses, searched for, told apart, read."""

import pytest

pytestmark = pytest.mark.bwa(
    task="../tasks/practice/people.yaml", samples="../tasks/practice/inputs/people.csv"
)


def test_person(browser_agent, sample):
    browser_agent.run(sample).assert_done()
