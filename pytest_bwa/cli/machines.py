"""The commands for many machines: run an audit on a cluster, merge what shards made, copy runs
into a store and out of it."""

from __future__ import annotations

import importlib.util
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
    run_folder,
)
from pytest_bwa.errors import BwaError, InputError, MergeRefused
from pytest_bwa.steps.text import first_of, show_controls

USAGE_ERROR, INTERNAL_ERROR = 4, 3
"""Exit statuses of pytest."""
MAX_NAMED = 20
"""Samples without a result that are named."""
EXTRA = "bwa run needs Dask: pip install 'pytest-bwa[dask]'"
TAKES_MORE = {"allow_extra_args": True, "ignore_unknown_options": True}


Task = Annotated[Path, typer.Option(help="The task spec, JSON or YAML.")]
Samples = Annotated[Path, typer.Option(help="The samples list, .csv or .xlsx.")]
Scheduler = Annotated[
    str | None, typer.Option(help="The address of the Dask scheduler, as tcp://HOST:8786.")
]
Local = Annotated[
    int | None, typer.Option(min=1, help="Start this many workers on this machine instead.")
]
Evidence = Annotated[Path, typer.Option(help="Where to make the run folder, on this machine.")]
RunId = Annotated[str | None, typer.Option(help="The name of the run folder.")]
Resume = Annotated[str | None, typer.Option(metavar="RUN", help="Continue a run that was stopped.")]
Policy = Annotated[str, typer.Option(help="Who decides: auto, claude or rules.")]
Model = Annotated[str | None, typer.Option(help="The model of the claude policy.")]
MaxCost = Annotated[
    float | None,
    typer.Option(min=0.01, help="US dollars that all workers together may spend on models."),
]
Chunk = Annotated[int | None, typer.Option(min=1, help="The most samples a worker gets at a time.")]


def run(
    context: typer.Context,
    task: Task,
    samples: Samples,
    scheduler: Scheduler = None,
    local: Local = None,
    evidence: Evidence = EVIDENCE,
    run_id: RunId = None,
    resume: Resume = None,
    policy: Policy = "auto",
    model: Model = None,
    max_cost: MaxCost = None,
    chunk: Chunk = None,
) -> None:
    """Run an audit on the workers of a Dask cluster; other options are pytest's, as --base-url."""
    try:
        if importlib.util.find_spec("distributed") is None:
            raise InputError(EXTRA)
        if (scheduler is None) == (local is None):
            raise InputError("name either a scheduler, --scheduler tcp://HOST:8786, or --local N")
        # Imported here, because Dask would make --help slow, and is an extra.
        from pytest_bwa.scale.cluster.run import Asked, run_on_cluster

        asked = Asked(
            task, samples, evidence, scheduler, local or 0, run_id, resume, policy, model,
            max_cost, chunk, context.args,
        )  # fmt: skip
        status = run_on_cluster(asked, lambda line: typer.echo(show_controls(f"bwa: {line}")))
    except InputError as problem:
        raise exit_with(problem, status=USAGE_ERROR) from None
    except BwaError as problem:
        raise exit_with(problem, status=INTERNAL_ERROR) from None
    raise typer.Exit(status)


def merge(
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN…", help="The runs of all shards, or their names.")
    ],
    out: Annotated[Path, typer.Option(help="The new run folder.")],
    evidence: EvidenceOption = EVIDENCE,
    alluredir: Annotated[
        Path | None, typer.Option(help="Also write Allure results of all samples here.")
    ] = None,
) -> None:
    """Join the runs of shards into one (exit status 1 if a sample has no result, 2 if refused)."""
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


def upload(
    run: Annotated[str, typer.Argument(help="A run folder or its name.")],
    store: Annotated[str, typer.Argument(metavar="URL", help="The store, as given to --evidence.")],
    evidence: EvidenceOption = EVIDENCE,
) -> None:
    """Upload what a store lacks of a run (exit status 1 if something is still missing)."""
    from pytest_bwa.reports.upload.store import Store
    from pytest_bwa.reports.upload.upload import RunUpload

    with exit_on_problem(status=2):
        result = RunUpload(own_run_folder(run, evidence), Store(store)).finish()
    typer.echo(show_controls(result.line), err=bool(result.reason))
    if result.reason:
        raise typer.Exit(1)


def fetch(
    address: Annotated[str, typer.Argument(metavar="URL", help="A run in a store.")],
    evidence: EvidenceOption = EVIDENCE,
) -> None:
    """Copy a run from a store into a new folder, to resume, review or sign it."""
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
