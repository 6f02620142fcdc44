"""The command with which people decide what a run could not."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pytest_bwa.cli.arguments import (
    EVIDENCE,
    EvidenceOption,
    OpenOption,
    PortOption,
    RunArgument,
    exit_on_problem,
    own_run_folder,
)
from pytest_bwa.errors import InputError
from pytest_bwa.steps.text import show_controls

if TYPE_CHECKING:
    from pytest_bwa.evidence.folder import RunFolder
    from pytest_bwa.evidence.record import SampleResult
    from pytest_bwa.reports.base import FinishedRun
    from pytest_bwa.reports.review.decisions import Decisions


def review(
    run: RunArgument = "",
    evidence: EvidenceOption = EVIDENCE,
    reviewer: Annotated[
        str, typer.Option(help="Who reviews; the name of the login if omitted.")
    ] = "",
    sample: Annotated[str, typer.Option(help="Review only this sample, whatever its status.")] = "",
    again: Annotated[
        bool, typer.Option("--again", help="Ask again about what was already decided.")
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help="Review every sample, not only those marked for it.")
    ] = False,
    known: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Ask nothing: write the list with what people decided into this CSV file.",
        ),
    ] = None,
    random: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            help="Begin with N samples, drawn at random from all that is done and unflagged.",
        ),
    ] = 0,
    terminal: Annotated[
        bool,
        typer.Option(
            "--terminal",
            help="Ask here, on no page; so do --sample, --again, --all and a pipe.",
        ),
    ] = False,
    open_page: OpenOption = True,
    port: PortOption = 0,
) -> None:
    """Accept, correct or reject what a run could not be sure of, on a page of your browser."""
    from pytest_bwa.evidence.integrity.origin import login_name

    with exit_on_problem():
        folder = own_run_folder(run, evidence)
        if known is not None:
            _write_known(folder, known)
            return
        if not (name := reviewer.strip() or login_name() or ""):
            raise InputError("your login has no name: pass --reviewer NAME")
        is_piped = open_page and not (port or random) and not sys.stdin.isatty()
        if terminal or sample or again or every or is_piped:
            written = _ask_all(folder, name, sample, again=again, every=every)
        else:
            written = serve(folder, name, port, random, in_browser=open_page)
        _echo(f"\ndecisions by {name} written: {written}")
        _show_end(folder)


def serve(
    folder: RunFolder, reviewer: str = "", port: int = 0, random: int = 0, *, in_browser: bool
) -> int:
    """Until Ctrl-C; the number of decisions that were written. Without a reviewer the page only
    shows the run. Raises BwaError."""
    from pytest_bwa.review.server import ReviewServer, opened

    server = ReviewServer(folder, reviewer, port, can_decide=bool(reviewer), random=random)
    with opened(server, _echo, in_browser=in_browser):
        _echo("Ctrl-C ends it.")
        server.serve()
    return server.written


def _ask_all(folder: RunFolder, reviewer: str, sample: str, *, again: bool, every: bool) -> int:
    """Ask in the terminal; the number of decisions that were written. Raises BwaError."""
    from pytest_bwa.reports.base import read_finished_run
    from pytest_bwa.reports.review.decisions import Decisions
    from pytest_bwa.reports.review.walk import ReviewWalk

    finished = read_finished_run(folder)
    if again:
        finished = replace(finished, reviews={})
    decisions = Decisions(finished, reviewer)
    every = every or bool(sample)
    chosen = _chosen(finished, decisions, sample, every=every)
    with tempfile.TemporaryDirectory(prefix="bwa-review-") as crops:
        ReviewWalk(finished, decisions, _ask, _echo, Path(crops)).walk(chosen, every=every)
    return len(decisions.written)


def _write_known(folder: RunFolder, file: Path) -> None:
    """Raises BwaError."""
    from pytest_bwa.evidence.files import write_atomically
    from pytest_bwa.reports.base import read_finished_run
    from pytest_bwa.reports.review.known import reviewed_list
    from pytest_bwa.spec.known import check_known
    from pytest_bwa.spec.secrets import lacks_cells

    if file.suffix.lower() != ".csv":
        raise InputError(f"--known {file}: it writes CSV: name a file that ends in .csv")
    if file.exists():
        raise InputError(f"{file} exists: name another file")
    run = read_finished_run(folder)
    listed = reviewed_list(run)
    check_known(file, listed.known, listed.samples, run.task)
    write_atomically(file, listed.to_csv().encode())
    rows = sum(any(map(str.strip, s.expected.values())) for s in listed.samples)
    _echo(f"{file}: something is known of {rows} of {len(listed.samples)} rows")
    if lacks_cells(listed.samples):
        _echo("it has no secrets, as the run has none: put them into the list before it is used")


def _chosen(
    run: FinishedRun, decisions: Decisions, sample: str, *, every: bool
) -> list[SampleResult]:
    """The results to walk through, those without anything open left out. Raises InputError."""
    results = [r for r in run.results if sample in ("", r.sample_id)]
    if sample and not results:
        raise InputError(f"there is no such sample in {run.folder.path}: {sample}")
    if not every:
        results = [result for result in results if decisions.is_to_review(result)]
    return [result for result in results if any(decisions.open_subjects(result))]


def _show_end(folder: RunFolder) -> None:
    """Where the chain of reviews ends, and the reports that show them. Raises BwaError."""
    from pytest_bwa.evidence.reviews import REVIEWS, read_reviews
    from pytest_bwa.reports.review.reviewed import update_reviewed

    found = read_reviews(folder.path)
    if found.reviews:
        count = f"{folder.path / REVIEWS} has {len(found.reviews)} now"
        _echo(f"{count}; the last has the hash {found.last_hash}")
    if folder.record().finished_at is None:
        _echo("the run still goes on: bwa report or bwa review makes the pages when it has ended")
    elif made := update_reviewed(folder):
        _echo(f"{made / 'index.html'} shows them")


def _ask(question: str) -> str | None:
    """None at the end of what a pipe has, and if a person presses Ctrl-C or Ctrl-D."""
    try:
        text: str = typer.prompt(question, default="", show_default=False, prompt_suffix=" ")
    except typer.Abort:
        return None
    return text


def _echo(line: str) -> None:
    typer.echo(show_controls(line))
