"""What several commands take, and how a command ends with an error."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pytest_bwa.errors import BwaError
from pytest_bwa.text import show_controls

if TYPE_CHECKING:
    from pytest_bwa.evidence.folder import RunFolder

EVIDENCE = Path("evidence")
EvidenceOption = Annotated[Path, typer.Option(help="The folder that contains the run folders.")]
RunArgument = Annotated[
    str, typer.Argument(help="A run folder or its name; the latest run if omitted.")
]


def run_folder(run: str, evidence: Path) -> RunFolder:
    """The run folder that was named. Raises BwaError."""
    from pytest_bwa.evidence.folder import find_run  # pydantic would make --help slow

    return find_run(evidence, "" if run == "latest" else run)


def exit_with(problem: BwaError, *, status: int = 1) -> typer.Exit:
    """Print the problem; the caller raises what is returned."""
    typer.echo(f"bwa: {show_controls(str(problem))}", err=True)
    return typer.Exit(status)
