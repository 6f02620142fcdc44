"""When and where values were read, and where one was looked for that is not there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from pytest_bwa.evidence.grounding import Grounding
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.reports.handover.origin import time_text
from pytest_bwa.reports.handover.values import SeenValue
from pytest_bwa.steps.artifacts import is_picture
from pytest_bwa.steps.step import Artifact, Step
from pytest_bwa.steps.text import one_line

MAX_NOTE = 300
NOWHERE = {"words": "", "url": "", "picture": ""}


class ReadingTimes:
    """The log and the pictures of one sample, in which times are looked up."""

    def __init__(self, result: SampleResult, steps: Sequence[Step]) -> None:
        self._result, self._steps = result, steps
        self._artifacts = {artifact.filename: artifact for artifact in result.artifacts}
        self._begun = {step.step: step.started_at for step in reversed(steps)}

    def taken(self, filename: str) -> str:
        artifact = self._artifacts.get(filename)
        return time_text(artifact.timestamp) if artifact else ""

    def read(self, seen: Grounding | None) -> str:
        """When the value was read: as its step began; empty if that is not known."""
        begun = self._begun_at(seen)
        return f"as step {seen.step} began, {time_text(begun)}" if seen and begun else ""

    def _begun_at(self, seen: Grounding | None) -> str:
        return self._begun.get(seen.step, "") if seen and seen.step is not None else ""

    def nearest(self, seen: Grounding | None) -> str:
        """The picture of the same state of the page that was taken nearest to the reading; empty
        if that is the picture of the value, or if it is not known."""
        proof = self._artifacts.get(seen.artifact or "") if seen else None
        begun = self._begun_at(seen)
        if proof is None or not proof.page_state or not begun:
            return ""
        same = [a for a in self._artifacts.values() if a.page_state == proof.page_state]
        # Of several that are equally near, that of the value.
        best = min([proof, *same], key=lambda artifact: _seconds_between(artifact, begun))
        return "" if best is proof else best.filename

    def looked_for(self, values: Sequence[SeenValue]) -> dict[str, str]:
        """The page on which a value was looked for that is not there: where the others were read,
        else where the sample ended."""
        grounded = [v.grounding for v in values if v.grounding and v.grounding.url]
        if grounded:
            places = Counter(((s.frame or s.url or ""), s.artifact or "") for s in grounded)
            url, picture = places.most_common(1)[0][0]
            return {"words": "other values were read at", "url": url, "picture": _png(picture)}
        ends = [step.url for step in self._steps if step.url]
        if not ends:
            return NOWHERE
        shots = [n for n, a in self._artifacts.items() if a.source_url == ends[-1]]
        picture = next(filter(None, map(_png, reversed(shots))), "")
        return {"words": "the sample ended at", "url": ends[-1], "picture": picture}


def note_of(result: SampleResult, field: str) -> str:
    """What was noted of a field without a value; empty if nothing was."""
    start = f"{field}: "
    found = (note.removeprefix(start) for note in result.notes if note.startswith(start))
    return one_line(next(found, ""), MAX_NOTE)


def _png(filename: str) -> str:
    return filename if is_picture(filename) else ""


def _seconds_between(artifact: Artifact, time: str) -> float:
    taken, begun = map(datetime.fromisoformat, (artifact.timestamp, time))
    return abs((taken - begun).total_seconds())
