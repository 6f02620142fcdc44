"""Whether a recipe still fits its site: its first sample, without a model."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from pytest_bwa.audit import audits
from pytest_bwa.audit.audits import Audit
from pytest_bwa.audit.plan import Plan
from pytest_bwa.audit.preparation.kept_recipe import check_usable
from pytest_bwa.audit.preparation.own_browser import BrowserToLaunch, run_in_own_browser
from pytest_bwa.browser.find import find_browser
from pytest_bwa.browser.launch import launch_arguments
from pytest_bwa.errors import InputError
from pytest_bwa.evidence.folder import SAMPLES, SPEC, RunFolder
from pytest_bwa.policy.recipe.recipe import ONLY, RECIPE, SUFFIX, Recipe, read_recipe
from pytest_bwa.policy.recipe.store import RecipeStore
from pytest_bwa.policy.rules.policy import RulesPolicy
from pytest_bwa.settings import Settings


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
        raise InputError(f"{given}: its spec is not beside it: pass --spec FILE")
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
