"""Which pages are those of other records, by their address alone."""

from __future__ import annotations

import pytest

from pytest_bwa.proof.own_address import OwnAddress

NAMES = frozenset({"ada_quist", "s_1"})


@pytest.mark.parametrize(
    ("own", "page", "is_another"),
    [
        ("/tickets/7", "/tickets/12", True),
        ("/tickets/7", "/tickets/7", False),
        ("/tickets/7", "/tickets/7/history", False),
        ("/tickets/7", "/people/7", False),
        ("/tickets?id=7", "/tickets?id=8", True),
        ("/people/ada-quist", "/people/ben-okoro", True),
        ("/people/Ada%20Quist", "/people/ben", True),
        ("/ada-quist/profile", "/ada-quist/contact", False),
        ("", "/tickets/12", False),
    ],
)
def test_a_page_is_another_records_if_only_what_names_the_record_differs(own, page, is_another):
    site = "https://desk.test"
    assert OwnAddress(own and site + own, NAMES).is_of_another(site + page) == is_another
    assert OwnAddress(own, NAMES).is_of_another(site + page) == is_another


def test_another_site_has_no_other_record_of_this_one():
    assert not OwnAddress("https://desk.test/tickets/7").is_of_another("https://x.org/tickets/8")
