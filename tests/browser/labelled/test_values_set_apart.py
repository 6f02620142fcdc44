"""Doubts about words that are painted otherwise than the values around them."""

from __future__ import annotations

import pytest
from label_reading import found, one
from pytest_bwa.evidence.labels.page_doubts import IN_ITALICS


def terms(**values: str) -> str:
    return "".join(f"<dl><dt>{label}<dd>{html}</dd></dl>" for label, html in values.items())


@pytest.mark.parametrize(
    ("html", "doubt"),
    [
        ("<em>None</em>", IN_ITALICS),
        ("<i><b>not set</b></i>", IN_ITALICS),
        ("<i>12 May</i>", IN_ITALICS),
        ("plain", ""),
        ("<i>HB</i> plain", ""),
        ("<span style='color: #777'>12 May</span>", ""),
        ("<a href=/ann>Ann</a>", ""),
        ("<input value=Ann disabled aria-label=Name>", ""),
    ],
)
def test_words_in_italics_may_be_no_value(page, html, doubt):
    assert one(page, terms(Team="Core", Name=html, Site="Riga"), "Name").doubt == doubt


def test_a_page_that_writes_most_values_in_italics_sets_none_apart(page):
    own = {label: f"<i>{label}</i>" for label in ("Team", "Name", "Site")}
    assert [v.doubt for v in found(page, terms(**own, Plan="Basic"))] == [""] * 4


def test_a_cell_is_compared_with_those_of_its_column(page):
    rows = (
        f"<tr><td><b>{n}</b><td><i>Ann</i><td>{owner}"
        for n, owner in enumerate(["Ben", "Eva", "<i>nobody</i>", "Max"])
    )
    html = f"<table><tr><th>No<th>Author<th>Owner{''.join(rows)}</table>"
    doubted = [(v.label, v.value) for v in found(page, html) if v.doubt]
    assert doubted == [("Owner", "nobody")]
