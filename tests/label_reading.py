"""What the reader of labelled values finds on a page of a test."""

from __future__ import annotations

from typing import Any

from pytest_bwa.perception.labelled_values import read_labelled


def labels(page: Any, html: str) -> dict[tuple[str, str], str]:
    """(kind, label) → value, of what the page labels."""
    page.set_content(html)
    return {(v.kind, v.label): v.value for v in read_labelled(page)}
