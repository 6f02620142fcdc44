"""The command that runs an audit on the workers of a cluster."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from pytest_bwa.cli.arguments import EVIDENCE, exit_with
from pytest_bwa.errors import BwaError, InputError
from pytest_bwa.steps.text import show_controls

USAGE_ERROR, INTERNAL_ERROR = 4, 3
"""Exit statuses of pytest."""
EXTRA = "bwa run needs Dask: pip install 'pytest-bwa[dask]'"
TAKES_MORE = {"allow_extra_args": True, "ignore_unknown_options": True}


Task = Annotated[Path, typer.Option(help="The task spec, JSON or YAML.")]
Samples = Annotated[Path, typer.Option(help="The samples list, .csv or .xlsx.")]
Scheduler = Annotated[
    str | None, typer.Option(help="The address of the Dask scheduler, as tcp://HOST:8786.")
]
Local = Annotated[
    int | None, typer.Option(min=1, help="Instead: start so many workers on this machine.")
]
Evidence = Annotated[Path, typer.Option(help="Where the run folder is made, on this machine.")]
RunId = Annotated[str | None, typer.Option(help="The name of the run folder.")]
Resume = Annotated[
    str | None, typer.Option(metavar="RUN", help="Go on with a run that was stopped.")
]
Policy = Annotated[str, typer.Option(help="Who decides: auto, claude or rules.")]
Model = Annotated[str | None, typer.Option(help="The model of the claude policy.")]
MaxCost = Annotated[
    float | None,
    typer.Option(min=0.01, help="US dollars that all workers together may spend on models."),
]
Chunk = Annotated[
    int | None, typer.Option(min=1, help="The most samples that a worker gets at a time.")
]


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
