"""Pictures of a run for the page: those that a result names, and only from its sample's folder."""

from __future__ import annotations

import struct
import threading
from collections import OrderedDict
from pathlib import Path

from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.reports.handover.sample_content import Pictures
from pytest_bwa.review.live_run import LiveRun
from pytest_bwa.steps.artifacts import is_picture

KEPT_CROPS = 500
"""Parts of pictures that are kept, of about 20 KB each."""
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_SIZE_ENDS = 24
"""Bytes of a picture that say how large it is."""


def size_of(png: bytes) -> tuple[int, int] | None:
    """Width and height; None if it is no picture."""
    is_whole = png.startswith(_SIGNATURE) and len(png) >= _SIZE_ENDS
    return struct.unpack(">II", png[16:_SIZE_ENDS]) if is_whole else None


class RunPictures:
    """Cuts out one at a time: a long page takes 100 MB."""

    def __init__(self, run: LiveRun) -> None:
        self._run, self._lock = run, threading.Lock()
        self._crops: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        self._last: tuple[SampleResult, Pictures] | None = None

    def path(self, result: SampleResult, name: str | None) -> Path | None:
        """The file of a picture, if it is one of the sample's and really lies in its folder: no
        name and no link leads out of it."""
        if not is_picture(name) or name not in {a.filename for a in result.artifacts}:
            return None
        path = self._run.folder.sample(result.sample_id) / name
        return path if path.is_file() and path.resolve() == path else None

    def size(self, path: Path) -> tuple[int, int] | None:
        """Width and height; None if it is no picture."""
        with path.open("rb") as stream:
            return size_of(stream.read(_SIZE_ENDS))

    def crop(self, result: SampleResult, seen: Grounding) -> bytes:
        """The part around a value as WebP; empty if no picture shows it."""
        if not seen.box or self.path(result, seen.artifact) is None:
            return b""
        key = result.sample_id, seen.artifact, seen.box
        with self._lock:
            if key not in self._crops:
                self._crops[key] = self._pictures(result).crop(seen)
                if len(self._crops) > KEPT_CROPS:
                    self._crops.popitem(last=False)
            self._crops.move_to_end(key)
            return self._crops[key]

    def _pictures(self, result: SampleResult) -> Pictures:
        """Those of the sample that was asked for last stay open."""
        if self._last is None or self._last[0] is not result:
            folder = self._run.folder.sample(result.sample_id)
            self._last = result, Pictures(folder, result.artifacts)
        return self._last[1]
