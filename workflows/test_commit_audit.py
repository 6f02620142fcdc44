"""Audits commits: pull request, checks, and the ticket on another site, with a judgment."""

import pytest

pytestmark = pytest.mark.bwa(
    task="../tasks/practice/commits.yaml", samples="../tasks/practice/inputs/commits.csv"
)


def test_commit(browser_agent, sample):
    result = browser_agent.run(sample)
    if result.policy == "rules" and result.extracted["pr_number"]:
        # The state of the checks is only an icon: without a model, a person must review it.
        assert result.status == "needs_review"
        assert "checks_failed: not found" in result.reason
    else:
        result.assert_done()
    assert result.extracted["commit_sha"] == sample
