"""Flags that a sample gets when its run has ended, by what the other samples say."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.checks import CheckRecord
from pytest_bwa.evidence.files import write_json
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.writer import RESULT
from pytest_bwa.proof.doubts.cleared import KnownPlaces, take_back
from pytest_bwa.proof.doubts.groups import cleared_notes
from pytest_bwa.proof.doubts.odd import UsualPlaces, add_odd
from pytest_bwa.proof.doubts.standing import Standings
from pytest_bwa.proof.flagging import READ_OTHERWISE, value_doubts
from pytest_bwa.reports.recipe_summary import doubt_of_recipe
from pytest_bwa.spec.samples import SampleList
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.doubts import Doubt


@dataclass
class LateFlags:
    """The samples of which the end of a run changed what asks for a look, with the notes that say
    why."""

    flagged: dict[str, str] = field(default_factory=dict)
    cleared: dict[str, str] = field(default_factory=dict)
    """Those of which known samples cleared doubts."""
    problems: list[str] = field(default_factory=list)
    """What could not be written."""


def flag_late(
    folder: RunFolder,
    task: TaskSpec,
    samples: SampleList,
    check: CheckRecord | None,
    results: Collection[SampleResult],
) -> LateFlags:
    """Flag the samples that a check makes doubtful, and those of which a value stands
    elsewhere than in most others; and clear what known samples show to be right."""
    standings = Standings(samples.find, results)
    usual = UsualPlaces(task, standings, results)
    known = KnownPlaces(standings)
    for result in results if samples.known else ():
        known.add(_doubted(result, usual))
    differing = {one.sample_id: one.in_words() for one in check.differing} if check else {}
    late = LateFlags()
    for result in results:
        now = _doubted(result, usual)
        known.clear(now)
        doubts = value_doubts(now, Doubt.ODD)
        checked = [f"{READ_OTHERWISE}{words}" for words in differing.get(now.sample_id, ())]
        found = [*checked, *doubt_of_recipe(check, now), *usual.notes(now), *doubts]
        now.notes += [note for note in found if note not in now.notes]
        cleared = cleared_notes(now)
        notes = [note for note in now.notes if note not in result.notes and note not in cleared]
        now.flagged = now.flagged or bool(notes)
        if (now.flagged, now.notes, now.grounding) == (
            result.flagged,
            result.notes,
            result.grounding,
        ):
            continue
        if notes:
            late.flagged[result.sample_id] = "; ".join(notes)
        elif cleared:
            late.cleared[result.sample_id] = "; ".join(cleared)
        result.flagged, result.notes, result.grounding = now.flagged, now.notes, now.grounding
        try:
            write_json(folder.sample(result.sample_id) / RESULT, result)
        except EvidenceError as problem:
            late.problems.append(str(problem))
    return late


def _doubted(result: SampleResult, usual: UsualPlaces) -> SampleResult:
    """A copy with all that speaks against its values."""
    copies = {"grounding": dict(result.grounding), "notes": list(result.notes)}
    copy = result.model_copy(update=copies)
    take_back(copy)
    add_odd(copy, usual.of(copy))
    return copy
