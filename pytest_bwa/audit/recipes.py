"""The recipe that a run uses."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.plan import Plan
from pytest_bwa.errors import InputError
from pytest_bwa.policy.base import Policy
from pytest_bwa.policy.recipe.known_rows import KnownRows
from pytest_bwa.policy.recipe.recipe import (
    LEARN,
    OFF,
    ONLY,
    RECIPE,
    RECIPE_MODES,
    Recipe,
    kept_path,
    read_recipe,
    why_unusable,
)
from pytest_bwa.policy.recipe.store import RecipeStore
from pytest_bwa.policy.registry import REPLAY

VERSIONS = ("pytest-bwa", "playwright")
"""What a recipe names of the run that it was learnt in."""


def begin(plan: Plan, audit: Audit | None) -> None:
    """Put the recipe into the run folder, before anything is run. Raises InputError, and then
    leaves no folder behind."""
    if audit is None:
        return
    try:
        recipe_store(plan, audit)
    except InputError:
        if audit.folder is not None and not audit.resumed:
            audit.folder.remove()
        raise


def recipe_store(plan: Plan, audit: Audit) -> RecipeStore | None:
    """The recipe of an audit in its run folder; None if none is asked for. Raises InputError for
    one that cannot be used, and EvidenceError."""
    asked = plan.recipe or OFF
    is_other = audit.task.phase == "discovery" or plan.policy == REPLAY
    if asked == OFF or audit.folder is None or is_other:
        return None
    kept = _learnt_before(audit) if asked == LEARN else _kept(asked, audit)
    mode = asked if asked in (LEARN, ONLY) else Path(asked).name
    store = RecipeStore(
        audit.folder,
        audit.task,
        mode,
        kept=kept,
        versions={name: audit.record.versions.get(name, "") for name in VERSIONS},
    )
    store.begin()
    return store


def known_rows(store: RecipeStore, audit: Audit, policy: Policy) -> KnownRows | None:
    """The rows that teach a recipe where no model does; None if there are none, or if to look at
    one would send a form."""
    task = audit.task
    is_by_rules = policy.reads_labelled_values and not policy.model
    if store.mode != LEARN or not is_by_rules or task.read_only is False or audit.folder is None:
        return None
    rows = audit.known_rows()
    return KnownRows(store, audit.folder, task, rows) if rows else None


def _learnt_before(audit: Audit) -> Recipe | None:
    """What earlier sessions of a resumed run learnt."""
    path = audit.folder.path / RECIPE if audit.folder else None
    if not audit.resumed or path is None or not path.exists():
        return None
    with suppress(InputError):  # a broken file is set aside when it is used
        recipe = read_recipe(path)
        return recipe if not recipe.rests else None
    return None


def _kept(asked: str, audit: Audit) -> Recipe:
    path = kept_path(Path(audit.record.spec.path)) if asked == ONLY else Path(asked)
    if asked == ONLY and not path.exists():
        raise InputError(
            f"--recipe only needs {path}, which does not exist: learn it with --recipe learn, and "
            "keep it with bwa recipe keep RUN"
        )
    if not path.is_file():
        words = ", ".join(RECIPE_MODES)
        raise InputError(f"{path} is not a file: --recipe takes {words} or a recipe file")
    recipe = read_recipe(path)
    columns = {name for sample in audit.samples.samples for name in sample.columns}
    if why := why_unusable(recipe, audit.task, columns):
        raise InputError(f"{path} cannot be used: {why}")
    return recipe
