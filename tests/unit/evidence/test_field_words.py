"""By which words a page may name a field."""

from __future__ import annotations

import pytest
from grounded_sample import Sample, page

from pytest_bwa.evidence.labels.field_words import FieldWords
from pytest_bwa.steps import LabelledValue


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


def test_the_name_of_a_field_may_be_written_without_the_accents_of_the_page():
    shown = {"Người bệnh": "Đỗ Thị Yến", "Người bệnh chi trả": "Quỹ BHYT"}
    labelled = [
        LabelledValue(*one, "definition", box=(0.0, 0.0, 9.0, 9.0)) for one in shown.items()
    ]
    texts = [text for one in shown.items() for text in one]
    sample = Sample(page(*texts, labelled=tuple(labelled), language="vi"), labelled=False)
    paid = sample.ground(nguoi_benh="Quỹ BHYT")["nguoi_benh"]
    assert paid.contested == ("Người bệnh | Đỗ Thị Yến",)
    assert sample.ground(nguoi_benh="Đỗ Thị Yến")["nguoi_benh"].contested is None


def test_the_section_of_an_alias_counts_without_accents_too():
    words = FieldWords(["city"], ["Facturacion > Poblacion"])
    assert words.are_literally("Población")
    assert not words.may_stand("Población", ["Envío"])
    assert words.is_in_named_section("Población", ["Facturación"])
