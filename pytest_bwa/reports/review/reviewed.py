"""The reports of a run with what people decided since: beside the run, which stays as it is."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from pytest_bwa.evidence.files import make_folder, write_atomically
from pytest_bwa.evidence.folder import COMBINED, COMBINED_XLSX, PAGE, RunFolder
from pytest_bwa.evidence.reviews import read_reviews
from pytest_bwa.reports.base import FinishedRun, read_finished_run
from pytest_bwa.reports.combined import write_csv, write_workbook
from pytest_bwa.reports.handover.run_content import run_content
from pytest_bwa.reports.handover.sample_content import Pictures, sample_content
from pytest_bwa.reports.handover.templates import render
from pytest_bwa.reports.tables.rows import tables_of


def write_reviewed(run: FinishedRun) -> Path | None:
    """Write the pages and tables of a run into ``RUN.reviewed``; None if nothing was reviewed. The
    pages refer to the pictures in the run's folder. Raises EvidenceError."""
    if not (run.reviews or run.said_of_run):
        return None
    name = run.folder.path.resolve().name
    target = run.folder.path.resolve().with_name(f"{name}.reviewed")
    make_folder(target)
    write_atomically(target / PAGE, render("run.html", **run_content(run, f"../{quote(name)}/")))
    tables = tables_of(run)
    write_csv(target / COMBINED, tables[0])
    if (run.folder.path / COMBINED_XLSX).exists():
        write_workbook(target, tables, f"../{quote(name)}/", run.reviews)
    for sample in run.finished_samples(run.reviews):
        sample_id = sample.result.sample_id
        place = run.folder.place(sample_id)
        above = "../" * (1 + len(Path(place).parts))
        evidence = f"{above}{quote(name)}/{quote(place)}/"
        pictures = Pictures(run.folder.sample(sample_id), sample.result.artifacts)
        content = sample_content(sample, run.record, pictures, evidence)
        make_folder(target / place)
        write_atomically(target / place / PAGE, render("sample.html", **content))
    return target


def update_reviewed(folder: RunFolder) -> Path | None:
    """Make the reports of a reviewed run anew; None if nothing was reviewed. Raises BwaError."""
    if not read_reviews(folder.path).reviews:
        return None
    return write_reviewed(read_finished_run(folder))
