"""What a row of the list says of its sample."""

from __future__ import annotations

import pytest

from pytest_bwa.spec.sample import Sample


@pytest.mark.parametrize(
    ("start_url", "url", "own"),
    [
        ("/tickets/T%2077", "", "/tickets/T%2077"),
        ("/tickets", "", ""),
        ("/search?q=T 77", "", ""),
        ("/tickets/leaver", "", ""),  # what is written about an expected failure
        ("/tickets", "/t/77", "/t/77"),
        ("/en/tickets", "", ""),  # a short value is a part of the site
        ("https://x.test/?t=77", "", "https://x.test/?t=77"),  # a column is the address itself
        (None, "", ""),
    ],
)
def test_the_own_address_is_the_url_or_one_in_whose_path_the_sample_stands(start_url, url, own):
    names = {"sample_id": "t-1", "ticket": "T 77", "lang": "en", "link": "https://x.test/?t=77"}
    sample = Sample("t-1", {**names, "url": url, "xfail": "leaver"})
    assert sample.own_address(start_url) == own
    assert sample.names == names
