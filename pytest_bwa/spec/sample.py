"""The sample: one row of the samples list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample: a row of the list and its id."""

    sample_id: str
    columns: Mapping[str, str] = field(default_factory=dict)
    """Every column of the row as text, including sample_id, url and xfail."""
    row: int = 0
    """Row number in the file, as a spreadsheet counts it: the header is row 1."""

    @property
    def url(self) -> str | None:
        return self.columns.get("url") or None

    @property
    def xfail(self) -> str | None:
        """Why this sample is expected to fail, or None."""
        return self.columns.get("xfail") or None
