"""Flags that a sample gets when its run has ended, by what the other samples say."""

from __future__ import annotations

from collections.abc import Collection

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.files import write_json
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.run_record import RecipeRecord
from pytest_bwa.evidence.writer import RESULT
from pytest_bwa.proof.doubts.odd import UsualPlaces, add_odd
from pytest_bwa.proof.flagging import value_doubts
from pytest_bwa.reports.recipe_summary import doubt_of_recipe
from pytest_bwa.spec.samples import SampleList
from pytest_bwa.spec.task import TaskSpec
from pytest_bwa.steps.doubts import Doubt


def flag_late(
    folder: RunFolder,
    task: TaskSpec,
    samples: SampleList,
    recipe: RecipeRecord | None,
    results: Collection[SampleResult],
) -> tuple[dict[str, str], list[str]]:
    """Flag the samples that a check of the recipe makes doubtful, and those of which a value stands
    elsewhere than in most others. Returns the notes of samples that were flagged now, and what
    could not be written."""
    usual = UsualPlaces(task, samples.find, results)
    flagged: dict[str, str] = {}
    problems = []
    for result in results:
        odd = usual.of(result)
        add_odd(result, odd)
        doubts = value_doubts(result, Doubt.ODD)
        found = [*doubt_of_recipe(recipe, result), *usual.notes(result), *doubts]
        notes = [note for note in found if note not in result.notes]
        if not notes:
            continue
        result.flagged = True
        result.notes += notes
        flagged[result.sample_id] = "; ".join(notes)
        try:
            write_json(folder.sample(result.sample_id) / RESULT, result)
        except EvidenceError as problem:
            problems.append(str(problem))
    return flagged, problems
