"""F-05: a form filled, submitted and proven, its report downloaded."""

import pytest

pytestmark = pytest.mark.bwa(
    task="../tasks/practice/form.yaml", samples="../tasks/practice/inputs/form.csv"
)


def test_expense(browser_agent, sample):
    result = browser_agent.run(sample)
    result.assert_done()
    assert any(artifact.filename.startswith("downloads/") for artifact in result.artifacts)
