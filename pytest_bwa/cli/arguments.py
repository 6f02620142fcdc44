"""What several commands take, how a command ends with an error, and what stdout gets, whatever its
encoding: a pipe on Windows has one of 256 characters.

The commands import what they need when they run: pydantic, Playwright and Pillow would make
``bwa --version`` and ``--help`` slow."""

from __future__ import annotations

import atexit
import io
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pytest_bwa.errors import BwaError, InputError
from pytest_bwa.reports.upload.address import is_address, store_address
from pytest_bwa.steps.text import show_controls

if TYPE_CHECKING:
    from pytest_bwa.evidence.folder import RunFolder
    from pytest_bwa.reports.upload.fetch import FetchedFolder, Wanted


EVIDENCE = Path("evidence")
EvidenceOption = Annotated[Path, typer.Option(help="The folder that contains the run folders.")]
RunArgument = Annotated[
    str,
    typer.Argument(help="A run folder, its name or its address; the latest run if omitted."),
]
OpenOption = Annotated[
    bool, typer.Option("--open/--no-open", help="Open the page in your browser.")
]
PortOption = Annotated[int, typer.Option(help="Where the page is served; 0: a free port.")]


def everything(name: str) -> bool:
    return True


def run_folder(run: str, evidence: Path, wanted: Wanted = everything) -> RunFolder:
    """The run that was named: its folder, or a copy of it if it lies in a store, with the files
    that are ``wanted``. Raises BwaError."""
    from pytest_bwa.evidence.folder import RunFolder, find_run

    if is_address(run):
        return RunFolder(fetched(run, wanted).path)
    return find_run(evidence, "" if run == "latest" else run)


def own_run_folder(run: str, evidence: Path) -> RunFolder:
    """The same for a command that writes into the run, or makes pages that lead to its files.
    Raises BwaError."""
    if is_address(run):
        address = store_address(run)
        raise InputError(
            f"{address} is not a folder on this machine: bwa fetch {address} makes a copy"
        )
    return run_folder(run, evidence)


def fetched(address: str, wanted: Wanted = everything) -> FetchedFolder:
    """A copy of what lies in a store, which is removed when the command ends. Raises BwaError."""
    from pytest_bwa.reports.upload.fetch import FetchedFolder

    temporary = tempfile.mkdtemp(prefix="bwa-")
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    folder = FetchedFolder(address, Path(temporary), wanted)
    folder.update()
    return folder


def exit_with(problem: BwaError, *, status: int = 1) -> typer.Exit:
    """Print the problem; the caller raises what is returned."""
    typer.echo(f"bwa: {show_controls(str(problem))}", err=True)
    return typer.Exit(status)


@contextmanager
def exit_on_problem(*, status: int = 1) -> Iterator[None]:
    """End the command with what a BwaError says, and this exit status."""
    try:
        yield
    except BwaError as problem:
        raise exit_with(problem, status=status) from None


class App(typer.Typer):
    """The command line. A character that stdout cannot show is written as a question mark."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        return super().__call__(*args, **options)


def echo_data(text: str) -> None:
    """Write what programs read: always in UTF-8, as all files are."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    typer.echo(text)
