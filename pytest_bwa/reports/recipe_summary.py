"""What became of the recipe in a run: its record, and the lines that say it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from pytest_bwa.errors import InputError
from pytest_bwa.evidence.checks import MIN_CHECKS, CheckRecord
from pytest_bwa.evidence.files import sha256_of
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.run_record import RecipeRecord, RunRecord
from pytest_bwa.policy.recipe.recipe import RECIPE, Recipe, read_recipe
from pytest_bwa.proof.flagging import CHECK_DIFFERED
from pytest_bwa.reports.totals import MAX_NAMED
from pytest_bwa.spec.samples import RECIPE_SAMPLES
from pytest_bwa.steps.step import Usage
from pytest_bwa.steps.text import one_line

MANY_SAMPLES = 20
"""A live run of more samples says what a recipe would have saved."""


def recipe_record(
    folder: RunFolder, record: RunRecord, results: Iterable[SampleResult]
) -> RecipeRecord | None:
    """The end of the record; None if no recipe was asked for."""
    if record.recipe is None:
        return None
    path = folder.path / RECIPE
    recipe = _recipe(path)
    kinds: Counter[str] = Counter()
    ended: Counter[str] = Counter()
    handed_over = {}
    for result in results:
        if result.recipe is not None:
            kinds[result.recipe.kind] += 1
            if result.recipe.kind == "healed" and result.status == "failed" and not result.broken:
                ended[result.outcome] += 1
            if result.recipe.kind == "handed_over":
                handed_over[result.sample_id] = result.recipe.why
    changes = {
        "sha256": sha256_of(path) if recipe else "",
        "learnt_from": recipe.learnt_from if recipe else [],
        "replayed": kinds["replayed"],
        "healed": kinds["healed"],
        "gathered": kinds["gathered"],
        "ended": dict(sorted(ended.items())),
        "handed_over": handed_over,
        "rests": recipe.rests if recipe else "",
    }
    return record.recipe.model_copy(update=changes)


def doubt_of_recipe(check: CheckRecord | None, result: SampleResult) -> list[str]:
    """The note for a sample that a recipe read, if a check found another value of some field."""
    is_read = result.recipe is not None and result.recipe.kind != "handed_over"
    if check is None or not is_read or not (fields := check.different_fields):
        return []
    return [f"{CHECK_DIFFERED} of {', '.join(fields)}: look at it here"]


def recipe_lines(record: RunRecord, results: int, usage: Usage) -> list[str]:
    """What the summary says of the recipe, or of what one would have saved."""
    recipe = record.recipe
    if recipe is None:
        return _what_it_would_save(results, usage)
    return [f"recipe    {in_figures(recipe)}", *_known_row_lines(recipe)]


def _known_row_lines(recipe: RecipeRecord) -> list[str]:
    """What known rows taught, and what they did not."""
    fields: dict[tuple[str, ...], list[str]] = {}
    for name, rows in recipe.taught.items():
        fields.setdefault(tuple(rows), []).append(name)
    taught = (f"{', '.join(names)} by {', '.join(rows)}" for rows, names in fields.items())
    not_taught = {
        **recipe.untaught,
        **{n: f"shows nothing: {why}" for n, why in recipe.unseen.items()},
    }
    return [
        *(f"taught    {line}" for line in taught),
        *(one_line(f"untaught  {name}: {why}") for name, why in not_taught.items()),
    ]


def in_figures(recipe: RecipeRecord) -> str:
    """What became of the recipe that was asked for."""
    if not (recipe.sha256 or recipe.learnt_from):  # of a merged run, each shard has its own
        return f"none was learnt: no {RECIPE_SAMPLES} samples taught the same thing"
    counts = {
        "replayed": recipe.replayed,
        "healed": recipe.healed,
        "gathered for the policy": recipe.gathered,
        "handed over": len(recipe.handed_over),
    }
    used = ", ".join(f"{number} {what}" for what, number in counts.items() if number) or "not used"
    return f"learnt from {len(recipe.learnt_from)}, {used}"


def warning_lines(record: RunRecord) -> list[str]:
    """What a person must know first."""
    check = record.check
    if check is None or not check.differing:
        return []
    if record.recipe is None:
        lines = [f"{c.sample_id}: {'; '.join(c.in_words())}" for c in check.differing]
        more = len(lines) - MAX_NAMED
        return [
            *(f"CHECK     DIFFERS: run again, {line}" for line in lines[:MAX_NAMED]),
            *([f"  … and {more} more"] if more > 0 else []),
        ]
    fields = ", ".join(check.different_fields)
    found = [one.sample_id for one in check.differing]
    return [
        f"RECIPE    WRONG: without it, {', '.join(found)} has another value of {fields}; it rests, "
        "and every sample that it read is flagged"
    ]


def check_lines(record: RunRecord) -> list[str]:
    """What the samples that were read twice say of the run."""
    if record.check is None:
        return []
    is_by_recipe = record.recipe is not None
    return [f"check     {record.check.line(record.samples_in, by_recipe=is_by_recipe)}"]


def _what_it_would_save(results: int, usage: Usage) -> list[str]:
    if results <= MANY_SAMPLES or not usage.calls:
        return []
    needed = round(usage.calls * min(1.0, (RECIPE_SAMPLES + MIN_CHECKS) / results))
    return [
        f"recipe    with --recipe learn, about {needed} of these {usage.calls} calls would do if "
        "the pages are alike"
    ]


def _recipe(path: Path) -> Recipe | None:
    try:
        return read_recipe(path) if path.exists() else None
    except InputError:
        return None


def handed_over_lines(record: RecipeRecord) -> list[str]:
    """One line for each sample that the recipe did not fit."""
    return [one_line(f"{name}: {why}") for name, why in record.handed_over.items()]
