"""Which addresses are the same page, a part of it, a search for it, or no page at all."""

from __future__ import annotations

import pytest

from pytest_bwa.facts.address import (
    address_of,
    is_part_of,
    is_same_but_locale,
    is_same_page,
    segments,
)

APP = "https://x.org/app/orders/7"


@pytest.mark.parametrize(
    "url",
    [
        APP,
        "http://x.org/app/orders/7",
        "https://www.x.org/app/orders/7/",
        "https://x.org/app/orders/7#notes",
        "https://x.org/en/app/orders/7",
        "https://x.org/de-CH/app/orders/7",
        "https://x.org/pt_BR/app/orders/%37",
        "https://X.org/app/#/orders/7",
        "https://x.org/app#!/orders/7",
    ],
)
def test_scheme_slash_fragment_and_locale_make_no_other_page(url):
    assert is_same_but_locale(url, APP)


def test_two_letters_in_front_may_also_be_a_department():
    assert not is_same_but_locale("https://x.org/hr/orders/7", "https://x.org/it/orders/7")


@pytest.mark.parametrize(
    "url",
    [
        "https://x.org/app/orders/8",
        "https://x.org/app/orders",
        "https://x.org/app/orders/7/items",
        "https://x.org/app/Orders/7",
        "https://x.org/app/orders/7?tab=pay",
        "https://x.org/app/#/orders/8",
        "https://y.org/app/orders/7",
        "https://shop.x.org/app/orders/7",
        "https://x.org:8443/app/orders/7",
        "https://x.org/eng/app/orders/7",
    ],
)
def test_path_query_and_site_make_another_page(url):
    assert address_of(url) != address_of(APP)


def test_the_order_of_a_query_does_not_matter_and_its_values_do():
    assert address_of("https://x.org/a?b=1&c=2") == address_of("https://x.org/a?c=2&b=1")
    assert address_of("https://x.org/a?b=1") != address_of("https://x.org/a?b=")
    assert address_of("https://x.org/a#/o?b=1") == address_of("https://x.org/a/o?b=1")


def test_two_letters_alone_are_a_page_and_no_locale():
    assert segments("https://x.org/hr") == ["hr"]
    assert segments("https://x.org/en/hr") == ["hr"]
    assert segments("https://x.org/a%20b/#/c") == ["a b", "c"]


@pytest.mark.parametrize(
    ("url", "is_part"),
    [
        (f"{APP}/items", True),
        (f"{APP}?tab=pay", True),
        ("https://x.org/app/orders/78", False),
        ("https://x.org/app/orders", False),
        ("https://y.org/app/orders/7/items", False),
    ],
)
def test_a_part_stands_below_its_whole(url, is_part):
    assert is_part_of(url, APP) is is_part


def test_nothing_is_a_part_of_a_sites_first_page():
    assert not is_part_of("https://x.org/orders", "https://x.org/")


def test_a_port_belongs_to_the_site():
    assert address_of("http://127.0.0.1:8000/x").site == "127.0.0.1:8000"


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
        "http://h.test/a#/login",
        "http://[broken/a",
    ],
)
def test_another_page_or_route_or_site_is_another_address(now):
    assert not is_same_page("http://h.test/a", now)
