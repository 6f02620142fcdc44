"""F-06: a long way through a list of contributors, their profiles, and back."""

import pytest

pytestmark = pytest.mark.bwa(
    task="../tasks/practice/contributors.yaml", samples="../tasks/practice/inputs/contributors.csv"
)


def test_contributors(browser_agent, sample):
    browser_agent.run(sample).assert_done()
