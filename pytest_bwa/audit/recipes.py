"""The recipe that a run uses, and whether a kept one still fits its site."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_bwa.audit import audits
from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.own_browser import BrowserToLaunch, run_in_own_browser
from pytest_bwa.audit.plan import Plan
from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.launch import launch_arguments
from pytest_bwa.errors import InputError
from pytest_bwa.evidence.folder import SAMPLES, SPEC, RunFolder
from pytest_bwa.policy.recipe.recipe import (
    LEARN,
    OFF,
    ONLY,
    RECIPE,
    RECIPE_MODES,
    SUFFIX,
    Recipe,
    kept_path,
    read_recipe,
    why_unusable,
)
from pytest_bwa.policy.recipe.store import RecipeStore
from pytest_bwa.policy.registry import REPLAY
from pytest_bwa.policy.rules.policy import RulesPolicy
from pytest_bwa.settings import Settings

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
    asked = plan.recipe_of(audit.task) or OFF
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
        check_rate=plan.recipe_check,
        needed=plan.recipe_samples,
    )
    store.begin()
    return store


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
    check_usable(recipe, path, audit)
    return recipe


def check_usable(recipe: Recipe, path: Path, audit: Audit) -> None:
    """Raises InputError for a recipe of another task, spec or list."""
    columns = {name for sample in audit.samples.samples for name in sample.columns}
    if why := why_unusable(recipe, audit.task, columns):
        raise InputError(f"{path} cannot be used: {why}")


@dataclass(frozen=True, slots=True)
class Kept:
    """A recipe with the spec and the list that it is tried with."""

    recipe: Path
    spec: Path
    samples: Path | None
    base_url: str | None = None


def kept_files(given: Path, spec: Path | None, samples: Path | None, base_url: str | None) -> Kept:
    """What a run folder has, or what lies beside a recipe. Raises InputError."""
    if given.is_dir():
        address = base_url or RunFolder(given).record().base_url
        listed = samples or given / SAMPLES
        return Kept(given / RECIPE, spec or given / SPEC, listed, address)
    stem = given.name.removesuffix(SUFFIX)
    beside = [given.with_name(stem + ending) for ending in (".yaml", ".yml", ".json")]
    found = spec or next((path for path in beside if path.is_file() and path != given), None)
    if found is None:
        raise InputError(f"{given}: there is no spec beside it: pass --spec FILE")
    return Kept(given, found, samples, base_url)


def why_not_fitting(kept: Kept, settings: Settings) -> str:
    """The step at which the first sample leaves the recipe, and why; empty if it never does.
    Raises BwaError."""
    recipe = read_recipe(kept.recipe)
    with tempfile.TemporaryDirectory() as folder:
        plan = Plan(
            evidence=Path(folder), run_id="fit", policy="rules", model="", base_url=kept.base_url
        )
        audit = audits.read_audit(plan, kept.spec, kept.samples)
        check_usable(recipe, kept.recipe, audit)
        if audit.task.read_only is False:
            raise InputError(f"{kept.recipe} cannot be tried: it would send the form of its sample")
        first = replace(audit.samples, samples=audit.samples.samples[:1])
        opened = audits.written(
            replace(audit, samples=first), RunFolder.create(Path(folder), "fit")
        )
        return _run(opened, recipe, kept, settings)


def _run(audit: Audit, recipe: Recipe, kept: Kept, settings: Settings) -> str:
    assert audit.folder is not None, "it was just written"
    recipes = RecipeStore(audit.folder, audit.task, ONLY, kept=recipe)
    recipes.begin()
    browser = BrowserToLaunch("chromium", launch_arguments(find_browser(settings.browser)))
    (result,) = run_in_own_browser(
        audit, RulesPolicy(), settings, browser, kept.base_url, recipes=recipes
    )
    use = result.recipe
    if use is None or (result.broken and use.kind != "handed_over"):
        return f"{result.sample_id}: {result.reason}"
    return f"{result.sample_id}, step {use.step}: {use.why}" if use.kind == "handed_over" else ""
