"""F-01: a list of tickets to number, assignee and due date, with a screenshot each."""

import pytest

pytestmark = pytest.mark.bwa(
    task="../tasks/practice/tickets.yaml", samples="../tasks/practice/inputs/tickets.csv"
)


def test_ticket(browser_agent, sample):
    browser_agent.run(sample).assert_done()
