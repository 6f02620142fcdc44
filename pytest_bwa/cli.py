"""The ``bwa`` command: one small function a command, which calls the room that does the work."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pytest_bwa import __version__
from pytest_bwa.errors import BwaError

if TYPE_CHECKING:
    from pytest_bwa.evidence.folder import RunFolder

EVIDENCE = Path("evidence")

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
    evidence: Annotated[Path, typer.Option(help="The folder that runs would write to.")] = EVIDENCE,
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


@app.command()
def watch(
    run: Annotated[str, typer.Argument(help="A run folder, or its name; the latest if none.")] = "",
    evidence: Annotated[Path, typer.Option(help="Where the run folders are.")] = EVIDENCE,
    once: Annotated[bool, typer.Option(help="Show one picture and end.")] = False,
) -> None:
    """Show a run live, from its files alone."""
    # Imported here: rich and pydantic would make --version and --help slow.
    from rich.console import Console

    from pytest_bwa.reports.watch import watch as show

    try:
        show(_run_folder(run, evidence), Console(), once=once)
    except BwaError as problem:
        raise _ended(problem) from None
    except KeyboardInterrupt:
        raise typer.Exit from None


@app.command()
def report(
    run: Annotated[str, typer.Argument(help="A run folder, or its name; the latest if none.")] = "",
    evidence: Annotated[Path, typer.Option(help="Where the run folders are.")] = EVIDENCE,
    results: Annotated[
        Path | None, typer.Option(help="Allure results of the pytest run, instead of the evidence.")
    ] = None,
    output: Annotated[Path, typer.Option(help="Where the report goes.")] = Path("allure-report"),
) -> None:
    """Make the Allure report of a run."""
    # Imported here: pydantic would make --version and --help slow.
    from pytest_bwa.reports.allure_html import build

    try:
        made_by = build(_run_folder(run, evidence), output, results)
    except BwaError as problem:
        raise _ended(problem) from None
    typer.echo(f"{output / 'index.html'} made by {made_by}")
    typer.echo(f"to look at it: python -m http.server --directory {output}")


@app.command()
def login(
    name: Annotated[str, typer.Argument(help="What auth_profile in a spec calls it.")],
    url: Annotated[str, typer.Argument(help="The page where you sign in.")],
) -> None:
    """Sign in by hand once, for specs with auth_profile."""
    # Imported here: Playwright would make --version and --help slow.
    from pytest_bwa.browser.login import save_login
    from pytest_bwa.settings import read_settings

    def wait() -> None:
        typer.prompt("Sign in, then press Enter here", default="", show_default=False)

    try:
        path = save_login(read_settings(), name, url, wait)
    except BwaError as problem:
        raise _ended(problem) from None
    typer.echo(f"saved {path}, readable for you alone")


def _run_folder(run: str, evidence: Path) -> RunFolder:
    from pytest_bwa.evidence.folder import find_run  # as above

    return find_run(evidence, run)


def _ended(problem: BwaError) -> typer.Exit:
    typer.echo(f"bwa: {problem}", err=True)
    return typer.Exit(1)
