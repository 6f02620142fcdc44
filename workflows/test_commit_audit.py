"""F-02: commit, pull request, checks, ticket on another site; judged."""

import pytest

pytestmark = pytest.mark.bwa(
    task="../tasks/practice/commits.yaml", samples="../tasks/practice/inputs/commits.csv"
)


def test_commit(browser_agent, sample):
    result = browser_agent.run(sample)
    result.assert_done()
    assert result.extracted["commit_sha"] == sample
