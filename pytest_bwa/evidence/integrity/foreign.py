"""What somebody put into a run folder before a ``--resume``: no manifest names it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from pytest_bwa.errors import ResumeRefused
from pytest_bwa.evidence.files import HALF_WRITTEN, is_system_file, sha256_of
from pytest_bwa.evidence.folder import POPULATION, RUN, SAMPLES, SPEC
from pytest_bwa.evidence.integrity.manifest import (
    MANIFEST,
    files_in,
    is_in_order,
    listed_digests,
    manifest_entries,
)
from pytest_bwa.evidence.run_record import RunRecord
from pytest_bwa.spec.sample import folders_in_run
from pytest_bwa.steps.text import first_of

MAX_NAMED = 5


def foreign_files(run: Path, record: RunRecord) -> dict[str, str]:
    """The files that no session wrote, with their SHA-256. Raises OSError.

    Only a manifest can tell. After a session that was killed, there are those of the samples that
    did not run in it, and what was known before."""
    is_sealed = _is_sealed(run)
    names = _not_listed(run) if is_sealed else _beside_samples(run)
    found = {name: sha256_of(run / name) for name in names if not _is_nobodys(name)}
    return found if is_sealed else {**record.foreign, **found}


def notes_of(run: Path, foreign: Iterable[str]) -> tuple[str, ...]:
    """A line that names them; none if there are none."""
    names = [name for name in foreign if (run / name).is_file()]
    it = "it" if len(names) == 1 else "them"
    named = first_of(names, MAX_NAMED)
    problem = f"no session of this run wrote {it}, so its manifest will not name {it}"
    return (f"warning: {named}: {problem}",) if names else ()


def check_copies(run: Path, record: RunRecord) -> None:
    """Raises ResumeRefused if the spec or the list in the folder is not what the run wrote."""
    copies = {SPEC: record.spec, SAMPLES: record.samples, POPULATION: record.population}
    for name, file in copies.items():
        is_there = file and (run / name).is_file()  # else whoever reads it says so
        if file and is_there and file.copy_sha256 not in (None, sha256_of(run / name)):
            raise ResumeRefused(
                f"{run} cannot be resumed: {name} in it was changed since the run wrote it"
            )


def _is_sealed(run: Path) -> bool:
    """Whether the manifest is of the run as it is: run.json is written by each session, before
    it."""
    try:
        with (run / MANIFEST).open("rb") as lines:
            entries = (entry for entry in manifest_entries(lines) if entry and entry[0] == RUN)
            return sha256_of(run / RUN) == dict(entries).get(RUN)
    except OSError:
        return False


def _is_nobodys(name: str) -> bool:
    return is_system_file(name) or Path(name).match(HALF_WRITTEN)


def _not_listed(run: Path) -> Iterator[str]:
    """The files that the manifest of the run does not name; both come in the order of names."""
    with (run / MANIFEST).open("rb") as lines:
        names: Iterable[str] = (entry[0] for entry in manifest_entries(lines) if entry)
        listed = iter(names if is_in_order(run / MANIFEST) else sorted(names))
        following = next(listed, None)
        for name, _ in files_in(run):
            while following is not None and following < name:
                following = next(listed, None)
            if following != name:
                yield name


def _beside_samples(run: Path) -> Iterator[str]:
    """The files in folders of samples that the manifests of these do not name."""
    for folder in folders_in_run(run):
        if (folder / MANIFEST).is_file():
            listed = listed_digests(folder)
            place = folder.relative_to(run).as_posix()
            yield from (f"{place}/{name}" for name, _ in files_in(folder) if name not in listed)
