"""``bwa bag``: a run as a BagIt 1.0 bag (RFC 8493), which archives know how to check."""

from __future__ import annotations

import shutil
import tempfile
from datetime import datetime
from pathlib import Path

from pytest_bwa import __version__
from pytest_bwa.errors import EvidenceError, InputError
from pytest_bwa.evidence.files import sha256, sha256_of
from pytest_bwa.evidence.folder import RunFolder
from pytest_bwa.evidence.integrity.manifest import MANIFEST
from pytest_bwa.reports.verify.verify import Verification, verify

DECLARATION = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
MAX_FAULTS = 3
"""Faults that a refusal names; ``bwa verify`` names all."""
_ESCAPES = {"%": "%25", "\n": "%0A", "\r": "%0D"}


def make_bag(run: Path, target: Path) -> Path:
    """Copy a run into a new bag. Raises InputError if the target exists, or if the folder is no
    run whose manifest verifies; EvidenceError if the disk refuses it."""
    if target.exists() or target.is_symlink():
        raise InputError(f"{target} exists: name another folder for the bag")
    found = verify(run)
    if found.kind != "run":
        raise InputError(f"{run} is one sample: only a whole run makes a bag")
    if not found.ok:
        named = "; ".join(map(str, found.faults[:MAX_FAULTS]))
        raise InputError(f"{run} does not verify, so no bag was made: {named}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".bag-", dir=target.parent) as temporary:
            bag = Path(temporary) / target.name
            _write(found, bag)
            bag.rename(target)
    except (OSError, shutil.Error) as error:
        raise EvidenceError(f"cannot write {target}: {error}") from error
    return target


def _write(found: Verification, bag: Path) -> None:
    left = {found.folder / name for name in found.system_files}

    def is_left(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if Path(folder, name) in left]

    shutil.copytree(found.folder, bag / "data", symlinks=True, ignore=is_left)
    payload = sorted(path for path in (bag / "data").rglob("*") if path.is_file())
    tags = {
        "bagit.txt": DECLARATION,
        "bag-info.txt": _info(found, payload),
        MANIFEST: "".join(_line(sha256_of(path), path.relative_to(bag)) for path in payload),
    }
    digests = {name: sha256(text.encode()) for name, text in tags.items()}
    tags[f"tag{MANIFEST}"] = "".join(_line(digests[n], Path(n)) for n in sorted(digests))
    for name, text in tags.items():
        (bag / name).write_bytes(text.encode())


def _info(found: Verification, payload: list[Path]) -> str:
    record = RunFolder(found.folder).record()
    octets = sum(path.stat().st_size for path in payload)
    results = ", ".join(f"{count} {status}" for status, count in record.results_out.items())
    fields = {
        "Bag-Software-Agent": f"pytest-bwa {__version__}",
        "Bagging-Date": datetime.now().date().isoformat(),
        "External-Identifier": record.run_id,
        "External-Description": f"Run of the task {record.task_id}",
        "Payload-Oxum": f"{octets}.{len(payload)}",
        "Run-Started": record.started_at,
        "Run-Finished": record.finished_at or "",
        "Samples": str(record.samples_in),
        "Results": results or "none",
        "Run-Manifest-SHA256": found.manifest_sha256,
    }
    return "".join(f"{name}: {' '.join(value.split())}\n" for name, value in fields.items())


def _line(digest: str, path: Path) -> str:
    name = "".join(_ESCAPES.get(character, character) for character in path.as_posix())
    return f"{digest}  {name}\n"
