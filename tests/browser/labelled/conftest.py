"""The page on which the reader of labelled values is tested."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="module")
def page(browser: Any) -> Any:
    """One page for all tests, at an address, so that links have one."""
    context = browser.new_context()
    page = context.new_page()
    page.route("http://x.org/", lambda route: route.fulfill(content_type="text/html", body=" "))
    page.goto("http://x.org/")
    yield page
    context.close()
