"""F-02: commit, pull request, checks, ticket on another site; judged."""

import pytest

pytestmark = pytest.mark.bwa(
    task="../tasks/practice/commits.yaml", samples="../tasks/practice/inputs/commits.csv"
)


def test_commit(browser_agent, sample):
    result = browser_agent.run(sample)
    if result.policy == "rules" and result.extracted["pr_number"]:
        # The state of its checks is only a picture: without a model, a person has to look.
        assert result.status == "needs_review"
        assert "checks_failed was not found" in result.reason
    else:
        result.assert_done()
    assert result.extracted["commit_sha"] == sample
