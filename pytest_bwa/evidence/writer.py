"""Write the folder of one sample: screenshots, downloads, log, checkpoint and result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.files import (
    is_system_file,
    make_folder,
    move_atomically,
    safe_file_name,
    safe_name,
    sha256,
    sha256_of,
    split_extension,
    write_atomically,
    write_json,
)
from pytest_bwa.evidence.integrity.chain import START, chained, last_hash
from pytest_bwa.evidence.record import Checkpoint, SampleResult
from pytest_bwa.spec.redaction import Redactor
from pytest_bwa.steps.artifacts import DOWNLOADS, PICTURE_SUFFIX
from pytest_bwa.steps.step import Artifact, Picture, Step, utc_now

CHECKPOINT_EVERY = 5
"""Steps between two checkpoints."""
RESULT, LOG, CHECKPOINT = "result.json", "action_log.json", "checkpoint.json"
ATTEMPTS = "attempts"


class SampleWriter:
    """Writes one sample's evidence; a method raises EvidenceError if the disk refuses the file.

    An earlier attempt in the same folder is moved to ``attempts/N``, never overwritten.
    """

    def __init__(
        self,
        folder: Path,
        sample_id: str,
        max_steps: int,
        redactor: Redactor | None = None,
    ) -> None:
        self.redactor = redactor or Redactor()
        self.folder = folder
        self.sample_id = sample_id
        self.max_steps = max_steps
        self.steps: list[Step] = []
        """As they were, for the loop; the log and everything else that is shown is redacted."""
        self._log: list[dict[str, Any]] = []
        """The entries of action_log.json: the steps, each with the hash of the one before it."""
        self.artifacts: list[Artifact] = []
        self.pictures: dict[str, Picture] = {}
        """The screenshots without their bytes, by file name."""
        self._counter = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _move_earlier_attempt(folder)
        except OSError as error:
            raise EvidenceError(f"cannot write in {folder}: {error.strerror or error}") from error

    def save_screenshot(self, picture: Picture, label: str, step: int) -> Artifact:
        """Write ``NN_label.png``; the hash is of the bytes that were written. What a picture shows
        already is not written again: that one has this label, too."""
        label, digest = self.redactor(label), sha256(picture.png)
        if (same := self._same_picture(picture, digest)) is not None:
            return self._label_again(same, picture, label)
        self._counter += 1
        filename = f"{self._counter:02d}_{safe_name(label)}{PICTURE_SUFFIX}"
        write_atomically(self.folder / filename, picture.png)
        self.pictures[filename] = replace(picture, png=b"")
        return self._add(
            filename,
            digest,
            picture.url,
            label,
            step,
            timestamp=picture.taken_at,
            page_state=picture.page_state,
        )

    def _same_picture(self, picture: Picture, digest: str) -> int | None:
        """Where the artifacts have a picture with the same pixels of the same state of a page, and
        of the same part of it."""
        wanted = (digest, picture.url, picture.page_state, picture.hidden)
        for number, known in enumerate(self.artifacts if picture.page_state else ()):
            if (saved := self.pictures.get(known.filename)) is None:
                continue  # it is a download
            if (known.sha256, saved.url, saved.page_state, saved.hidden) == wanted:
                return number
        return None

    def _label_again(self, number: int, picture: Picture, label: str) -> Artifact:
        known = self.artifacts[number]
        self.pictures[known.filename] = self.pictures[known.filename].joined(picture)
        if label not in known.labels:
            more = (*known.more_labels, label)
            self.artifacts[number] = known = known.model_copy(update={"more_labels": more})
        return known

    def save_download(
        self, temporary: Path, suggested: str, url: str, step: int, fault: str = ""
    ) -> Artifact:
        """Move the file to ``downloads/``, under a name that is safe and unique in the sample."""
        suggested = self.redactor(suggested)
        target = _unique(self.folder / DOWNLOADS, safe_file_name(suggested, "download"))
        make_folder(target.parent)
        move_atomically(temporary, target)
        digest = sha256_of(target)
        return self._add(
            f"{DOWNLOADS}/{target.name}", digest, url, suggested, step, fault=self.redactor(fault)
        )

    def _add(
        self,
        filename: str,
        digest: str,
        url: str,
        label: str,
        step: int,
        *,
        timestamp: str = "",
        page_state: str = "",
        fault: str = "",
    ) -> Artifact:
        artifact = Artifact(
            filename=filename,
            sha256=digest,
            source_url=url,
            timestamp=timestamp or utc_now(),
            label=label,
            step=step,
            page_state=page_state,
            fault=fault,
        )
        self.artifacts.append(artifact)
        return artifact

    def log(self, step: Step) -> None:
        """Add the step to the log; the next checkpoint writes it to disk."""
        self.steps.append(step)
        self._chain(step)

    def learn_typed(self, text: str, *, is_shown: bool = False) -> None:
        """Mask what was typed into a password field, in the steps before it, too."""
        if self.redactor.learn_typed(text, is_shown=is_shown):
            self._log = []
            for step in self.steps:
                self._chain(step)

    def _chain(self, step: Step) -> None:
        self._log.append(chained(self.redactor.model(step), last_hash(self._log) or START))

    def checkpoint(
        self, step: int, collected: Mapping[str, Any], notes: Sequence[str], status: str
    ) -> None:
        """Write action_log.json, then checkpoint.json, which counts its steps."""
        write_json(self.folder / LOG, self._log)
        record = Checkpoint(
            sample_id=self.sample_id,
            status=status,
            step=step,
            max_steps=self.max_steps,
            accumulated_data=dict(collected),
            progress_notes=list(notes),
            artifacts_so_far=self.artifacts,
            steps_logged=len(self.steps),
            updated_at=utc_now(),
        )
        write_json(self.folder / CHECKPOINT, self.redactor.model(record))

    def finish(self, result: SampleResult) -> None:
        """Write result.json last, with the end of the log's chain: if it exists, the evidence is
        complete."""
        result.log_hash = last_hash(self._log)
        write_json(self.folder / RESULT, result)


def next_attempt(folder: Path) -> Path:
    """Where the files of a sample are moved if it runs again."""
    numbers = [int(path.name) for path in folder.glob(f"{ATTEMPTS}/*") if path.name.isdecimal()]
    return folder / ATTEMPTS / str(1 + max(numbers, default=0))


def _move_earlier_attempt(folder: Path) -> None:
    earlier = [p for p in folder.iterdir() if p.name != ATTEMPTS and not p.name.startswith(".")]
    if not earlier:
        return
    target = next_attempt(folder)
    target.parent.mkdir(exist_ok=True)
    target.mkdir()
    for path in earlier:
        path.rename(target / path.name)


def _unique(folder: Path, name: str) -> Path:
    stem, extension = split_extension(name)
    candidate, number = folder / name, 2
    while candidate.exists() or is_system_file(candidate.name):
        candidate = folder / f"{stem}_{number}{extension}"
        number += 1
    return candidate
