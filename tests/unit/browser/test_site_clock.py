"""How far this machine's clock is off is read from what sites answer."""

from __future__ import annotations

import pytest

from pytest_bwa.audit.browser_record import offset_by

SENT = "Sun, 22 Nov 2026 10:00:00 GMT"
AT = 1795341600.0


@pytest.mark.parametrize(
    ("headers", "now", "offset"),
    [
        ({"date": SENT}, AT + 0.4, 0),
        ({"date": SENT}, AT + 90.5, 90),
        ({"date": SENT}, AT - 3600, -3600),
        ({"date": SENT, "age": "30"}, AT, None),
        ({"date": "yesterday"}, AT, None),
        ({}, AT, None),
    ],
)
def test_the_offset_is_the_distance_from_the_date_of_an_answer(headers, now, offset):
    assert offset_by(headers, now) == offset
