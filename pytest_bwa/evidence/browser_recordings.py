"""What pytest-playwright recorded of a sample's browser: pictures, traces and videos.

They exist only once the page is closed, which is after result.json was written: so they lie beside
the record, in a folder of their own, and the manifests of the sample and the run name them.
"""

from __future__ import annotations

import shutil
from pathlib import Path

RECORDINGS = "recordings"


def move_recordings(source: Path, sample_folder: Path) -> dict[Path, Path]:
    """Move every file of a folder to the sample's evidence; its old path to its new one.
    A file that another test of the same sample left there is kept. Raises OSError."""
    moved: dict[Path, Path] = {}
    for path in sorted(source.rglob("*")) if source.is_dir() else []:
        if path.is_file() and not path.is_symlink():
            target = _free(sample_folder / RECORDINGS / path.relative_to(source))
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(path, target)
            moved[path] = target
    if moved:
        shutil.rmtree(source, ignore_errors=True)  # only empty folders are left
    return moved


def recordings_of(sample_folder: Path) -> list[Path]:
    """The recordings of a sample, by their names."""
    found = (sample_folder / RECORDINGS).rglob("*")
    return sorted(path for path in found if path.is_file())


def _free(path: Path) -> Path:
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free
