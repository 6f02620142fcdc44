"""The sample: one row of the samples list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pytest_bwa.spec.typed_secrets import named, stands_for_secret


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample: a row of the list and its id."""

    sample_id: str
    columns: Mapping[str, str] = field(default_factory=dict)
    """Every column of the row as text, including sample_id, url and xfail. In a secret column
    stands the secret's name, ``<secret:password>``."""
    row: int = 0
    """Row number in the file, as a spreadsheet counts it: the header is row 1."""
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The values of its secret columns, by the name of the secret. They are typed, and shown
    nowhere."""

    @property
    def plain_columns(self) -> Mapping[str, str]:
        """The columns without those of secrets: their names stand on no page."""
        return {c: v for c, v in self.columns.items() if not stands_for_secret(v)}

    @property
    def url(self) -> str | None:
        """Its own address, which may be a secret: it is opened, and shown nowhere."""
        text = self.columns.get("url", "")
        secrets = {named(name): value for name, value in self.secrets.items()}
        return secrets.get(text, text) or None

    @property
    def xfail(self) -> str | None:
        """Why this sample is expected to fail, or None."""
        return self.columns.get("xfail") or None
