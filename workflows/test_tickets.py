"""Reads the number, assignee and due date of each ticket, with a screenshot of each."""

import pytest

pytestmark = pytest.mark.bwa(
    task="../tasks/practice/tickets.yaml", samples="../tasks/practice/inputs/tickets.csv"
)


def test_ticket(browser_agent, sample):
    browser_agent.run(sample).assert_done()
