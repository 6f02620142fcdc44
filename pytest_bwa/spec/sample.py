"""The sample: one row of the samples list, and the place of its folder in a run."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pytest_bwa.spec.typed_secrets import named, stands_for_secret

FAN_OUT_OVER = 10_000
"""A list of more samples has their folders in 256 folders: many programs are slow with more files
in one folder, or refuse them."""
FAN_OUT = "samples"
"""The folder of these 256."""


COLUMNS_OF_PAGE = ("sample_id", "url")
"""What a sample has that is one page, without a list."""
MIN_IN_PATH = 3
"""Characters of a column that say in an address whose it is: "hr" and "en" are parts of sites."""


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
    expected: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What the list says that the site ought to show, as text by field. No policy is told."""

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

    def own_address(self, start_url: str | None) -> str:
        """Where its record is: its url, or an address in whose path one of its columns is; else
        empty. A query with such a column may only search for it."""
        own = {text.casefold() for text in self.names.values() if len(text) >= MIN_IN_PATH}
        parts = [unquote(part).casefold() for part in urlsplit(start_url or "").path.split("/")]
        is_own = (start_url or "").casefold() in own or not own.isdisjoint(parts)
        return self.url or (start_url if start_url and is_own else "")

    @property
    def names(self) -> Mapping[str, str]:
        """What the list says of the sample itself: its columns without url and xfail."""
        own = self.plain_columns.items()
        return {c: v for c, v in own if c not in ("url", "xfail") and v.strip()}

    @property
    def xfail(self) -> str | None:
        """Why this sample is expected to fail, or None."""
        return self.columns.get("xfail") or None


def place_in_run(sample_id: str, *, fan_out: bool) -> str:
    """The sample's folder, relative to that of its run, with forward slashes: its id, or
    ``samples/3f/ID`` in a run of many samples."""
    if not fan_out:
        return sample_id
    return f"{FAN_OUT}/{hashlib.sha256(sample_id.encode()).hexdigest()[:2]}/{sample_id}"


def find_place_in_run(run: Path, sample_id: str) -> str:
    """The same, of a run that is there, by its folders alone."""
    fanned_out = place_in_run(sample_id, fan_out=True)
    return fanned_out if (run / fanned_out).is_dir() else sample_id


def folders_in_run(run: Path) -> Iterator[Path]:
    """Every folder that may be that of a sample, in no order."""
    for entry in _folders(run):
        yield Path(entry.path)
        if entry.name == FAN_OUT:
            for part in _folders(entry):
                if len(part.name) == 2:
                    yield from (Path(inner.path) for inner in _folders(part))


def _folders(place: Path | os.DirEntry[str]) -> Iterator[os.DirEntry[str]]:
    with os.scandir(place) as entries:
        yield from (entry for entry in entries if entry.is_dir(follow_symlinks=False))
