"""Which addresses are the same page, the same list, or two things of one sort."""

from __future__ import annotations

import pytest

from pytest_bwa.policy.rules.urls import bare, of_another, only_sorts, parts_of, path_of

APP = "https://x.org/app"


@pytest.mark.parametrize(
    ("url", "alone"),
    [
        ("https://x.org/a?b=1#place", "https://x.org/a?b=1"),
        ("https://x.org/app/#/staff/7?tab=pay", "https://x.org/app/staff/7?tab=pay"),
        ("https://x.org/app?v=2#!/staff", "https://x.org/app/staff?v=2"),
    ],
)
def test_a_route_behind_a_hash_is_of_the_address_and_a_place_in_the_page_is_not(url, alone):
    assert bare(url) == alone


def test_the_parts_of_a_route_are_those_of_a_path():
    assert parts_of(f"{APP}/#/staff/7/") == ["x.org", "app", "staff", "7"]
    assert path_of(f"{APP}/#/staff/7/") == "/app/staff/7"


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("?sort=owner", True),
        ("?_sort_desc=owner&page=2", True),
        ("?page=2", False),
        ("?by=owner&sort=name", False),
        ("", False),
        ("/other?sort=owner", False),
    ],
)
def test_another_order_of_the_same_list(url, same):
    assert only_sorts(f"{APP}{url}", APP) is same
    assert only_sorts(f"{APP}/#/list{url}", f"{APP}/#/list") is same


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("/#/staff/8", "/#/staff/7", True),
        ("/#/staff/7/pay", "/#/staff/7", False),
        ("/?id=8", "/?id=7", True),
        ("/?page=8", "/?page=7", False),
    ],
)
def test_two_things_of_one_sort(one, other, differ):
    assert of_another(APP + one, APP + other) is differ
