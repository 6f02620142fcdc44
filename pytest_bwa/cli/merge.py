"""The command that makes one run of the runs of several machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pytest_bwa.cli.arguments import EVIDENCE, EvidenceOption, exit_with, run_folder
from pytest_bwa.errors import BwaError, MergeRefused
from pytest_bwa.steps.text import first_of, show_controls

MAX_NAMED = 20
"""Samples without a result that are named."""


def merge(
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN…", help="The runs of all shards, or their names.")
    ],
    out: Annotated[Path, typer.Option(help="The new run folder.")],
    evidence: EvidenceOption = EVIDENCE,
    alluredir: Annotated[
        Path | None, typer.Option(help="Write Allure results of all samples here, too.")
    ] = None,
) -> None:
    """Join the runs of shards into one (exit status 1 if a sample has no result, 2 if refused)."""
    # Imported here, because pydantic would make --version and --help slow.
    from pytest_bwa.evidence.files import make_folder
    from pytest_bwa.evidence.integrity.manifest import MANIFEST, manifest_digest
    from pytest_bwa.scale.merging.merge import merge_runs

    try:
        merged = merge_runs([run_folder(run, evidence).path for run in runs], out)
        if alluredir is not None:
            from pytest_bwa.reports.allure_report.build import write_results

            make_folder(alluredir)
            write_results([merged.folder], alluredir)
    except MergeRefused as refused:
        for problem in refused.problems:
            typer.echo(f"bwa: {show_controls(problem)}", err=True)
        raise typer.Exit(2) from None
    except BwaError as problem:
        raise exit_with(problem, status=2) from None
    record = merged.record
    results = ", ".join(f"{count} {status}" for status, count in record.results_out.items())
    shards = f"{len(record.merged)} shard{'s' if len(record.merged) != 1 else ''}"
    typer.echo(f"{out}: {shards}, {record.samples_in} samples: {results or 'none finished'}")
    typer.echo(f"{MANIFEST} has the SHA-256 {manifest_digest(merged.folder.path)}")
    if missing := merged.without_result:
        typer.echo(f"bwa: without a result: {first_of(missing, MAX_NAMED)}", err=True)
        raise typer.Exit(1)
