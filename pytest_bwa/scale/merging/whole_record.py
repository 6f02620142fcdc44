"""run.json of a merged run: what its shards say, added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from pytest_bwa.evidence.checks import CheckRecord
from pytest_bwa.evidence.folder import SAMPLES, SPEC
from pytest_bwa.evidence.item_report import ItemReport
from pytest_bwa.evidence.record import STATUSES
from pytest_bwa.evidence.run_record import DiscoveryRecord, MergedShard, RecipeRecord, RunRecord
from pytest_bwa.reports.run_summary import what_came_out
from pytest_bwa.reports.totals import RunTotals
from pytest_bwa.scale.merging.shard_runs import ShardRun
from pytest_bwa.spec.samples import SampleList
from pytest_bwa.steps.step import Usage

Value = TypeVar("Value")


def whole_record(
    shards: Sequence[ShardRun],
    run_id: str,
    samples: SampleList,
    totals: RunTotals,
    inputs: Mapping[str, Mapping[str, str]],
    problems: Sequence[str],
) -> RunRecord:
    """What run.json says, with no time or figure that no shard has. ``totals`` are those of all
    shards, ``inputs`` has what is said of spec and list in the run folder, and ``problems`` what
    could not be joined."""
    records, first = [shard.record for shard in shards], shards[0].record
    counts = totals.statuses
    recipe = _recipe(shards)
    rows = len(samples.samples)

    def report_of(sample_id: str) -> ItemReport | None:
        return next(filter(None, (s.run.folder.item_report(sample_id) for s in shards)), None)

    ended = what_came_out(shards[0].run.task, samples, totals, report_of)
    changes: dict[str, Any] = {
        **_joined(records),
        "run_id": run_id,
        "spec": first.spec.model_copy(update=dict(inputs[SPEC])),
        "samples": first.samples.model_copy(update={**inputs[SAMPLES], "rows": rows}),
        "shard": None,
        "merged": [_merged(shard) for shard in shards],
        "origin": None,  # each shard has its own
        "samples_in": rows,
        "results_out": {status: counts[status] for status in STATUSES if counts[status]},
        "not_run": rows - counts.total(),
        "expected": totals.known_record(recipe),
        "recipe": recipe,
        "check": _check([record.check for record in records if record.check is not None]),
        "notes": [
            *_each_once(n for r in records for n in r.notes),
            *_recipe_notes(shards),
            *problems,
        ],
        "exit_reason": _cut_short(shards) or ended,
    }
    return first.model_copy(update=changes)


def _joined(records: Sequence[RunRecord]) -> dict[str, Any]:
    """What the records of all shards say together."""
    first = records[0]
    resumed = [session for record in records for session in record.resumed]
    return {
        "base_url": _common([record.base_url for record in records]),
        "versions": {n: v for n, v in first.versions.items() if _has_all(records, n, v)},
        "browsers": _each_once(browser for record in records for browser in record.browsers),
        "preparation_usage": sum((record.preparation_usage for record in records), Usage()),
        "discovery": _discovery(records),
        "started_at": min(record.started_at for record in records),
        "finished_at": max(record.finished_at or "" for record in records),
        "lessons": _each_once(lesson for record in records for lesson in record.lessons),
        "hints_shown": sum(record.hints_shown or 0 for record in records),
        "resumed_at": sorted(time for record in records for time in record.resumed_at),
        "resumed": sorted(resumed, key=lambda session: session.time),
    }


def _discovery(records: Sequence[RunRecord]) -> DiscoveryRecord | None:
    """The walk of one of them, since all found the same; one that was incomplete, if there is."""
    incomplete = (r.discovery for r in records if r.discovery and r.discovery.problems)
    return next(incomplete, records[0].discovery)


def _merged(shard: ShardRun) -> MergedShard:
    return MergedShard(
        number=shard.listed.number,
        of=shard.listed.of,
        run_id=shard.record.run_id,
        manifest_sha256=shard.manifest_sha256,
        samples_in=shard.record.samples_in,
        origin=shard.record.origin,
    )


def _cut_short(shards: Iterable[ShardRun]) -> str:
    """Why a shard ended early; empty if none did."""
    for shard in shards:
        run = shard.run
        usual = what_came_out(run.task, run.samples, run.totals, run.folder.item_report)
        if shard.record.exit_reason and shard.record.exit_reason != usual:
            return f"{shard.record.exit_reason} (the shard {shard.listed.shard})"
    return ""


def _recipe(shards: Sequence[ShardRun]) -> RecipeRecord | None:
    """What became of all recipes: each shard may have learnt its own."""
    recipes = [s.record.recipe for s in shards if s.record.recipe is not None]
    if not recipes:
        return None
    rests = [
        f"{shard.record.recipe.rests} (the shard {shard.listed.shard})"
        for shard in shards
        if shard.record.recipe is not None and shard.record.recipe.rests
    ]
    changes: dict[str, Any] = {
        "sha256": _common([recipe.sha256 for recipe in recipes]) or "",
        "learnt_from": _each_once(name for recipe in recipes for name in recipe.learnt_from),
        "replayed": sum(recipe.replayed for recipe in recipes),
        "healed": sum(recipe.healed for recipe in recipes),
        "gathered": sum(recipe.gathered for recipe in recipes),
        "ended": dict(sum((Counter(recipe.ended) for recipe in recipes), Counter())),
        "handed_over": {n: why for recipe in recipes for n, why in recipe.handed_over.items()},
        "rests": "; ".join(rests),
    }
    return recipes[0].model_copy(update=changes)


def _check(checked: Sequence[CheckRecord]) -> CheckRecord | None:
    """All checks together: each shard has drawn as large a part."""
    if not checked:
        return None
    whole = checked[0].with_checks([check for record in checked for check in record.checks])
    seed = _common([record.seed for record in checked]) or ""
    return whole.model_copy(update={"seed": seed})


def _recipe_notes(shards: Sequence[ShardRun]) -> list[str]:
    """What a check in one shard says of the others, whose results stay as they are."""
    wrong = [shard for shard in shards if shard.record.is_recipe_wrong]
    if not wrong or len(wrong) == len(shards):
        return []
    names = ", ".join(str(shard.listed.shard) for shard in wrong)
    return [
        f"a check of the recipe found another value in the shard {names}; only there is flagged "
        "what it read"
    ]


def _has_all(records: Iterable[RunRecord], name: str, version: str) -> bool:
    return all(record.versions.get(name) == version for record in records)


def _common(values: Sequence[Value]) -> Value | None:
    """The value that all have; None if they differ."""
    return values[0] if all(value == values[0] for value in values) else None


def _each_once(values: Iterable[Value]) -> list[Value]:
    found: list[Value] = []
    for value in values:
        if value not in found:
            found.append(value)
    return found
