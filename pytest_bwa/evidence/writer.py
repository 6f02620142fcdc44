"""One sample's folder: screenshots, downloads, the log, the checkpoint and the result."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_bwa.errors import EvidenceError
from pytest_bwa.evidence.files import safe_name, sha256, sha256_of, write_json, write_whole
from pytest_bwa.evidence.record import Checkpoint, SampleResult
from pytest_bwa.steps import Artifact, Step, utc_now

CHECKPOINT_EVERY = 5  # steps, F-53
RESULT, LOG, CHECKPOINT = "result.json", "action_log.json", "checkpoint.json"
DOWNLOADS, ATTEMPTS = "downloads", "attempts"


class SampleWriter:
    """Writes one sample's evidence; every method raises EvidenceError when the disk refuses.

    An earlier attempt in the same folder is moved to ``attempts/N``, never overwritten.
    """

    def __init__(self, folder: Path, sample_id: str, max_steps: int) -> None:
        self.folder = folder
        self.sample_id = sample_id
        self.max_steps = max_steps
        self.steps: list[Step] = []
        self.artifacts: list[Artifact] = []
        self._counter = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _set_aside_earlier_attempt(folder)
        except OSError as error:
            raise EvidenceError(f"cannot write in {folder}: {error.strerror or error}") from error

    def save_screenshot(self, png: bytes, label: str, url: str, step: int) -> Artifact:
        """``NN_label.png``; the hash is of the bytes that were written."""
        self._counter += 1
        filename = f"{self._counter:02d}_{safe_name(label)}.png"
        write_whole(self.folder / filename, png)
        return self._keep(filename, sha256(png), url, label, step)

    def save_download(self, temporary: Path, suggested: str, url: str, step: int) -> Artifact:
        """``downloads/<name>``, the name made safe and unique within the sample."""
        target = _unique(self.folder / DOWNLOADS, safe_name(suggested, "download"))
        try:
            target.parent.mkdir(exist_ok=True)
            shutil.move(temporary, target)
        except OSError as error:
            raise EvidenceError(f"cannot write {target}: {error.strerror or error}") from error
        digest = sha256_of(target)
        return self._keep(f"{DOWNLOADS}/{target.name}", digest, url, suggested, step)

    def _keep(self, filename: str, digest: str, url: str, label: str, step: int) -> Artifact:
        artifact = Artifact(
            filename=filename,
            sha256=digest,
            source_url=url,
            timestamp=utc_now(),
            label=label,
            step=step,
        )
        self.artifacts.append(artifact)
        return artifact

    def log(self, step: Step) -> None:
        """Keep the step; it reaches the disk with the next checkpoint."""
        self.steps.append(step)

    def checkpoint(
        self, step: int, collected: Mapping[str, Any], notes: Sequence[str], status: str
    ) -> None:
        """action_log.json first, then the checkpoint that speaks of it (F-53)."""
        write_json(self.folder / LOG, self.steps)
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
        write_json(self.folder / CHECKPOINT, record)

    def finish(self, result: SampleResult) -> None:
        """result.json, the last file written: where it stands, the evidence is complete."""
        write_json(self.folder / RESULT, result)


def _set_aside_earlier_attempt(folder: Path) -> None:
    earlier = [p for p in folder.iterdir() if p.name != ATTEMPTS and not p.name.startswith(".")]
    if not earlier:
        return
    aside = folder / ATTEMPTS
    aside.mkdir(exist_ok=True)
    target = aside / str(1 + len(list(aside.iterdir())))
    target.mkdir()
    for path in earlier:
        path.rename(target / path.name)


def _unique(folder: Path, name: str) -> Path:
    stem, dot, ending = name.rpartition(".")
    candidate, number = folder / name, 2
    while candidate.exists():
        candidate = folder / (f"{stem}_{number}.{ending}" if dot else f"{name}_{number}")
        number += 1
    return candidate
