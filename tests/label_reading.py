"""Helper for tests of the reader of labelled values."""

from __future__ import annotations

from typing import Any

from pytest_bwa.perception.labelled_values import read_labelled


def labels(page: Any, html: str) -> dict[tuple[str, str], str]:
    """Return the labelled values of the page, as (kind, label) → value."""
    page.set_content(html)
    return {(v.kind, v.label): v.value for v in read_labelled(page)}
