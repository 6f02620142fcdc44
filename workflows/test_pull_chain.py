"""F-06: a long way through a list of pull requests, their files, and back."""

import pytest

pytestmark = pytest.mark.bwa(
    task="../tasks/practice/pulls.yaml", samples="../tasks/practice/inputs/pulls.csv"
)


def test_pull_chain(browser_agent, sample):
    browser_agent.run(sample).assert_done()
