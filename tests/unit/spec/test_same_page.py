"""Whether an address that a browser shows is the one that it was asked for."""

from __future__ import annotations

import pytest

from pytest_bwa.spec.network.same_page import is_same_page


@pytest.mark.parametrize(
    ("asked", "now"),
    [
        ("http://h.test", "http://h.test/"),
        ("http://H.test:80/a/", "https://h.test/a"),
        ("http://h.test/a#part", "http://h.test/a"),
        ("http://h.test/#!/orders/", "http://h.test/#!/orders"),
        ("http://münchen.test/ä?q=ü b", "http://xn--mnchen-3ya.test/%C3%A4?q=%C3%BC+b"),
        ("about:blank", "about:blank"),
    ],
)
def test_a_browser_writes_the_same_address_another_way(asked, now):
    assert is_same_page(asked, now)


@pytest.mark.parametrize(
    "now",
    [
        "http://h.test/login?next=/a",
        "http://h.test/a?q=1",
        "http://h.test:8080/a",
        "http://www.h.test/a",
        "http://h.test/a#/login",
        "http://[broken/a",
    ],
)
def test_another_page_or_route_or_site_is_another_address(now):
    assert not is_same_page("http://h.test/a", now)
