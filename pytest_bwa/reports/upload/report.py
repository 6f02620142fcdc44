"""Uploads the runs of a session to a store (``--evidence s3://BUCKET/PREFIX``)."""

from __future__ import annotations

from pathlib import Path

from pytest_bwa.errors import InputError, StoreError
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.reports.base import FinishedRun, FinishedSample, Report, ReportContext, Terminal
from pytest_bwa.reports.upload.store import Store
from pytest_bwa.reports.upload.upload import RunUpload, UploadResult


class UploadedEvidence(Report):
    """Sends a sample when its test is torn down, and all else when the run is sealed. Only the
    controller does it, which has nothing else to do while samples run and knows when one ends."""

    name = "upload"

    def __init__(self, context: ReportContext) -> None:
        super().__init__(context)
        self._root = Store(context.store) if context.store else None
        self._uploads: dict[Path, RunUpload] = {}
        self._results: list[UploadResult] = []

    def run_opened(self, run: RunFolder) -> list[str]:
        upload = self._upload_of(run)
        if upload is None:
            return []
        try:
            upload.begin()
        except StoreError as error:
            if error.is_refusal:
                raise InputError(f"cannot write to {self.context.store}: {error}") from None
            return [f"{upload.address} cannot be reached yet and will be tried again: {error}"]
        return [f"evidence is uploaded to {upload.address}"]

    def sample_closed(self, run: RunFolder, sample_id: str) -> None:
        if upload := self._upload_of(run):
            upload.add_sample(sample_id)

    def sample_lost(self, finished: FinishedSample) -> None:
        self.sample_closed(finished.run, finished.result.sample_id)

    def run_sealed(self, runs: tuple[FinishedRun, ...]) -> None:
        self.is_incomplete = self._root is not None  # also if something unforeseen ends this
        for run in runs:
            if upload := self._upload_of(run.folder):
                self._results.append(upload.finish())
        self.is_incomplete = any(result.reason for result in self._results)

    def write_terminal_summary(self, terminal: Terminal) -> None:
        for result in self._results:
            terminal.write_line(result.line, red=bool(result.reason))

    def _upload_of(self, run: RunFolder) -> RunUpload | None:
        path = run.path.resolve()
        if self._root is not None and path not in self._uploads:
            self._uploads[path] = RunUpload(run, self._root)
        return self._uploads.get(path)
