"""The name of the run folder: no run is written into another one, or taken for it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_bwa.errors import EvidenceError, InputError
from pytest_bwa.plugin import options
from pytest_bwa.spec.shard import Shard, new_run_id

if TYPE_CHECKING:
    from pytest_bwa.evidence.folder import RunFolder

BEFORE = pytest.StashKey[list[str]]()
"""The folders that were there before this session, of those that it might write into."""


def named_or_new(config: Any, evidence: Path) -> str:
    """What ``--run-id`` says; else a name after the time that is free. A wrong ``--shard`` is
    refused later, where there is something to audit."""
    if named := options.value(config, "run_id"):
        return named
    shard = options.value(config, "shard")
    try:
        name = new_run_id(Shard.parse(shard) if shard else None)
    except InputError:
        name = new_run_id()
    number, free = 1, name
    while there_already(evidence, free):
        number += 1
        free = f"{name}_{number}"
    return free


def there_already(evidence: Path, run_id: str) -> list[str]:
    """The folders that a run of this name might write into: its own, and those of the audits that
    markers bind."""
    try:
        names = [path.name for path in evidence.iterdir()]
    except OSError:
        return []
    return [name for name in names if name == run_id or name.startswith(f"{run_id}_")]


def check_free(config: pytest.Config, evidence: Path, name: str) -> None:
    """Raises InputError for a folder that was there before this session."""
    if name in config.stash[BEFORE] and not config.option.collectonly:
        raise InputError(
            f"{evidence / name} already exists: continue it with --resume {name}, or take another "
            "--run-id"
        )


def bound_folders(config: pytest.Config, evidence: Path, run_id: str) -> list[RunFolder]:
    """The folders that this session has made for audits that markers bind."""
    before, now = config.stash[BEFORE], sorted(there_already(evidence, run_id))
    names = [name for name in now if name not in before]
    if not names:  # as in every project that only has the plugin installed
        return []
    from pytest_bwa.evidence.folder import RUN, RunFolder

    folders = [RunFolder(evidence / name) for name in names if (evidence / name / RUN).is_file()]
    return [folder for folder in folders if _is_bound(folder, run_id)]


def _is_bound(folder: RunFolder, run_id: str) -> bool:
    """False for the run of another session, whose name merely begins alike."""
    try:
        return folder.path.name == f"{run_id}_{folder.record().task_id}"
    except EvidenceError:
        return True
