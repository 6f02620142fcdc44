"""Which folder of a store is that of a run: no run is ever written over another one."""

from __future__ import annotations

from itertools import count

from pydantic import ValidationError

from pytest_bwa.errors import StoreError
from pytest_bwa.evidence.files import sha256
from pytest_bwa.evidence.folder import RUN, RunFolder
from pytest_bwa.evidence.run_record import RunRecord
from pytest_bwa.reports.upload.store import Store


def place_of(run: RunFolder, root: Store) -> tuple[Store, dict[str, str]]:
    """The run's folder in the store, and the SHA-256 of what was written to make it: of run.json if
    it is new, of nothing if it was there. It has the name of the run folder, and ``_2``, ``_3``, …
    if other runs have these names, as two machines do that began in the same second. Raises
    StoreError, also if the store has a later state of this run."""
    ours = run.record()
    for number in count(1):
        name = run.path.name if number == 1 else f"{run.path.name}_{number}"
        store = root.below(name)
        if store.read(RUN) is None:
            try:
                store.put(RUN, content := (run.path / RUN).read_bytes(), only_new=True)
                return store, {RUN: sha256(content)}
            except FileExistsError:  # another machine was faster
                pass
        if _is_same(theirs := _record(store.read(RUN)), ours):
            _check_order(store, theirs, ours)
            return store, {}
    raise AssertionError("count never ends")


def _record(content: bytes | None) -> RunRecord | None:
    try:
        return RunRecord.model_validate_json(content or b"")
    except ValidationError:
        return None


def _is_same(theirs: RunRecord | None, ours: RunRecord) -> bool:
    """Whether two records are of one run, although one may be older."""
    return theirs is not None and _identity(theirs) == _identity(ours)


def _identity(record: RunRecord) -> tuple[object, ...]:
    host = record.origin.host if record.origin else None
    inputs = (record.spec.sha256, record.samples.sha256)
    return record.run_id, record.task_id, record.started_at, host, *inputs


def _check_order(store: Store, theirs: RunRecord | None, ours: RunRecord) -> None:
    """Raises StoreError if the run was resumed elsewhere since this copy was made."""
    resumed = theirs.resumed_at if theirs else []
    if resumed != ours.resumed_at[: len(resumed)]:
        raise StoreError(
            f"{store.address} has a later state of this run, resumed at {resumed[-1]}",
            is_refusal=True,
        )
