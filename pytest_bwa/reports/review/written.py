"""Whether a result and its files are still what the run wrote."""

from __future__ import annotations

from contextlib import suppress

from pytest_bwa.evidence.files import sha256_of
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.integrity.manifest import altered_files, listed_digests
from pytest_bwa.evidence.record import SampleResult
from pytest_bwa.evidence.writer import RESULT


class WrittenFiles:
    """The digests of a run that has ended."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self._digests: dict[str, str] = {}
        with suppress(OSError):  # then every sample counts as changed
            self._digests = listed_digests(folder.path)

    def is_changed(self, result: SampleResult) -> bool:
        folder = self._folder.sample(result.sample_id)
        name = f"{self._folder.place(result.sample_id)}/{RESULT}"
        is_listed = self._digests.get(name) == sha256_of(folder / RESULT)
        return not is_listed or bool(altered_files(folder, result))
