"""One sample's folder: its result, log, checkpoint and pictures against each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_bwa.evidence.integrity.chain import broken_links, is_chained, last_hash
from pytest_bwa.evidence.integrity.manifest import altered_files
from pytest_bwa.evidence.record import Checkpoint, SampleResult
from pytest_bwa.evidence.writer import CHECKPOINT, LOG, RESULT
from pytest_bwa.reports.pictures import framed_name, is_copy_of
from pytest_bwa.reports.verify.fault import Fault, Unreadable, read_json, read_record
from pytest_bwa.reports.verify.grounding import check_grounding
from pytest_bwa.steps.artifacts import DOWNLOADS, PICTURE_SUFFIX

NOT_CHAINED = (
    "its entries are not chained: it is from an earlier version, or was changed; nothing proves "
    "that it is complete"
)


def read_sample(folder: Path) -> SampleResult | Fault:
    """The result of a sample, or why there is none."""
    try:
        return read_record(folder / RESULT, SampleResult)
    except Unreadable as problem:
        return Fault(RESULT, str(problem))


def check_sample(folder: Path, result: SampleResult | Fault) -> Iterator[Fault]:
    """What does not fit in the records of one sample, whose result was read."""
    if isinstance(result, Fault):
        yield result
        return
    yield from _check_log(folder, result)
    yield from _check_checkpoint(folder, result)
    yield from _check_artifacts(folder, result)
    yield from check_grounding(folder, result)


def _check_log(folder: Path, result: SampleResult) -> Iterator[Fault]:
    if not (folder / LOG).exists() and not (result.log_hash or result.mode):
        return  # it ended before its first step
    try:
        log: Any = read_json(folder / LOG)
    except Unreadable as problem:
        yield Fault(LOG, str(problem))
        return
    if not isinstance(log, list) or not all(isinstance(entry, dict) for entry in log):
        yield Fault(LOG, "is not a list of entries")
        return
    if log and not is_chained(log):
        yield Fault(LOG, NOT_CHAINED)
    else:
        yield from (Fault(LOG, problem) for problem in broken_links(log))
        if last_hash(log) != result.log_hash:
            yield Fault(LOG, f"does not end with the entry that {RESULT} names")
    if len(log) != len(result.mode):
        yield Fault(LOG, f"has {len(log)} entries, and {RESULT} counts {len(result.mode)}")
    yield from _check_log_references(folder, result, log)


def _check_log_references(
    folder: Path, result: SampleResult, log: list[dict[str, Any]]
) -> Iterator[Fault]:
    names = {artifact.filename for artifact in result.artifacts}
    for number, entry in enumerate(log):
        name = entry.get("artifact")
        # The result of a killed worker is made from a checkpoint, which may be older than the log.
        is_known = name in names or (result.broken and (folder / str(name)).is_file())
        if name is not None and not is_known:
            yield Fault(LOG, f"entry {number} refers to {name}, which {RESULT} does not have")


def _check_checkpoint(folder: Path, result: SampleResult) -> Iterator[Fault]:
    """A result that was not made by the loop's end (``broken``) need not agree with it."""
    if result.broken:
        return
    try:
        checkpoint = read_record(folder / CHECKPOINT, Checkpoint)
    except Unreadable as problem:
        yield Fault(CHECKPOINT, str(problem))
        return
    same = {
        "sample_id": (checkpoint.sample_id, result.sample_id),
        "status": (checkpoint.status, result.status),
        "step": (checkpoint.step, result.steps),
        "steps_logged": (checkpoint.steps_logged, len(result.mode)),
    }
    for key, (ours, theirs) in same.items():
        if ours != theirs:
            yield Fault(CHECKPOINT, f"{key} is {ours}, and {RESULT} says {theirs}")
    if checkpoint.artifacts_so_far != result.artifacts:
        yield Fault(CHECKPOINT, f"names other pictures and files than {RESULT}")


def _check_artifacts(folder: Path, result: SampleResult) -> Iterator[Fault]:
    names = [artifact.filename for artifact in result.artifacts]
    for name in altered_files(folder, result):
        is_there = (folder / name).is_file()
        yield Fault(name, f"{'has another SHA-256 than' if is_there else 'is missing:'} {RESULT}")
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield Fault(RESULT, f"names {name} twice")
    for name in result.judgment.evidence_refs if result.judgment else ():
        if name not in names:
            yield Fault(
                RESULT, f"the judgment refers to {name}, which is not a picture of the sample"
            )
    if not result.broken:  # a killed worker's last pictures are in no record
        there = [*folder.glob(f"*{PICTURE_SUFFIX}"), *folder.glob(f"{DOWNLOADS}/*")]
        copies = {framed_name(name): name for name in names}
        for name in sorted(path.relative_to(folder).as_posix() for path in there):
            if name in copies and not is_copy_of(folder / name, folder / copies[name]):
                yield Fault(name, f"does not show {copies[name]} as it is")
            elif name not in names and name not in copies:
                yield Fault(name, f"is not named by {RESULT}")
