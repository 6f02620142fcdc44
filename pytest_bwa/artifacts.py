"""The evidence files of a sample: pictures and downloads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from pydantic import BaseModel, ConfigDict

from pytest_bwa.observation import Box
from pytest_bwa.read_lines import ElementRef
from pytest_bwa.text import has_words, label_key

PICTURE_SUFFIX = ".png"
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
    step: int
    page_state: str = ""
    """Which state of the page a picture shows: a hash that the same state always has; empty for a
    file, and for a picture during which the page changed."""


def is_picture(filename: str | None) -> bool:
    """Whether a file of the evidence is a picture of a page."""
    return (filename or "").endswith(PICTURE_SUFFIX)


def has_label(artifact: Artifact, label: str) -> bool:
    """Whether a picture has the label in its label, and any other file in that or its name, as a
    whole word: a picture is called "page" where its label has no Latin letter. The label
    ``screenshot`` accepts any screenshot."""
    if label_key(label) == "screenshot":
        return is_picture(artifact.filename)
    names = [artifact.label]
    if not is_picture(artifact.filename):
        names.append(_NUMBER.sub("", artifact.filename))
    return any(has_words(name, label) for name in names)


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

    def save_download(self, temporary: Path, suggested: str, url: str, step: int) -> Artifact: ...
