"""What a sample's result.json says of its pictures and of where its values were seen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_bwa.evidence.trajectory.reader import RecordedStep
from pytest_bwa.spec.sample import find_place_in_run
from pytest_bwa.steps.artifacts import is_picture

_RESULT = "result.json"


@dataclass(frozen=True)
class ResultFile:
    """Empty as long as the sample has no result, or if it cannot be read."""

    artifacts: list[dict[str, Any]]
    grounding: dict[str, Any]
    place: str
    """The sample's folder, relative to that of its run."""
    notes: tuple[str, ...] = ()
    flagged: bool = False

    def pictures_of(self, step: RecordedStep) -> list[str]:
        """File names in the sample's folder: the pictures taken in this step, else one of the same
        state of the page."""
        pictures = [a for a in self.artifacts if is_picture(a.get("filename"))]
        own = [a["filename"] for a in pictures if a.get("step") == step.step]
        if is_picture(artifact := step.record.get("artifact")):
            own.append(artifact)
        states = [state for state in (step.before.state, step.after.state) if state]
        same = [a["filename"] for s in states for a in pictures if a.get("page_state") == s]
        return list(dict.fromkeys(own or same[:1]))

    def values_seen(self) -> Iterator[str]:
        """One line for each value: ``department: verbatim, cited, step 2, 01_record.png``."""
        for path, record in _records("", self.grounding):
            step = record.get("step")
            places = [
                str(record["how"]), record.get("rule"), "cited" if record.get("cited") else "",
                "" if step is None else f"step {step}", record.get("artifact"),
            ]  # fmt: skip
            yield f"{path}: {', '.join(filter(None, places))}{_doubted(record)}"

    def noted(self) -> Iterator[str]:
        """The notes, which say of a flagged sample why it is."""
        if self.notes:
            yield f"{'flagged' if self.flagged else 'noted'}: {'; '.join(self.notes)}"


def read_result_file(run: Path, sample_id: str) -> ResultFile:
    place = find_place_in_run(run, sample_id)
    try:
        content = json.loads((run / place / _RESULT).read_bytes())
        artifacts = [a for a in content["artifacts"] if isinstance(a, dict)]
        notes = tuple(str(note) for note in content.get("notes") or ())
        grounding, flagged = dict(content.get("grounding") or {}), bool(content.get("flagged"))
        return ResultFile(artifacts, grounding, place, notes, flagged)
    except (OSError, ValueError, KeyError, TypeError):
        return ResultFile([], {}, place)


def _doubted(record: dict[str, Any]) -> str:
    """The codes of what speaks against a value, each with its detail; empty if nothing does."""
    details = record.get("against") or {}
    codes = [f"{c} ({details[c]})" if c in details else c for c in record.get("doubts") or ()]
    return f"; doubted: {', '.join(codes)}" if codes else ""


def _records(path: str, tree: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The records of grounding, each with the place of its value: ``staff[0].name``."""
    if isinstance(tree, list):
        for number, entry in enumerate(tree):
            yield from _records(f"{path}[{number}]", entry)
    elif isinstance(tree, dict) and isinstance(tree.get("how"), str):
        yield path, tree
    elif isinstance(tree, dict):
        for name, entry in tree.items():
            yield from _records(f"{path}.{name}" if path else name, entry)
