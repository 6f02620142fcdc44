"""Writes the pages into the run folder, before its manifest is made."""

from __future__ import annotations

from pytest_bwa.evidence.files import write_atomically
from pytest_bwa.reports.base import FinishedRun, FinishedSample, Report
from pytest_bwa.reports.handover.templates import render

PAGE, README = "index.html", "README.txt"


class HandOver(Report):
    """A page for each sample, written by the process that ran it, and one for the run."""

    name = "hand-over pages"

    def sample_finished(self, finished: FinishedSample) -> None:
        write_sample_page(finished)

    def recordings_kept(self, finished: FinishedSample) -> None:
        write_sample_page(finished)

    def sample_lost(self, finished: FinishedSample) -> None:
        write_sample_page(finished)

    def run_finished(self, runs: tuple[FinishedRun, ...]) -> None:
        for run in runs:
            write_run_page(run)


def write_sample_page(finished: FinishedSample) -> None:
    """The page of a sample and the framed copies of its pictures. Raises EvidenceError."""
    # Imported here, because Pillow would make the start of pytest slow.
    from pytest_bwa.reports.handover.sample_content import Pictures, sample_content

    result = finished.result
    folder = finished.run.sample(result.sample_id)
    pictures = Pictures(folder, result.artifacts)
    for name, content in pictures.framed_copies(result.sample_id):
        write_atomically(folder / name, content, durable=False)
    content = render("sample.html", **sample_content(finished, finished.run.record(), pictures))
    write_atomically(folder / PAGE, content, durable=False)


def write_run_page(run: FinishedRun) -> None:
    """The page of the run, and what its files are. Raises EvidenceError."""
    # Imported here, because Pillow would make the start of pytest slow.
    from pytest_bwa.reports.handover.run_content import run_content

    write_atomically(run.folder.path / PAGE, render("run.html", **run_content(run)))
    write_atomically(run.folder.path / README, render("README.txt"))
