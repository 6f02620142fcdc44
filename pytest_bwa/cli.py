"""The ``bwa`` command: one small function a command, which calls the room that does the work."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pytest_bwa import __version__
from pytest_bwa.errors import BwaError

app = typer.Typer(
    name="bwa",
    help="Set up, check and read runs of pytest-bwa. The runs themselves are started by pytest.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,  # a local may be a key
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pytest-bwa {__version__}")
        raise typer.Exit


@app.callback()
def bwa(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Say the version."),
    ] = False,
) -> None:
    """Every command's common options."""


@app.command()
def setup() -> None:
    """Find a browser for the runs, or install one."""
    # Imported here: Playwright and pydantic would make --version and --help slow.
    from pytest_bwa.browser.install import install_browser
    from pytest_bwa.settings import read_settings

    try:
        install_browser(typer.echo, read_settings().browser)
    except BwaError as problem:
        raise _ended(problem) from None


@app.command()
def doctor(
    evidence: Annotated[Path, typer.Option(help="The folder that runs would write to.")] = Path(
        "evidence"
    ),
) -> None:
    """Say what a run would use; exit status 1 if none can start."""
    # Imported here: Playwright and pydantic would make --version and --help slow.
    from pytest_bwa.doctor import examine

    can_start = True
    for finding in examine(evidence):
        can_start = can_start and (finding.ok or not finding.needed)
        colour = {"ok": typer.colors.GREEN, "missing": typer.colors.RED}.get(finding.mark)
        mark = typer.style(f"{finding.mark:8}", fg=colour)
        typer.echo(f"{mark} {finding.what:18} {finding.told}")
    if not can_start:
        typer.echo("A run cannot start before the lines marked missing are put right.", err=True)
        raise typer.Exit(1)


def _ended(problem: BwaError) -> typer.Exit:
    typer.echo(f"bwa: {problem}", err=True)
    return typer.Exit(1)
