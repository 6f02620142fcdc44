"""The commands that show and export what happened in a run, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pytest_bwa.cli.arguments import (
    EVIDENCE,
    EvidenceOption,
    RunArgument,
    echo_data,
    exit_on_problem,
    own_run_folder,
    run_folder,
)
from pytest_bwa.steps.text import show_controls

if TYPE_CHECKING:
    from pytest_bwa.evidence.folder import RunFolder
    from pytest_bwa.evidence.trajectory.reader import TrajectoryReader


def show(
    run: Annotated[str, typer.Argument(help="A run folder, its name or address, or latest.")],
    sample: Annotated[str, typer.Argument(help="The sample_id.")],
    step: Annotated[int | None, typer.Argument(help="The number of a step.")] = None,
    evidence: EvidenceOption = EVIDENCE,
) -> None:
    """Show the steps of a sample, or everything sent, answered and done in one step."""
    from pytest_bwa.reports.trajectory.show import shown_lines

    with exit_on_problem():
        folder = run_folder(run, evidence, lambda name: _is_shown(name, sample))
        for line in shown_lines(_trajectory(folder), folder, sample, step):
            typer.echo(show_controls(line))


def view(
    run: RunArgument = "",
    evidence: EvidenceOption = EVIDENCE,
    out: Annotated[
        Path | None,
        typer.Option(help="The file to write; RUN.html beside the run if omitted."),
    ] = None,
) -> None:
    """Make one HTML page of a run: each step with prompt, reply, result and picture."""
    from pytest_bwa.evidence.files import write_atomically
    from pytest_bwa.reports.trajectory.view import page

    with exit_on_problem():
        folder = own_run_folder(run, evidence)
        path = out or folder.path.with_name(f"{folder.path.name}.html")
        write_atomically(path, page(_trajectory(folder), folder, path))
    typer.echo(f"wrote {show_controls(str(path))}; open it in a browser")


def export(
    run: RunArgument = "",
    evidence: EvidenceOption = EVIDENCE,
    form: Annotated[
        Literal["jsonl", "messages"],
        typer.Option("--format", help="jsonl: one line per step; messages: one per decision."),
    ] = "jsonl",
    out: Annotated[Path | None, typer.Option(help="The file to write, instead of stdout.")] = None,
    every: Annotated[
        bool, typer.Option("--all", help="With messages: also samples that are not done.")
    ] = False,
) -> None:
    """Write the steps of a run as JSON lines, or the model's decisions for fine-tuning."""
    from pytest_bwa.evidence.files import write_atomically
    from pytest_bwa.reports.trajectory.export import export_lines

    with exit_on_problem():
        folder = run_folder(run, evidence, lambda name: _is_shown(name, ""))
        lines = export_lines(_trajectory(folder), folder.path.name, form, all_samples=every)
        if out is not None:
            write_atomically(out, "".join(f"{line}\n" for line in lines).encode())
            return
        for line in lines:
            echo_data(line)


def _is_shown(name: str, sample: str) -> bool:
    """Whether a file is read to show a sample, or the steps of all samples."""
    from pytest_bwa.evidence.folder import RUN
    from pytest_bwa.evidence.trajectory.schema import FILE

    return name in (RUN, FILE) or (f"/{sample}/" in f"/{name}" and name.endswith(".json"))


def _trajectory(folder: RunFolder) -> TrajectoryReader:
    from pytest_bwa.evidence.folder import LIVE
    from pytest_bwa.evidence.trajectory.reader import TrajectoryReader

    return TrajectoryReader(folder.path, folder.path / LIVE)
