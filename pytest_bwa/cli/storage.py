"""The commands that copy runs into a store and out of it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from pytest_bwa.cli.arguments import (
    EVIDENCE,
    EvidenceOption,
    everything,
    exit_on_problem,
    exit_with,
    own_run_folder,
)
from pytest_bwa.errors import BwaError, InputError
from pytest_bwa.steps.text import show_controls


def upload(
    run: Annotated[str, typer.Argument(help="A run folder or its name.")],
    store: Annotated[str, typer.Argument(metavar="URL", help="The store, as --evidence has it.")],
    evidence: EvidenceOption = EVIDENCE,
) -> None:
    """Send what a store does not have of a run (exit status 1 if something is still missing)."""
    # Imported here, because pydantic would make --version and --help slow.
    from pytest_bwa.reports.upload.result_line import result_line
    from pytest_bwa.reports.upload.store import Store
    from pytest_bwa.reports.upload.upload import RunUpload

    with exit_on_problem(status=2):
        result = RunUpload(own_run_folder(run, evidence), Store(store)).finish()
    typer.echo(show_controls(result_line(result)), err=bool(result.reason))
    if result.reason:
        raise typer.Exit(1)


def fetch(
    address: Annotated[str, typer.Argument(metavar="URL", help="A run in a store.")],
    evidence: EvidenceOption = EVIDENCE,
) -> None:
    """Copy a run from a store into a new folder, to resume, review or sign it."""
    # Imported here, because pydantic would make --version and --help slow.
    from pytest_bwa.reports.upload.fetch import FetchedFolder

    try:
        evidence.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=evidence) as temporary:
            folder = FetchedFolder(address, Path(temporary), everything)
            target = evidence / folder.path.name
            if target.exists():
                raise InputError(f"{target} exists: name another folder with --evidence")
            folder.update()
            folder.path.rename(target)
    except OSError as error:
        raise exit_with(InputError(f"cannot write to {evidence}: {error.strerror}")) from None
    except BwaError as problem:
        raise exit_with(problem) from None
    typer.echo(show_controls(f"{target} is a copy of {address}"))
