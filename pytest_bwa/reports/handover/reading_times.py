"""When and where values were read, and where one was looked for that is not there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.reports.handover.origin import time_text
from pytest_bwa.reports.handover.values import SeenValue
from pytest_bwa.steps.artifacts import is_picture
from pytest_bwa.steps.step import Artifact, Step
from pytest_bwa.steps.text import one_line

MAX_NOTE = 300


@dataclass(frozen=True, slots=True)
class PageRead:
    """A page on which values were read, or on which a sample ended without any; of one that is not
    known all is empty."""

    url: str = ""
    read: str = ""
    """When, in words."""
    artifact: str = ""
    """The picture or the file that shows it."""
    taken: str = ""
    nearest: str = ""
    """The picture of the same state of the page that was taken nearest to the reading; empty if
    that is the picture of the value, or if it is not known."""
    nearest_taken: str = ""
    is_end: bool = False

    @property
    def is_pictured(self) -> bool:
        return is_picture(self.artifact)


class ReadingTimes:
    """The log and the pictures of one sample, in which times are looked up."""

    def __init__(self, result: SampleResult, steps: Sequence[Step]) -> None:
        self._result, self._steps = result, steps
        self._artifacts = {artifact.filename: artifact for artifact in result.artifacts}
        self._begun = {step.step: step.started_at for step in reversed(steps)}

    def page_of(self, seen: Grounding | None) -> PageRead:
        """The page on which a value was read."""
        if seen is None:
            return PageRead()
        begun = self._begun.get(seen.step, "") if seen.step is not None else ""
        artifact, nearest = seen.artifact or "", self._nearest(seen, begun)
        return PageRead(
            url=seen.frame or seen.url or "",
            read=f"as step {seen.step} began, {time_text(begun)}" if begun else "",
            artifact=artifact,
            taken=self.taken(artifact),
            nearest=nearest,
            nearest_taken=self.taken(nearest),
        )

    def taken(self, filename: str) -> str:
        artifact = self._artifacts.get(filename)
        return time_text(artifact.timestamp) if artifact else ""

    def _nearest(self, seen: Grounding, begun: str) -> str:
        proof = self._artifacts.get(seen.artifact or "")
        if proof is None or not proof.page_state or not begun:
            return ""
        same = [a for a in self._artifacts.values() if a.page_state == proof.page_state]
        # Of several that are equally near, that of the value.
        best = min([proof, *same], key=lambda artifact: _seconds_between(artifact, begun))
        return "" if best is proof else best.filename

    def looked_for(self, values: Sequence[SeenValue]) -> PageRead:
        """The page on which a value was looked for that is not there: where the others were read,
        else where the sample ended."""
        pages = [self.page_of(v.grounding) for v in values if v.grounding and v.grounding.url]
        if pages:
            return Counter(pages).most_common(1)[0][0]
        ends = [step.url for step in self._steps if step.url]
        if not ends:
            return PageRead()
        shots = [n for n, a in self._artifacts.items() if a.source_url == ends[-1]]
        picture = next(filter(is_picture, reversed(shots)), "")
        return PageRead(url=ends[-1], artifact=picture, taken=self.taken(picture), is_end=True)


def note_of(result: SampleResult, field: str) -> str:
    """What was noted of a field without a value; empty if nothing was."""
    start = f"{field}: "
    found = (note.removeprefix(start) for note in result.notes if note.startswith(start))
    return one_line(next(found, ""), MAX_NOTE)


def _seconds_between(artifact: Artifact, time: str) -> float:
    taken, begun = map(datetime.fromisoformat, (artifact.timestamp, time))
    return abs((taken - begun).total_seconds())
