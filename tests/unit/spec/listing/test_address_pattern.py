"""Which addresses have a form, and what the asterisks stand for."""

from __future__ import annotations

import pytest

from pytest_bwa.spec.address_pattern import AddressPattern, pattern_of_template
from pytest_bwa.spec.sample_ids import new_id, unique_id


@pytest.mark.parametrize(
    ("form", "url", "parts"),
    [
        ("/people/*", "https://x.org/people/ada?tab=1#top", ("ada",)),
        ("/people/*", "https://x.org/en-GB/people/ada/", ("ada",)),
        ("/people/*", "https://x.org/people/J%C3%BCrgen", ("Jürgen",)),
        ("/people/*", "https://x.org/people/ada/follow", None),
        ("/people/*", "https://x.org/people", None),
        ("/people/*", "https://x.org/api/people/ada", None),
        ("people/*", "https://x.org/api/people/ada", ("ada",)),
        ("/*/issues/*", "https://x.org/core/issues/7", ("core", "7")),
        ("/t/PR-*", "https://x.org/t/PR-7", ("7",)),
        ("/t/PR-*", "https://x.org/t/BUG-7", None),
        ("/item?id=*", "https://x.org/item?from=a&id=7", ("7",)),
        ("/item?id=*", "https://x.org/item?from=a", None),
        ("https://www.x.org/p/*", "http://x.org/p/7", ("7",)),
        ("https://y.org/p/*", "https://x.org/p/7", None),
    ],
)
def test_the_parts_that_differ_between_addresses_of_one_form(form, url, parts):
    assert AddressPattern(form).parts(url) == parts


def test_a_start_url_with_placeholders_says_the_form_and_the_columns():
    form, names = pattern_of_template("/orgs/{org}/people/{login}")
    assert (form.text, names) == ("/orgs/*/people/*", ["org", "login"])
    assert pattern_of_template("/people") is None
    assert pattern_of_template("{url}") is None


def test_ids_are_readable_safe_and_unique():
    taken = {"ada", "ada_2"}
    assert new_id("https://x.org/people/Ada/", "Ada Quist", taken) == "Ada_3"
    assert new_id("https://x.org/item.php?id=7", "", ()) == "item_7"
    assert new_id("https://x.org/", "Ada Quist", ()) == "Ada_Quist"
    assert new_id("https://x.org/%E2%98%83", "", ()) == "sample"
    assert unique_id("../con", ()) == "sample_con"
    assert unique_id("samples.csv", ()) == "sample_samples.csv"
