"""One row of the samples list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Sample:
    """``columns`` holds every column of the row as text, sample_id, url and xfail included."""

    sample_id: str
    columns: Mapping[str, str] = field(default_factory=dict)
    row: int = 0
    """Row of the file as a spreadsheet counts it: the header is row 1."""

    @property
    def url(self) -> str | None:
        return self.columns.get("url") or None

    @property
    def xfail(self) -> str | None:
        """Why this sample is known to be bad, or None."""
        return self.columns.get("xfail") or None
