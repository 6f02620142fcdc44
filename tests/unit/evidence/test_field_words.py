"""By which words a page may name a field."""

from __future__ import annotations

import pytest

from pytest_bwa.evidence.labels.field_words import FieldWords


@pytest.mark.parametrize(
    ("name", "text", "is_named"),
    [
        ("data_de_entrega", "Estoque de carbono", False),
        ("data_de_entrega", "Entrega prevista", True),
        ("host_ip_address", "IP", True),
        ("ship_to_zip_code", "ZIP code", True),
        ("ship_to_zip_code", "The zip of the file", False),
        ("zip", "The zip of the file", True),
    ],
)
def test_a_short_word_between_others_joins_them(name, text, is_named):
    assert FieldWords([name]).are_in(text) is is_named


@pytest.mark.parametrize(
    ("name", "label", "is_whole"),
    [
        ("status", "State", False),
        ("statuses", "Status", True),
        ("category", "Categories", True),
        ("approver", "Approval", True),
        ("tags", "Tag", True),
        ("grand_total", "Grand Total (GBP)", True),
        ("total", "Total (EUR)", True),
        ("grand_total", "Net Total (GBP)", False),
        ("vendor", "Vendor (1)", False),
        ("owner", "Owner group", False),
    ],
)
def test_a_label_is_the_whole_name(name, label, is_whole):
    assert FieldWords([name]).are_whole(label) is is_whole
