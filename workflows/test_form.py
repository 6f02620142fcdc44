"""Fills and submits an expense form, with screenshots, and downloads the report."""

import pytest

pytestmark = pytest.mark.bwa(
    task="../tasks/practice/form.yaml", samples="../tasks/practice/inputs/form.csv"
)


def test_expense(browser_agent, sample):
    result = browser_agent.run(sample)
    result.assert_done()
    assert any(artifact.filename.startswith("downloads/") for artifact in result.artifacts)
