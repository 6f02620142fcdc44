"""What an action says of a page that is gone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Error as PlaywrightError

from pytest_bwa.actions.failures import attempt
from pytest_bwa.errors import PageLost


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("Page.goto: Page crashed", "the page crashed"),
        ("Locator.click: Target page, context or browser has been closed", "the browser is gone"),
    ],
)
def test_a_crash_is_called_a_crash_before_its_event_has_come(message, reason):
    def act():
        raise PlaywrightError(message)

    with pytest.raises(PageLost, match=reason):
        attempt(act)
