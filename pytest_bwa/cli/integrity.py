"""The commands that check, sign and pack a finished run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from pytest_bwa.cli.arguments import (
    EVIDENCE,
    EvidenceOption,
    RunArgument,
    exit_on_problem,
    exit_with,
    fetched,
    own_run_folder,
)
from pytest_bwa.errors import InputError
from pytest_bwa.reports.upload.address import is_address
from pytest_bwa.steps.text import show_controls


def verify(
    run: Annotated[
        str,
        typer.Argument(help="A run folder, its name or address, or that of one sample in it."),
    ] = "",
    evidence: EvidenceOption = EVIDENCE,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
    key: Annotated[
        Path | None, typer.Option(help="The signer's public key, to check the signature too.")
    ] = None,
    tsa_cert: Annotated[
        Path | None,
        typer.Option(help="The timestamp authority's certificate, to check the timestamp too."),
    ] = None,
) -> None:
    """Check that a run is as it was written (exit status 1 if not, 2 if it is not a run)."""
    from pytest_bwa.reports.verify.verify import folder_to_verify
    from pytest_bwa.reports.verify.verify import verify as check

    with exit_on_problem(status=2):
        folder = fetched(run).path if is_address(run) else folder_to_verify(run, evidence)
        found = check(folder, key, tsa_cert)
        if is_address(run):
            found = replace(found, address=run)
    if as_json:
        typer.echo(json.dumps(found.as_json(), indent=2))
    else:
        for line in found.lines():
            typer.echo(show_controls(line))
    if not found.ok:
        raise typer.Exit(1)


def sign(
    run: RunArgument = "",
    key: Annotated[
        Path | None, typer.Option(help="A private Ed25519 key in PEM form, without a password.")
    ] = None,
    tsa: Annotated[
        str, typer.Option(help="The web address of a timestamp authority (RFC 3161).")
    ] = "",
    evidence: EvidenceOption = EVIDENCE,
) -> None:
    """Sign a run that verifies, or have an authority confirm its time; bwa verify checks both."""
    from pytest_bwa.reports.verify import seals

    with exit_on_problem(status=2):
        if key is None and not tsa:
            raise InputError("pass --key FILE to sign the run, --tsa URL for a timestamp, or both")
        folder = intact_run(run, evidence)
        made = {"signed": seals.sign(folder, key)} if key else {}
        made |= {"timestamped": seals.stamp(folder, tsa)} if tsa else {}
    for what, path in made.items():
        typer.echo(show_controls(f"{what}: {path}"))


def intact_run(run: str, evidence: Path) -> Path:
    """The folder of a run that verifies. Exits with status 1 if it does not; raises BwaError."""
    from pytest_bwa.reports.verify.verify import verify as check

    folder = own_run_folder(run, evidence).path
    found = check(folder)
    if not found.ok:
        raise exit_with(InputError(f"{folder} does not verify: {found.faults[0]}"))
    return folder


def bag(
    run: RunArgument = "",
    output: Annotated[
        Path | None, typer.Argument(help="The new folder; RUN.bag beside the run if omitted.")
    ] = None,
    evidence: EvidenceOption = EVIDENCE,
) -> None:
    """Copy a run that verifies into a BagIt bag, for archives."""
    from pytest_bwa.reports.verify.bag import make_bag

    with exit_on_problem():
        folder = own_run_folder(run, evidence).path.resolve()
        made = make_bag(folder, output or folder.with_name(f"{folder.name}.bag"))
    typer.echo(show_controls(f"{made} is a bag; bagit.py --validate checks it"))
