"""The evidence files of a sample: pictures and downloads."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, model_serializer

from pytest_bwa.steps.observation import Box
from pytest_bwa.steps.read_lines import ElementRef
from pytest_bwa.steps.text import has_words, label_key

PICTURE_SUFFIX = ".png"
EVIDENCE = "evidence"
"""What the label of a picture begins with that the harness takes of values; their names follow."""
DOWNLOADS = "downloads"
"""The folder of a sample's downloaded files."""
_ENDING = re.compile(r"[^\s.]\.([a-z0-9]{1,10})\s*$")
_MORE_ENDINGS = (
    *("docx", "docm", "xlsx", "xlsm", "xlsb", "pptx", "odt", "ods", "odp", "epub", "msg", "ics"),
    *("7z", "rar", "tgz", "zst", "jar", "iso", "sig", "asc", "p7m", "p7s", "yaml", "yml", "md"),
    *("jsonl", "ndjson", "geojson", "kml", "kmz", "gpx", "log", "sql", "db", "sqlite", "parquet"),
    *("dwg", "dxf", "step", "stl", "psd", "ofx", "qif", "mbox", "flac", "ogg", "m4a", "mkv"),
)
"""Endings of files that Python's own table of types lacks."""
_NUMBER = re.compile(r"^\d+_")


class Artifact(BaseModel):
    """One evidence file of a sample; the hash is of the bytes as they were written."""

    model_config = ConfigDict(frozen=True)

    filename: str
    """Relative to the sample's folder, with forward slashes."""
    sha256: str
    source_url: str
    timestamp: str
    label: str
    more_labels: tuple[str, ...] = ()
    """Under which the same picture was saved again."""
    step: int
    page_state: str = ""
    """Which state of the page a picture shows: a hash that the same state always has; empty for a
    file, and for a picture during which the page changed."""
    fault: str = ""
    """Why a downloaded file is not what was asked for; such a file proves and fulfils nothing."""

    @model_serializer(mode="wrap")
    def _without_what_few_have(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        written: dict[str, Any] = write(self)
        return {k: v for k, v in written.items() if v or k not in ("fault", "more_labels")}

    @property
    def labels(self) -> tuple[str, ...]:
        return (self.label, *self.more_labels)

    def called(self) -> str:
        """Its file name, and what else it was saved as: ``01_page.png (also: ticket)``."""
        more = f" (also: {', '.join(self.more_labels)})" if self.more_labels else ""
        return self.filename + more


def is_picture(filename: str | None) -> bool:
    """Whether a file of the evidence is a picture of a page; a picture that was downloaded is
    none."""
    name = filename or ""
    return name.endswith(PICTURE_SUFFIX) and not name.startswith(f"{DOWNLOADS}/")


def is_file_name(label: str) -> bool:
    """Whether a required label asks for a file: it ends like a file's name."""
    ending = _ENDING.search(label.lower())
    return ending is not None and ending[1] in _known_endings()


def picture_labels(labels: Iterable[str]) -> list[str]:
    """The required labels that ask for pictures of pages."""
    return [label for label in labels if not is_file_name(label)]


@cache
def _known_endings() -> frozenset[str]:
    types = mimetypes.MimeTypes()  # without the tables of this machine
    known = (*types.types_map[False], *types.types_map[True], *types.encodings_map)
    return frozenset((*(ending.removeprefix(".") for ending in known), *_MORE_ENDINGS))


def has_label(artifact: Artifact, label: str) -> bool:
    """Whether a picture has the label in one of its labels, and any other file in that or its name,
    as a whole word: a picture is called "page" where its label has no Latin letter. The label
    ``screenshot`` accepts any screenshot; one that ends like a file's name accepts only a sound
    file with that ending."""
    if artifact.fault:
        return False
    if is_file_name(label):
        return not is_picture(artifact.filename) and _is_called(artifact, label.strip())
    if label_key(label) == "screenshot":
        return is_picture(artifact.filename)
    names = list(artifact.labels)
    if not is_picture(artifact.filename):
        names.append(_NUMBER.sub("", artifact.filename))
    return any(_names(name, label) for name in names)


def _names(name: str, label: str) -> bool:
    """Whether a name has the words of a label; the names of fields do so only as a whole."""
    fields, key = label_key(name).removeprefix(f"{EVIDENCE}_"), label_key(label)
    if fields == label_key(name) or key.startswith(EVIDENCE):
        return has_words(name, label)
    return fields == key


def _is_called(file: Artifact, name: str) -> bool:
    """Whether a file has a name, or a longer one with the same ending."""
    ending = f".{name.rpartition('.')[2]}".lower()
    names = (file.label.strip(), file.filename.rpartition("/")[2])
    return any(own.lower().endswith(ending) and has_words(own, name) for own in names)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of the whole page, one pixel for each CSS pixel."""

    png: bytes
    url: str
    page_state: str = ""
    """The same as ``Observation.state`` of what it shows; empty if the page changed meanwhile."""
    taken_at: str = ""
    hidden: frozenset[ElementRef] = frozenset()
    """The elements that it does not show, because a panel has scrolled them out of view, or an open
    dialog covers them."""
    boxes: Mapping[ElementRef, Box | None] = field(default_factory=dict)
    """Where it shows the other elements inside of panels, and those that have moved; None for one
    that is cut off."""
    offsets: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """For each document that it shows: how far its elements stand from their boxes."""

    views: Mapping[int, Box] = field(default_factory=dict)
    """For each document in a frame that panels scroll: the part of the picture that shows it;
    without a size if none does."""
    read_state: str = ""
    """The state in which the page was read last, before the picture; empty if that is not known."""
    still: frozenset[ElementRef] = frozenset()
    """The elements that nothing has changed since then, although the page has changed."""

    def box_of(self, ref: ElementRef, box: Box) -> Box | None:
        """Where it shows an element that had this box in its document; None if it does not."""
        return None if self.hides(ref, box) else self._place_of(ref, box)

    def hides(self, ref: ElementRef, box: Box | None) -> bool:
        """Whether a panel keeps an element that had this box, or its frame, out of it."""
        view = self.views.get(ref[0])
        if ref in self.hidden or view is None:
            return ref in self.hidden
        place = self._place_of(ref, box) if box is not None else None
        return not view.width or (place is not None and not _has_middle_of(view, place))

    def joined(self, other: Picture) -> Picture:
        """This picture, with the places of the elements that were there when the other one was
        taken, which has the same pixels."""
        return replace(
            self,
            boxes={**self.boxes, **other.boxes},
            offsets={**self.offsets, **other.offsets},
            views={**self.views, **other.views},
            still=self.still | other.still,
        )

    def _place_of(self, ref: ElementRef, box: Box) -> Box | None:
        if ref[0] not in self.offsets:
            return None
        if ref in self.boxes:
            return self.boxes[ref]
        x, y = self.offsets[ref[0]]
        return replace(box, x=box.x + x, y=box.y + y)


def _has_middle_of(view: Box, box: Box) -> bool:
    x, y = box.x + box.width / 2 - view.x, box.y + box.height / 2 - view.y
    return 0 <= x <= view.width and 0 <= y <= view.height


class ArtifactStore(Protocol):
    """Where pictures and files are kept as evidence; the evidence writer."""

    def save_screenshot(self, picture: Picture, label: str, step: int) -> Artifact: ...

    def save_download(
        self, temporary: Path, suggested: str, url: str, step: int, fault: str = ""
    ) -> Artifact: ...
