"""F-04: who last changed a line of code, when, and whether it matters."""

import pytest

pytestmark = pytest.mark.bwa(
    task="../tasks/practice/blame.yaml", samples="../tasks/practice/inputs/blame.csv"
)


def test_line(browser_agent, sample):
    browser_agent.run(sample).assert_done()
