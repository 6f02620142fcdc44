"""The commands for what samples taught: bwa recipe show and keep."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pytest_bwa.cli.arguments import EVIDENCE, EvidenceOption, exit_on_problem, run_folder
from pytest_bwa.errors import InputError
from pytest_bwa.steps.text import show_controls

if TYPE_CHECKING:
    from pytest_bwa.policy.recipe.recipe import Recipe

recipe_app = typer.Typer(
    name="recipe", help="Show and keep the recipe of a run.",
    no_args_is_help=True,
)  # fmt: skip
Given = Annotated[str, typer.Argument(help="A run folder, its name, or a recipe file.")]


@recipe_app.command()
def show(given: Given, evidence: EvidenceOption = EVIDENCE) -> None:
    """Show what a recipe does, in words."""
    from pytest_bwa.policy.recipe.in_words import in_words

    with exit_on_problem():
        lines = in_words(_read(given, evidence))
    for line in lines:
        typer.echo(show_controls(line))


@recipe_app.command()
def keep(
    run: Annotated[str, typer.Argument(help="A run folder or its name.")],
    evidence: EvidenceOption = EVIDENCE,
) -> None:
    """Save the recipe of a run beside its spec, where --recipe only looks for it."""
    from pytest_bwa.evidence.files import write_atomically
    from pytest_bwa.policy.recipe.recipe import kept_path

    with exit_on_problem():
        folder = run_folder(run, evidence)
        recipe = _read(run, evidence)
        if recipe.rests:
            raise InputError(f"{folder.path}: its recipe cannot be kept: {recipe.rests}")
        path = kept_path(Path(folder.record().spec.path))
        write_atomically(path, recipe.to_yaml().encode())
    typer.echo(show_controls(f"kept {path}"))


def _read(given: str, evidence: Path) -> Recipe:
    from pytest_bwa.policy.recipe.recipe import RECIPE, read_recipe

    if Path(given).is_file():
        return read_recipe(Path(given))
    path = run_folder(given, evidence).path / RECIPE
    if not path.exists():
        raise InputError(f"{path.parent} has no recipe: none was learnt in this run")
    return read_recipe(path)
