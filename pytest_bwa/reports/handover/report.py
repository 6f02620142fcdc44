"""Writes the pages into the run folder, before its manifest is made."""

from __future__ import annotations

from pytest_bwa.evidence.files import write_atomically
from pytest_bwa.evidence.folder import PAGE
from pytest_bwa.reports.base import FinishedRun, FinishedSample, Report
from pytest_bwa.reports.handover.legend import WORDS, as_columns, run_files, sample_files
from pytest_bwa.reports.handover.templates import render
from pytest_bwa.spec.sample import FAN_OUT

README = "README.txt"
FANNED_OUT = f""", in {FAN_OUT}/, and there in a folder with the first two characters of
the name's SHA-256 (printf %s NAME | sha256sum)"""


class HandOver(Report):
    """A page for each sample, written by the process that ran it, and one for the run."""

    name = "hand-over pages"

    def sample_finished(self, finished: FinishedSample) -> None:
        write_sample_page(finished)

    def recordings_kept(self, finished: FinishedSample) -> None:
        write_sample_page(finished)

    def item_reported(self, finished: FinishedSample) -> None:
        reported = finished.item_report
        if reported is not None and reported.says_more(finished.result.passed):
            write_sample_page(finished)

    def sample_lost(self, finished: FinishedSample) -> None:
        write_sample_page(finished)

    def run_finished(self, runs: tuple[FinishedRun, ...]) -> None:
        for run in runs:
            for finished in run.finished_samples(run.changed_late):
                write_sample_page(finished)
            write_run_page(run)


def write_sample_page(finished: FinishedSample) -> None:
    """The page of a sample and the framed copies of its pictures. Raises EvidenceError."""
    # Imported here, because Pillow would make the start of pytest slow.
    from pytest_bwa.reports.handover.sample_content import Pictures, sample_content

    result = finished.result
    folder = finished.run.sample(result.sample_id)
    pictures = Pictures(folder, result.artifacts)
    for name, content in pictures.framed_copies(result.sample_id, finished.task.workpaper):
        write_atomically(folder / name, content, durable=False)
    content = render("sample.html", **sample_content(finished, finished.run.record(), pictures))
    write_atomically(folder / PAGE, content, durable=False)


def write_run_page(run: FinishedRun) -> None:
    """The page of the run, and what its files are. Raises EvidenceError."""
    # Imported here, because Pillow would make the start of pytest slow.
    from pytest_bwa.reports.handover.run_content import run_content

    folder = run.folder.path
    write_atomically(folder / PAGE, render("run.html", **run_content(run)))
    lists = {
        "run_files": run_files(folder),
        "sample_files": sample_files(folder, f"{FAN_OUT}/*/*/" if run.record.fan_out else "*/"),
        "legend": WORDS,
    }
    texts = {name: as_columns(pairs) for name, pairs in lists.items()}
    texts["sample_place"] = FANNED_OUT if run.record.fan_out else ""
    write_atomically(folder / README, render("README.txt", **texts))
